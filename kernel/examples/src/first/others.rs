//! Kernels of other kinds.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{Error, In, Out, Pool, Result, Scalar, lines};

use crate::share::{share, share_of_lines};

/// The two largest numbers of each row, and their places.
#[xlayout::kernel(batch, independent = "M")]
pub fn top2(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut value: Out<layout!(f32[?M, 2]{1,0})>,
    mut index: Out<layout!(s32[?M, 2]{1,0})>,
) -> Result<()> {
    let [m, n] = x.layout().sizes();
    if n < 2 {
        return Err(Error::invalid_argument(format!(
            "a row has {n} numbers: pass two or more"
        )));
    }
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(value.memory_mut(), m).shares(rows));
    let shares = shares.zip(lines(index.memory_mut(), m).shares(rows));
    pool.for_each(shares, |((x, value), index)| {
        for ((row, value), index) in x.zip(value).zip(index) {
            let mut best = [(f32::NEG_INFINITY, 0); 2];
            for (k, &x) in row.iter().enumerate() {
                if x > best[0].0 {
                    best = [(x, k as i32), best[0]];
                } else if x > best[1].0 {
                    best[1] = (x, k as i32);
                }
            }
            value.copy_from_slice(&best.map(|(x, _)| x));
            index.copy_from_slice(&best.map(|(_, k)| k));
        }
    });
    Ok(())
}

/// How many numbers are in each of `B` parts of the same width between `low` and `high`. Others are not counted.
#[xlayout::kernel]
pub fn histogram(
    pool: Pool,
    x: In<layout!(f32[?N]{0})>,
    low: Scalar<f32>,
    high: Scalar<f32>,
    mut count: Out<layout!(s32[?B]{0})>,
) {
    let [bins] = count.layout().sizes();
    let (low, factor) = (*low, bins as f32 / (*high - *low));
    let size = share(&pool, x.memory().len(), 1);
    let shares = x.memory().chunks(size);
    let mut counts = vec![0; shares.len() * bins];
    pool.for_each(shares.zip(counts.chunks_mut(bins.max(1))), |(x, count)| {
        for x in x {
            let bin = (x - low) * factor;
            if bin >= 0.0 && (bin as usize) < bins {
                count[bin as usize] += 1;
            }
        }
    });
    count.memory_mut().fill(0);
    for counts in counts.chunks(bins.max(1)) {
        for (sum, count) in count.memory_mut().iter_mut().zip(counts) {
            *sum += count;
        }
    }
}

/// The solution of each `a @ x = b`, where `a` is 0 above its diagonal.
#[xlayout::kernel(independent = "B")]
pub fn solve_triangular(
    pool: Pool,
    a: In<layout!(f32[?B, ?N, ?N]{2,1,0})>,
    b: In<layout!(f32[?B, ?N, ?K]{2,1,0})>,
    mut x: Out<layout!(f32[?B, ?N, ?K]{2,1,0})>,
) {
    let [count, n, k] = b.layout().sizes();
    let items = share_of_lines(&pool, count, n * n * k);
    let shares = lines(a.memory(), count).shares(items);
    let shares = shares.zip(lines(b.memory(), count).shares(items));
    let shares = shares.zip(lines(x.memory_mut(), count).shares(items));
    pool.for_each(shares, |((a, b), x)| {
        for ((a, b), x) in a.zip(b).zip(x) {
            x.copy_from_slice(b);
            for (i, a) in lines(a, n).enumerate() {
                let (done, rest) = x.split_at_mut(i * k);
                let row = &mut rest[..k];
                for (done, &a) in lines(&*done, i).zip(a) {
                    for (x, done) in row.iter_mut().zip(done) {
                        *x -= a * done;
                    }
                }
                let factor = 1.0 / a[i];
                for x in row {
                    *x *= factor;
                }
            }
        }
    });
}
