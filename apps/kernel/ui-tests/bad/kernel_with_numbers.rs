#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar, kernel};

#[kernel]
fn half(a: f32, b: Option<i64>, mut y: Out<layout!(f32[?]{0})>) {}

fn main() {}
