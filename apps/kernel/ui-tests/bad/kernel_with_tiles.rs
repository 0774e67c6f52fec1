#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(x: In<layout!(f32[16,256]{1,0:T(8,128)})>, mut y: Out<layout!(f32[16,256]{1,0})>) {}

fn main() {}
