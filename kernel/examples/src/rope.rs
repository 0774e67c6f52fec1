//! Rotary position embedding.
use multiversion::multiversion;

/// The size of a head; the first half of it is rotated against the second one.
const HEAD: usize = 64;
const PAIRS: usize = HEAD / 2;
const POSITIONS: usize = 128;

/// Cosine and sine of each pair's angle.
#[derive(Clone, Copy)]
struct Rotation {
    cos: [f64; PAIRS],
    sin: [f64; PAIRS],
}

impl Rotation {
    /// By `position` times the angle of each pair, `base` to the power of `-2 pair / HEAD`.
    fn at(position: f64, base: f64) -> Self {
        let angle = |pair: usize| position * base.powf(-2.0 * pair as f64 / HEAD as f64);
        Self {
            cos: core::array::from_fn(|pair| angle(pair).cos()),
            sin: core::array::from_fn(|pair| angle(pair).sin()),
        }
    }

    /// One rotation after the other.
    #[inline(always)]
    fn then(&self, other: &Self) -> Self {
        let mut sum = *self;
        for k in 0..PAIRS {
            sum.cos[k] = self.cos[k] * other.cos[k] - self.sin[k] * other.sin[k];
            sum.sin[k] = self.sin[k] * other.cos[k] + self.cos[k] * other.sin[k];
        }
        sum
    }
}

#[multiversion(targets = "simd")]
fn rotate(x: &[f32], y: &mut [f32], heads: usize, first: &Rotation, step: &Rotation) {
    let mut rotation = *first;
    let (x, _) = x.as_chunks::<HEAD>();
    let (y, _) = y.as_chunks_mut::<HEAD>();
    for (x, y) in x.chunks_exact(heads).zip(y.chunks_exact_mut(heads)) {
        let cos = rotation.cos.map(|c| c as f32);
        let sin = rotation.sin.map(|s| s as f32);
        for (x, y) in x.iter().zip(y) {
            for k in 0..PAIRS {
                y[k] = x[k] * cos[k] - x[k + PAIRS] * sin[k];
                y[k + PAIRS] = x[k + PAIRS] * cos[k] + x[k] * sin[k];
            }
        }
        rotation = rotation.then(step);
    }
}

pub fn go(x: &[f32], y: &mut [f32], seq: usize, heads: usize, base: f64) {
    let step = Rotation::at(1.0, base);
    for (x, y) in x.chunks_exact(seq * heads * HEAD).zip(y.chunks_exact_mut(seq * heads * HEAD)) {
        for (k, (x, y)) in x.chunks(POSITIONS * heads * HEAD).zip(y.chunks_mut(POSITIONS * heads * HEAD)).enumerate() {
            rotate(x, y, heads, &Rotation::at((k * POSITIONS) as f64, base), &step);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn time() {
        for (b, s, h) in [(1, 128, 8), (1, 2048, 16), (4, 2048, 16)] {
            let n = b * s * h * 64;
            let x: Vec<f32> = (0..n).map(|i| ((i * 7919) % 1000) as f32 / 250.0).collect();
            let mut y = vec![0.0; n];
            let mut best = f64::MAX;
            for _ in 0..50 { let t = std::time::Instant::now(); super::go(&x, &mut y, s, h, 10000.0); best = best.min(t.elapsed().as_secs_f64()); }
            println!("rope {b},{s},{h}: {} ns/el", best * 1e9 / n as f64);
        }
    }
}
