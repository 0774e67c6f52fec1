//! A matrix times a vector, column by column.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Pool};

/// Columns that are added in one go, so that a sum is loaded and stored that much less often.
const COLUMNS: usize = 8;
/// The fewest rows that a thread takes: a piece of a column that is worth fetching.
const ROWS: usize = 512;

/// `y = a x`. The matrix is column-major: a column is read in one piece, and its elements belong to
/// neighbouring sums, so that no sum waits for the one before.
#[xlayout_kernel::kernel]
pub fn gemv(
    pool: Pool,
    a: In<layout!(f32[?M, ?K]{0,1})>,
    x: In<layout!(f32[?K]{0})>,
    mut y: Out<layout!(f32[?M]{0})>,
) {
    let [rows, _] = a.layout().shape();
    let a = a.memory();
    let x = x.memory();
    let size = rows
        .div_ceil(pool.threads().max(1))
        .next_multiple_of(ROWS)
        .max(ROWS);
    let shares = y.memory_mut().chunks_mut(size).enumerate();
    pool.for_each(shares, |(k, sums)| sum_columns(a, rows, k * size, x, sums));
}

/// The sums of the rows from `first` on.
#[inline(always)]
fn sum_columns(a: &[f32], rows: usize, first: usize, x: &[f32], sums: &mut [f32]) {
    let n = sums.len();
    sums.fill(0.0);
    let (blocks, rest) = x.as_chunks::<COLUMNS>();
    for (x, a) in blocks.iter().zip(a.chunks_exact(rows * COLUMNS)) {
        let columns: [&[f32]; COLUMNS] = core::array::from_fn(|k| &a[k * rows + first..][..n]);
        for (i, sum) in sums.iter_mut().enumerate() {
            for k in 0..COLUMNS {
                *sum = columns[k][i].mul_add(x[k], *sum);
            }
        }
    }
    let rest_a = &a[blocks.len() * COLUMNS * rows..];
    for (&x, column) in rest.iter().zip(rest_a.chunks_exact(rows)) {
        for (sum, &a) in sums.iter_mut().zip(&column[first..][..n]) {
            *sum = a.mul_add(x, *sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sum_columns;

    #[test]
    fn any_share_of_any_matrix() {
        for rows in 1..20 {
            for columns in 0..20 {
                let a: Vec<f32> = (0..rows * columns).map(|k| (k % 13) as f32).collect();
                let x: Vec<f32> = (0..columns).map(|k| (k % 5) as f32).collect();
                for first in 0..rows {
                    let mut sums = vec![f32::NAN; rows - first];
                    sum_columns(&a, rows, first, &x, &mut sums);
                    for (i, sum) in sums.iter().enumerate() {
                        let exact: f32 = (0..columns).map(|k| a[k * rows + first + i] * x[k]).sum();
                        assert_eq!(*sum, exact, "{rows} {columns} {first} {i}");
                    }
                }
            }
        }
    }
}
