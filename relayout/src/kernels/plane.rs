//! The whole blocks of planes. A plane has one loop on each side, so rows and columns have a pitch and need no tables.
//!
//! ```text
//! for each tile of the plane (high x wide), to the right or down:
//!     for each block of the tile (a cache line by a cache line), down each column of blocks:
//!         load the rows of the block, transpose them in registers
//!         store each column of the block as one cache line, past the cache if asked for
//!         between the stores, prefetch the same block of the next tile
//! ```
//!
//! `lines` has the same loops with a table of the offsets of rows and columns. On Zen 4 a large matrix took a fifth
//! longer with the tables.

use super::lanes::Lanes;
use super::square::{WHOLE, square};
use super::stage::side;
use crate::kernels::cost::{MOST_COLUMNS, MOST_ROWS, Shape, Walk};
use crate::kernels::task::Task;

/// A plane, or a tile or a block of one: where it begins, and how many rows and columns it has.
#[derive(Clone, Copy)]
struct Part {
    src: *const u8,
    dst: *mut u8,
    rows: usize,
    columns: usize,
}

/// The whole blocks of the planes of one task.
#[derive(Clone, Copy)]
pub(super) struct Planes<const W: usize> {
    /// The rows and the columns of the whole blocks of a plane.
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// From one row to the next in the source, from one column to the next in the destination.
    src_pitch: isize,
    dst_pitch: isize,
    /// The rows and the columns of a tile, whole blocks.
    high: usize,
    wide: usize,
    walk: Walk,
    past: bool,
}

impl<const W: usize> Planes<W> {
    /// The whole blocks of a task, where it has any and the processor loads them as whole registers.
    #[inline(always)]
    pub(super) fn new<L: Lanes>(task: &Task, shape: Shape, past: bool) -> Option<Self> {
        let whole = |count: usize| count / side(W) * side(W);
        let (rows, columns) = (whole(task.row_count), whole(task.column_count));
        let fits = W >= WHOLE && L::whole() && shape.direct;
        (fits && task.is_plane() && rows > 0 && columns > 0).then(|| Self {
            rows,
            columns,
            src_pitch: task.rows.get(0).src,
            dst_pitch: task.columns.get(0).dst,
            high: shape.rows.min(MOST_ROWS).next_multiple_of(side(W)),
            wide: shape.columns.min(MOST_COLUMNS).next_multiple_of(side(W)),
            walk: shape.walk,
            past,
        })
    }

    /// The sub-rectangle of `of` that begins at `(row, column)`, cut to at most `high` rows and `wide` columns.
    #[inline(always)]
    fn part(&self, of: Part, (row, column): (usize, usize), (high, wide): (usize, usize)) -> Part {
        let src = row as isize * self.src_pitch + (column * W) as isize;
        let dst = column as isize * self.dst_pitch + (row * W) as isize;
        Part {
            src: of.src.wrapping_offset(src),
            dst: of.dst.wrapping_offset(dst),
            rows: (of.rows - row).min(high),
            columns: (of.columns - column).min(wide),
        }
    }

    /// Transposes the whole blocks of the plane that begins at `src` and `dst`. The plane at `after` comes
    /// next, and is only prefetched.
    ///
    /// # Safety
    /// The plane can be read and written there. With `past` every column begins at a line. The processor has
    /// the instructions of `L`, and `new` was asked with the same `L`.
    #[inline(always)]
    pub(super) unsafe fn run<L: Lanes>(&self, src: *const u8, dst: *mut u8, after: *const u8) {
        let (rows, columns) = (self.rows, self.columns);
        let plane = Part {
            src,
            dst,
            rows,
            columns,
        };
        let size = (self.high, self.wide);
        let mut at = Some((0, 0));
        while let Some(here) = at {
            let tile = self.part(plane, here, size);
            at = step(here, size, (rows, columns), self.walk == Walk::Down);
            let next = at.map_or(after, |next| self.part(plane, next, size).src);
            // SAFETY: a tile of the plane.
            unsafe { self.tile::<L>(tile, next) };
        }
    }

    /// Transposes a tile block by block, along its columns.
    ///
    /// # Safety
    /// As [`run`](Self::run), for whole blocks.
    #[inline(always)]
    unsafe fn tile<L: Lanes>(&self, tile: Part, after: *const u8) {
        let size = (side(W), side(W));
        let mut at = Some((0, 0));
        while let Some(here) = at {
            let block = self.part(tile, here, size);
            at = step(here, size, (tile.rows, tile.columns), true);
            // The same block of the next tile.
            let next = after.wrapping_add(block.src.addr().wrapping_sub(tile.src.addr()));
            let to = |k| block.dst.wrapping_offset(k as isize * self.dst_pitch);
            // SAFETY: the caller's promise. What is prefetched is not read.
            unsafe {
                let ahead = |first, count| {
                    for k in first..first + count {
                        L::prefetch_second(next.wrapping_offset(k as isize * self.src_pitch));
                    }
                };
                if self.past {
                    square::<L, W>(block.src, self.src_pitch, to, true, ahead);
                } else {
                    square::<L, W>(block.src, self.src_pitch, to, false, ahead);
                }
            }
        }
    }
}

/// The row and the column of the part behind the one here, of parts of one size: the one below if `down`, the
/// one to the right otherwise. Behind the last one of a column, or of a row, of parts follows the first one of
/// the next.
#[inline(always)]
fn step(
    (row, column): (usize, usize),
    (high, wide): (usize, usize),
    (rows, columns): (usize, usize),
    down: bool,
) -> Option<(usize, usize)> {
    let next = if down {
        if row + high < rows {
            (row + high, column)
        } else {
            (0, column + wide)
        }
    } else if column + wide < columns {
        (row, column + wide)
    } else {
        (row + high, 0)
    };
    (next.0 < rows && next.1 < columns).then_some(next)
}
