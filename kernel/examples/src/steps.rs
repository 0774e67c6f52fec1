//! The steps of "Make it fast" (`kernel/FAST.md`): kernels of one result, each faster than the one before.

use xlayout::{ArrayLayout, layout, reduce};
use xlayout_kernel::{In, Out, Scalar};

use crate::share::share;

/// Layer normalisation as it is written first: sums in sequence, on one thread.
#[xlayout::kernel]
pub fn layer_norm_plain(
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [m, n] = x.layout().sizes();
    for i in 0..m {
        let mean = (0..n).map(|j| x[[i, j]]).sum::<f32>() / n as f32;
        let variance = (0..n).map(|j| (x[[i, j]] - mean).powi(2)).sum::<f32>() / n as f32;
        for j in 0..n {
            y[[i, j]] = (x[[i, j]] - mean) / (variance + *epsilon).sqrt();
        }
    }
}

/// The same with the rows as slices.
#[xlayout::kernel]
pub fn layer_norm_slices(
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [_, n] = x.layout().sizes();
    for (x, y) in x
        .memory()
        .chunks(n.max(1))
        .zip(y.memory_mut().chunks_mut(n.max(1)))
    {
        let mean = x.iter().sum::<f32>() / n as f32;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / n as f32;
        let factor = 1.0 / (variance + *epsilon).sqrt();
        for (y, x) in y.iter_mut().zip(x) {
            *y = (x - mean) * factor;
        }
    }
}

/// The same with sums in lanes.
#[xlayout::kernel]
pub fn layer_norm_lanes(
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [_, n] = x.layout().sizes();
    for (x, y) in x
        .memory()
        .chunks(n.max(1))
        .zip(y.memory_mut().chunks_mut(n.max(1)))
    {
        let mean = reduce::sum(x) / n as f32;
        let variance = reduce::sum_by(x, |x| (x - mean).powi(2)) / n as f32;
        let factor = 1.0 / (variance + *epsilon).sqrt();
        for (y, x) in y.iter_mut().zip(x) {
            *y = (x - mean) * factor;
        }
    }
}

/// The same on XLA's threads.
#[xlayout::kernel]
pub fn layer_norm_pool(
    pool: xlayout_kernel::Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [_, n] = x.layout().sizes();
    let size = share(&pool, x.memory().len(), n);
    let shares = x.memory().chunks(size).zip(y.memory_mut().chunks_mut(size));
    pool.for_each(shares, |(x, y)| {
        for (x, y) in x.chunks(n.max(1)).zip(y.chunks_mut(n.max(1))) {
            let mean = reduce::sum(x) / n as f32;
            let variance = reduce::sum_by(x, |x| (x - mean).powi(2)) / n as f32;
            let factor = 1.0 / (variance + *epsilon).sqrt();
            for (y, x) in y.iter_mut().zip(x) {
                *y = (x - mean) * factor;
            }
        }
    });
}
