#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

type Matrix = layout!(f32[?M, ?N]{1,0});

#[kernel(independent = "i j, k -> i j")]
fn too_many_lists(x: In<Matrix>, mut y: Out<Matrix>) {}

#[kernel(independent = "i -> i _")]
fn too_few_names(x: In<Matrix>, mut y: Out<Matrix>) {}

#[kernel(independent = "i _ -> i i")]
fn one_name_for_two_dimensions(x: In<Matrix>, mut y: Out<Matrix>) {}

#[kernel(independent = "K")]
fn no_such_size(x: In<Matrix>, mut y: Out<Matrix>) {}

#[kernel(independent = "N")]
fn not_in_the_result(x: In<Matrix>, mut y: Out<layout!(f32[?M]{0})>) {}

#[kernel(independent = "i _ -> j _")]
fn nothing_in_common(x: In<Matrix>, mut y: Out<Matrix>) {}

#[kernel(independent = "i j -> i j")]
fn of_fixed_size(x: In<layout!(f32[?M, 128]{1,0})>, mut y: Out<layout!(f32[?M, 128]{1,0})>) {}

#[kernel(independent = "i _, _ _ -> i _")]
fn one_size_two_ways(x: In<Matrix>, w: In<Matrix>, mut y: Out<Matrix>) {}

#[kernel(independent = "i _ => i _")]
fn wrong_arrow(x: In<Matrix>, mut y: Out<Matrix>) {}

#[kernel(independent = "i _ - i _")]
fn half_an_arrow(x: In<Matrix>, mut y: Out<Matrix>) {}

#[kernel(independent = "M, N")]
fn names_with_a_comma(x: In<Matrix>, mut y: Out<Matrix>) {}

#[kernel(independent = "")]
fn nothing(x: In<Matrix>, mut y: Out<Matrix>) {}

fn main() {}
