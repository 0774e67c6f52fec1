//! Kernels over sequences, sparse matrices and images, and a derivative by parameters.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{Error, In, Out, Pool, Result, lines, reduce};

use crate::share::share_of_lines;

/// The derivatives of a layer norm, from that by its result. Each share of rows has its own sums for `scale` and `bias`.
#[xlayout::kernel]
pub fn layer_norm_back(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    scale: In<layout!(f32[?N]{0})>,
    dy: In<layout!(f32[?M, ?N]{1,0})>,
    mut dx: Out<layout!(f32[?M, ?N]{1,0})>,
    mut dscale: Out<layout!(f32[?N]{0})>,
    mut dbias: Out<layout!(f32[?N]{0})>,
) {
    let [m, n] = x.layout().sizes();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(dy.memory(), m).shares(rows));
    let shares = shares.zip(lines(dx.memory_mut(), m).shares(rows));
    let count = shares.len();
    let mut sums = vec![0.0; count * 2 * n];
    let scale = scale.memory();
    pool.for_each(
        shares.zip(lines(&mut sums[..], count)),
        |(((x, dy), dx), sums)| {
            let (dscale, dbias) = sums.split_at_mut(n);
            for ((x, dy), dx) in x.zip(dy).zip(dx) {
                let mean = reduce::sum(x) / n as f32;
                let variance = reduce::sum_by(x, |x| (x - mean) * (x - mean)) / n as f32;
                let factor = 1.0 / (variance + 1e-5).sqrt();
                for ((((dx, dscale), dbias), x), (dy, scale)) in dx
                    .iter_mut()
                    .zip(&mut *dscale)
                    .zip(&mut *dbias)
                    .zip(x)
                    .zip(dy.iter().zip(scale))
                {
                    let normal = (x - mean) * factor;
                    *dscale += dy * normal;
                    *dbias += dy;
                    *dx = dy * scale;
                }
                let of_mean = reduce::sum(dx) / n as f32;
                let of_normal = factor * (reduce::dot(dx, x) - mean * reduce::sum(dx)) / n as f32;
                for (dx, x) in dx.iter_mut().zip(x) {
                    *dx = factor * (*dx - of_mean - (x - mean) * factor * of_normal);
                }
            }
        },
    );
    dscale.memory_mut().fill(0.0);
    dbias.memory_mut().fill(0.0);
    for sums in lines(&sums[..], count) {
        let (own_scale, own_bias) = sums.split_at(n);
        for (sum, own) in dscale.memory_mut().iter_mut().zip(own_scale) {
            *sum += own;
        }
        for (sum, own) in dbias.memory_mut().iter_mut().zip(own_bias) {
            *sum += own;
        }
    }
}

/// A sparse matrix times a vector. The elements of row `i` are those from `start[i]` to `start[i + 1]`.
#[xlayout::kernel]
pub fn csr_product(
    pool: Pool,
    value: In<layout!(f32[?E]{0})>,
    column: In<layout!(s32[?E]{0})>,
    start: In<layout!(s32[?M + 1]{0})>,
    x: In<layout!(f32[?N]{0})>,
    mut y: Out<layout!(f32[?M]{0})>,
) -> Result<()> {
    let ([m], [e]) = (y.layout().sizes(), value.layout().sizes());
    let start = start.memory();
    if start.windows(2).any(|pair| pair[0] > pair[1]) || start[0] < 0 || start[m] as usize > e {
        return Err(Error::invalid_argument(
            "`start` goes from 0 up to the number of elements",
        ));
    }
    let rows = share_of_lines(&pool, m, e.div_ceil(m.max(1)));
    let (value, column, x) = (value.memory(), column.memory(), x.memory());
    pool.for_each(y.memory_mut().chunks_mut(rows).enumerate(), |(share, y)| {
        for (y, pair) in y.iter_mut().zip(start[share * rows..].windows(2)) {
            let own = pair[0] as usize..pair[1] as usize;
            *y = reduce::dot_by(
                &value[own.clone()],
                &column[own],
                |value: f32, column: i32| value * x[column as usize],
            );
        }
    });
    Ok(())
}

/// The most probable states of a hidden Markov model. `cost` has the logarithms of the probabilities of each step.
#[xlayout::kernel(independent = "B")]
pub fn viterbi(
    pool: Pool,
    cost: In<layout!(f32[?B, ?T, ?S]{2,1,0})>,
    step: In<layout!(f32[?S, ?S]{1,0})>,
    mut state: Out<layout!(s32[?B, ?T]{1,0})>,
) {
    let [b, t, s] = cost.layout().sizes();
    let step = step.memory();
    pool.for_each(
        lines(cost.memory(), b).zip(lines(state.memory_mut(), b)),
        |(cost, state)| {
            let mut from = vec![0; t * s];
            let (mut best, mut next) = (vec![0.0; s], vec![0.0; s]);
            for (time, (cost, from)) in lines(cost, t).zip(lines(&mut from[..], t)).enumerate() {
                if time == 0 {
                    best.copy_from_slice(cost);
                    continue;
                }
                next.fill(f32::NEG_INFINITY);
                for (old, (step, &best)) in lines(step, s).zip(&best).enumerate() {
                    for ((next, from), step) in next.iter_mut().zip(&mut *from).zip(step) {
                        let new = best + step;
                        if new > *next {
                            *next = new;
                            *from = old as i32;
                        }
                    }
                }
                for ((best, next), cost) in best.iter_mut().zip(&next).zip(cost) {
                    *best = next + cost;
                }
            }
            let mut last = reduce::argmax(&best).unwrap_or(0) as i32;
            for (state, from) in state.iter_mut().zip(lines(&from[..], t)).rev() {
                *state = last;
                last = from.get(last as usize).copied().unwrap_or(0);
            }
        },
    );
}

/// For each element of a row the length of the run of equal elements that it is in.
#[xlayout::kernel(independent = "M")]
pub fn run_lengths(
    pool: Pool,
    x: In<layout!(s32[?M, ?N]{1,0})>,
    mut length: Out<layout!(s32[?M, ?N]{1,0})>,
) {
    let [m, n] = x.layout().sizes();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    pool.for_each(
        shares.zip(lines(length.memory_mut(), m).shares(rows)),
        |(x, length)| {
            for (x, length) in x.zip(length) {
                let mut rest = length;
                for run in x.chunk_by(|a, b| a == b) {
                    let (own, behind) = rest.split_at_mut(run.len());
                    own.fill(run.len() as i32);
                    rest = behind;
                }
            }
        },
    );
}

/// The median of each 3 x 3 pixels.
#[xlayout::kernel]
pub fn median(
    pool: Pool,
    x: In<layout!(f32[?H, ?W]{1,0})>,
    mut y: Out<layout!(f32[?H - 2, ?W - 2]{1,0})>,
) {
    let ([_, w], [rows, columns]) = (x.layout().sizes(), y.layout().sizes());
    let x = x.memory();
    let share = share_of_lines(&pool, rows, 9 * columns);
    pool.for_each(
        lines(y.memory_mut(), rows).shares(share).enumerate(),
        |(number, y)| {
            for (i, y) in y.enumerate() {
                let at = (number * share + i) * w;
                let [a, b, c] = [0, 1, 2].map(|k| &x[at + k * w..][..w]);
                for (((y, a), b), c) in y
                    .iter_mut()
                    .zip(a.windows(3))
                    .zip(b.windows(3))
                    .zip(c.windows(3))
                {
                    let mut v = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
                    let mut sort =
                        |i: usize, j: usize| (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j]));
                    for (i, j) in [
                        (1, 2),
                        (4, 5),
                        (7, 8),
                        (0, 1),
                        (3, 4),
                        (6, 7),
                        (1, 2),
                        (4, 5),
                        (7, 8),
                        (0, 3),
                        (5, 8),
                        (4, 7),
                        (3, 6),
                        (1, 4),
                        (2, 5),
                        (4, 7),
                        (4, 2),
                        (6, 4),
                        (4, 2),
                    ] {
                        sort(i, j);
                    }
                    *y = v[4];
                }
            }
        },
    );
}
