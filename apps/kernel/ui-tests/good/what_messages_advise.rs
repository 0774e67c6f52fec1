//! What the messages of mistakes with kernels say to write.
#![allow(unused)]

use xlayout::{ArrayLayout, SliceView, layout};
use xlayout_kernel::{Error, In, Out, Result, kernel};

type A = layout!(f32[2,3]{1,0});

fn sum<L: ArrayLayout>(a: SliceView<f32, L>) -> f32 {
    a.memory().iter().sum()
}

#[kernel]
fn total(x: In<A>, mut y: Out<layout!(f32[])>) -> Result<()> {
    y[[]] = sum(x.as_slice_view());
    if y[[]].is_nan() {
        return Err(Error::invalid_argument("a NaN"));
    }
    Ok(())
}

fn main() {}
