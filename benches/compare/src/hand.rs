//! Slices and index arithmetic by hand.

use crate::{COLUMNS, INNER, ROWS, TILE, TILES};

/// Row-major to column-major.
#[inline(never)]
pub fn transpose(a: &[f32; ROWS * COLUMNS], b: &mut [f32; ROWS * COLUMNS]) {
    for i in 0..ROWS {
        for j in 0..COLUMNS {
            b[j * ROWS + i] = a[i * COLUMNS + j];
        }
    }
}

/// c += a * b.
#[inline(never)]
pub fn product(a: &[f32; ROWS * COLUMNS], b: &[f32; COLUMNS * INNER], c: &mut [f32; ROWS * INNER]) {
    for i in 0..ROWS {
        for k in 0..COLUMNS {
            for j in 0..INNER {
                c[i * INNER + j] += a[i * COLUMNS + k] * b[k * INNER + j];
            }
        }
    }
}

/// Each element inside becomes the mean of itself and its four neighbours.
#[inline(never)]
pub fn blur(a: &[f32; ROWS * COLUMNS], b: &mut [f32; ROWS * COLUMNS]) {
    let at = |i: usize, j: usize| i * COLUMNS + j;
    for i in 1..ROWS - 1 {
        for j in 1..COLUMNS - 1 {
            let sum = a[at(i, j)] + a[at(i - 1, j)] + a[at(i + 1, j)] + a[at(i, j - 1)];
            b[at(i, j)] = (sum + a[at(i, j + 1)]) / 5.0;
        }
    }
}

/// The sum of each row of a column-major matrix.
#[inline(never)]
pub fn sums(a: &[f32; ROWS * COLUMNS], sums: &mut [f32; ROWS]) {
    for j in 0..COLUMNS {
        for i in 0..ROWS {
            sums[i] += a[j * ROWS + i];
        }
    }
}

/// Row-major to row-major tiles of 8 by 128.
#[inline(never)]
pub fn tiles(a: &[f32; ROWS * COLUMNS], b: &mut [f32; TILES[0] * TILES[1] * 1024]) {
    for i in 0..ROWS {
        for j in 0..COLUMNS {
            let tile = i / TILE[0] * TILES[1] + j / TILE[1];
            b[(tile * TILE[0] + i % TILE[0]) * TILE[1] + j % TILE[1]] = a[i * COLUMNS + j];
        }
    }
}
