#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(x: In<f32>, mut y: Out<[f32; 3]>) {}

fn main() {}
