#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(x: In<layout!(f32[?M+1]{0})>, mut y: Out<layout!(fp32[?]{1})>) {}

fn main() {}
