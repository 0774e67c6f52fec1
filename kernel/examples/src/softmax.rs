//! Softmax.
use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use crate::exp::exp;

/// What a loop works on side by side.
const LANES: usize = 32;

#[multiversion(targets = "simd")]
fn rows(x: &[f32], y: &mut [f32], columns: usize, scale: f32) {
    const FMA: bool = target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64"));
    for (x, y) in x.chunks_exact(columns).zip(y.chunks_exact_mut(columns)) {
        let m = largest(x);
        let total = exponentials::<FMA>(x, y, m, scale);
        let factor = 1.0 / total;
        for y in y {
            *y *= factor;
        }
    }
}

/// Folds lanes to one value, half onto half.
#[inline(always)]
fn fold(mut lanes: [f32; LANES], f: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for k in 0..half {
            lanes[k] = f(lanes[k], lanes[k + half]);
        }
        half /= 2;
    }
    lanes[0]
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 { if a > b { a } else { b } }

#[inline(always)]
fn largest(x: &[f32]) -> f32 {
    let (blocks, rest) = x.as_chunks::<LANES>();
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for block in blocks {
        for (lane, &x) in lanes.iter_mut().zip(block) {
            *lane = larger(x, *lane);
        }
    }
    rest.iter().fold(fold(lanes, larger), |a, &b| larger(a, b))
}

#[inline(always)]
fn exponentials<const FMA: bool>(x: &[f32], y: &mut [f32], m: f32, scale: f32) -> f32 {
    let (blocks, rest) = x.as_chunks::<LANES>();
    let (out, out_rest) = y.as_chunks_mut::<LANES>();
    let mut lanes = [0.0; LANES];
    for (x, y) in blocks.iter().zip(out) {
        for ((lane, &x), y) in lanes.iter_mut().zip(x).zip(y) {
            *y = exp::<FMA>((x - m) * scale);
            *lane += *y;
        }
    }
    let mut total = fold(lanes, |a, b| a + b);
    for (&x, y) in rest.iter().zip(out_rest) {
        *y = exp::<FMA>((x - m) * scale);
        total += *y;
    }
    total
}

pub fn go(x: &[f32], y: &mut [f32], columns: usize, scale: f32) { rows(x, y, columns, scale) }
#[cfg(test)]
mod tests {
    #[test]
    fn time() {
        for (r, c) in [(4,1024),(4,512),(64,128),(64,1024),(1024, 1024), (64, 16384)] {
            let x: Vec<f32> = (0..r * c).map(|i| ((i * 7919) % 1000) as f32 / 250.0).collect();
            let mut y = vec![0.0; r * c];
            let mut best = f64::MAX;
            for _ in 0..2000 { let t = std::time::Instant::now(); super::rows(&x, &mut y, c, 1.0); best = best.min(t.elapsed().as_secs_f64()); }
            println!("{r}x{c}: {} ns/el", best * 1e9 / (r * c) as f64);
        }
    }
}
