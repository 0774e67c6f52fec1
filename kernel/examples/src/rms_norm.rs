//! The sum of two arrays and its RMS normalisation, as before each layer of a transformer.

use xlayout::{ArrayLayout, layout, reduce};
use xlayout_kernel::{In, Out, Pool, Scalar};

use crate::share::share;

/// `sum` is `x + residual`. `y` is each row of `sum` divided by the square root of the mean of its
/// squares, times `scale`.
#[xlayout::kernel(batch, independent = "M")]
pub fn add_rms_norm(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    residual: In<layout!(f32[?M, ?N]{1,0})>,
    scale: In<layout!(f32[?N]{0})>,
    mut sum: Out<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [_, n] = x.layout().sizes();
    let n = n.max(1);
    let size = share(&pool, x.memory().len(), n);
    let operands = x.memory().chunks(size).zip(residual.memory().chunks(size));
    let results = sum
        .memory_mut()
        .chunks_mut(size)
        .zip(y.memory_mut().chunks_mut(size));
    pool.for_each(operands.zip(results), |((x, residual), (sum, y))| {
        let operands = x.chunks(n).zip(residual.chunks(n));
        let results = sum.chunks_mut(n).zip(y.chunks_mut(n));
        for ((x, residual), (sum, y)) in operands.zip(results) {
            for ((sum, x), residual) in sum.iter_mut().zip(x).zip(residual) {
                *sum = x + residual;
            }
            let factor = 1.0 / (reduce::dot(sum, sum) / n as f32 + *epsilon).sqrt();
            for ((y, sum), scale) in y.iter_mut().zip(sum.iter()).zip(scale.memory()) {
                *y = sum * factor * scale;
            }
        }
    });
}
