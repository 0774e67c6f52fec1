#![allow(unused)]

use xlayout::{SliceView, layout};
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(
    a: &SliceView<f32, layout!(f32[?,3]{1,0})>,
    b: &In<layout!(f32[?]{0})>,
    c: &f32,
    d: &mut [f32],
    e: *const i32,
    f: &mut Out<layout!(f32[?]{0})>,
) {
}

fn main() {}
