#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar, kernel};

type Tiled = layout!(f32[16,256]{1,0:T(8,128)});

#[kernel]
fn half(x: In<Tiled>, mut y: Out<layout!(f32[16,256]{1,0})>) {}

fn main() {}
