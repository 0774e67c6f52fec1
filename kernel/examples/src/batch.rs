//! A batch of column-major operands. `jax.vmap` is one call, and the kernel converts each item.

use xlayout::{ArrayLayout, layout, reduce};
use xlayout_kernel::{In, Out};

/// The sum of each column.
#[xlayout::kernel(batch, independent = "N")]
pub fn sum_of_columns(x: In<layout!(f32[?M, ?N]{0,1})>, mut sums: Out<layout!(f32[?N]{0})>) {
    let [m, _] = x.layout().sizes();
    let columns = x.memory().chunks(m.max(1));
    for (sum, column) in sums.memory_mut().iter_mut().zip(columns) {
        *sum = reduce::sum(column);
    }
}

/// Each column less its mean.
#[xlayout::kernel(batch, independent = "N")]
pub fn center_columns(x: In<layout!(f32[?M, ?N]{0,1})>, mut y: Out<layout!(f32[?M, ?N]{0,1})>) {
    let [m, _] = x.layout().sizes();
    let m = m.max(1);
    for (x, y) in x.memory().chunks(m).zip(y.memory_mut().chunks_mut(m)) {
        let mean = reduce::sum(x) / m as f32;
        for (y, x) in y.iter_mut().zip(x) {
            *y = x - mean;
        }
    }
}
