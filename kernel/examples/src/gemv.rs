//! A matrix times a vector, column by column.
use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use crate::exp::fused;

/// Columns that are added in one go, so that a sum is loaded and stored a quarter as often.
const COLUMNS: usize = 8;

/// `sums` are those of the rows from `first` on.
#[multiversion(targets = "simd")]
fn columns(a: &[f32], rows: usize, first: usize, x: &[f32], sums: &mut [f32]) {
    const FMA: bool = target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64"));
    sums.fill(0.0);
    let n = sums.len();
    let (blocks, rest) = x.as_chunks::<COLUMNS>();
    for (block, a) in blocks.iter().zip(a.chunks_exact(rows * COLUMNS)) {
        let columns: [&[f32]; COLUMNS] = core::array::from_fn(|k| &a[k * rows + first..][..n]);
        for (i, sum) in sums.iter_mut().enumerate() {
            for k in 0..COLUMNS {
                *sum = fused::<FMA>(columns[k][i], block[k], *sum);
            }
        }
    }
    let done = blocks.len() * COLUMNS * rows;
    for (x, a) in rest.iter().zip(a[done..].chunks_exact(rows)) {
        for (sum, a) in sums.iter_mut().zip(&a[first..][..n]) {
            *sum = fused::<FMA>(*a, *x, *sum);
        }
    }
}

pub fn go(a: &[f32], x: &[f32], y: &mut [f32], block: usize) {
    let rows = y.len();
    for (b, y) in y.chunks_mut(block).enumerate() { columns(a, rows, b * block, x, y); }
}
#[cfg(test)]
mod tests {
    #[test]
    fn time() {
        for (m, k) in [(1024, 1024), (4096, 4096)] { for block in [512, 1024, 2048, 4096] {
            let a: Vec<f32> = (0..m * k).map(|i| ((i * 7919) % 1000) as f32 / 250.0).collect();
            let x = vec![1.0; k];
            let mut y = vec![0.0; m];
            let mut best = f64::MAX;
            for _ in 0..20 { let t = std::time::Instant::now(); super::go(&a, &x, &mut y, block); best = best.min(t.elapsed().as_secs_f64()); }
            println!("gemv {m},{k} {block}: {} us", best * 1e6);
        } }
    }
}
