//! Rotary position embedding.

use core::array::from_fn;

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Pool, Scalar, lines};

use crate::share::share;

/// The size of a head; the first half of it is rotated against the second one.
const HEAD: usize = 64;
const PAIRS: usize = HEAD / 2;

/// Rotates pair `k` of each head by `base^(-2k/64)` times its position, which counts from `first`
/// on; `inverse` rotates back. Angles are computed on the way, in f64.
#[xlayout_kernel::kernel(independent = "B H")]
pub fn rope(
    pool: Pool,
    x: In<layout!(f32[?B, ?S, ?H, 64]{3,2,1,0})>,
    mut y: Out<layout!(f32[?B, ?S, ?H, 64]{3,2,1,0})>,
    base: Option<Scalar<f64>>,
    first: Option<Scalar<i64>>,
    inverse: Option<Scalar<bool>>,
) {
    let [batch, _, heads, _] = x.layout().shape();
    let base = base.map_or(10_000.0, |base| *base);
    let first = first.map_or(0, |first| *first);
    let direction = if inverse.is_some_and(|inverse| *inverse) {
        -1.0
    } else {
        1.0
    };
    let step = Rotation::by(direction, base);

    let position = heads * HEAD;
    let size = share(&pool, x.memory().len(), position);
    let sequences = lines(x.memory(), batch).zip(lines(y.memory_mut(), batch));
    let shares = sequences.flat_map(|(x, y)| x.chunks(size).zip(y.chunks_mut(size)).enumerate());
    pool.for_each(shares, |(k, (x, y))| {
        let position = first as f64 + (k * (size / position)) as f64;
        rotate(x, y, heads, Rotation::by(direction * position, base), &step);
    });
}

/// Cosine and sine of each pair's angle.
#[derive(Clone)]
struct Rotation {
    cos: [f64; PAIRS],
    sin: [f64; PAIRS],
}

impl Rotation {
    /// By this number of positions.
    fn by(positions: f64, base: f64) -> Self {
        let angles: [f64; PAIRS] =
            from_fn(|k| positions * base.powf(-2.0 * k as f64 / HEAD as f64));
        Self {
            cos: angles.map(f64::cos),
            sin: angles.map(f64::sin),
        }
    }

    /// Two rotations, one after the other: a sum of angles, without a cosine or a sine to compute.
    #[inline(always)]
    fn and(&self, other: &Self) -> Self {
        let a = self;
        let b = other;
        Self {
            cos: from_fn(|k| a.cos[k] * b.cos[k] - a.sin[k] * b.sin[k]),
            sin: from_fn(|k| a.sin[k] * b.cos[k] + a.cos[k] * b.sin[k]),
        }
    }
}

#[inline(always)]
fn rotate(x: &[f32], y: &mut [f32], heads: usize, mut rotation: Rotation, step: &Rotation) {
    let (x, _) = x.as_chunks::<HEAD>();
    let (y, _) = y.as_chunks_mut::<HEAD>();
    for (x, y) in x.chunks_exact(heads).zip(y.chunks_exact_mut(heads)) {
        let cos = rotation.cos.map(|cos| cos as f32);
        let sin = rotation.sin.map(|sin| sin as f32);
        for (x, y) in x.iter().zip(y) {
            for k in 0..PAIRS {
                y[k] = x[k] * cos[k] - x[k + PAIRS] * sin[k];
                y[k + PAIRS] = x[k + PAIRS] * cos[k] + x[k] * sin[k];
            }
        }
        rotation = rotation.and(step);
    }
}

#[cfg(test)]
mod tests {
    use super::{HEAD, PAIRS, Rotation, rotate};

    #[test]
    fn every_position_is_rotated_by_its_own_angle() {
        let positions = 5000;
        let heads = 2;
        let first = 17.0;
        let x: Vec<f32> = (0..positions * heads * HEAD)
            .map(|k| (k % 101) as f32 / 50.0)
            .collect();
        let mut y = vec![f32::NAN; x.len()];
        let step = Rotation::by(1.0, 1e4);
        rotate(&x, &mut y, heads, Rotation::by(first, 1e4), &step);
        for (row, (x, y)) in x.chunks(HEAD).zip(y.chunks(HEAD)).enumerate() {
            let position = first + (row / heads) as f64;
            for k in 0..PAIRS {
                let angle = position * 1e4_f64.powf(-2.0 * k as f64 / 64.0);
                let a = f64::from(x[k]);
                let b = f64::from(x[k + PAIRS]);
                let exact = [
                    a * angle.cos() - b * angle.sin(),
                    b * angle.cos() + a * angle.sin(),
                ];
                for (exact, found) in exact.iter().zip([y[k], y[k + PAIRS]]) {
                    assert!(
                        (exact - f64::from(found)).abs() < 1e-6,
                        "{row}, {k}: {exact} {found}"
                    );
                }
            }
        }
    }
}
