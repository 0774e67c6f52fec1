#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(x: In<layout!(f32[?,?]{0,1})>, mut y: Out<layout!(f32[?]{0})>) {
    y[[0]] = x[[0, 0, 0]];
    y[[0, 1]] = 1.0;
}

#[kernel]
fn sum(x: In<layout!(f32[?N,?]{0,1})>, mut y: Out<layout!(f32[?]{0})>) {
    let layout = layout!(f32[?,?]{0,1})([1, 2, 3]);
    y[[0]] = x.get(&[0]).copied().unwrap_or(0.0);
}

fn main() {}
