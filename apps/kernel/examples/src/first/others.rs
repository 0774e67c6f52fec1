//! Kernels of other kinds.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::math::floor_i32;
use xlayout_kernel::{Error, In, Out, Pool, Result, Scalar, lines, reduce};

use crate::share::{share, share_of_lines};

/// The two largest numbers of each row, and their places.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn top2(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut value: Out<layout!(f32[?M, 2]{1,0})>,
    mut index: Out<layout!(s32[?M, 2]{1,0})>,
) -> Result<()> {
    let [m, n] = x.layout().shape();
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

/// The tables in which [`histogram`] counts.
const TABLES: usize = 4;

/// How many numbers are in each of `B` parts of the same width between `low` and `high`. Others are
/// not counted.
#[xlayout_kernel::kernel]
pub fn histogram(
    pool: Pool,
    x: In<layout!(f32[?N]{0})>,
    low: Scalar<f32>,
    high: Scalar<f32>,
    mut count: Out<layout!(s32[?B]{0})>,
) -> Result<()> {
    let [bins] = count.layout().shape();
    if bins >= 1 << 22 {
        return Err(Error::invalid_argument(format!(
            "there are {bins} parts: ask for fewer than 4194304, which `floor_i32` can number"
        )));
    }
    let low = *low;
    let factor = bins as f32 / (*high - low);
    let size = share(&pool, x.memory().len(), 1);
    let shares = x.memory().chunks(size);
    // The last count of each table is that of the others.
    let table = bins + 1;
    let mut counts = vec![0; shares.len() * TABLES * table];
    let tables = counts.chunks_mut(TABLES * table);
    pool.for_each(shares.zip(tables), |(x, tables)| {
        let (first, second) = tables.split_at_mut(2 * table);
        let (a, b) = first.split_at_mut(table);
        let (c, d) = second.split_at_mut(table);
        let mut places = [0; 256];
        for x in x.chunks(places.len()) {
            for (place, x) in places.iter_mut().zip(x) {
                *place = (floor_i32((x - low) * factor) as u32).min(bins as u32);
            }
            let (places, last) = places[..x.len()].as_chunks::<TABLES>();
            for place in places {
                a[place[0] as usize] += 1;
                b[place[1] as usize] += 1;
                c[place[2] as usize] += 1;
                d[place[3] as usize] += 1;
            }
            for &place in last {
                a[place as usize] += 1;
            }
        }
    });
    count.memory_mut().fill(0);
    for counts in counts.chunks(table) {
        for (sum, count) in count.memory_mut().iter_mut().zip(counts) {
            *sum += count;
        }
    }
    Ok(())
}

/// The solution of each `a @ x = b`, where `a` is 0 above its diagonal.
#[xlayout_kernel::kernel(independent = "B")]
pub fn solve_triangular(
    pool: Pool,
    a: In<layout!(f32[?B, ?N, ?N]{2,1,0})>,
    b: In<layout!(f32[?B, ?N, ?K]{2,1,0})>,
    mut x: Out<layout!(f32[?B, ?N, ?K]{2,1,0})>,
) {
    let [count, n, k] = b.layout().shape();
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

/// The sums of the rows of each segment. `segment` says to which one a row belongs, and is sorted.
#[xlayout_kernel::kernel]
pub fn segment_sum(
    pool: Pool,
    x: In<layout!(f32[?N, ?C]{1,0})>,
    segment: In<layout!(s32[?N]{0})>,
    mut sums: Out<layout!(f32[?S, ?C]{1,0})>,
) {
    let [n, c] = x.layout().shape();
    let [s, _] = sums.layout().shape();
    let segment = segment.memory();
    // Each thread gets some of the sums, and finds the rows that belong to them.
    let size = share_of_lines(&pool, s, (n * c).div_ceil(s.max(1)));
    let shares = lines(sums.memory_mut(), s).shares(size).enumerate();
    pool.for_each(shares, |(share, sums)| {
        let first = share * size;
        let row_of = |at: usize| segment.partition_point(|&segment| i64::from(segment) < at as i64);
        let rows = row_of(first)..row_of(first + sums.len());
        let sums = sums.memory();
        sums.fill(0.0);
        let x = lines(&x.memory()[rows.start * c..rows.end * c], rows.len());
        for (x, &segment) in x.zip(&segment[rows]) {
            let sum = &mut sums[(segment as usize - first) * c..][..c];
            for (sum, x) in sum.iter_mut().zip(x) {
                *sum += x;
            }
        }
    });
}

/// `weight @ x`. Two of the weights are a byte, the first one in its lower bits.
#[xlayout_kernel::kernel(independent = "M")]
pub fn s4_product(
    pool: Pool,
    weight: In<layout!(s4[?M, ?N]{1,0:E(4)})>,
    x: In<layout!(f32[?N]{0})>,
    mut y: Out<layout!(f32[?M]{0})>,
) -> Result<()> {
    let [m, n] = weight.layout().shape();
    let (pairs, last) = x.memory().as_chunks::<2>();
    if !last.is_empty() {
        return Err(Error::invalid_argument(format!(
            "a row has {n} weights: pass an even number, so that no byte is in two rows"
        )));
    }
    let rows = share_of_lines(&pool, m, pairs.len());
    let shares = lines(weight.as_bytes(), m).shares(rows);
    let shares = shares.zip(y.memory_mut().chunks_mut(rows));
    pool.for_each(shares, |(weight, y)| {
        for (weight, y) in weight.zip(y) {
            *y = reduce::dot_by(weight, pairs, |both: u8, [a, b]: [f32; 2]| {
                let both = both as i8;
                f32::from(both << 4 >> 4) * a + f32::from(both >> 4) * b
            });
        }
    });
    Ok(())
}
