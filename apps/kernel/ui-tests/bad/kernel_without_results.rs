#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, kernel};

#[kernel]
fn half(x: In<layout!(f32[?]{0})>) {}

fn main() {}
