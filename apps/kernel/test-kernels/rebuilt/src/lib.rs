//! The test kernels after a change: `turn_f32` has other layouts, `double` is unchanged.
#![forbid(unsafe_code)]

use xlayout::layout;
use xlayout_kernel::{In, Out};

/// Returns x in the other sequence; that of `xlayout-test-kernels` takes `{0,1}` and returns
/// `{1,0}`.
#[xlayout_kernel::kernel]
fn turn_f32(x: In<layout!(f32[?,?]{1,0})>, mut y: Out<layout!(f32[?,?]{0,1})>) {
    y.for_each_in_memory_mut(|index, y| *y = x[*index]);
}

/// y = 2 * x
#[xlayout_kernel::kernel]
fn double(x: In<layout!(f32[])>, mut y: Out<layout!(f32[])>) {
    y.memory_mut()[0] = 2.0 * x.memory()[0];
}
