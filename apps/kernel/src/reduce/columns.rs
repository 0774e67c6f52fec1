//! Sums over the elements of a row and of each column of a matrix.
//!
//! ```text
//! copy the columns once, in panels of 32: item k of panel p = element k of each of the columns
//!     32 p to 32 p + 31
//! for each 240 rows                         these parts of them stay in the second cache
//!     for each 256 elements of a column     these parts of a panel stay in the fastest cache
//!         for each panel
//!             for each 6 rows and 16 of the columns
//!                 the sums of these rows and columns are in registers
//!                 for each element k: sum = step(sum, row[k], column[k])
//! ```
//!
//! The sizes are the same for each set of instructions: a function cannot ask for which one it is
//! compiled, and the set that the processor has may be another one.

use super::ReducedNumber;
use crate::lines::{Lines, lines};

/// The columns of a panel.
const WIDTH: usize = 32;
/// The columns of a block of sums, half a panel: a register of AVX-512 for `f32`, two of AVX2.
const HALF: usize = 16;
/// The columns of a block of sums of 8 bytes, and of the blocks at the end of the last panel if it
/// is not full.
const NARROW: usize = 8;
/// The rows of a block of sums: with 16 columns they take 12 of the 16 registers of AVX2, and 6 of
/// the 32 of AVX-512.
const HEIGHT: usize = 6;
/// The rows of a block if no more are left. There are two, because the sums of two rows do not wait
/// for each other.
const LOW: usize = 2;
/// The number of elements of a column that are processed for some rows before the next elements.
const DEPTH: usize = 256;
/// The number of rows that are processed for all columns before the next rows.
const ROWS: usize = 40 * HEIGHT;

/// An element of each column of a panel. It begins at a multiple of 64 bytes, so that a register of
/// AVX-512 is loaded from one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Item<B>([B; WIDTH]);

/// The columns of a matrix, copied into the sequence in which sums over them load their elements.
///
/// Make it once, and use it for all rows, on all threads. It computes a sum over one dimension for
/// each pair of a row and a column: products of matrices, distances between points, convolutions of
/// many channels.
///
/// ```
/// use xlayout_kernel::{lines, reduce::Columns};
///
/// // The sums of the absolute differences between two points and three others, in two dimensions.
/// let (points, others) = ([1.0_f32, 2.0, 5.0, 5.0], [0.0_f32, 0.0, 1.0, 1.0, 5.0, 4.0]);
/// let mut distances = [0.0; 6];
/// let columns = Columns::of_columns(lines(&others[..], 3));
/// let rows = lines(&points[..], 2).zip(lines(&mut distances[..], 2));
/// columns.fold(rows, |sum, a, b| sum + (a - b).abs());
/// assert_eq!(distances, [3.0, 1.0, 6.0, 10.0, 8.0, 1.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Columns<B> {
    /// The items of the first panel, then those of the second, and so on.
    items: Vec<Item<B>>,
    /// The number of elements of a column.
    length: usize,
    /// The number of columns.
    count: usize,
}

impl<B: Copy + Default> Columns<B> {
    /// The columns of a matrix that is given by its rows: row `k` has element `k` of each column.
    #[must_use]
    pub fn of_rows(rows: Lines<&[B]>) -> Self {
        let mut columns = Self::new(rows.len(), rows.length());
        for (k, row) in rows.enumerate() {
            let items = columns.items.iter_mut().skip(k).step_by(columns.length);
            for (Item(item), elements) in items.zip(row.chunks(WIDTH)) {
                item[..elements.len()].copy_from_slice(elements);
            }
        }
        columns
    }

    /// The columns of a matrix that is given by its columns: the points to which distances are
    /// computed, or the rows of a matrix that is multiplied transposed.
    #[must_use]
    pub fn of_columns(lines: Lines<&[B]>) -> Self {
        let mut columns = Self::new(lines.length(), lines.len());
        let panels = columns.items.chunks_mut(columns.length.max(1));
        for (items, lines) in panels.zip(lines.shares(WIDTH)) {
            for (column, line) in lines.enumerate() {
                for (Item(item), &element) in items.iter_mut().zip(line) {
                    item[column] = element;
                }
            }
        }
        columns
    }

    fn new(length: usize, count: usize) -> Self {
        let items = vec![Item([B::default(); WIDTH]); count.div_ceil(WIDTH) * length];
        Self {
            items,
            length,
            count,
        }
    }
}

impl<B: Copy> Columns<B> {
    /// For each row and each column `j`, `sums[j]` becomes `step(sums[j], row[k], column[k])`, for
    /// each `k` in sequence.
    ///
    /// An item of `rows` is a row and its sums. The results are added to the values in `sums`: fill
    /// them before, with 0 or other start values. The result has the same bits on every processor,
    /// and for any number of rows in a call. In sums of floats, `a.mul_add(b, sum)` is one
    /// instruction. Give a call many rows: the columns are loaded once for all of them.
    ///
    /// # Panics
    /// If the length of a row differs from the length of a column, or the number of its sums from
    /// the number of columns.
    #[inline(always)]
    #[track_caller]
    pub fn fold<'a, A: Copy + 'a, T: ReducedNumber + 'a>(
        &self,
        rows: impl IntoIterator<Item = (&'a [A], &'a mut [T])>,
        step: impl Fn(T, A, B) -> T,
    ) {
        let rows: Vec<Row<'a, A, T>> = rows.into_iter().collect();
        for (row, sums) in &rows {
            check(row.len(), sums.len(), self.length, self.count);
        }
        // 6 x 16 sums of 8 bytes are more than the registers of AVX2.
        if size_of::<T>() > 4 {
            self.fold_blocks::<A, T, NARROW>(rows, &step);
        } else {
            self.fold_blocks::<A, T, HALF>(rows, &step);
        }
    }

    /// The same in blocks of up to `C` columns.
    #[inline(always)]
    fn fold_blocks<A: Copy, T: ReducedNumber, const C: usize>(
        &self,
        rows: Vec<Row<'_, A, T>>,
        step: &impl Fn(T, A, B) -> T,
    ) {
        // Rows are added until all blocks of rows are full. Nobody reads the sums of added rows.
        let mut rows: Vec<Row<'_, A, T>> = rows;
        let missing = match rows.len() % HEIGHT {
            0 => 0,
            rest @ 1..=LOW => LOW - rest,
            rest => HEIGHT - rest,
        };
        let mut unread = vec![T::ZERO; missing * self.count];
        if let Some(&(row, _)) = rows.first() {
            rows.extend(lines(&mut unread[..], missing).map(|sums| (row, sums)));
        }
        for rows in rows.chunks_mut(ROWS) {
            for start in (0..self.length).step_by(DEPTH) {
                let elements = start..self.length.min(start + DEPTH);
                for (panel, items) in self.items.chunks(self.length).enumerate() {
                    let items = &items[elements.clone()];
                    let (blocks, rest) = rows.as_chunks_mut::<HEIGHT>();
                    for rows in blocks {
                        of_panel::<A, B, T, HEIGHT, C>(items, start, panel, rows, step);
                    }
                    if let Some(rows) = rest.first_chunk_mut::<LOW>() {
                        of_panel::<A, B, T, LOW, C>(items, start, panel, rows, step);
                    }
                }
            }
        }
    }
}

/// Panics unless a row of `elements` elements with `found` sums fits `count` columns of `length`
/// elements.
#[inline(always)]
#[track_caller]
pub(super) fn check(elements: usize, found: usize, length: usize, count: usize) {
    // Without lines the length is 0, and no sum changes.
    let fits = if length == 0 || count == 0 {
        elements == 0 || found == 0
    } else {
        elements == length && found == count
    };
    assert!(
        fits,
        "a row has {elements} elements and {found} sums, and there are {count} columns of {length} \
         elements: pass slices of these lengths"
    );
}

/// A row and its sums.
type Row<'a, A, T> = (&'a [A], &'a mut [T]);

/// Continues the sums of `R` rows and the columns of a panel, in blocks of `C` columns, whose sums
/// are in registers. `items` is a part of the panel, from the item of `first_element` on.
#[inline(always)]
fn of_panel<A: Copy, B: Copy, T: ReducedNumber, const R: usize, const C: usize>(
    items: &[Item<B>],
    first_element: usize,
    panel: usize,
    rows: &mut [Row<'_, A, T>; R],
    step: &impl Fn(T, A, B) -> T,
) {
    let column = panel * WIDTH;
    let count = (rows[0].1.len() - column).min(WIDTH);
    let in_whole_blocks = count / C * C;
    for at in (0..in_whole_blocks).step_by(C) {
        block::<A, B, T, R, C, true>(items, first_element, column + at, at, rows, step);
    }
    for at in (in_whole_blocks..count).step_by(NARROW) {
        block::<A, B, T, R, NARROW, false>(items, first_element, column + at, at, rows, step);
    }
}

/// Continues the sums of `R` rows and up to `C` columns by the elements from `first_element` on.
/// The columns begin with number `column`, which is number `at` of its panel. With `WHOLE` they are
/// exactly `C` columns: a slice of known length is copied without a call.
#[inline(always)]
fn block<A: Copy, B: Copy, T: ReducedNumber, const R: usize, const C: usize, const WHOLE: bool>(
    items: &[Item<B>],
    first_element: usize,
    column: usize,
    at: usize,
    rows: &mut [Row<'_, A, T>; R],
    step: &impl Fn(T, A, B) -> T,
) {
    // Sums beyond the last column are computed and not stored. `sums` stays in registers because
    // slices are copied only to `start` and from `end`. There are loops in place of `from_fn`,
    // which is a call here: after it the lengths are not known, and each index is checked.
    let mut elements: [&[A]; R] = [&[]; R];
    let mut start = [[T::ZERO; C]; R];
    for r in 0..R {
        let (row, sums) = &rows[r];
        elements[r] = &row[first_element..][..items.len()];
        let count = if WHOLE { C } else { C.min(sums.len() - column) };
        start[r][..count].copy_from_slice(&sums[column..][..count]);
    }
    let mut sums = start;
    for (k, Item(item)) in items.iter().enumerate() {
        let Some(of_columns) = item[at..].first_chunk::<C>() else {
            unreachable!("a part of a panel ends in the panel")
        };
        for r in 0..R {
            let mut next = [T::ZERO; C];
            for c in 0..C {
                next[c] = step(sums[r][c], elements[r][k], of_columns[c]);
            }
            sums[r] = next;
        }
    }
    let end = sums;
    for ((_, sums), end) in rows.iter_mut().zip(&end) {
        let count = if WHOLE { C } else { C.min(sums.len() - column) };
        sums[column..][..count].copy_from_slice(&end[..count]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Columns, NARROW, ROWS};
    use crate::lines;

    /// Rows of numbers whose sums depend on the order.
    fn numbers(count: usize, first: usize) -> Vec<f32> {
        let number = |k: usize| ((k * 37 + first) % 101) as f32 * 1.1 - 50.0;
        (0..count).map(number).collect()
    }

    /// Calls `check` with a number of rows, their length, and a number of columns.
    fn each_size(check: impl Fn(usize, usize, usize)) {
        let depths: &[usize] = if cfg!(miri) {
            &[0, 3, 257]
        } else {
            &[0, 1, 2, 255, 256, 257, 600]
        };
        for &length in depths {
            for count in [0, 1, 7, 8, 9, 31, 32, 33, 41, 70] {
                for rows in [0, 1, 2, 3, 5, 6, 8, 9] {
                    check(rows, length, count);
                }
            }
        }
        // More rows than are processed for all columns before the next ones.
        check(ROWS + 7, 3, 17);
    }

    #[test]
    fn each_sum_is_in_sequence() {
        each_size(|rows, length, count| {
            let a = numbers(rows * length, 0);
            let b = numbers(count * length, 5);
            let transposed: Vec<f32> = (0..count * length)
                .map(|at| b[at % count * length + at / count])
                .collect();
            let start = numbers(rows * count, 9);
            let mut expected = start.clone();
            for (at, sum) in expected.iter_mut().enumerate() {
                let row = at / count * length;
                let column = at % count * length;
                for k in 0..length {
                    *sum = a[row + k].mul_add(b[column + k], *sum);
                }
            }
            for columns in [
                Columns::of_columns(lines(&b[..], count)),
                Columns::of_rows(lines(&transposed[..], length)),
            ] {
                let mut sums = start.clone();
                let pairs = lines(&a[..], rows).zip(lines(&mut sums[..], rows));
                columns.fold(pairs, |sum, a, b| a.mul_add(b, sum));
                let bits = |sums: &[f32]| sums.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&sums), bits(&expected), "{rows} {length} {count}");
                // The blocks of elements of 8 bytes, whose sums are those of smaller ones here.
                let mut sums = start.clone();
                let pairs = lines(&a[..], rows).zip(lines(&mut sums[..], rows));
                let step = |sum, a: f32, b| a.mul_add(b, sum);
                columns.fold_blocks::<f32, f32, NARROW>(pairs.collect(), &step);
                assert_eq!(bits(&sums), bits(&expected), "{rows} {length} {count}");
            }
        });
    }

    #[test]
    #[should_panic(
        expected = "a row has 3 elements and 1 sums, and there are 2 columns of 2 elements: pass slices of these lengths"
    )]
    fn rows_of_another_length_are_refused() {
        let columns = Columns::of_columns(lines(&[1, 2, 3, 4][..], 2));
        columns.fold([(&[1, 2, 3][..], &mut [0][..])], |sum: i32, a: i32, b| {
            sum + a * b
        });
    }
}
