//! Products of matrices of 8-bit and 16-bit integers.
//!
//! ```text
//! copy the columns once: for each 64 elements, for each 16 columns, 32 items
//! for each 36 rows           their sums, and a part of the columns, stay in the second cache
//!     for each 64 elements of a row
//!         for each 6 rows    each pair of these elements, repeated, stays in the fastest cache
//!             for each 16 columns
//!                 the sums of these rows and columns are in registers
//!                 for each pair: multiply and add
//! ```

use crate::lines::Lines;

/// The columns of a block of sums: a register of AVX-512 has 16 of 32 bits.
const LANES: usize = 16;
/// The rows of a block of sums: 12 of the 16 registers of AVX2, and 6 of the 32 of AVX-512.
const HEIGHT: usize = 6;
/// The rows of a block if there are no more.
const LOW: usize = 2;
/// The pairs of elements of a row that are multiplied with all columns before the next ones.
const PAIRS: usize = 32;
/// The rows that are multiplied with all columns before the next rows.
const ROWS: usize = 6 * HEIGHT;

/// A pair of elements for each lane. It begins at a multiple of 64 bytes, so that a register of
/// AVX-512 is loaded from one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct PairItem([i16; 2 * LANES]);

/// The sums of a block.
type Sums = [[i32; LANES]; HEIGHT];

/// A row and its sums.
type IntegerRow<'a, A> = (&'a [A], &'a mut [i32]);

/// The columns of a matrix of integers of 8 or 16 bits, copied into the sequence in which products
/// with rows load them.
///
/// Make it once, and use it for all rows, on all threads. It is [`Columns`](super::Columns) for the
/// products of integers, two of which are one instruction of x86-64 (`vpmaddwd`).
///
/// ```
/// use xlayout_kernel::{lines, reduce::IntegerColumns};
///
/// // Two rows of three bytes, times a matrix of three rows and two columns.
/// let (a, b) = ([1_i8, 2, 3, -1, 0, 100], [1_i8, 10, 1, 20, 1, 30]);
/// let mut sums = [0; 4];
/// let columns = IntegerColumns::of_rows(lines(&b[..], 3));
/// columns.add_products(lines(&a[..], 2).zip(lines(&mut sums[..], 2)));
/// assert_eq!(sums, [6, 140, 99, 2990]);
/// ```
#[derive(Clone, Debug)]
pub struct IntegerColumns {
    items: Vec<PairItem>,
    /// The elements of a column.
    length: usize,
    count: usize,
}

impl IntegerColumns {
    /// The columns of a matrix that is given by its rows: row `k` has element `k` of each column.
    #[inline(always)]
    #[must_use]
    pub fn of_rows<B: Copy + Into<i16>>(rows: Lines<&[B]>) -> Self {
        let length = rows.len();
        let count = rows.length();
        let elements = rows.memory();
        Self::new(length, count, |k, first| {
            let row = &elements[k * count..][first..count];
            row.first_chunk()
                .map_or_else(|| widened(row), |row| row.map(Into::into))
        })
    }

    /// The columns of a matrix that is given by its columns: the rows of a matrix that is
    /// multiplied transposed.
    #[inline(always)]
    #[must_use]
    pub fn of_columns<B: Copy + Into<i16>>(lines: Lines<&[B]>) -> Self {
        let length = lines.length();
        let count = lines.len();
        let elements = lines.memory();
        Self::new(length, count, |k, first| {
            let mut lanes = [0; LANES];
            for (lane, column) in lanes.iter_mut().zip(first..count) {
                *lane = elements[column * length + k].into();
            }
            lanes
        })
    }

    /// `elements(k, first)` gives element `k` of the columns from `first` on, and 0 beyond the last
    /// one.
    #[inline(always)]
    fn new(length: usize, count: usize, elements: impl Fn(usize, usize) -> [i16; LANES]) -> Self {
        let mut items = Vec::with_capacity(count.div_ceil(LANES) * length.div_ceil(2));
        for start in (0..length).step_by(2 * PAIRS) {
            for first in (0..count).step_by(LANES) {
                for k in (start..length.min(start + 2 * PAIRS)).step_by(2) {
                    let even = elements(k, first);
                    let odd = if k + 1 < length {
                        elements(k + 1, first)
                    } else {
                        [0; LANES]
                    };
                    let mut item = [0; 2 * LANES];
                    for lane in 0..LANES {
                        item[2 * lane] = even[lane];
                        item[2 * lane + 1] = odd[lane];
                    }
                    items.push(PairItem(item));
                }
            }
        }
        Self {
            items,
            length,
            count,
        }
    }

    /// For each row and each column `j`, `sums[j]` grows by the sum of the products of their
    /// elements.
    ///
    /// An item of `rows` is a row and its sums. Fill the sums before, with 0 or other start values.
    /// They wrap, so the result does not depend on the order. Products of bytes are at most 2^14:
    /// fewer than 2^17 of them do not wrap. Give a call many rows: the columns are loaded once for
    /// 36 of them.
    ///
    /// # Panics
    /// If the length of a row differs from the length of a column, or the number of its sums from
    /// the number of columns.
    #[inline(always)]
    #[track_caller]
    pub fn add_products<'a, A: Copy + Into<i16> + 'a>(
        &self,
        rows: impl IntoIterator<Item = (&'a [A], &'a mut [i32])>,
    ) {
        let mut rows: Vec<IntegerRow<'a, A>> = rows.into_iter().collect();
        for (row, sums) in &rows {
            super::columns::check(row.len(), sums.len(), self.length, self.count);
        }
        let panels = self.count.div_ceil(LANES).max(1);
        let mut repeated = [[PairItem([0; 2 * LANES]); HEIGHT]; PAIRS];
        for rows in rows.chunks_mut(ROWS) {
            // For each 6 rows the sums of each 16 columns.
            let blocks = panels * rows.len().div_ceil(HEIGHT);
            let mut sums: Vec<Sums> = vec![[[0; LANES]; HEIGHT]; blocks];
            // `items` are those of the same 64 elements of all columns.
            for (chunk, items) in self.items.chunks(PAIRS * panels).enumerate() {
                let depth = items.len() / panels;
                let blocks = rows.chunks(HEIGHT).zip(sums.chunks_mut(panels));
                for (rows, sums) in blocks {
                    for (r, (row, _)) in rows.iter().enumerate() {
                        repeat_pairs(&row[chunk * 2 * PAIRS..], &mut repeated, r);
                    }
                    for (items, sums) in items.chunks(depth).zip(sums) {
                        if rows.len() > LOW {
                            block::<HEIGHT>(&repeated, items, sums)
                        } else {
                            block::<LOW>(&repeated, items, sums)
                        }
                    }
                }
            }
            // The sums of rows and columns that do not exist are not read.
            for (rows, blocks) in rows.chunks_mut(HEIGHT).zip(sums.chunks(panels)) {
                for (r, (_, sums)) in rows.iter_mut().enumerate() {
                    for (sums, block) in sums.chunks_mut(LANES).zip(blocks) {
                        for (sum, more) in sums.iter_mut().zip(block[r]) {
                            *sum = sum.wrapping_add(more);
                        }
                    }
                }
            }
        }
    }
}

/// The first `N` elements; 0 where there are fewer.
#[inline(always)]
fn widened<B: Copy + Into<i16>, const N: usize>(elements: &[B]) -> [i16; N] {
    let mut wide = [0; N];
    for (wide, &element) in wide.iter_mut().zip(elements) {
        *wide = element.into();
    }
    wide
}

/// Row `r` of items with each pair of its elements in all lanes.
#[inline(always)]
fn repeat_pairs<A: Copy + Into<i16>>(row: &[A], to: &mut [[PairItem; HEIGHT]; PAIRS], r: usize) {
    let wide: [i16; 2 * PAIRS] = widened(row);
    // Not all of `wide`: for a known number of pairs the compiler stores them lane by lane.
    let (pairs, last) = wide[..row.len().min(2 * PAIRS)].as_chunks::<2>();
    let last = last.first().map(|&last| [last, 0]);
    for (items, pair) in to.iter_mut().zip(pairs.iter().copied().chain(last)) {
        items[r].0.as_chunks_mut().0.fill(pair);
    }
}

/// Adds the products of the pairs of `R` rows and 16 columns.
#[inline(always)]
fn block<const R: usize>(
    rows: &[[PairItem; HEIGHT]; PAIRS],
    columns: &[PairItem],
    sums: &mut Sums,
) {
    // A copy stays in registers.
    let mut lanes = [[0; LANES]; R];
    lanes.copy_from_slice(&sums[..R]);
    for (rows, PairItem(b)) in rows.iter().zip(columns) {
        for (lanes, PairItem(a)) in lanes.iter_mut().zip(rows) {
            // These are two loops. In one loop the compiler adds the products one by one, and does
            // not multiply in pairs. It does not either where it knows that all pairs of `a` are
            // equal, and so they are in memory.
            let mut pairs = [0_i32; LANES];
            for k in 0..LANES {
                let even = i32::from(a[2 * k]) * i32::from(b[2 * k]);
                pairs[k] = even.wrapping_add(i32::from(a[2 * k + 1]) * i32::from(b[2 * k + 1]));
            }
            for k in 0..LANES {
                lanes[k] = lanes[k].wrapping_add(pairs[k]);
            }
        }
    }
    sums[..R].copy_from_slice(&lanes);
}

#[cfg(test)]
mod tests {
    use super::{IntegerColumns, PAIRS, ROWS};
    use crate::lines;

    fn numbers(count: usize, step: usize) -> Vec<i16> {
        (0..count)
            .map(|k| (k * step % 65536) as u16 as i16)
            .collect()
    }

    /// All sizes of blocks and their rests, compared with sums in `i64`.
    fn check<T: Copy + Into<i16>>(convert: fn(i16) -> T) {
        let lengths: &[usize] = if cfg!(miri) {
            &[0, 3, 2 * PAIRS + 1]
        } else {
            &[0, 1, 2, 5, 2 * PAIRS - 1, 2 * PAIRS, 2 * PAIRS + 1, 200]
        };
        for &length in lengths {
            for count in [0, 1, 15, 16, 17, 33] {
                for rows in [0, 1, 2, 3, 6, 7, 9, ROWS + 5] {
                    let numbers = |count, step| {
                        numbers(count, step)
                            .into_iter()
                            .map(convert)
                            .collect::<Vec<T>>()
                    };
                    let a = numbers(rows * length, 7919);
                    let b = numbers(length * count, 104_729);
                    let transposed: Vec<T> = (0..count * length)
                        .map(|at| b[at % length * count + at / length])
                        .collect();
                    let product = |at: usize| {
                        let i = at / count;
                        let j = at % count;
                        let products = (0..length).map(|k| {
                            let [a, b]: [i16; 2] =
                                [a[i * length + k].into(), b[k * count + j].into()];
                            i64::from(a) * i64::from(b)
                        });
                        (products.sum::<i64>() + at as i64) as i32
                    };
                    let expected: Vec<i32> = (0..rows * count).map(product).collect();
                    for columns in [
                        IntegerColumns::of_rows(lines(&b[..], length)),
                        IntegerColumns::of_columns(lines(&transposed[..], count)),
                    ] {
                        let mut sums: Vec<i32> = (0..(rows * count) as i32).collect();
                        columns.add_products(lines(&a[..], rows).zip(lines(&mut sums[..], rows)));
                        assert_eq!(sums, expected, "{rows} {length} {count}");
                    }
                }
            }
        }
    }

    #[test]
    fn each_sum_is_that_of_a_row_and_a_column() {
        check(|number| number);
        check(|number| number as i8);
        check(|number| number as u8);
    }

    #[test]
    fn sums_wrap() {
        let least = [i16::MIN; 2];
        let mut sums = [-1];
        IntegerColumns::of_rows(lines(&least[..], 2)).add_products([(&least[..], &mut sums[..])]);
        assert_eq!(sums, [i32::MAX]);
    }

    #[test]
    #[should_panic(
        expected = "a row has 3 elements and 1 sums, and there are 2 columns of 2 elements"
    )]
    fn rows_of_another_length_are_refused() {
        let columns = IntegerColumns::of_columns(lines(&[1_i8, 2, 3, 4][..], 2));
        columns.add_products([(&[1_i8, 2, 3][..], &mut [0][..])]);
    }
}
