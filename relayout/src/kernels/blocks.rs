//! Panels in the cache.
//!
//! ```text
//! for each block, along the rows or along the columns:
//!     load the rows of the block from the source, transpose them in registers
//!     store each column of the block at its place in the destination
//! ```
//!
//! The last block of a side overlaps the block before it if the side is not a multiple of a block: both write the same
//! bytes to the same places.

use super::block::{across, store_each, transposed};
use super::lanes::Lanes;
use super::odometer::Odometer;
use super::square::{WHOLE, square};
use super::stage::side;
use super::write::LINE;
use crate::kernels::cost::Along;
use crate::kernels::task::Task;

/// Whether a panel has one loop on each side and holds a block of these registers.
#[inline(always)]
pub(super) fn fits<L: Lanes>(task: &Task) -> bool {
    task.is_plane()
        && task.row_count * task.width >= L::BYTES
        && task.column_count * task.width >= 16
}

/// Runs a task of the kind `Panel` with elements of `W` bytes, without a buffer.
///
/// # Safety
/// As `kernels::run`, and [`fits`].
#[inline(always)]
pub(super) unsafe fn blocks<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    along: Along,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if task.outer.len() == 0 {
            return plane::<L, W>(task, src, dst, along);
        }
        for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
            plane::<L, W>(task, src, dst, along);
        }
    }
}

/// A plane by whole blocks, along the rows or along the columns. The last block of a side overlaps
/// the one before where the side is not whole blocks.
#[inline(always)]
unsafe fn plane<L: Lanes, const W: usize>(task: &Task, src: *const u8, dst: *mut u8, along: Along) {
    let whole =
        W >= WHOLE && L::whole() && task.row_count * W >= LINE && task.column_count * W >= LINE;
    let (high, wide) = if whole {
        (side(W), side(W))
    } else {
        (L::BYTES / W, across(W))
    };
    let rows = (task.row_count - high, high);
    let columns = (task.column_count - wide, wide);
    let (outer, inner) = match along {
        Along::Rows => (rows, columns),
        Along::Columns => (columns, rows),
    };
    let mut a = 0;
    loop {
        let mut b = 0;
        loop {
            let (row, column) = match along {
                Along::Rows => (a, b),
                Along::Columns => (b, a),
            };
            // SAFETY: neither is more than the last block's.
            unsafe { block::<L, W>(task, src, dst, row, column, whole) };
            if b == inner.0 {
                break;
            }
            b = (b + inner.1).min(inner.0);
        }
        if a == outer.0 {
            break;
        }
        a = (a + outer.1).min(outer.0);
    }
}

/// The block whose first row and column these are.
///
/// # Safety
/// A block lies inside the plane from there on: of a line each way if `whole`, and of a register by 16
/// bytes otherwise.
#[inline(always)]
unsafe fn block<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    row: usize,
    column: usize,
    whole: bool,
) {
    let (rows, columns) = (task.rows.get(0), task.columns.get(0));
    // SAFETY: the caller's promise.
    unsafe {
        let from = src.offset(row as isize * rows.src).add(column * W);
        let to = dst.offset(column as isize * columns.dst).add(row * W);
        if whole {
            let to = |k| to.wrapping_offset(k as isize * columns.dst);
            return square::<L, W>(from, rows.src, to, false, |_, _| ());
        }
        let block = transposed::<L, W>(from, rows.src);
        store_each::<L, W>(&block, |k| to.offset(k as isize * columns.dst));
    }
}
