#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(x: In<layout!(f32[3], padded_dimensions = [4])>, mut y: Out<layout!(f32[3]{0})>) {}

fn main() {}
