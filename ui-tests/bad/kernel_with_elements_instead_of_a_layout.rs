#![allow(unused)]

use xlayout::{kernel, layout};
use xlayout_kernel::{In, Out};

#[kernel]
fn half(x: In<f32>, mut y: Out<[f32; 3]>) {}

fn main() {}
