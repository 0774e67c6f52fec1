#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{Converted, In, Out, kernel};

type Rows = layout!(f32[?M, ?N]{1,0});

#[kernel]
fn another_size(#[also(layout!(f32[?M, 8]{0,1}))] x: In<Rows>, mut y: Out<Rows>) {}

#[kernel]
fn the_same(#[also(Converted<layout!(f32[?M, ?N]{0,1})>)] x: In<Rows>, mut y: Out<Rows>) {}

#[kernel]
fn narrow(x: In<Converted<layout!(s4[8]{0})>>, mut y: Out<Rows>) {}

fn main() {}
