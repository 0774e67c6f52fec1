//! A product of matrices of bytes, with a scale for each row and column: as it is written first, and with
//! tiles.

use core::array::from_fn;

use xlayout::{ArrayLayout, layout, reduce};
use xlayout_kernel::{In, Out, Pool};

use crate::share::share;

/// The product of two matrices of bytes, `b` column-major, times a scale for each row and column.
#[xlayout::kernel(independent = "M")]
pub fn int8_product(
    pool: Pool,
    a: In<layout!(s8[?M, ?K]{1,0})>,
    b: In<layout!(s8[?K, ?N]{0,1})>,
    row_scale: In<layout!(f32[?M]{0})>,
    column_scale: In<layout!(f32[?N]{0})>,
    mut c: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let ([_, k], [_, n]) = (a.layout().sizes(), c.layout().sizes());
    let rows = (share(&pool, c.memory().len(), n) / n.max(1)).max(1);
    let (k, n) = (k.max(1), n.max(1));
    let shares = c
        .memory_mut()
        .chunks_mut(rows * n)
        .zip(a.memory().chunks(rows * k));
    let shares = shares.zip(row_scale.memory().chunks(rows));
    pool.for_each(shares, |((c, a), row_scale)| {
        for ((c, a), row_scale) in c.chunks_mut(n).zip(a.chunks(k)).zip(row_scale) {
            let columns = b.memory().chunks(k).zip(column_scale.memory());
            for (c, (b, column_scale)) in c.iter_mut().zip(columns) {
                let product = reduce::dot_by(a, b, |a, b| i32::from(a) * i32::from(b));
                *c = product as f32 * row_scale * column_scale;
            }
        }
    });
}

/// Rows and columns of a tile. Its sums stay in registers.
const ROWS: usize = 4;
const COLUMNS: usize = 4;

/// The same with tiles: a row and a column are loaded once for several products.
#[xlayout::kernel(independent = "M")]
pub fn int8_product_tiled(
    pool: Pool,
    a: In<layout!(s8[?M, ?K]{1,0})>,
    b: In<layout!(s8[?K, ?N]{0,1})>,
    row_scale: In<layout!(f32[?M]{0})>,
    column_scale: In<layout!(f32[?N]{0})>,
    mut c: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let ([_, k], [_, n]) = (a.layout().sizes(), c.layout().sizes());
    let (k, n) = (k.max(1), n.max(1));
    let rows = row_scale.memory().len().div_ceil(4 * pool.threads());
    let rows = rows.max(1).next_multiple_of(ROWS);
    let shares = c
        .memory_mut()
        .chunks_mut(rows * n)
        .zip(a.memory().chunks(rows * k));
    let shares = shares.zip(row_scale.memory().chunks(rows));
    let columns = Columns {
        b: b.memory(),
        scale: column_scale.memory(),
        k,
    };
    pool.for_each(shares, |((c, a), row_scale)| {
        // Numbers of 16 bits are multiplied in pairs; rows beyond the last one are zero.
        let mut wide = vec![0_i16; ROWS * k];
        let blocks = c.chunks_mut(ROWS * n).zip(a.chunks(ROWS * k));
        for ((c, a), row_scale) in blocks.zip(row_scale.chunks(ROWS)) {
            wide.fill(0);
            for (wide, a) in wide.iter_mut().zip(a) {
                *wide = i16::from(*a);
            }
            rows_of_tiles(&wide, row_scale, &columns, c);
        }
    });
}

struct Columns<'a> {
    b: &'a [i8],
    scale: &'a [f32],
    k: usize,
}

/// Some rows of the product: up to `ROWS`.
#[inline(always)]
fn rows_of_tiles(wide: &[i16], row_scale: &[f32], columns: &Columns<'_>, c: &mut [f32]) {
    let (k, n) = (columns.k, columns.scale.len());
    let a: [&[i16]; ROWS] = from_fn(|row| &wide[row * k..][..k]);
    let mut first = 0;
    while first < n {
        // The last tile begins earlier, so that it is whole where there are enough columns.
        let start = first.min(n.saturating_sub(COLUMNS));
        let b: [&[i8]; COLUMNS] =
            from_fn(|column| &columns.b[(start + column).min(n - 1) * k..][..k]);
        let sums = tile(a, b);
        for (row, &row_scale) in row_scale.iter().enumerate() {
            for column in 0..COLUMNS.min(n) {
                let scale = row_scale * columns.scale[start + column];
                c[row * n + start + column] = sums[row][column] as f32 * scale;
            }
        }
        first += COLUMNS;
    }
}

/// The sums of a tile.
#[inline(always)]
fn tile(a: [&[i16]; ROWS], b: [&[i8]; COLUMNS]) -> [[i32; COLUMNS]; ROWS] {
    let mut sums = [[0_i32; COLUMNS]; ROWS];
    let k = a[0].len();
    let (a, b) = (a.map(|a| &a[..k]), b.map(|b| &b[..k]));
    for at in 0..k {
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let product = i32::from(a[row][at]) * i32::from(b[column][at]);
                sums[row][column] = sums[row][column].wrapping_add(product);
            }
        }
    }
    sums
}
