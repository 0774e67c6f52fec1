#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar, kernel};

#[kernel]
fn half(x: In<layout!(f32[?]{0})>, y: Out<layout!(f32[?]{0})>) {
    y.memory_mut().fill(0.5);
}

fn main() {}
