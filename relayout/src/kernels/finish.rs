//! Panels whose columns begin anywhere: blocks of a line by a line are transposed in registers, and
//! what each makes of a column is put together with what the block above left over. So each
//! line of the destination is written once, past the cache.

use core::mem::MaybeUninit;

use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::stage::{Next, Stage, side};
use super::write::{LINE, copy, short, stream};
use crate::kernels::cost::{MOST_COLUMNS, Shape};
use crate::kernels::task::Task;

/// Of each column the last two steps, a line each: those of even number are kept in front of and
/// behind those of odd number, so that one step lies before the next whichever is the newer.
const SLOT: usize = 3 * LINE;

/// Where the slots of a block begin.
const SLOTS: [isize; LINE] = {
    let mut slots = [0; LINE];
    let mut k = 0;
    while k < LINE {
        slots[k] = (k * SLOT) as isize;
        k += 1;
    }
    slots
};

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
    let mut to = [0; MOST_COLUMNS];
    // Those of a step and of the next one.
    let mut from = [0; 2 * LINE];
    let mut by = Finish::<L, W> {
        stage: Stage::new(),
        slots: Slots([MaybeUninit::uninit(); _]),
        down: task.row_count * W,
        lanes: core::marker::PhantomData,
    };
    // SAFETY: the caller's promise.
    unsafe {
        for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
            for column in (0..task.column_count).step_by(wide) {
                let to = &mut to[..wide.min(task.column_count - column)];
                offsets(task.columns.as_slice(), column, false, to);
                let src = src.add(column * W);
                for (step, row) in (0..task.row_count).step_by(side(W)).enumerate() {
                    let from = &mut from[..(2 * side(W)).min(task.row_count - row)];
                    offsets(task.rows.as_slice(), row, true, from);
                    let (from, next) = from.split_at(side(W).min(from.len()));
                    for (right, to) in to.chunks(side(W)).enumerate() {
                        let src = src.add(right * LINE);
                        let cell = task.cell.as_ref();
                        by.stage.fill::<L>(src, from, to.len() * W, cell);
                        by.block(step, right, Next { src, rows: next });
                    }
                    // Not block by block: a line that lies across two stores which have not reached
                    // the cache yet would wait for both.
                    by.write(dst, step, to);
                }
            }
        }
        L::fence();
    }
}

struct Finish<L, const W: usize> {
    stage: Stage,
    slots: Slots,
    /// The bytes of a column.
    down: usize,
    lanes: core::marker::PhantomData<L>,
}

impl<L: Lanes, const W: usize> Finish<L, W> {
    /// Transposes the block in the stage, the `step`-th one down, into the slots.
    ///
    /// # Safety
    /// There are slots for the block's columns.
    #[inline(always)]
    unsafe fn block(&mut self, step: usize, right: usize, next: Next<'_>) {
        // SAFETY: the slots have room for the block's columns, and the offsets in a slot are below
        // its end.
        unsafe {
            let slots = self.slots.0.as_mut_ptr().cast::<u8>();
            let slots = slots.add(right * side(W) * SLOT);
            let now = slots.add(before(step) + LINE);
            L::block::<W>(self.stage.at(), LINE as isize, now, &SLOTS, false, next);
            if before(step) == LINE {
                for k in 0..side(W) {
                    copy::<L>(now.add(k * SLOT), slots.add(k * SLOT), LINE);
                }
            }
        }
    }

    /// Writes the lines of the strip that are complete.
    ///
    /// # Safety
    /// The columns begin at these offsets from `dst`, and have the bytes of this step; the slots
    /// hold this step and the one before.
    #[inline(always)]
    unsafe fn write(&mut self, dst: *mut u8, step: usize, to: &[isize]) {
        let before = before(step);
        let now = before + LINE;
        // The bytes of this step and of those above it.
        let end = ((step + 1) * LINE).min(self.down);
        let last = end == self.down;
        // SAFETY: the caller's promise. What is written is a part of the column from its first byte
        // to `end`.
        unsafe {
            let slots = self.slots.0.as_ptr().cast::<u8>();
            for (k, to) in to.iter().enumerate() {
                let (slot, to) = (slots.add(k * SLOT), dst.offset(*to));
                // The bytes before the first line of the column.
                let head = (to as usize).wrapping_neg() % LINE;
                if step == 0 {
                    short(slot.add(now), to, head);
                } else {
                    let line = to.add((step - 1) * LINE + head);
                    if end == (step + 1) * LINE {
                        stream_line::<L>(slot.add(before + head), line);
                    } else {
                        // The last step, which is no whole line.
                        let len = end - ((step - 1) * LINE + head);
                        stream::<L>(slot.add(before + head), line, len);
                        continue;
                    }
                }
                if last {
                    let rest = slot.add(now + head);
                    short(rest, to.add(step * LINE + head), LINE - head);
                }
            }
        }
    }
}

/// Where the step before this one begins in a slot; this one follows it.
#[inline(always)]
const fn before(step: usize) -> usize {
    if step.is_multiple_of(2) { LINE } else { 0 }
}

/// Writes a line past the cache.
///
/// # Safety
/// A line can be read at `src`, and written at `dst`, which begins at one.
#[inline(always)]
unsafe fn stream_line<L: Lanes>(src: *const u8, dst: *mut u8) {
    let mut part = 0;
    while part < LINE {
        // SAFETY: a part of the line; a line is a whole number of registers.
        unsafe { L::load(src.add(part)).stream(dst.add(part)) };
        part += L::BYTES;
    }
}
