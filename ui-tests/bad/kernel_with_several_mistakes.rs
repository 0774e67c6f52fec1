#![allow(unused)]

use xlayout::{kernel, layout};
use xlayout_kernel::{In, Out};

#[kernel(bach)]
async fn half<T>(x: &mut [f32], (y, z): (T, T), w: impl Copy) -> impl Copy {}

fn main() {}
