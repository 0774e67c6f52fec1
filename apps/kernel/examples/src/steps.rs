//! The steps of "Make it fast" (`kernel/FAST.md`): kernels of one result, each faster than the one
//! before.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Scalar, lines, reduce};

use crate::share::share_of_lines;

/// Layer normalisation as it is written first: sums in sequence, on one thread.
#[xlayout_kernel::kernel]
pub fn layer_norm_plain(
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [m, n] = x.layout().shape();
    for i in 0..m {
        let mean = (0..n).map(|j| x[[i, j]]).sum::<f32>() / n as f32;
        let variance = (0..n).map(|j| (x[[i, j]] - mean).powi(2)).sum::<f32>() / n as f32;
        for j in 0..n {
            y[[i, j]] = (x[[i, j]] - mean) / (variance + *epsilon).sqrt();
        }
    }
}

/// The same with the rows as slices.
#[xlayout_kernel::kernel]
pub fn layer_norm_slices(
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [m, n] = x.layout().shape();
    for (x, y) in lines(x.memory(), m).zip(lines(y.memory_mut(), m)) {
        let mean = x.iter().sum::<f32>() / n as f32;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / n as f32;
        let factor = 1.0 / (variance + *epsilon).sqrt();
        for (y, x) in y.iter_mut().zip(x) {
            *y = (x - mean) * factor;
        }
    }
}

/// The same with sums in lanes.
#[xlayout_kernel::kernel]
pub fn layer_norm_lanes(
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [m, n] = x.layout().shape();
    for (x, y) in lines(x.memory(), m).zip(lines(y.memory_mut(), m)) {
        let mean = reduce::sum(x) / n as f32;
        let variance = reduce::sum_by(x, |x| (x - mean).powi(2)) / n as f32;
        let factor = 1.0 / (variance + *epsilon).sqrt();
        for (y, x) in y.iter_mut().zip(x) {
            *y = (x - mean) * factor;
        }
    }
}

/// The same on XLA's threads.
#[xlayout_kernel::kernel]
pub fn layer_norm_pool(
    pool: xlayout_kernel::Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [m, n] = x.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), m).shares(rows));
    pool.for_each(shares, |(x, y)| {
        for (x, y) in x.zip(y) {
            let mean = reduce::sum(x) / n as f32;
            let variance = reduce::sum_by(x, |x| (x - mean).powi(2)) / n as f32;
            let factor = 1.0 / (variance + *epsilon).sqrt();
            for (y, x) in y.iter_mut().zip(x) {
                *y = (x - mean) * factor;
            }
        }
    });
}
