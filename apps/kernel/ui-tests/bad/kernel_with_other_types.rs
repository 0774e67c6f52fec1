#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar, kernel};

#[kernel]
fn half(a: Vec<f32>, b: Scalar<String>, c: Option<String>, mut y: Out<layout!(f32[?]{0})>) {}

fn main() {}
