//! Panels whose columns begin at lines of the destination: blocks of a line by a line are
//! transposed in registers, and each line is written once, past the cache.

use core::mem::MaybeUninit;

use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::stage::{Stage, side};
use super::write::{LINE, copy, stream};
use crate::kernels::cost::{MOST_COLUMNS, MOST_ROWS, Shape};
use crate::kernels::task::Task;

/// A block that registers of less than a line make in parts.
#[repr(align(64))]
struct Whole([MaybeUninit<u8>; LINE * LINE]);

/// Where the lines of a whole block begin.
const LINES: [isize; LINE] = {
    let mut lines = [0; LINE];
    let mut k = 0;
    while k < LINE {
        lines[k] = (k * LINE) as isize;
        k += 1;
    }
    lines
};

/// Runs a task of the kind `Panel` with elements of `W` bytes.
///
/// # Safety
/// As `kernels::run`, and every column begins at a line of the destination.
#[inline(always)]
pub(super) unsafe fn lines<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    shape: Shape,
) {
    let mut from = [0; MOST_ROWS];
    let mut to = [0; MOST_COLUMNS];
    // Whole lines of the destination, whatever the shape says.
    let high = shape.rows.min(MOST_ROWS).next_multiple_of(side(W));
    let wide = shape.columns.min(MOST_COLUMNS);
    let mut by = Lines::<L, W> {
        stage: Stage::new(),
        whole: Whole([MaybeUninit::uninit(); _]),
        // What the next step along the rows reads.
        ahead: wide * W,
        pitch: match task.rows.as_slice() {
            [only] if shape.direct && task.cell.is_none() => Some(only.src),
            _ => None,
        },
        lanes: core::marker::PhantomData,
    };
    // SAFETY: the caller's promise.
    unsafe {
        for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
            for row in (0..task.row_count).step_by(high) {
                let from = &mut from[..high.min(task.row_count - row)];
                offsets(task.rows.as_slice(), row, true, from);
                let dst = dst.add(row * W);
                for column in (0..task.column_count).step_by(wide) {
                    let to = &mut to[..wide.min(task.column_count - column)];
                    offsets(task.columns.as_slice(), column, false, to);
                    by.tile(task, src.add(column * W), dst, from, to);
                }
            }
        }
        L::fence();
    }
}

struct Lines<L, const W: usize> {
    stage: Stage,
    whole: Whole,
    ahead: usize,
    /// The distance of the rows, where blocks are read from the source without the stage.
    pitch: Option<isize>,
    lanes: core::marker::PhantomData<L>,
}

impl<L: Lanes, const W: usize> Lines<L, W> {
    /// A tile of the panel, block by block along its rows.
    ///
    /// # Safety
    /// The offsets are those of rows and columns of the tile that begins at `src` and `dst`.
    #[inline(always)]
    unsafe fn tile(
        &mut self,
        task: &Task,
        src: *const u8,
        dst: *mut u8,
        from: &[isize],
        to: &[isize],
    ) {
        for (down, from) in from.chunks(side(W)).enumerate() {
            for (right, to) in to.chunks(side(W)).enumerate() {
                // SAFETY: a block of the tile.
                unsafe {
                    let (src, dst) = (src.add(right * LINE), dst.add(down * LINE));
                    self.block(task, src, dst, from, to);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn block(
        &mut self,
        task: &Task,
        src: *const u8,
        dst: *mut u8,
        from: &[isize],
        to: &[isize],
    ) {
        let full = from.len() == side(W) && to.len() == side(W);
        // SAFETY: the block's rows can be read, its columns can be written; in a full block each is
        // a line, and every column begins at one.
        unsafe {
            for offset in from {
                L::prefetch(src.wrapping_offset(*offset).wrapping_add(self.ahead));
            }
            let (block, pitch) = match self.pitch {
                Some(pitch) if full => (src.offset(from[0]), pitch),
                _ => {
                    let cell = task.cell.as_ref();
                    let len = to.len() * W;
                    self.stage.fill::<L>(src, from, len, cell);
                    (self.stage.at(), LINE as isize)
                }
            };
            if full && L::BYTES == LINE {
                return L::block::<W>(block, pitch, dst, to, true);
            }
            // Whole lines are written in one piece: here they are put together.
            let whole = self.whole.0.as_mut_ptr().cast::<u8>();
            L::block::<W>(block, pitch, whole, &LINES, false);
            for (k, to) in to.iter().enumerate() {
                let (line, to) = (whole.add(k * LINE), dst.offset(*to));
                if from.len() == side(W) {
                    stream::<L>(line, to, LINE);
                } else {
                    copy::<L>(line, to, from.len() * W);
                }
            }
        }
    }
}
