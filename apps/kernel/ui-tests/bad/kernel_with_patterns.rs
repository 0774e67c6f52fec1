#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(_: In<layout!(f32[?]{0})>, (x, y): (In<layout!(f32[?]{0})>, u8), ref mut z: Out<layout!(f32[?]{0})>) {}

fn main() {}
