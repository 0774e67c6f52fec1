//! Panels that are too small for buffers to pay: block by block from the source.

use super::block::{across, store_each, transposed};
use super::lanes::Lanes;
use super::odometer::Odometer;
use crate::kernels::task::Task;

/// Whether planes are so small that packing does not pay, and hold a block: then they are for
/// [`direct`].
#[inline(always)]
pub(super) fn is_direct<L: Lanes>(task: &Task) -> bool {
    task.small && task.row_count * task.width >= L::BYTES && task.column_count * task.width >= 16
}

/// Runs a task of the kind `Panel` whose planes are small, without a buffer.
///
/// # Safety
/// As `kernels::run`.
#[inline(always)]
pub(super) unsafe fn direct<L: Lanes, const W: usize>(task: &Task, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        if task.outer.len() == 0 {
            return blocks::<L, W>(task, src, dst);
        }
        for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
            blocks::<L, W>(task, src, dst);
        }
    }
}

/// A plane by whole blocks. The last one of a side overlaps the one before where the plane is not
/// whole blocks.
#[inline(always)]
unsafe fn blocks<L: Lanes, const W: usize>(task: &Task, src: *const u8, dst: *mut u8) {
    let (rows, columns) = (task.rows.get(0), task.columns.get(0));
    let last_row = task.row_count - L::BYTES / W;
    let last_column = task.column_count - across(W);
    let mut column = 0;
    loop {
        let mut row = 0;
        loop {
            // SAFETY: a whole block inside the plane.
            unsafe {
                let from = src.offset(row as isize * rows.src + (column * W) as isize);
                let to = dst.offset(column as isize * columns.dst + (row * W) as isize);
                let block = transposed::<L, W>(from, rows.src);
                store_each::<L, W>(&block, |k| to.offset(k as isize * columns.dst));
            }
            if row == last_row {
                break;
            }
            row = (row + L::BYTES / W).min(last_row);
        }
        if column == last_column {
            break;
        }
        column = (column + across(W)).min(last_column);
    }
}
