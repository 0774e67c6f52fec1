#![allow(unused)]

use xlayout::{kernel, layout};
use xlayout_kernel::In;

#[kernel]
fn half(x: In<layout!(f32[?]{0})>) {}

fn main() {}
