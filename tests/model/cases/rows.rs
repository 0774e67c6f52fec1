//! The rows and the columns of matrices. Packed arrays have the same.

use std::panic::{AssertUnwindSafe, catch_unwind};

use xlayout::storage::{Storage, StorageMut};
use xlayout::{ArrayBase, LayoutError, Packed, Rank};
use xlayout_model::Operation;

use crate::cells::{Cells, check_apart};
use crate::check::{check_array, check_packed, write, write_packed};
use crate::coverage::seen_type;
use crate::random::Case;
use crate::trail;

/// All rows (`dim` is 1), or all columns.
fn lines(cells: &Cells, dim: usize) -> Vec<Cells> {
    let across = 1 - dim;
    let line = |number: usize| {
        let mut at = [0, 0];
        at[across] = number;
        cells.line(dim, &at)
    };
    (0..cells.sizes[across]).map(line).collect()
}

/// Whether a row has a first byte of its own, counted from that of the array: there is no part that
/// begins inside a byte.
fn begin_with_bytes(lines: &[Cells], cells: &Cells, element_bits: usize) -> bool {
    let first = cells.places.iter().min().copied().unwrap_or(0);
    let mut firsts = lines.iter().filter_map(|line| line.places.iter().min());
    firsts.all(|place| ((place - first) * element_bits).is_multiple_of(8))
}

/// Whether a call panics.
fn refuses(call: impl FnOnce() -> usize) -> bool {
    catch_unwind(AssertUnwindSafe(call)).is_err()
}

macro_rules! rows {
    ($of_rows:ident, $item:ty, $number:ty, $check:ident, $put:ident $ways:literal) => {
        /// Reads all rows and all columns of a matrix, and writes to all rows at once. They are
        /// refused before the first one. The answer is what has to be in the memory of the whole.
        pub(crate) fn $of_rows<S, L: Rank<2>>(
            array: &mut ArrayBase<S, L>,
            cells: &Cells,
            case: &mut Case,
        ) -> Vec<(usize, $number)>
        where
            S: Storage<Item = $item> + StorageMut + Send + Sync,
        {
            let bits = array.layout().element_bits();
            let rows = lines(cells, 1);
            let columns = lines(cells, 0);
            let strided =
                |line: Result<_, LayoutError>| !matches!(line, Err(LayoutError::NotStrided));
            if !rows.is_empty() && !strided(array.row(0).map(drop)) {
                assert!(refuses(|| array.rows().len()) && refuses(|| array.rows_mut().len()));
                return Vec::new();
            }
            trail(|| "rows".to_owned());
            if begin_with_bytes(&rows, cells, bits) {
                let found = array.rows();
                assert_eq!(found.len(), rows.len(), "rows");
                found
                    .zip(&rows)
                    .for_each(|(row, cells)| $check(&row, cells));
            } else {
                assert!(refuses(|| array.rows().len()), "rows begin inside bytes");
            }
            if columns.is_empty() || strided(array.column(0).map(drop)) {
                if begin_with_bytes(&columns, cells, bits) {
                    let found = array.columns();
                    assert_eq!(found.len(), columns.len(), "columns");
                    found
                        .zip(&columns)
                        .for_each(|(column, cells)| $check(&column, cells));
                } else {
                    assert!(
                        refuses(|| array.columns().len()),
                        "columns begin inside bytes"
                    );
                }
            }
            if refuses(|| array.rows_mut().len()) {
                assert!(bits < 8, "rows of whole bytes are not refused");
                return Vec::new();
            }
            let rows_mut: Vec<_> = array.rows_mut().collect();
            seen_type::<L>(Operation::Rows.column());
            check_apart(&rows, bits);
            let mut put = Vec::new();
            for (mut row, cells) in rows_mut.into_iter().zip(&rows).rev() {
                put.extend($put(&mut row, cells, case.below($ways)));
            }
            put
        }
    };
}

rows! { of_rows, i32, i32, check_array, write 6 }
rows! { of_packed_rows, Packed, u8, check_packed, write_packed 4 }
