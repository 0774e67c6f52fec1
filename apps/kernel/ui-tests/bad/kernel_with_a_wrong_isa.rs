use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel(isa = "avx2")]
fn half(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {}

#[kernel(isa = baseline)]
fn third(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {}

fn main() {}
