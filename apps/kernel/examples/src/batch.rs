//! A batch of column-major operands. `jax.vmap` is one call, and the kernel converts each item.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, lines, reduce};

/// The sum of each column.
#[xlayout_kernel::kernel(batch, independent = "N")]
pub fn sum_of_columns(x: In<layout!(f32[?M, ?N]{0,1})>, mut sums: Out<layout!(f32[?N]{0})>) {
    let [_, n] = x.layout().shape();
    for (sum, column) in sums.memory_mut().iter_mut().zip(lines(x.memory(), n)) {
        *sum = reduce::sum(column);
    }
}

/// Each column less its mean.
#[xlayout_kernel::kernel(batch, independent = "N")]
pub fn center_columns(x: In<layout!(f32[?M, ?N]{0,1})>, mut y: Out<layout!(f32[?M, ?N]{0,1})>) {
    let [m, n] = x.layout().shape();
    for (x, y) in lines(x.memory(), n).zip(lines(y.memory_mut(), n)) {
        let mean = reduce::sum(x) / m as f32;
        for (y, x) in y.iter_mut().zip(x) {
            *y = x - mean;
        }
    }
}
