//! A product of matrices of bytes, with a scale for each row and column: as it is written first,
//! and in blocks.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::reduce::{self, IntegerColumns};
use xlayout_kernel::{In, Out, Pool, lines};

use crate::share::share_of_lines;

/// The product of two matrices of bytes, `b` column-major, times a scale for each row and column.
#[xlayout_kernel::kernel(independent = "M")]
pub fn int8_product(
    pool: Pool,
    a: In<layout!(s8[?M, ?K]{1,0})>,
    b: In<layout!(s8[?K, ?N]{0,1})>,
    row_scale: In<layout!(f32[?M]{0})>,
    column_scale: In<layout!(f32[?N]{0})>,
    mut c: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let [m, n] = c.layout().shape();
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

/// The same in blocks of sums, `b` row-major.
#[xlayout_kernel::kernel(independent = "M")]
pub fn int8_product_blocks(
    pool: Pool,
    a: In<layout!(s8[?M, ?K]{1,0})>,
    b: In<layout!(s8[?K, ?N]{1,0})>,
    row_scale: In<layout!(f32[?M]{0})>,
    column_scale: In<layout!(f32[?N]{0})>,
    mut c: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let [m, k] = a.layout().shape();
    let [_, n] = c.layout().shape();
    let columns = IntegerColumns::of_rows(lines(b.memory(), k));
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(c.memory_mut(), m).shares(rows);
    let shares = shares.zip(lines(a.memory(), m).shares(rows));
    let shares = shares.zip(row_scale.memory().chunks(rows));
    pool.for_each(shares, |((c, a), row_scale)| {
        let count = a.len();
        let mut sums = vec![0; count * n];
        columns.add_products(a.zip(lines(&mut sums[..], count)));
        let results = c.zip(lines(&sums[..], count)).zip(row_scale);
        for ((c, sums), &row_scale) in results {
            for ((c, &sum), column_scale) in c.iter_mut().zip(sums).zip(column_scale.memory()) {
                *c = sum as f32 * row_scale * column_scale;
            }
        }
    });
}
