//! A product of matrices of bytes, with a scale for each row and column: as it is written first, and in
//! blocks.

use xlayout::reduce::{self, DotItem};
use xlayout::{ArrayLayout, layout};
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

/// Consecutive elements of a row of `a` or of a column of `b`.
const DEPTH: usize = 32;
/// Rows of a thread's share: each share loads all columns.
const SHARE: usize = 32;
/// Columns that a thread packs at a time.
const GROUP: usize = 32;

/// The same in blocks of 4 x 4 sums, `b` row-major. Both operands are packed: into items of 16 bits,
/// in the sequence in which the blocks load them.
#[xlayout::kernel(independent = "M")]
pub fn int8_product_blocks(
    pool: Pool,
    a: In<layout!(s8[?M, ?K]{1,0})>,
    b: In<layout!(s8[?K, ?N]{1,0})>,
    row_scale: In<layout!(f32[?M]{0})>,
    column_scale: In<layout!(f32[?N]{0})>,
    mut c: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let ([_, k], [_, n]) = (a.layout().sizes(), c.layout().sizes());
    let (k, n) = (k.max(1), n.max(1));
    let depth = k.div_ceil(DEPTH);

    // Each item has 32 elements of 4 columns. Elements beyond the last one are 0.
    let mut columns = vec![DotItem::<4>::ZERO; n.next_multiple_of(GROUP) / 4 * depth];
    let groups = columns.chunks_mut(GROUP / 4 * depth).enumerate();
    pool.for_each(groups, |(group, items)| {
        let first = group * GROUP;
        for (number, rows) in b.memory().chunks(DEPTH * n).enumerate() {
            let mut square = [[0; GROUP]; DEPTH];
            for (to, row) in square.iter_mut().zip(rows.chunks(n)) {
                let row = &row[first..n.min(first + GROUP)];
                to[..row.len()].copy_from_slice(row);
            }
            for (quarter, item) in items[number..].iter_mut().step_by(depth).enumerate() {
                for (column, to) in item.0.iter_mut().enumerate() {
                    for (to, row) in to.iter_mut().zip(&square) {
                        *to = i16::from(row[4 * quarter + column]);
                    }
                }
            }
        }
    });

    let scales = row_scale.memory().chunks(SHARE);
    let rows = a.memory().chunks(SHARE * k).zip(scales);
    let shares = rows.zip(c.memory_mut().chunks_mut(SHARE * n));
    pool.for_each(shares, |((a, row_scale), c)| {
        let rows: Vec<_> = a.chunks(4 * k).map(|rows| packed(rows, k)).collect();
        for (number, columns) in columns.chunks(depth).take(n.div_ceil(4)).enumerate() {
            let first = 4 * number;
            let column_scale = &column_scale.memory()[first..n.min(first + 4)];
            let blocks = c.chunks_mut(4 * n).zip(row_scale.chunks(4));
            for (rows, (c, row_scale)) in rows.iter().zip(blocks) {
                let sums = reduce::dot_block(rows, columns);
                for ((c, sums), row_scale) in c.chunks_mut(n).zip(&sums).zip(row_scale) {
                    let scaled = c[first..].iter_mut().zip(sums).zip(column_scale);
                    for ((c, &sum), column_scale) in scaled {
                        *c = sum as f32 * row_scale * column_scale;
                    }
                }
            }
        }
    });
}

/// Up to 4 rows of `k` elements. Each item has 32 elements of each row.
#[inline(always)]
fn packed(rows: &[i8], k: usize) -> Vec<DotItem<4>> {
    let mut items = vec![DotItem::ZERO; k.div_ceil(DEPTH)];
    for (number, row) in rows.chunks(k).enumerate() {
        for (item, elements) in items.iter_mut().zip(row.chunks(DEPTH)) {
            for (to, &element) in item.0[number].iter_mut().zip(elements) {
                *to = i16::from(element);
            }
        }
    }
    items
}
