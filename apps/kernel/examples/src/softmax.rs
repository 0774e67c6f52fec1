//! Softmax, and the step back through it.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::math::exp;
use xlayout_kernel::{In, Lines, Out, Pool, Scalar, lines, reduce};

use crate::share::share_of_lines;

/// Each row of `x`, times `scale` (1 unless it is given), as weights that add up to 1.
#[xlayout_kernel::kernel(batch, independent = "M", vjp = softmax_grad)]
pub fn softmax(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    scale: Option<Scalar<f32>>,
) {
    let [m, n] = x.layout().shape();
    let scale = scale.map_or(1.0, |scale| *scale);
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), m).shares(rows));
    pool.for_each(shares, |(x, y)| weights(x, y, scale));
}

/// The derivative of a function of `y`, a softmax, by its argument `x`, from that by `y`.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn softmax_grad(
    pool: Pool,
    y: In<layout!(f32[?M, ?N]{1,0})>,
    dy: In<layout!(f32[?M, ?N]{1,0})>,
    mut dx: Out<layout!(f32[?M, ?N]{1,0})>,
    scale: Option<Scalar<f32>>,
) {
    let [m, n] = y.layout().shape();
    let scale = scale.map_or(1.0, |scale| *scale);
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(y.memory(), m).shares(rows);
    let shares = shares.zip(lines(dy.memory(), m).shares(rows));
    let shares = shares.zip(lines(dx.memory_mut(), m).shares(rows));
    pool.for_each(shares, |((y, dy), dx)| derivative(y, dy, dx, scale));
}

#[inline(always)]
fn weights(x: Lines<&[f32]>, y: Lines<&mut [f32]>, scale: f32) {
    for (x, y) in x.zip(y) {
        // A negative scale makes the smallest number the largest one.
        let largest = if scale < 0.0 {
            reduce::min(x)
        } else {
            reduce::max(x)
        };
        let largest = scale * largest.unwrap_or(0.0);
        for (y, x) in y.iter_mut().zip(x) {
            *y = exp(x.mul_add(scale, -largest));
        }
        let factor = 1.0 / reduce::sum(y);
        y.iter_mut().for_each(|y| *y *= factor);
    }
}

#[inline(always)]
fn derivative(y: Lines<&[f32]>, dy: Lines<&[f32]>, dx: Lines<&mut [f32]>, scale: f32) {
    for ((y, dy), dx) in y.zip(dy).zip(dx) {
        let mean = reduce::dot(y, dy);
        for ((dx, y), dy) in dx.iter_mut().zip(y).zip(dy) {
            *dx = scale * y * (dy - mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{derivative, lines, weights};

    fn exact(x: &[f32], scale: f64) -> Vec<f64> {
        let x: Vec<f64> = x.iter().map(|&x| f64::from(x) * scale).collect();
        let largest = x.iter().copied().fold(f64::MIN, f64::max);
        let e: Vec<f64> = x.iter().map(|x| (x - largest).exp()).collect();
        let sum: f64 = e.iter().sum();
        e.iter().map(|e| e / sum).collect()
    }

    #[test]
    fn rows_of_all_lengths() {
        for columns in 1..100 {
            for scale in [1.0_f32, 0.125, -2.0] {
                let x: Vec<f32> = (0..2 * columns)
                    .map(|k| (k * 37 % 101) as f32 / 10.0)
                    .collect();
                let mut y = vec![f32::NAN; 2 * columns];
                weights(lines(&x[..], 2), lines(&mut y[..], 2), scale);
                for (x, y) in x.chunks(columns).zip(y.chunks(columns)) {
                    for (exact, &found) in exact(x, scale.into()).iter().zip(y) {
                        assert!(
                            (exact - f64::from(found)).abs() < 1e-6,
                            "{columns}: {exact} {found}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_masked_has_no_weight() {
        let mut y = [f32::NAN; 3];
        let x = [f32::NEG_INFINITY, 1.0, 1.0];
        weights(lines(&x[..], 1), lines(&mut y[..], 1), 1.0);
        assert_eq!(y, [0.0, 0.5, 0.5]);
    }

    #[test]
    fn the_derivative_is_that_of_small_steps() {
        let x: Vec<f32> = (0..50).map(|k| (k * 37 % 101) as f32 / 40.0).collect();
        let dy: Vec<f32> = (0..50).map(|k| (k * 17 % 23) as f32 / 10.0).collect();
        let mut y = [0.0; 50];
        let mut dx = [f32::NAN; 50];
        let scale = 0.5;
        weights(lines(&x[..], 1), lines(&mut y[..], 1), scale);
        let of_dx = lines(&mut dx[..], 1);
        derivative(lines(&y[..], 1), lines(&dy[..], 1), of_dx, scale);
        for k in 0..50 {
            let loss = |step: f64| -> f64 {
                let mut moved: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
                moved[k] += step;
                let e: Vec<f64> = moved.iter().map(|x| (x * f64::from(scale)).exp()).collect();
                let sum: f64 = e.iter().sum();
                e.iter()
                    .zip(&dy)
                    .map(|(e, &dy)| e / sum * f64::from(dy))
                    .sum()
            };
            let slope = (loss(1e-5) - loss(-1e-5)) / 2e-5;
            assert!(
                (slope - f64::from(dx[k])).abs() < 1e-6,
                "{k}: {slope} {}",
                dx[k]
            );
        }
    }
}
