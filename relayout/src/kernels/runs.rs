//! Short runs of bytes that trade places: runs which follow each other in the source are far apart
//! in the destination, and the other way round. The pixels of an image are such runs where its rows
//! become its columns.
//!
//! ```text
//! for each group of columns, at most 16 and three cache lines of a row:
//!     for each band of rows:
//!         for each row, from the first to the last:
//!             prefetch the same columns of the row that is 8 rows ahead
//!             for each column of the group:
//!                 copy the run in whole words; the bytes behind its end are overwritten by the
//!                 next row
//!         past the cache: the columns went to a buffer, and are written from there
//! ```
//!
//! So few lines of the source are read more than once, and each column of the destination is
//! written from end to end.
//!
//! Runs of 3 bytes are transposed in registers, as elements of 4 bytes are (`block`):
//!
//! ```text
//! in each band, for as many rows as a register holds cells of 4 bytes:
//!     prefetch the same columns of as many rows behind them
//!     for each 4 columns:
//!         load 12 bytes of each row, and spread them over the cells of a lane
//!         transpose the lanes
//!         close the gaps, and store 12 bytes of each lane; the last store ends 4 bytes too late
//! the rows and the columns that are left: word by word
//! ```

use core::mem::MaybeUninit;
use core::ops::Range;

use super::block::{across, dealt_all, each_of};
use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::write::{Scratch, copy, stream};
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
const AHEAD: usize = 8;

/// The bytes of the elements as which runs of 3 bytes are transposed in registers.
const CELL: usize = 4;
/// The bytes of the runs in a lane.
const IN_LANE: usize = 12;

/// The bytes of a column in a band: 336 rows of 3 bytes are whole registers.
const BAND: usize = 1008;
/// The most rows of a band, and those behind them that are prefetched.
const ROWS: usize = BAND / 3 + AHEAD;
/// The distance of two columns in the buffer, with room for the bytes beyond the last run. It is
/// not a power of two, so that columns do not collide in the cache.
const PITCH: usize = BAND + LINE + 16;

/// Some columns of a few rows.
#[derive(Clone, Copy)]
struct Band<'a> {
    width: usize,
    rows: usize,
    /// The offset of each row in the source, and of rows behind them.
    from: &'a [isize],
    /// The distance of the rows, if they have one.
    from_row: Option<isize>,
    columns: usize,
    /// The distance of the columns in the destination, or in the buffer.
    to_column: isize,
    /// The runs that follow these in each row of the source, and in each column of the destination.
    more_columns: usize,
    more_rows: usize,
}

impl Band<'_> {
    /// The number of the next runs that so many bytes beyond a run reach into.
    const fn beyond(&self, bytes: usize) -> usize {
        bytes.div_ceil(self.width)
    }
}

/// Runs a task of the kind `Runs`, past the cache if `past`.
///
/// # Safety
/// As `kernels::run`; the task is of this kind, so that its rows follow each other in the
/// destination, its columns, which are one loop, in the source, and its runs are shorter than a
/// line. The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn runs<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    past: bool,
) {
    let width = task.width;
    let mut buffer = MaybeUninit::<Scratch<{ COLUMNS_AT_ONCE * PITCH }>>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let mut from = [0; ROWS];
    // The row that the table of offsets begins with.
    let mut first = None;
    let to_column = task.columns.get(0).dst;
    let from_row = match task.rows.as_slice() {
        [only] => Some(only.src),
        _ => None,
    };
    let across = (ACROSS / width).min(COLUMNS_AT_ONCE);
    let high = BAND / width;
    // SAFETY: the caller's promise: the outer loops stay inside both arrays.
    let outer = unsafe { Odometer::new(task.outer.as_slice(), src, dst) };
    for (src, dst) in outer {
        for column in (0..task.column_count).step_by(across) {
            let wide = across.min(task.column_count - column);
            let src = src.wrapping_add(column * width);
            let dst = dst.wrapping_offset(column as isize * to_column);
            for row in (0..task.row_count).step_by(high) {
                let below = task.row_count - row;
                let rows = high.min(below);
                let from = &mut from[..below.min(high + AHEAD)];
                if first.replace(row) != Some(row) {
                    offsets(task.rows.as_slice(), row, true, from);
                }
                let band = Band {
                    width,
                    rows,
                    from,
                    from_row,
                    columns: wide,
                    to_column: if past { PITCH as isize } else { to_column },
                    more_columns: task.column_count - column - wide,
                    more_rows: if past { LINE } else { below - rows },
                };
                let dst = dst.wrapping_add(row * width);
                // SAFETY: the caller's promise, of the runs of this band. The words of a run are
                // less than a word longer than it, and the buffer has room for one.
                unsafe {
                    let target = if past { buffer } else { dst };
                    if const { W == CELL } {
                        by_blocks::<L>(band, src, target);
                    } else {
                        by_words::<L>(band, src, target, 0..rows, 0..wide);
                    }
                    if past {
                        for k in 0..wide {
                            let to = dst.offset(k as isize * to_column);
                            stream::<L>(buffer.add(k * PITCH), to, rows * width);
                        }
                    }
                }
            }
        }
    }
    if past {
        // SAFETY: the caller has the instructions.
        unsafe { L::fence() };
    }
}

/// Copies runs of 3 bytes.
///
/// # Safety
/// As [`by_words`].
#[inline(always)]
unsafe fn by_blocks<L: Lanes>(band: Band<'_>, src: *const u8, dst: *mut u8) {
    let high = L::BYTES / CELL;
    let wide = across(CELL);
    // A lane is longer than its runs.
    let beyond = band.beyond(L::BYTES / L::LANES - IN_LANE);
    let whole = |runs: usize, more: usize, block: usize| {
        runs.min((runs + more).saturating_sub(beyond)) / block * block
    };
    let (rows, pitch) = match band.from_row {
        Some(pitch) => (whole(band.rows, band.more_rows, high), pitch),
        None => (0, 0),
    };
    let columns = whole(band.columns, band.more_columns, wide);
    for row in (0..rows).step_by(high) {
        for next in band.from.iter().skip(row + high).take(high) {
            // SAFETY: what is prefetched is not read.
            unsafe { prefetch::<L>(src.wrapping_offset(*next), columns * band.width) };
        }
        for column in (0..columns).step_by(wide) {
            // SAFETY: the runs of this block, and the bytes beyond are those of the next runs of
            // the same row, or of the same column, which are written later.
            unsafe {
                let from = src.offset(band.from[row]).add(column * band.width);
                let to = dst.offset(column as isize * band.to_column);
                let to = (to.add(row * band.width), band.to_column);
                block::<L>((from, pitch), to);
            }
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        by_words::<L>(band, src, dst, 0..rows, columns..band.columns);
        by_words::<L>(band, src, dst, rows..band.rows, 0..band.columns);
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
/// The runs of the band lie at its offsets inside both sides, or the buffer, whose columns have
/// room for a word beyond them. The rows behind these are copied later.
#[inline(always)]
unsafe fn by_words<L: Lanes>(
    band: Band<'_>,
    src: *const u8,
    dst: *mut u8,
    rows: Range<usize>,
    columns: Range<usize>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        match band.width.div_ceil(WORD) {
            1 => by_count::<L, 1>(band, src, dst, rows, columns),
            2 => by_count::<L, 2>(band, src, dst, rows, columns),
            3 => by_count::<L, 3>(band, src, dst, rows, columns),
            _ => by_count::<L, 4>(band, src, dst, rows, columns),
        }
    }
}

/// Copies runs of at most `WORDS` words.
///
/// # Safety
/// As [`by_words`]; a run has more than `WORDS - 1` words, and at most `WORDS`.
#[inline(always)]
unsafe fn by_count<L: Lanes, const WORDS: usize>(
    band: Band<'_>,
    src: *const u8,
    dst: *mut u8,
    rows: Range<usize>,
    columns: Range<usize>,
) {
    if columns.is_empty() {
        return;
    }
    let width = band.width;
    let beyond = band.beyond(WORDS * WORD - width);
    // In the source the next runs of the row follow, in the destination those of the column.
    let in_row = (band.columns + band.more_columns).saturating_sub(beyond);
    let in_column = (band.rows + band.more_rows).saturating_sub(beyond);
    for row in rows {
        let words = if row < in_column {
            columns.end.min(in_row)
        } else {
            0
        };
        // SAFETY: the runs of these columns in this row. Words beyond a run lie inside the row, and
        // inside a column whose next runs are written later. What is prefetched is not read.
        unsafe {
            let from = src.offset(band.from[row]);
            let to = dst.add(row * width);
            if let Some(later) = band.from.get(row + AHEAD) {
                let later = src
                    .wrapping_offset(*later)
                    .wrapping_add(columns.start * width);
                prefetch::<L>(later, columns.len() * width);
            }
            for k in columns.start..words {
                let from = from.add(k * width).cast::<[u128; WORDS]>();
                let to = to
                    .offset(k as isize * band.to_column)
                    .cast::<[u128; WORDS]>();
                to.write_unaligned(from.read_unaligned());
            }
            for k in words.max(columns.start)..columns.end {
                copy::<L>(
                    from.add(k * width),
                    to.offset(k as isize * band.to_column),
                    width,
                );
            }
        }
    }
}
