#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
pub async unsafe extern "C" fn half(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {}

#[kernel]
const fn double(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {}

fn main() {}
