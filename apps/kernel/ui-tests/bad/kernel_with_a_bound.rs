#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(x: In<layout!(f32[<=8]{0})>, mut y: Out<layout!(f32[8]{0})>) {}

fn main() {}
