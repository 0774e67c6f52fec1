#![allow(unused)]

use xlayout::{kernel, layout};
use xlayout_kernel::{In, Out};

#[kernel]
fn half(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) -> impl Copy {}

fn main() {}
