//! Distances and densities: a sum over one dimension for each pair of two points.

use std::f32::consts::TAU;

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::math::{exp, ln};
use xlayout_kernel::reduce::{self, Columns};
use xlayout_kernel::{Error, In, Out, Pool, Result, lines};

use crate::share::share_of_lines;

/// The sum of the absolute differences between each point of `x` and each of `y`.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn pairwise_l1(
    pool: Pool,
    x: In<layout!(f32[?M, ?D]{1,0})>,
    y: In<layout!(f32[?N, ?D]{1,0})>,
    mut distance: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let [m, d] = x.layout().shape();
    let [n, _] = y.layout().shape();
    let columns = Columns::of_columns(lines(y.memory(), n));
    let rows = share_of_lines(&pool, m, n * d);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(distance.memory_mut(), m).shares(rows));
    pool.for_each(shares, |(x, distance)| {
        let rows = x.zip(distance).map(|(x, distance)| {
            distance.fill(0.0);
            (x, distance)
        });
        columns.fold(rows, |sum, x, y| sum + (x - y).abs());
    });
}

/// The logarithm of the density of each point in a mixture of normal distributions, whose
/// coordinates are independent.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn mixture(
    pool: Pool,
    x: In<layout!(f32[?M, ?D]{1,0})>,
    weight: In<layout!(f32[?K]{0})>,
    mean: In<layout!(f32[?K, ?D]{1,0})>,
    deviation: In<layout!(f32[?K, ?D]{1,0})>,
    mut y: Out<layout!(f32[?M]{0})>,
) {
    let [m, d] = x.layout().shape();
    let [k] = weight.layout().shape();
    let normal = mean.memory().iter().zip(deviation.memory());
    let normal: Vec<_> = normal
        .map(|(mean, deviation)| [mean / deviation, 1.0 / deviation])
        .collect();
    let columns = Columns::of_columns(lines(&normal[..], k));
    let deviations = lines(deviation.memory(), k).zip(weight.memory());
    let start: Vec<f32> = deviations
        .map(|(deviation, weight)| {
            let product = reduce::sum_by(deviation, ln);
            weight.ln() - product - 0.5 * d as f32 * TAU.ln()
        })
        .collect();
    let rows = share_of_lines(&pool, m, k * d);
    let shares = lines(x.memory(), m).shares(rows);
    pool.for_each(shares.zip(y.memory_mut().chunks_mut(rows)), |(x, y)| {
        let mut densities = start.repeat(y.len());
        let rows = x.zip(lines(&mut densities[..], y.len()));
        columns.fold(rows, |sum, x, [mean, scale]| {
            let distance = x * scale - mean;
            sum - 0.5 * distance * distance
        });
        let densities = lines(&densities[..], y.len());
        for (y, densities) in y.iter_mut().zip(densities) {
            let largest = reduce::max(densities).unwrap_or(f32::NEG_INFINITY);
            *y = largest + reduce::sum_by(densities, |x| exp(x - largest)).ln();
        }
    });
}

/// How many neighbours [`neighbours`] finds.
const NEAREST: usize = 8;
/// The points whose distances it computes at a time: four blocks of [`Columns`].
const POINTS: usize = 24;

/// The 8 points of `y` that are nearest to each point of `x`, and the squares of their distances.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn neighbours(
    pool: Pool,
    x: In<layout!(f32[?M, ?D]{1,0})>,
    y: In<layout!(f32[?N, ?D]{1,0})>,
    mut distance: Out<layout!(f32[?M, 8]{1,0})>,
    mut index: Out<layout!(s32[?M, 8]{1,0})>,
) -> Result<()> {
    let [m, d] = x.layout().shape();
    let [n, _] = y.layout().shape();
    if n < NEAREST {
        return Err(Error::invalid_argument(format!(
            "{n} points have no {NEAREST} nearest ones: pass {NEAREST} or more"
        )));
    }
    let columns = Columns::of_columns(lines(y.memory(), n));
    let rows = share_of_lines(&pool, m, n * d);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(distance.memory_mut(), m).shares(rows));
    let shares = shares.zip(lines(index.memory_mut(), m).shares(rows));
    pool.for_each(shares, |((x, distance), index)| {
        // The distances of these points stay in the cache.
        let mut distances = vec![0.0_f32; x.len().min(POINTS) * n];
        let parts = x.shares(POINTS).zip(distance.shares(POINTS));
        for ((x, distance), index) in parts.zip(index.shares(POINTS)) {
            let count = x.len();
            let distances = &mut distances[..count * n];
            distances.fill(0.0);
            let rows = x.zip(lines(&mut *distances, count));
            columns.fold(rows, |sum, x, y| {
                let difference = x - y;
                difference.mul_add(difference, sum)
            });
            let results = distance.zip(index);
            for (distances, (distance, index)) in lines(&*distances, count).zip(results) {
                distance.fill(f32::INFINITY);
                index.fill(0);
                for (number, part) in distances.chunks(reduce::LANES).enumerate() {
                    let last = distance[NEAREST - 1];
                    if reduce::min(part).is_some_and(|least| least >= last) {
                        continue;
                    }
                    for (k, &found) in part.iter().enumerate() {
                        if found >= distance[NEAREST - 1] {
                            continue;
                        }
                        let at = distance
                            .iter()
                            .position(|&known| found < known)
                            .unwrap_or(NEAREST - 1);
                        distance.copy_within(at..NEAREST - 1, at + 1);
                        index.copy_within(at..NEAREST - 1, at + 1);
                        distance[at] = found;
                        index[at] = (number * reduce::LANES + k) as i32;
                    }
                }
            }
        }
    });
    Ok(())
}

/// The Levenshtein distance between each row of `a` and that of `b`.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn edit_distance(
    pool: Pool,
    a: In<layout!(s32[?M, ?A]{1,0})>,
    b: In<layout!(s32[?M, ?B]{1,0})>,
    mut distance: Out<layout!(s32[?M]{0})>,
) {
    let [m, length] = a.layout().shape();
    let [_, other] = b.layout().shape();
    let rows = share_of_lines(&pool, m, length * other);
    let shares = lines(a.memory(), m).shares(rows);
    let shares = shares.zip(lines(b.memory(), m).shares(rows));
    let shares = shares.zip(distance.memory_mut().chunks_mut(rows));
    pool.for_each(shares, |((a, b), distance)| {
        for ((a, b), distance) in a.zip(b).zip(distance) {
            let mut costs: Vec<i32> = (0..=b.len() as i32).collect();
            for (row, a) in a.iter().enumerate() {
                let mut diagonal = row as i32;
                let mut left = diagonal + 1;
                costs[0] = left;
                for (cost, b) in costs[1..].iter_mut().zip(b) {
                    let changed = diagonal + i32::from(a != b);
                    diagonal = *cost;
                    left = changed.min(diagonal.min(left) + 1);
                    *cost = left;
                }
            }
            *distance = costs[b.len()];
        }
    });
}
