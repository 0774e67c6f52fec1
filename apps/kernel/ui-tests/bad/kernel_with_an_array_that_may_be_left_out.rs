#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn half(x: Option<In<layout!(f32[?]{0})>>, mut y: Option<Out<layout!(f32[?]{0})>>) {}

type Perhaps<'a> = Option<In<'a, layout!(f32[?]{0})>>;

#[kernel]
fn third(x: Perhaps, mut y: Out<layout!(f32[?]{0})>) {}

fn main() {}
