//! Short runs of bytes that trade places: runs which follow each other in the source are far apart
//! in the destination, and the other way round. The pixels of an image are such runs where its rows
//! become its columns.
//!
//! ```text
//! for each group of columns, at most 16 and three cache lines of a row:
//!     for each row, from the first to the last:
//!         prefetch the same columns of the row that is 8 rows ahead
//!         for each column of the group:
//!             copy the run in whole words; the bytes behind its end are overwritten by the next
//!             row
//! ```
//!
//! So few lines of the source are read more than once, and each column of the destination is
//! written from end to end.

use super::lanes::Lanes;
use super::odometer::Odometer;
use super::write::copy;
use crate::kernels::task::Task;
use crate::machine::LINE;

/// The bytes of a word. A run is copied in whole words. The bytes that the last word writes beyond
/// the run belong to the next runs, which are written afterwards.
const WORD: usize = size_of::<u128>();

/// The bytes of a row that are copied before the next row begins: at most three lines. More lines
/// of each row would not stay in the first cache until the next columns are copied.
const ACROSS: usize = 3 * LINE;

/// The most columns that are written at the same time: more could be in one set of the first cache.
const COLUMNS_AT_ONCE: usize = 16;

/// The distance of the prefetch in rows: consecutive rows are too far apart for the processor to
/// predict them.
const AHEAD: isize = 8;

/// Runs a task of the kind `Runs`.
///
/// # Safety
/// As `kernels::run`; the task is of this kind, so that it has one loop of rows and one of columns,
/// and runs shorter than a line. The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn runs<L: Lanes>(task: &Task, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise. The words of a run are less than a word longer than it.
    unsafe {
        match task.width.div_ceil(WORD) {
            1 => by_words::<L, 1>(task, src, dst),
            2 => by_words::<L, 2>(task, src, dst),
            3 => by_words::<L, 3>(task, src, dst),
            _ => by_words::<L, 4>(task, src, dst),
        }
    }
}

/// Copies runs of at most `WORDS` words.
///
/// # Safety
/// As [`runs`]; a run has more than `WORDS - 1` words, and at most `WORDS`.
#[inline(always)]
unsafe fn by_words<L: Lanes, const WORDS: usize>(task: &Task, src: *const u8, dst: *mut u8) {
    let width = task.width;
    let columns = task.column_count;
    let from_row = task.rows.get(0).src;
    let to_column = task.columns.get(0).dst;
    debug_assert_eq!(task.rows.get(0).dst, width as isize);
    debug_assert_eq!(task.columns.get(0).src, width as isize);
    let across = (ACROSS / width).min(COLUMNS_AT_ONCE);
    // The number of runs that a word may reach beyond its own.
    let beyond = (WORDS * WORD - width).div_ceil(width);
    // SAFETY: the caller's promise: the outer loops stay inside both arrays.
    let outer = unsafe { Odometer::new(task.outer.as_slice(), src, dst) };
    for (src, dst) in outer {
        for column in (0..columns).step_by(across) {
            let wide = across.min(columns - column);
            for row in 0..task.row_count {
                // In the source the next runs of the row follow, in the destination the next runs
                // of the column.
                let room = row + beyond < task.row_count;
                let words = if room {
                    wide.min(columns.saturating_sub(column + beyond))
                } else {
                    0
                };
                // SAFETY: the runs of these columns in this row. Words beyond a run lie inside the
                // row, and inside a column whose next runs are written later. What is prefetched is
                // not read.
                unsafe {
                    let from = src.offset(row as isize * from_row).add(column * width);
                    let to = dst.offset(column as isize * to_column).add(row * width);
                    let later = from.wrapping_offset(AHEAD.wrapping_mul(from_row));
                    for line in (0..wide * width).step_by(LINE) {
                        L::prefetch::<1>(later.wrapping_add(line));
                    }
                    for k in 0..words {
                        let from = from.add(k * width).cast::<[u128; WORDS]>();
                        let to = to.offset(k as isize * to_column).cast::<[u128; WORDS]>();
                        to.write_unaligned(from.read_unaligned());
                    }
                    for k in words..wide {
                        copy::<L>(
                            from.add(k * width),
                            to.offset(k as isize * to_column),
                            width,
                        );
                    }
                }
            }
        }
    }
}
