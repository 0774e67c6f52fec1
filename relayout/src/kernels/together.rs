//! Panels whose columns are shorter than a line and follow each other in the destination: they are
//! put together first, and written as runs.
//!
//! ```text
//! for each panel, as many columns as the buffers take; and if planes follow each other in lines of
//! the destination, for each plane, so that these lines stay in the cache:
//!     prefetch the next panel
//!     copy the rows to packed rows, as in `panel`
//!     for each block of them, transpose it in registers, and store each column in a second buffer:
//!         behind the column before it in the destination
//!     write the runs of the second buffer
//! ```
//!
//! The loops inside the one that continues the columns step from run to run:
//!
//! ```text
//! columns 0 to 7 of loops of 2 and 4, the second of which continues:    0 2 4 6 _   1 3 5 7 _
//! ```
//!
//! A register holds one column and bytes beyond it, which the next column of the run overwrites.
//! Behind the last one is room for them.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::block::{across, store_each, transposed};
use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::panel::{COLUMNS, pack, packed, pitch};
use super::write::{Scratch, copy, stream};
use crate::kernels::task::Task;
use crate::machine::LINE;
use crate::nest::Loop;

/// The most runs.
const RUNS: usize = 16;
/// The rows, which are shorter than a line, in whole blocks.
const ROWS: usize = LINE;
/// The bytes of the packed rows, for any width.
const PACKED: usize = ROWS * pitch(1);
/// The bytes of the columns, each shorter than a line: those of a panel, one beyond the end of each
/// run, and a register for each run.
const TOGETHER: usize = (COLUMNS + 2 * RUNS) * LINE;

/// The most columns of a panel, whole blocks: half of the narrowest ones, because the second buffer
/// must also fit into the first cache.
const fn most_columns(width: usize) -> usize {
    match width {
        1 => LINE,
        _ => packed(width) / width,
    }
}

/// Returns the place of the loop that continues columns shorter than a line in the destination,
/// among the loops of the columns.
pub(super) fn continuing(task: &Task) -> Option<usize> {
    let down = task.row_count * task.width;
    let columns = task.columns.as_slice();
    let place = columns
        .iter()
        .position(|level| level.dst == down as isize)?;
    let runs: usize = columns[..place].iter().map(|level| level.size).product();
    (down < LINE && runs <= RUNS).then_some(place)
}

/// The runs of the destination that columns make.
struct Runs<'a> {
    /// The bytes of a column.
    down: usize,
    /// How many columns follow each other before the loops around step.
    len: usize,
    /// The loops of the columns around the one that continues them.
    around: &'a [Loop],
    /// The offset of each run, and their number: columns belong to them in turn.
    begins: [isize; RUNS],
    count: usize,
    /// The distance of two runs in the buffer.
    pitch: usize,
    /// Where each column of a panel lies in the buffer.
    places: [usize; COLUMNS],
}

impl<'a> Runs<'a> {
    /// The runs of a task that has a [`continuing`] loop, in a buffer that registers of `register`
    /// bytes write to.
    #[inline(always)]
    fn of(task: &'a Task, register: usize) -> Self {
        let down = task.row_count * task.width;
        let Some(place) = continuing(task) else {
            unreachable!("`call` asks before it chooses this kernel");
        };
        let (inside, around) = task.columns.as_slice().split_at(place);
        let count = inside.iter().map(|level| level.size).product();
        let mut begins = [0; RUNS];
        offsets(inside, 0, false, &mut begins[..count]);
        let pitch = most_columns(task.width).div_ceil(count) * down + register;
        Self {
            down,
            len: around[0].size,
            around: &around[1..],
            begins,
            count,
            pitch,
            places: core::array::from_fn(|k| k % count * pitch + k / count * down),
        }
    }
}

/// Runs a task of the kind `Panel` that has a [`continuing`] loop, with elements of `W` bytes.
///
/// # Safety
/// As `kernels::run`; a register of `L` holds a column.
#[inline(always)]
pub(super) unsafe fn together<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    past: bool,
) {
    let mut packed = MaybeUninit::<Scratch<PACKED>>::uninit();
    let packed = packed.as_mut_ptr().cast::<u8>();
    let mut buffer = MaybeUninit::<Scratch<TOGETHER>>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let runs = Runs::of(task, L::BYTES);
    // Where the runs of a panel begin; here, so that it is cleared once.
    let mut bases = [0; COLUMNS];
    let mut rows = [0; ROWS];
    let rows = &mut rows[..task.row_count];
    offsets(task.rows.as_slice(), 0, true, rows);
    // The loop whose planes follow each other in lines of the destination, if there is one.
    let (near, far) = match task.outer.as_slice().split_first() {
        Some((first, others)) if first.dst.unsigned_abs() < LINE => (*first, others),
        _ => (Loop::ONCE, task.outer.as_slice()),
    };
    // Each panel begins with the same run.
    let wide = most_columns(W) / runs.count * runs.count;
    // SAFETY: the caller's promise: the loops stay inside both sides. The packed rows and the
    // buffer have room for those of a panel, and what is prefetched is not read.
    unsafe {
        let mut planes = Odometer::new(far, src, dst).peekable();
        while let Some((src, dst)) = planes.next() {
            for column in (0..task.column_count).step_by(wide) {
                let end = task.column_count.min(column + wide);
                let mut panel = (src.add(column * W), dst);
                for plane in 1..=near.size {
                    let below = panel.0.wrapping_offset(near.src);
                    let next = if plane < near.size {
                        Some(below)
                    } else if end < task.column_count {
                        Some(src.add(end * W))
                    } else {
                        planes.peek().map(|next| next.0)
                    };
                    if let Some(next) = next {
                        prefetch::<L>(next, rows, (end - column) * W);
                    }
                    pack::<L, W>(task, packed, panel.0, rows, end - column);
                    for first in (0..end - column).step_by(across(W)) {
                        let from = packed.add(first * W);
                        let columns = transposed::<L, W>(from, const { pitch(W) } as isize);
                        let places = &runs.places[first..first + across(W)];
                        store_each::<L, W>(&columns, false, |k| buffer.add(places[k]));
                    }
                    write::<L>(&runs, &mut bases, buffer, panel.1, column..end, past);
                    panel = (below, panel.1.wrapping_offset(near.dst));
                }
            }
        }
        if past {
            L::fence();
        }
    }
}

/// Prefetches some bytes of few rows, which the processor does not predict.
///
/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
unsafe fn prefetch<L: Lanes>(src: *const u8, rows: &[isize], bytes: usize) {
    for row in rows {
        for byte in (0..bytes).step_by(LINE) {
            // SAFETY: the caller's promise.
            unsafe { L::prefetch::<2>(src.wrapping_offset(*row).wrapping_add(byte)) };
        }
    }
}

/// Writes the columns of a panel from the buffer, run by run.
///
/// # Safety
/// The buffer has these columns of a plane, the first of which belongs to the first run. They are
/// inside the destination.
#[inline(always)]
unsafe fn write<L: Lanes>(
    runs: &Runs<'_>,
    bases: &mut [isize; COLUMNS],
    buffer: *const u8,
    dst: *mut u8,
    columns: Range<usize>,
    past: bool,
) {
    let first = columns.start / runs.count;
    let mut left = columns.len() / runs.count;
    // Of a run, and how often the loops around have stepped.
    let mut in_run = first % runs.len;
    let steps = (in_run + left).div_ceil(runs.len);
    let bases = &mut bases[..steps];
    offsets(runs.around, first / runs.len, false, bases);
    let mut place = 0;
    for base in bases {
        let len = (runs.len - in_run).min(left);
        for (run, begin) in runs.begins[..runs.count].iter().enumerate() {
            // SAFETY: these columns follow each other on both sides.
            unsafe {
                let from = buffer.add(run * runs.pitch + place);
                let to = dst.offset(*base + begin + (in_run * runs.down) as isize);
                if past {
                    stream::<L>(from, to, len * runs.down);
                } else {
                    copy::<L>(from, to, len * runs.down);
                }
            }
        }
        place += len * runs.down;
        left -= len;
        in_run = 0;
    }
}
