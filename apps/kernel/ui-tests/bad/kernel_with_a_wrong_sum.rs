#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn of_no_dimension(x: In<layout!(f32[?N]{0})>, mut y: Out<layout!(f32[?H + ?N + ?K]{0})>) {}

#[kernel(independent = "N")]
fn of_a_part(x: In<layout!(f32[?N]{0})>, mut y: Out<layout!(f32[?N, 2*?N]{1,0})>) {}

#[kernel]
fn a_product(x: In<layout!(f32[?N]{0})>, mut y: Out<layout!(f32[?N*?N]{0})>) {}

#[kernel]
fn a_quotient(x: In<layout!(f32[?N]{0})>, mut y: Out<layout!(f32[?N/2]{0})>) {}

#[kernel]
fn a_long_sum(x: In<layout!(f32[?NumberOfRows]{0})>, mut y: Out<layout!(f32[?NumberOfRows + 1 + ?NumberOfRows + ?NumberOfRows]{0})>) {}

fn main() {}
