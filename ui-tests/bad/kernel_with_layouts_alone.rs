#![allow(unused)]

use xlayout::{kernel, layout};

#[kernel]
fn half(x: layout!(f32[?,3]), y: layout!(f32[?,3])) {}

fn main() {}
