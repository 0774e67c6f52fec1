#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel(nam = "half", batched, threads = 4)]
fn half(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {}

fn main() {}
