#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn of_types<L>(x: In<L>, mut y: Out<layout!(f32[?]{0})>) {}

#[kernel]
fn of_sizes<const N: usize>(mut y: Out<layout!(f32[N]{0})>) {}

#[kernel]
fn of_lifetimes<'a>(x: In<'a, layout!(f32[?]{0})>, mut y: Out<'a, layout!(f32[?]{0})>) {}

fn main() {}
