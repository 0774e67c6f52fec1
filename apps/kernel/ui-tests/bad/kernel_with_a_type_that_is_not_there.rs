#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(x: Input<f32>, mut y: Out<layout!(f32[?]{0})>) {}

fn main() {}
