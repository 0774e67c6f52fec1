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
//!
//! Runs of 3 bytes are transposed in registers, as elements of 4 bytes are (`block`):
//!
//! ```text
//! for each group of columns, for as many rows as a register holds cells of 4 bytes:
//!     prefetch the same columns of as many rows behind them
//!     for each 4 columns:
//!         load 12 bytes of each row, and spread them over the cells of a lane
//!         transpose the lanes
//!         close the gaps, and store 12 bytes of each lane; the last store ends 4 bytes too late
//! the rows and the columns that are left: word by word
//! ```

use core::ops::Range;

use super::block::{across, dealt_all, each_of};
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

/// The bytes of the elements as which runs of 3 bytes are transposed in registers.
const CELL: usize = 4;
/// The bytes of the runs in a lane.
const IN_LANE: usize = 12;

/// A plane of runs of `width` bytes.
#[derive(Clone, Copy)]
struct Plane {
    width: usize,
    rows: usize,
    columns: usize,
    /// The bytes from a row to the next one in the source.
    from_row: isize,
    /// The bytes from a column to the next one in the destination.
    to_column: isize,
}

impl Plane {
    /// The number of the next runs that so many bytes beyond a run reach into.
    const fn beyond(&self, bytes: usize) -> usize {
        bytes.div_ceil(self.width)
    }
}

/// Runs a task of the kind `Runs`.
///
/// # Safety
/// As `kernels::run`; the task is of this kind, so that it has one loop of rows and one of columns,
/// and runs shorter than a line. The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn runs<L: Lanes, const W: usize>(task: &Task, src: *const u8, dst: *mut u8) {
    let plane = Plane {
        width: task.width,
        rows: task.row_count,
        columns: task.column_count,
        from_row: task.rows.get(0).src,
        to_column: task.columns.get(0).dst,
    };
    debug_assert_eq!(task.rows.get(0).dst, plane.width as isize);
    debug_assert_eq!(task.columns.get(0).src, plane.width as isize);
    // SAFETY: the caller's promise: the outer loops stay inside both arrays.
    let outer = unsafe { Odometer::new(task.outer.as_slice(), src, dst) };
    for (src, dst) in outer {
        // SAFETY: the caller's promise, of the plane that begins here. The words of a run are less
        // than a word longer than it.
        unsafe {
            if const { W == CELL } {
                by_blocks::<L>(plane, src, dst);
            } else {
                by_words::<L>(plane, src, dst, 0..plane.rows, 0..plane.columns);
            }
        }
    }
}

/// Copies runs of 3 bytes.
///
/// # Safety
/// As [`runs`].
#[inline(always)]
unsafe fn by_blocks<L: Lanes>(plane: Plane, src: *const u8, dst: *mut u8) {
    let high = L::BYTES / CELL;
    let wide = across(CELL);
    // A lane is longer than its runs.
    let beyond = plane.beyond(L::BYTES / L::LANES - IN_LANE);
    let whole = |runs: usize, block: usize| runs.saturating_sub(beyond) / block * block;
    let rows = whole(plane.rows, high);
    let columns = whole(plane.columns, wide);
    for column in (0..columns).step_by(COLUMNS_AT_ONCE) {
        let last = (column + COLUMNS_AT_ONCE).min(columns);
        for row in (0..rows).step_by(high) {
            for next in row + high..row + 2 * high {
                let later = src.wrapping_offset(next as isize * plane.from_row);
                let later = later.wrapping_add(column * plane.width);
                // SAFETY: what is prefetched is not read.
                unsafe { prefetch::<L>(later, (last - column) * plane.width) };
            }
            for column in (column..last).step_by(wide) {
                // SAFETY: the runs of this block, and the bytes beyond are those of the next runs
                // of the same row, or of the same column, which are written later.
                unsafe {
                    let from = src.offset(row as isize * plane.from_row);
                    let to = dst.offset(column as isize * plane.to_column);
                    block::<L>(
                        (from.add(column * plane.width), plane.from_row),
                        (to.add(row * plane.width), plane.to_column),
                    );
                }
            }
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        by_words::<L>(plane, src, dst, 0..rows, columns..plane.columns);
        by_words::<L>(plane, src, dst, rows..plane.rows, 0..plane.columns);
    }
}

/// Prefetches the lines of some bytes.
///
/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
unsafe fn prefetch<L: Lanes>(from: *const u8, bytes: usize) {
    for line in (0..bytes).step_by(LINE) {
        // SAFETY: the caller's promise.
        unsafe { L::prefetch::<1>(from.wrapping_add(line)) };
    }
}

/// Copies a block: as many rows as a register holds cells, by the runs of a lane.
///
/// # Safety
/// 16 bytes of each row can be read, and 4 bytes beyond the runs of each column written. The
/// processor has the instructions of `L`.
#[inline(always)]
unsafe fn block<L: Lanes>((from, pitch): (*const u8, isize), (to, step): (*mut u8, isize)) {
    let n = across(CELL);
    // SAFETY: the caller's promise.
    unsafe {
        let mut block = [L::zero(); 16];
        each_of!(16: k if k < n => {
            let rows = L::gather(from.offset(k as isize * pitch), pitch * n as isize);
            block[k] = rows.shuffle(&SPREAD);
        });
        let block = dealt_all::<L, CELL>(block);
        each_of!(16: k if k < n => {
            let runs = block[k].shuffle(&CLOSED);
            runs.scatter(to.offset(k as isize * step), IN_LANE as isize);
        });
    }
}

/// The bytes of a lane's runs in cells, and a zero behind each.
const SPREAD: [u8; 16] = [0, 1, 2, ZERO, 3, 4, 5, ZERO, 6, 7, 8, ZERO, 9, 10, 11, ZERO];
/// The inverse of [`SPREAD`], and four zeros.
const CLOSED: [u8; 16] = [
    0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, ZERO, ZERO, ZERO, ZERO,
];
/// What `Lanes::shuffle` makes a zero of.
const ZERO: u8 = 0x80;

/// Copies the runs of some rows and columns by words.
///
/// # Safety
/// As [`runs`]; the rows behind these are copied later.
#[inline(always)]
unsafe fn by_words<L: Lanes>(
    plane: Plane,
    src: *const u8,
    dst: *mut u8,
    rows: Range<usize>,
    columns: Range<usize>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        match plane.width.div_ceil(WORD) {
            1 => by_count::<L, 1>(plane, src, dst, rows, columns),
            2 => by_count::<L, 2>(plane, src, dst, rows, columns),
            3 => by_count::<L, 3>(plane, src, dst, rows, columns),
            _ => by_count::<L, 4>(plane, src, dst, rows, columns),
        }
    }
}

/// Copies runs of at most `WORDS` words.
///
/// # Safety
/// As [`by_words`]; a run has more than `WORDS - 1` words, and at most `WORDS`.
#[inline(always)]
unsafe fn by_count<L: Lanes, const WORDS: usize>(
    plane: Plane,
    src: *const u8,
    dst: *mut u8,
    rows: Range<usize>,
    columns: Range<usize>,
) {
    let width = plane.width;
    let across = (ACROSS / width).min(COLUMNS_AT_ONCE);
    let beyond = plane.beyond(WORDS * WORD - width);
    for column in columns.clone().step_by(across) {
        let wide = across.min(columns.end - column);
        for row in rows.clone() {
            // In the source the next runs of the row follow, in the destination the next runs of
            // the column.
            let room = row + beyond < plane.rows;
            let words = if room {
                wide.min(plane.columns.saturating_sub(column + beyond))
            } else {
                0
            };
            // SAFETY: the runs of these columns in this row. Words beyond a run lie inside the row,
            // and inside a column whose next runs are written later. What is prefetched is not
            // read.
            unsafe {
                let from = src
                    .offset(row as isize * plane.from_row)
                    .add(column * width);
                let to = dst
                    .offset(column as isize * plane.to_column)
                    .add(row * width);
                let later = from.wrapping_offset(AHEAD.wrapping_mul(plane.from_row));
                prefetch::<L>(later, wide * width);
                for k in 0..words {
                    let from = from.add(k * width).cast::<[u128; WORDS]>();
                    let to = to.offset(k as isize * plane.to_column);
                    to.cast::<[u128; WORDS]>()
                        .write_unaligned(from.read_unaligned());
                }
                for k in words..wide {
                    let to = to.offset(k as isize * plane.to_column);
                    copy::<L>(from.add(k * width), to, width);
                }
            }
        }
    }
}
