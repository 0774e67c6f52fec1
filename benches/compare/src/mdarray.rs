//! Arrays of mdarray whose sizes are constants. Its arrays are row-major: the column-major ones are
//! arrays of the other shape.

use mdarray::{Const, Slice};

use crate::{COLUMNS, INNER, ROWS, TILE, TILES};

pub type Rows = Slice<f32, (Const<ROWS>, Const<COLUMNS>)>;
pub type Columns = Slice<f32, (Const<COLUMNS>, Const<ROWS>)>;
pub type B = Slice<f32, (Const<COLUMNS>, Const<INNER>)>;
pub type C = Slice<f32, (Const<ROWS>, Const<INNER>)>;
pub type Sums = Slice<f32, (Const<ROWS>,)>;
pub type Tiles = Slice<
    f32,
    (
        Const<{ TILES[0] }>,
        Const<{ TILES[1] }>,
        Const<{ TILE[0] }>,
        Const<{ TILE[1] }>,
    ),
>;

#[inline(never)]
pub fn transpose(a: &Rows, b: &mut Columns) {
    for i in 0..ROWS {
        for j in 0..COLUMNS {
            b[[j, i]] = a[[i, j]];
        }
    }
}

#[inline(never)]
pub fn product(a: &Rows, b: &B, c: &mut C) {
    for i in 0..ROWS {
        for k in 0..COLUMNS {
            for j in 0..INNER {
                c[[i, j]] += a[[i, k]] * b[[k, j]];
            }
        }
    }
}

#[inline(never)]
pub fn blur(a: &Rows, b: &mut Rows) {
    for i in 1..ROWS - 1 {
        for j in 1..COLUMNS - 1 {
            let sum = a[[i, j]] + a[[i - 1, j]] + a[[i + 1, j]] + a[[i, j - 1]];
            b[[i, j]] = (sum + a[[i, j + 1]]) / 5.0;
        }
    }
}

#[inline(never)]
pub fn sums(a: &Columns, sums: &mut Sums) {
    for j in 0..COLUMNS {
        for i in 0..ROWS {
            sums[[i]] += a[[j, i]];
        }
    }
}

#[inline(never)]
pub fn tiles(a: &Rows, b: &mut Tiles) {
    for i in 0..ROWS {
        for j in 0..COLUMNS {
            b[[i / TILE[0], j / TILE[1], i % TILE[0], j % TILE[1]]] = a[[i, j]];
        }
    }
}
