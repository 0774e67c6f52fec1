#![allow(unused)]

use xlayout::{Array, layout};
use xlayout_kernel::{In, Out, Result, kernel};

type A = layout!(f32[2,3]{1,0});

#[kernel]
fn sum(x: In<A>) -> f32 {
    x.memory().iter().sum()
}

#[kernel]
fn copy(x: In<A>, n: Out<layout!(s32[])>) -> Result<Array<f32, A>> {
    Array::from_fn(A::NEW, |index| x[*index])
}

#[kernel]
fn both(x: In<A>) -> (f32, bool) {
    (0.0, true)
}

#[kernel]
fn list(x: In<A>) -> Vec<f32> {
    x.memory().to_vec()
}

fn main() {}
