//! A function of a few neighbours of each element, in two forms (`FAST.md`, step 4).

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Pool, lines};

use crate::share::share_of_lines;

/// Pairs of nine numbers. Where the smaller number of each pair is put first, one pair after the
/// other, number 4 is the median of all.
const NETWORK: [(usize, usize); 19] = [
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
];

/// The median of each 3 x 3 pixels, by a loop over the pairs: the nine numbers of a pixel are in
/// memory.
#[xlayout_kernel::kernel]
pub fn median_of_each(
    pool: Pool,
    x: In<layout!(f32[?H, ?W]{1,0})>,
    mut y: Out<layout!(f32[?H - 2, ?W - 2]{1,0})>,
) {
    let [_, w] = x.layout().shape();
    let [rows, columns] = y.layout().shape();
    let x = x.memory();
    let share = share_of_lines(&pool, rows, 9 * columns);
    let shares = lines(y.memory_mut(), rows).shares(share);
    pool.for_each(shares.enumerate(), |(number, y)| {
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
                let mut sort = |i: usize, j: usize| (v[i], v[j]) = (v[i].min(v[j]), v[i].max(v[j]));
                for (i, j) in NETWORK {
                    sort(i, j);
                }
                *y = v[4];
            }
        }
    });
}

/// The same with a line for each pair, and comparisons in place of `f32::min`, which has to leave
/// out NaN: so the nine numbers of many pixels are in registers.
#[xlayout_kernel::kernel]
pub fn median(
    pool: Pool,
    x: In<layout!(f32[?H, ?W]{1,0})>,
    mut y: Out<layout!(f32[?H - 2, ?W - 2]{1,0})>,
) {
    let [_, w] = x.layout().shape();
    let [rows, columns] = y.layout().shape();
    let x = x.memory();
    let share = share_of_lines(&pool, rows, 9 * columns);
    let shares = lines(y.memory_mut(), rows).shares(share);
    pool.for_each(shares.enumerate(), |(number, y)| {
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
                let mut sort = |i: usize, j: usize| {
                    let a = v[i];
                    let b = v[j];
                    v[i] = if b < a { b } else { a };
                    v[j] = if b < a { a } else { b };
                };
                sort(1, 2);
                sort(4, 5);
                sort(7, 8);
                sort(0, 1);
                sort(3, 4);
                sort(6, 7);
                sort(1, 2);
                sort(4, 5);
                sort(7, 8);
                sort(0, 3);
                sort(5, 8);
                sort(4, 7);
                sort(3, 6);
                sort(1, 4);
                sort(2, 5);
                sort(4, 7);
                sort(4, 2);
                sort(6, 4);
                sort(4, 2);
                *y = v[4];
            }
        }
    });
}
