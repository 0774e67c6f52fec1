//! A product of matrices of bytes, with a scale for each row and column: as it is written first, and in
//! blocks.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::reduce::{self, Columns};
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

/// The same in blocks of sums that are in registers. Both operands are copied into pairs of 16 bits.
#[xlayout::kernel(independent = "M")]
pub fn int8_product_blocks(
    pool: Pool,
    a: In<layout!(s8[?M, ?K]{1,0})>,
    b: In<layout!(s8[?K, ?N]{0,1})>,
    row_scale: In<layout!(f32[?M]{0})>,
    column_scale: In<layout!(f32[?N]{0})>,
    mut c: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let ([m, k], [_, n]) = (a.layout().sizes(), c.layout().sizes());
    let pairs = |x: &[i8]| -> Vec<[i16; 2]> {
        let pairs = x
            .chunks(2)
            .map(|x| [x[0].into(), x.get(1).map_or(0, |&x| x.into())]);
        pairs.collect()
    };
    let columns: Vec<_> = lines(b.memory(), n).flat_map(pairs).collect();
    let columns = Columns::of_columns(lines(&columns[..], n));
    let rows = share_of_lines(&pool, m, n * k);
    let shares = lines(a.memory(), m).shares(rows);
    let shares = shares.zip(row_scale.memory().chunks(rows));
    let shares = shares.zip(lines(c.memory_mut(), m).shares(rows));
    pool.for_each(shares, |((a, row_scale), c)| {
        let count = a.len();
        let rows: Vec<_> = a.flat_map(pairs).collect();
        let mut sums = vec![0_i32; count * n];
        let rows = lines(&rows[..], count).zip(lines(&mut sums[..], count));
        columns.add_products(rows, |[a, b]: [i16; 2], [c, d]: [i16; 2]| {
            i32::from(a) * i32::from(c) + i32::from(b) * i32::from(d)
        });
        for ((c, sums), row_scale) in c.zip(lines(&sums[..], count)).zip(row_scale) {
            for ((c, &sum), column_scale) in c.iter_mut().zip(sums).zip(column_scale.memory()) {
                *c = sum as f32 * row_scale * column_scale;
            }
        }
    });
}
