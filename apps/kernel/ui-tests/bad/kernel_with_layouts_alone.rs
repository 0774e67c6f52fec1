#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::kernel;

#[kernel]
fn half(x: layout!(f32[?,3]), y: layout!(f32[?,3])) {}

fn main() {}
