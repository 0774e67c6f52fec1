//! The sum of two arrays and its RMS normalisation, as before each layer of a transformer.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Pool, Scalar, lines, reduce};

use crate::share::share_of_lines;

/// `sum` is `x + residual`. `y` is each row of `sum` divided by the square root of the mean of its
/// squares, times `scale`.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn add_rms_norm(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    residual: In<layout!(f32[?M, ?N]{1,0})>,
    scale: In<layout!(f32[?N]{0})>,
    mut sum: Out<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [m, n] = x.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let operands = lines(x.memory(), m).shares(rows);
    let operands = operands.zip(lines(residual.memory(), m).shares(rows));
    let results = lines(sum.memory_mut(), m).shares(rows);
    let results = results.zip(lines(y.memory_mut(), m).shares(rows));
    pool.for_each(operands.zip(results), |((x, residual), (sum, y))| {
        for ((x, residual), (sum, y)) in x.zip(residual).zip(sum.zip(y)) {
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
