//! Rows: runs of bytes that are contiguous on both sides.
//!
//! ```text
//! in the cache, or long rows, or rows of whole lines:
//!     for each row:
//!         prefetch the row that is about 2048 bytes ahead
//!         copy the row, past the cache if asked for
//! short rows past the cache:
//!     for each row: append it to a buffer
//!         if the buffer has 8192 bytes: write its complete cache lines past the cache; keep the
//!         rest in the buffer
//! ```

use core::mem::MaybeUninit;

use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::write::{Scratch, copy, stream};
use crate::kernels::task::Task;
use crate::machine::LINE;
use crate::nest::Loop;

/// The bytes that are collected before they are written past the cache.
const STAGE: usize = 8192;
/// A row of at least this length is written past the cache by itself.
const LONG: usize = 512;

/// Runs a task of the kind `Copy` or `Rows`.
///
/// # Safety
/// As `kernels::run`.
#[inline(always)]
pub(super) unsafe fn rows<L: Lanes>(task: &Task, src: *const u8, dst: *mut u8, past: bool) {
    let width = task.width;
    // SAFETY: the caller's promise: the loops stay inside both sides.
    let outer = unsafe { Odometer::new(task.outer.as_slice(), src, dst) };
    // Rows of whole lines need no collecting.
    let lines =
        task.keeps_lines && width.is_multiple_of(LINE) && (dst as usize).is_multiple_of(LINE);
    if !past {
        for (src, dst) in outer {
            // SAFETY: the caller's promise, of the rows that begin here.
            unsafe { stored::<L>(task.rows.as_slice(), src, dst, width) };
        }
    } else if width >= LONG || lines || task.tiled {
        for (src, dst) in outer {
            // SAFETY: as above.
            unsafe { streamed::<L>(task.rows.as_slice(), src, dst, width) };
        }
    } else {
        for (src, dst) in outer {
            // SAFETY: as above.
            unsafe { collected::<L>(task, src, dst) };
        }
    }
    if past {
        // SAFETY: the processor has the instructions of `L`.
        unsafe { L::fence() };
    }
}

/// Copies rows past the cache, each by itself.
///
/// # Safety
/// As [`rows`].
#[inline(always)]
unsafe fn streamed<L: Lanes>(rows: &[Loop], src: *const u8, dst: *mut u8, width: usize) {
    // SAFETY: the caller's promise: the loops stay inside both sides.
    let mut next = unsafe { Odometer::new(rows, src, dst) };
    next.by_ref().take(ahead(width)).for_each(drop);
    // SAFETY: as above.
    for (src, dst) in unsafe { Odometer::new(rows, src, dst) } {
        // SAFETY: the caller's promise, of this row; the processor has the instructions.
        unsafe {
            if let Some((next, _)) = next.next() {
                prefetch::<L>(next, width);
            }
            stream::<L>(src, dst, width);
        }
    }
}

/// Copies rows through the cache. Rows of a few bytes or lines are copied without a loop: a row of
/// 128 bytes takes about as many instructions for the loops around it.
///
/// # Safety
/// The rows can be read and written, and the processor has the instructions of `L`.
#[inline(always)]
unsafe fn stored<L: Lanes>(rows: &[Loop], src: *const u8, dst: *mut u8, width: usize) {
    let (&inner, others) = rows.split_first().unwrap_or((&Loop::ONCE, &[]));
    // SAFETY: the caller's promise: the loops stay inside both sides.
    for (src, dst) in unsafe { Odometer::new(others, src, dst) } {
        macro_rules! each_row {
            ($($constant:literal)*) => {
                match width {
                    $($constant => each_row!(of $constant),)*
                    _ => each_row!(of width),
                }
            };
            (of $width:expr) => {
                for k in 0..inner.size as isize {
                    // SAFETY: the caller's promise.
                    unsafe {
                        copy::<L>(
                            src.offset(k * inner.src),
                            dst.offset(k * inner.dst),
                            $width,
                        );
                    }
                }
            };
        }
        each_row!(3 5 6 7 12 64 128 256 512);
    }
}

/// The distance of the prefetch in rows. The processor cannot predict where the next row begins,
/// and a line takes as long from memory as copying about 2048 bytes.
fn ahead(width: usize) -> usize {
    (2048 / width).max(1)
}

/// Prefetches the first lines of a row. The processor prefetches the rest itself.
#[inline(always)]
unsafe fn prefetch<L: Lanes>(row: *const u8, width: usize) {
    for line in (0..width.min(1024)).step_by(LINE) {
        // SAFETY: the caller has the instructions.
        unsafe { L::prefetch::<1>(row.wrapping_add(line)) };
    }
}

/// Copies rows that are consecutive in the destination: collects them, and writes whole lines past
/// the cache.
#[inline(always)]
unsafe fn collected<L: Lanes>(task: &Task, src: *const u8, mut dst: *mut u8) {
    let mut stage = MaybeUninit::<Scratch<{ STAGE + LONG + LINE }>>::uninit();
    let stage = stage.as_mut_ptr().cast::<u8>();
    let width = task.width;
    let mut from = [0_isize; 64];
    let mut filled = 0;
    for row in (0..task.row_count).step_by(from.len()) {
        let count = from.len().min(task.row_count - row);
        offsets(task.rows.as_slice(), row, true, &mut from[..count]);
        for (k, offset) in from[..count].iter().enumerate() {
            // SAFETY: a row inside the source; the stage has room for a row, since it is emptied to
            // less than a line as soon as it holds `STAGE` bytes.
            unsafe {
                if let Some(next) = from[..count].get(k + ahead(width)) {
                    prefetch::<L>(src.wrapping_offset(*next), width);
                }
                copy::<L>(src.offset(*offset), stage.add(filled), width);
                filled += width;
                if filled >= STAGE {
                    let beyond = (dst as usize + filled) % LINE;
                    let whole = filled - beyond;
                    stream::<L>(stage, dst, whole);
                    dst = dst.add(whole);
                    core::ptr::copy_nonoverlapping(stage.add(whole), stage, beyond);
                    filled = beyond;
                }
            }
        }
    }
    // SAFETY: the rest of the rows, which are consecutive in the destination.
    unsafe { stream::<L>(stage, dst, filled) };
}
