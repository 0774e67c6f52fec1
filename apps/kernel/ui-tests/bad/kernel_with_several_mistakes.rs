#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel(bach)]
async fn half<T>(x: &mut [f32], (y, z): (T, T), w: impl Copy) -> impl Copy {}

fn main() {}
