//! Short rows and small problems, for "Make it fast" (`kernel/FAST.md`): each kernel as it is
//! written first, and then faster.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Pool, lines};

use crate::share::share_of_lines;

/// Each block of 2 x 2 points that is in the channels of one point, as in `jnp.reshape`,
/// `transpose`, `reshape`.
#[xlayout_kernel::kernel(batch, independent = "B")]
pub fn depth_to_space_by_rows(
    pool: Pool,
    x: In<layout!(f32[?B, ?H, ?W, 4*?C]{3,2,1,0})>,
    mut y: Out<layout!(f32[?B, 2*?H, 2*?W, ?C]{3,2,1,0})>,
) {
    let [b, h, w, c] = x.layout().shape();
    let length = c / 2;
    let rows = share_of_lines(&pool, b * h, w * c);
    let shares = lines(x.memory(), b * h).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), b * h).shares(rows));
    pool.for_each(shares, |(x, y)| {
        for (x, y) in x.zip(y) {
            let (upper, lower) = y.split_at_mut(w * length);
            let points = lines(x, w).zip(lines(upper, w)).zip(lines(lower, w));
            for ((x, upper), lower) in points {
                let (first, second) = x.split_at(length);
                upper.copy_from_slice(first);
                lower.copy_from_slice(second);
            }
        }
    });
}

/// The same, with rows of a length that the compiler knows where that is 8, 16, 32 or 64 elements.
#[xlayout_kernel::kernel(batch, independent = "B")]
pub fn depth_to_space(
    pool: Pool,
    x: In<layout!(f32[?B, ?H, ?W, 4*?C]{3,2,1,0})>,
    mut y: Out<layout!(f32[?B, 2*?H, 2*?W, ?C]{3,2,1,0})>,
) {
    let [b, h, w, c] = x.layout().shape();
    let length = c / 2;
    let rows = share_of_lines(&pool, b * h, w * c);
    let shares = lines(x.memory(), b * h).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), b * h).shares(rows));
    pool.for_each(shares, |(x, y)| {
        for (x, y) in x.zip(y) {
            let (upper, lower) = y.split_at_mut(w * length);
            match length {
                8 => split_rows::<8>(x, upper, lower),
                16 => split_rows::<16>(x, upper, lower),
                32 => split_rows::<32>(x, upper, lower),
                64 => split_rows::<64>(x, upper, lower),
                _ => {
                    let points = lines(x, w).zip(lines(upper, w)).zip(lines(lower, w));
                    for ((x, upper), lower) in points {
                        let (first, second) = x.split_at(length);
                        upper.copy_from_slice(first);
                        lower.copy_from_slice(second);
                    }
                }
            }
        }
    });
}

/// Copies rows of `N` elements, by turns to one result and to the other.
#[inline(always)]
fn split_rows<const N: usize>(x: &[f32], upper: &mut [f32], lower: &mut [f32]) {
    let points = x.as_chunks::<N>().0.as_chunks::<2>().0;
    let rows = upper.as_chunks_mut::<N>().0.iter_mut();
    for (([first, second], upper), lower) in
        points.iter().zip(rows).zip(lower.as_chunks_mut::<N>().0)
    {
        *upper = *first;
        *lower = *second;
    }
}

/// The lower triangle `l` for which `l @ l.T` is a symmetric matrix; NaN where there is none.
#[xlayout_kernel::kernel(batch)]
pub fn cholesky_by_sums(a: In<layout!(f32[?N, ?N]{1,0})>, mut l: Out<layout!(f32[?N, ?N]{1,0})>) {
    let [n, _] = a.layout().shape();
    let l = l.memory_mut();
    l.copy_from_slice(a.memory());
    for i in 0..n {
        let (before, rest) = l.split_at_mut(i * n);
        let row = &mut rest[..n];
        for j in 0..i {
            let upper_row = &before[j * n..][..n];
            let products = row[..j].iter().zip(upper_row).map(|(x, y)| x * y);
            let sum: f32 = products.sum();
            row[j] = (row[j] - sum) / upper_row[j];
        }
        let sum: f32 = row[..i].iter().map(|x| x * x).sum();
        row[i] = (row[i] - sum).sqrt();
        row[i + 1..].fill(0.0);
    }
}

/// The same, with rows less multiples of the pivot's row: nothing is summed.
#[xlayout_kernel::kernel(batch)]
pub fn cholesky_by_rows(a: In<layout!(f32[?N, ?N]{1,0})>, mut l: Out<layout!(f32[?N, ?N]{1,0})>) {
    let [n, _] = a.layout().shape();
    let l = l.memory_mut();
    l.copy_from_slice(a.memory());
    for k in 0..n {
        let (before, below) = l.split_at_mut((k + 1) * n);
        let row = &mut before[k * n..];
        let pivot = row[k].sqrt();
        row[k] = pivot;
        // The part behind the pivot is also the column below it: the matrix is symmetric.
        let column = &mut row[k + 1..];
        column.iter_mut().for_each(|number| *number /= pivot);
        for (row, &factor) in lines(below, n - k - 1).zip(&*column) {
            for (number, other) in row[k + 1..].iter_mut().zip(&*column) {
                *number -= factor * other;
            }
            row[k] = factor;
        }
        column.fill(0.0);
    }
}

/// The rows of a matrix of `cholesky_of_32` and `cholesky`.
const SIZE: usize = 32;

/// The same for one size: a row is an array, of which all is computed and what is not needed is 0.
#[xlayout_kernel::kernel(batch)]
pub fn cholesky_of_32(a: In<layout!(f32[32, 32]{1,0})>, mut l: Out<layout!(f32[32, 32]{1,0})>) {
    let l = l.memory_mut();
    l.copy_from_slice(a.memory());
    let rows = l.as_chunks_mut::<SIZE>().0;
    for k in 0..SIZE {
        let (before, below) = rows.split_at_mut(k + 1);
        let row = &mut before[k];
        let pivot = row[k].sqrt();
        let mut column = [0.0; SIZE];
        for (number, other) in column.iter_mut().zip(&*row).skip(k + 1) {
            *number = other / pivot;
        }
        row[k] = pivot;
        row[k + 1..].fill(0.0);
        for (row, &factor) in below.iter_mut().zip(&column[k + 1..]) {
            for (number, other) in row.iter_mut().zip(column) {
                *number -= factor * other;
            }
            row[k] = factor;
        }
    }
}

/// How many matrices are computed at the same time: as many as a register of AVX-512 has numbers.
const LANES: usize = 16;

/// The number of elements in the rows before row `i` of a lower triangle.
const fn before(i: usize) -> usize {
    i * (i + 1) / 2
}

/// The same for a whole batch: 16 matrices at a time, one in each lane. A sum then waits for itself
/// alone.
#[xlayout_kernel::kernel(independent = "B")]
pub fn cholesky(
    a: In<layout!(f32[?B, 32, 32]{2,1,0})>,
    mut l: Out<layout!(f32[?B, 32, 32]{2,1,0})>,
) {
    let group = LANES * SIZE * SIZE;
    let mut triangle = [[0.0_f32; LANES]; before(SIZE)];
    for (a, l) in (a.memory().chunks(group)).zip(l.memory_mut().chunks_mut(group)) {
        let matrices = a.as_chunks::<{ SIZE * SIZE }>().0;
        for i in 0..SIZE {
            for (lane, a) in matrices.iter().enumerate() {
                for (lanes, number) in triangle[before(i)..].iter_mut().zip(&a[i * SIZE..][..=i]) {
                    lanes[lane] = *number;
                }
            }
        }
        let mut inverse = [[0.0; LANES]; SIZE];
        for i in 0..SIZE {
            let (upper, row) = triangle.split_at_mut(before(i));
            for j in 0..=i {
                let (done, rest) = row.split_at_mut(j);
                let upper_row = if j == i {
                    &*done
                } else {
                    &upper[before(j)..][..j]
                };
                let mut sum = rest[0];
                for (x, y) in done.iter().zip(upper_row) {
                    for lane in 0..LANES {
                        sum[lane] -= x[lane] * y[lane];
                    }
                }
                if j == i {
                    rest[0] = sum.map(f32::sqrt);
                    inverse[i] = rest[0].map(|pivot| 1.0 / pivot);
                } else {
                    for lane in 0..LANES {
                        rest[0][lane] = sum[lane] * inverse[j][lane];
                    }
                }
            }
        }
        for i in 0..SIZE {
            let matrices = l.as_chunks_mut::<{ SIZE * SIZE }>().0;
            for (lane, l) in matrices.iter_mut().enumerate() {
                let (row, zeros) = l[i * SIZE..][..SIZE].split_at_mut(i + 1);
                for (number, lanes) in row.iter_mut().zip(&triangle[before(i)..]) {
                    *number = lanes[lane];
                }
                zeros.fill(0.0);
            }
        }
    }
}
