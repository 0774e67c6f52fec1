//! Panels whose columns begin anywhere in a cache line.
//!
//! ```text
//! each column of the tiles has a slot: the line that the tile above left over, and the lines of this tile
//! for each column of tiles, for each tile from the top down:
//!     for each block of the tile:
//!         transpose the block in registers
//!         store each of its columns in the slot of the column
//!         prefetch a block of the next tile
//!     for each slot:
//!         write its complete cache lines to the destination, past the cache
//!         copy its last line to its front, for the tile below; behind the last tile, write the rest
//! ```
//!
//! So each line of the destination is written once, although no column begins at a line.

use core::mem::MaybeUninit;

use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::stage::{Next, Stage, side};
use super::write::{LINE, copy, multiples, stream, stream_line};
use crate::kernels::cost::{MOST_COLUMNS, MOST_LINES, Shape};
use crate::kernels::task::Task;

/// A slot: the last line of the tile above, and the lines of this one.
const SLOT: usize = (1 + MOST_LINES) * LINE;

/// Where the slots of a block begin.
const SLOTS: [isize; LINE] = multiples(SLOT);

#[repr(align(64))]
struct Slots([MaybeUninit<u8>; MOST_COLUMNS * SLOT]);

/// Runs a task of the kind `Panel` with elements of `W` bytes.
///
/// # Safety
/// As `kernels::run`, and a column has at least the bytes of a line.
#[inline(always)]
pub(super) unsafe fn finish<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    shape: Shape,
) {
    let wide = shape.columns.min(MOST_COLUMNS).next_multiple_of(side(W));
    let high = shape
        .rows
        .min(MOST_LINES * side(W))
        .next_multiple_of(side(W));
    let mut to = [0; MOST_COLUMNS];
    // Where the rows of a tile and of the next one begin.
    let mut from = [0; 2 * MOST_LINES * LINE];
    let mut by = Finish::<L, W> {
        stage: Stage::new(),
        slots: Slots([MaybeUninit::uninit(); _]),
        task,
        // The distance of the rows, where blocks are read from the source without the stage.
        pitch: match task.rows.as_slice() {
            [only] if task.cell.is_none() => Some(only.src),
            _ => None,
        },
        lanes: core::marker::PhantomData,
    };
    // SAFETY: the caller's promise.
    unsafe {
        // The plane that comes next.
        let mut ahead = Odometer::new(task.outer.as_slice(), src, dst);
        ahead.next();
        for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
            let after = ahead.next();
            for column in (0..task.column_count).step_by(wide) {
                let to = &mut to[..wide.min(task.column_count - column)];
                offsets(task.columns.as_slice(), column, false, to);
                let right =
                    (column + wide < task.column_count).then(|| src.add((column + wide) * W));
                let src = src.add(column * W);
                for row in (0..task.row_count).step_by(high) {
                    let rows = high.min(task.row_count - row);
                    let (from, below) = from.split_at_mut(rows);
                    offsets(task.rows.as_slice(), row, true, from);
                    // The tile below; behind the last one the first one of the columns to the right, or of
                    // the next plane.
                    let (next_src, next_row) = match (right, after) {
                        _ if row + high < task.row_count => (src, row + high),
                        (Some(right), _) => (right, 0),
                        (None, Some(after)) => (after.0, 0),
                        (None, None) => (src, task.row_count),
                    };
                    let below = &mut below[..high.min(task.row_count - next_row)];
                    offsets(task.rows.as_slice(), next_row, true, below);
                    let next = Next {
                        src: next_src,
                        rows: below,
                    };
                    by.tile(src, from, next, to.len());
                    // Not block by block: a line that lies across two stores which have not reached
                    // the cache yet would wait for both.
                    by.write(dst, (row, high), to);
                }
            }
        }
        L::fence();
    }
}

struct Finish<'a, L, const W: usize> {
    stage: Stage,
    slots: Slots,
    task: &'a Task,
    pitch: Option<isize>,
    lanes: core::marker::PhantomData<L>,
}

impl<L: Lanes, const W: usize> Finish<'_, L, W> {
    /// Transposes a tile into the slots, block by block along the columns, and prefetches the tile that
    /// comes next.
    ///
    /// # Safety
    /// The rows of the tile, `columns` elements each, can be read at these offsets from `src`; there
    /// are as many slots.
    #[inline(always)]
    unsafe fn tile(&mut self, src: *const u8, from: &[isize], after: Next<'_>, columns: usize) {
        for right in 0..columns.div_ceil(side(W)) {
            let wide = side(W).min(columns - right * side(W));
            let src = src.wrapping_add(right * LINE);
            for (down, from) in from.chunks(side(W)).enumerate() {
                let rows = &after.rows[(down * side(W)).min(after.rows.len())..];
                let next = Next {
                    src: after.src.wrapping_add(right * LINE),
                    rows: &rows[..side(W).min(rows.len())],
                };
                // SAFETY: the slots have room for the block's columns, and the lines in a slot are
                // as many as those of a tile. A full block has rows a pitch apart; what is not
                // full is in the stage.
                unsafe {
                    let slots = self.slots.0.as_mut_ptr().cast::<u8>();
                    let slots = slots.add(right * side(W) * SLOT + (1 + down) * LINE);
                    let (block, pitch) = match self.pitch {
                        Some(pitch) if from.len() == side(W) && wide == side(W) => {
                            (src.offset(from[0]), pitch)
                        }
                        _ => {
                            let cell = self.task.cell.as_ref();
                            self.stage.fill::<L>(src, from, wide * W, cell);
                            (self.stage.at(), LINE as isize)
                        }
                    };
                    L::block::<W>(block, pitch, slots, &SLOTS, false, next);
                }
            }
        }
    }

    /// Writes the lines of the tile that are complete, and all that is left of the last one.
    ///
    /// # Safety
    /// The columns begin at these offsets from `dst`. The slots hold the tile of `high` rows, or of
    /// what is left of them, that begins at `row`, and the line above it if there is one.
    #[inline(always)]
    unsafe fn write(&mut self, dst: *mut u8, (row, high): (usize, usize), to: &[isize]) {
        let (begin, all) = (row * W, self.task.row_count * W);
        let end = begin + high * W;
        // SAFETY: the caller's promise. What is written is a part of the column; the line above
        // the tile is in front of it, in the slot and in the column.
        unsafe {
            let slots = self.slots.0.as_mut_ptr().cast::<u8>();
            for (k, to) in to.iter().enumerate() {
                let (slot, to) = (slots.add(k * SLOT), dst.offset(*to));
                // The bytes before the first line of the column.
                let head = (to as usize).wrapping_neg() % LINE;
                if row > 0 && end < all {
                    let (mut line, mut to) = (slot.add(head), to.add(begin - LINE + head));
                    for _ in 0..high / side(W) {
                        stream_line::<L>(line, to);
                        (line, to) = (line.add(LINE), to.add(LINE));
                    }
                    copy::<L>(slot.add(high * W), slot, LINE);
                    continue;
                }
                let first = if row == 0 { 0 } else { begin - LINE + head };
                let last = if end < all { end - LINE + head } else { all };
                let from = slot.add(LINE + first - begin);
                stream::<L>(from, to.add(first), last - first);
                if end < all {
                    copy::<L>(slot.add(high * W), slot, LINE);
                }
            }
        }
    }
}
