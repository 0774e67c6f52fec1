//! A product of matrices of bytes, with a scale for each row and column: as it is written first, and in
//! blocks.

use std::array::from_fn;
use std::iter::repeat;

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::reduce::{self, DotItem, DotSums};
use xlayout_kernel::{In, Out, Pool, lines};

use crate::share::share_of_lines;

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
    let [m, n] = c.layout().sizes();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(c.memory_mut(), m).shares(rows);
    let shares = shares.zip(lines(a.memory(), m).shares(rows));
    let shares = shares.zip(row_scale.memory().chunks(rows));
    pool.for_each(shares, |((c, a), row_scale)| {
        for ((c, a), row_scale) in c.zip(a).zip(row_scale) {
            let columns = lines(b.memory(), n).zip(column_scale.memory());
            for (c, (b, column_scale)) in c.iter_mut().zip(columns) {
                let product = reduce::dot_by(a, b, |a, b| i32::from(a) * i32::from(b));
                *c = product as f32 * row_scale * column_scale;
            }
        }
    });
}

/// Rows and columns of a block of sums. A lane is a column, and an item of `b` has four times 16.
const ROWS: usize = 8;
const COLUMNS: usize = 64;
/// Pairs of elements of a row that are multiplied with all columns before the next ones.
const PAIRS: usize = 32;
/// Rows of a thread's share: each share loads all columns.
const SHARE: usize = 32;

/// The same in blocks of 8 x 64 sums, `b` row-major. Both operands are copied: into pairs of 16 bits, in
/// the sequence in which the blocks load them.
#[xlayout::kernel(independent = "M")]
pub fn int8_product_blocks(
    pool: Pool,
    a: In<layout!(s8[?M, ?K]{1,0})>,
    b: In<layout!(s8[?K, ?N]{1,0})>,
    row_scale: In<layout!(f32[?M]{0})>,
    column_scale: In<layout!(f32[?N]{0})>,
    mut c: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let ([m, k], [_, n]) = (a.layout().sizes(), c.layout().sizes());
    let panels = n.div_ceil(COLUMNS).max(1);

    // For each 64 rows of `b`, for each 64 columns, 32 items. Elements beyond the last one are 0.
    let mut columns = vec![DotItem::ZERO; k.div_ceil(2 * PAIRS) * panels * PAIRS];
    let chunks = columns.chunks_mut(panels * PAIRS);
    pool.for_each(
        chunks.zip(lines(b.memory(), k).shares(2 * PAIRS)),
        |(items, rows)| {
            for (pair, mut rows) in rows.shares(2).enumerate() {
                let mut row = || rows.next().unwrap_or(&[]);
                let (even, odd) = (row(), row());
                let odd = odd.chunks(COLUMNS).chain(repeat(&[][..]));
                let to = items[pair..].iter_mut().step_by(PAIRS);
                for ((item, even), odd) in to.zip(even.chunks(COLUMNS)).zip(odd) {
                    fill(item, even, odd);
                }
            }
        },
    );

    let scales = row_scale.memory().chunks(SHARE);
    let rows = lines(a.memory(), m).shares(SHARE).zip(scales);
    let shares = rows.zip(lines(c.memory_mut(), m).shares(SHARE));
    pool.for_each(shares, |((a, row_scale), c)| {
        let mut sums = vec![DotSums::ZERO; SHARE / ROWS * panels];
        let mut items = [DotItem::ZERO; PAIRS];
        for (chunk, columns) in columns.chunks(panels * PAIRS).enumerate() {
            for (mut rows, sums) in a.clone().shares(ROWS).zip(sums.chunks_mut(panels)) {
                let rows: [_; ROWS] = from_fn(|_| {
                    let row = rows.next().unwrap_or(&[]);
                    row.get(chunk * 2 * PAIRS..).unwrap_or(&[])
                });
                for (pair, item) in items.iter_mut().enumerate() {
                    let element = |row: &[i8], at| row.get(at).map_or(0, |&x| i16::from(x));
                    *item = DotItem::repeated(
                        rows.map(|row| [element(row, 2 * pair), element(row, 2 * pair + 1)]),
                    );
                }
                for (columns, sums) in columns.chunks(PAIRS).zip(sums) {
                    reduce::dot_block(&items, columns, sums);
                }
            }
        }
        let blocks = c.shares(ROWS).zip(row_scale.chunks(ROWS));
        for ((c, row_scale), sums) in blocks.zip(sums.chunks(panels)) {
            for (row, (c, row_scale)) in c.zip(row_scale).enumerate() {
                let panels = c.chunks_mut(COLUMNS).zip(sums);
                for ((c, sums), scales) in panels.zip(column_scale.memory().chunks(COLUMNS)) {
                    let sums = sums.0[row].as_flattened();
                    for ((c, &sum), column_scale) in c.iter_mut().zip(sums).zip(scales) {
                        *c = sum as f32 * row_scale * column_scale;
                    }
                }
            }
        }
    });
}

/// Two elements of each of up to 64 columns. The last row has no row after it if their number is odd.
#[inline(always)]
fn fill(item: &mut DotItem<4>, even: &[i8], odd: &[i8]) {
    let pairs = item.0.as_flattened_mut().as_chunks_mut::<2>().0;
    if let (Ok(even), Ok(odd)) = (
        <&[i8; COLUMNS]>::try_from(even),
        <&[i8; COLUMNS]>::try_from(odd),
    ) {
        for ((pair, &even), &odd) in pairs.iter_mut().zip(even).zip(odd) {
            *pair = [i16::from(even), i16::from(odd)];
        }
        return;
    }
    let odd = odd.iter().chain(repeat(&0));
    for ((pair, &even), &odd) in pairs.iter_mut().zip(even).zip(odd) {
        *pair = [i16::from(even), i16::from(odd)];
    }
}
