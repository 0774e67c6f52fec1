#![allow(unused)]

use xlayout::{kernel, layout};
use xlayout_kernel::{Out, Scalar};

#[kernel]
fn half(a: f32, b: Vec<f32>, c: Scalar<String>, d: Option<f32>, mut y: Out<layout!(f32[?]{0})>) {}

fn main() {}
