#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar, kernel};

#[kernel(types)]
fn no_list(x: In<layout!(f32[?])>, mut y: Out<layout!(f32[?])>) {}

#[kernel(types(f32, f64))]
fn no_name(x: In<layout!(f32[?])>, mut y: Out<layout!(f32[?])>) {}

#[kernel(types(T = ))]
fn no_types(x: In<layout!(f32[?])>, mut y: Out<layout!(f32[?])>) {}

#[kernel(types(T = f32, i32))]
fn rust_type(x: In<layout!(f32[?])>, mut y: Out<layout!(f32[?])>) {}

#[kernel(types(T = f32, f32))]
fn twice(x: In<layout!(f32[?])>, mut y: Out<layout!(f32[?])>) {}

#[kernel(types(T = f32, f64) batch)]
fn no_comma(x: In<layout!(f32[?])>, mut y: Out<layout!(f32[?])>) {}

#[kernel(types(T = f32, f64))]
fn no_argument(x: In<layout!(f32[?])>, mut y: Out<layout!(T[?])>) {}

#[kernel(types(T = f32, s32))]
fn body(x: In<layout!(T[?])>, mut y: Out<layout!(T[?])>) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = x.exp();
    }
}

#[kernel(types(T = bf16))]
fn attribute(a: Scalar<T>, x: In<layout!(T[?])>, mut y: Out<layout!(T[?])>) {}

fn main() {}
