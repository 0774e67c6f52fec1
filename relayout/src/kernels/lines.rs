//! Panels in blocks of a line by a line, which are transposed in registers and stored where they
//! belong. Where columns begin at lines of the destination, each line can be written in one piece,
//! past the cache.

use core::mem::MaybeUninit;

use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::stage::{Next, Stage, side};
use super::write::{LINE, copy, stream};
use crate::kernels::cost::{Along, MOST_COLUMNS, MOST_ROWS, Shape};
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
/// As `kernels::run`; with `past` every column begins at a line of the destination.
#[inline(always)]
pub(super) unsafe fn lines<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    shape: Shape,
    past: bool,
) {
    let mut from = [0; MOST_ROWS];
    let mut to = [0; MOST_COLUMNS];
    // Whole lines of the destination, whatever the shape says.
    let high = shape.rows.min(MOST_ROWS).next_multiple_of(side(W));
    let wide = shape.columns.min(MOST_COLUMNS);
    let mut by = Lines::<L, W> {
        stage: Stage::new(),
        whole: Whole([MaybeUninit::uninit(); _]),
        past,
        walk: shape.walk,
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
        if past {
            L::fence();
        }
    }
}

struct Lines<L, const W: usize> {
    stage: Stage,
    whole: Whole,
    past: bool,
    walk: Along,
    /// The bytes of a row of a tile.
    ahead: usize,
    /// The distance of the rows, where blocks are read from the source without the stage.
    pitch: Option<isize>,
    lanes: core::marker::PhantomData<L>,
}

impl<L: Lanes, const W: usize> Lines<L, W> {
    /// A tile of the panel, block by block along its rows or along its columns.
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
        let (high, wide) = (from.len().div_ceil(side(W)), to.len().div_ceil(side(W)));
        let rows = |down: usize| {
            let first = down * side(W);
            &from[first..(first + side(W)).min(from.len())]
        };
        let (mut down, mut right) = (0, 0);
        loop {
            let (from, src) = (rows(down), src.wrapping_add(right * LINE));
            let to = &to[right * side(W)..(right * side(W) + side(W)).min(to.len())];
            // What is prefetched: the same rows of the next tile, or the next block.
            let dst = dst.wrapping_add(down * LINE);
            let next = match self.walk {
                Along::Rows => {
                    right += 1;
                    if right == wide {
                        (right, down) = (0, down + 1);
                    }
                    Next {
                        src: src.wrapping_add(self.ahead),
                        rows: from,
                    }
                }
                Along::Columns if down + 1 < high => {
                    down += 1;
                    Next {
                        src,
                        rows: rows(down),
                    }
                }
                Along::Columns => {
                    (right, down) = (right + 1, 0);
                    Next {
                        src: src.wrapping_add(LINE),
                        rows: rows(0),
                    }
                }
            };
            // SAFETY: a block of the tile.
            unsafe { self.block(task, src, dst, from, to, next) };
            if down == high || right == wide {
                return;
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
        mut next: Next<'_>,
    ) {
        let full = from.len() == side(W) && to.len() == side(W);
        // SAFETY: the block's rows can be read, its columns can be written; in a full block each is
        // a line, and with `past` every column begins at one.
        unsafe {
            if self.walk == Along::Rows {
                // A tile is far enough away for all of them at once.
                for offset in next.rows {
                    L::prefetch(next.src.wrapping_offset(*offset));
                }
                next = Next::NONE;
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
            // Whole lines are written in one piece: where a block does not make them, they are put
            // together here.
            let whole = self.whole.0.as_mut_ptr().cast::<u8>();
            let in_place = full && (L::BYTES == LINE || !self.past);
            let (target, at): (_, &[isize]) = if in_place { (dst, to) } else { (whole, &LINES) };
            L::block::<W>(block, pitch, target, at, in_place && self.past, next);
            if in_place {
                return;
            }
            for (k, to) in to.iter().enumerate() {
                let (line, to) = (whole.add(k * LINE), dst.offset(*to));
                if self.past && from.len() == side(W) {
                    stream::<L>(line, to, LINE);
                } else {
                    copy::<L>(line, to, from.len() * W);
                }
            }
        }
    }
}
