//! Panels in blocks of a cache line by a cache line.
//!
//! ```text
//! for each plane:
//!     if rows and columns have a pitch: the whole blocks by `plane`; what follows for the rest only
//!     for each tile (at most MOST_ROWS rows, MOST_COLUMNS columns):
//!         fill the tables with the offsets of its rows and columns, and of the rows of the next tile
//!         for each block of the tile:
//!             if the block is not full, or its rows collide in the cache: copy it to a buffer of 64 lines first
//!             transpose the block in registers
//!             store each column of the block as one cache line
//!             prefetch a block of the next tile
//! ```
//!
//! If the columns begin at cache lines of the destination, each line is written once, past the cache.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::plane::Planes;
use super::stage::{Next, Stage, side};
use super::write::{LINE, copy, multiples, stream};
use crate::kernels::cost::{MOST_COLUMNS, MOST_ROWS, Shape, Walk};
use crate::kernels::task::Task;

/// A block that registers of less than a line make in parts.
#[repr(align(64))]
struct Whole([MaybeUninit<u8>; LINE * LINE]);

/// Where the lines of a whole block begin.
const LINES: [isize; LINE] = multiples(LINE);

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
    // Whole lines of the destination, whatever the shape says.
    let high = shape.rows.min(MOST_ROWS).next_multiple_of(side(W));
    let wide = shape.columns.min(MOST_COLUMNS);
    let mut by = Lines::<L, W> {
        stage: Stage::new(),
        whole: Whole([MaybeUninit::uninit(); _]),
        past,
        walk: shape.walk,
        pitch: match task.rows.as_slice() {
            [only] if shape.direct && task.cell.is_none() => Some(only.src),
            _ => None,
        },
        tile: (high, wide),
        lanes: core::marker::PhantomData,
    };
    let mut tables = Tables {
        from: [0; _],
        below: [0; _],
        to: [0; _],
    };
    let planes = Planes::<W>::new::<L>(task, shape, past);
    let (rows, columns) = (task.row_count, task.column_count);
    // SAFETY: the caller's promise.
    unsafe {
        // The plane that comes next.
        let mut ahead = Odometer::new(task.outer.as_slice(), src, dst);
        ahead.next();
        for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
            let after = ahead.next().map(|next| next.0);
            let Some(planes) = &planes else {
                by.part(&mut tables, task, (src, dst), 0..rows, 0..columns, after);
                continue;
            };
            planes.run::<L>(src, dst, after.unwrap_or(src));
            // What is left of the rows, and then of the columns.
            for (rows, columns) in [
                (0..planes.rows, planes.columns..columns),
                (planes.rows..rows, 0..columns),
            ] {
                if !rows.is_empty() && !columns.is_empty() {
                    by.part(&mut tables, task, (src, dst), rows, columns, None);
                }
            }
        }
        if past {
            L::fence();
        }
    }
}

/// The part of a table that a tile needs.
#[inline(always)]
fn part_of(table: &mut [isize], most: usize, left: usize) -> &mut [isize] {
    &mut table[..most.min(left)]
}

/// Where the rows of a tile and of the next one begin, and the columns of a tile. They are made once: a plane may
/// have fewer bytes than they.
struct Tables {
    from: [isize; MOST_ROWS],
    below: [isize; MOST_ROWS],
    to: [isize; MOST_COLUMNS],
}

struct Lines<L, const W: usize> {
    stage: Stage,
    whole: Whole,
    past: bool,
    walk: Walk,
    /// The distance of the rows, where blocks are read from the source without the stage.
    pitch: Option<isize>,
    /// The rows and the columns of a tile.
    tile: (usize, usize),
    lanes: core::marker::PhantomData<L>,
}

/// The rows of a block among those of a tile; fewer, or none, where the tile has no more.
#[inline(always)]
fn rows_of<const W: usize>(rows: &[isize], down: usize) -> &[isize] {
    let first = (down * side(W)).min(rows.len());
    &rows[first..(first + side(W)).min(rows.len())]
}

impl<L: Lanes, const W: usize> Lines<L, W> {
    /// So many rows and columns of the panel that begins at `src` and `dst`, tile by tile. Behind the last tile
    /// the first one of the panel at `after` is prefetched; only a whole panel has one.
    ///
    /// # Safety
    /// As [`lines`], of this part of the panel.
    #[inline(always)]
    unsafe fn part(
        &mut self,
        tables: &mut Tables,
        task: &Task,
        (src, dst): (*const u8, *mut u8),
        rows: Range<usize>,
        columns: Range<usize>,
        after: Option<*const u8>,
    ) {
        let Tables { from, below, to } = tables;
        let (high, wide) = self.tile;
        let down = self.walk == Walk::Down;
        let (outer, inner) = if down {
            ((columns.clone(), wide), (rows.clone(), high))
        } else {
            ((rows.clone(), high), (columns.clone(), wide))
        };
        for first in outer.0.step_by(outer.1) {
            for second in inner.0.clone().step_by(inner.1) {
                let (row, column) = if down {
                    (second, first)
                } else {
                    (first, second)
                };
                let begins = second == inner.0.start;
                if down || begins {
                    let table = part_of(from, high, rows.end - row);
                    offsets(task.rows.as_slice(), row, true, table);
                }
                if !down || begins {
                    let table = part_of(to, wide, columns.end - column);
                    offsets(task.columns.as_slice(), column, false, table);
                }
                let from = &from[..high.min(rows.end - row)];
                let to = &to[..wide.min(columns.end - column)];
                // Where the next tile begins; behind the last of a row or a column of tiles follows the
                // first one of the next.
                let (next_row, next_column) = match (down, second + inner.1 < inner.0.end) {
                    (true, true) => (row + high, column),
                    (false, true) => (row, column + wide),
                    (true, false) => (rows.start, column + wide),
                    (false, false) => (row + high, columns.start),
                };
                // Behind the last tile of the panel, the first one of the panel that comes next.
                let last = next_row >= rows.end || next_column >= columns.end;
                let (next_src, next_row) = match after {
                    Some(after) if last => (after, rows.start),
                    _ => (src.wrapping_add(next_column * W), next_row),
                };
                let rows_of_next: &[isize] = if next_row == row {
                    from
                } else {
                    let table = part_of(below, high, rows.end.saturating_sub(next_row));
                    offsets(task.rows.as_slice(), next_row, true, table);
                    table
                };
                let next = Next {
                    src: next_src,
                    rows: rows_of_next,
                };
                // SAFETY: a tile of the panel, which begins at this row and column.
                unsafe {
                    self.tile(task, src.add(column * W), dst.add(row * W), from, to, next);
                }
            }
        }
    }

    /// A tile of the panel, block by block along its columns.
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
        after: Next<'_>,
    ) {
        let (high, wide) = (from.len().div_ceil(side(W)), to.len().div_ceil(side(W)));
        let (mut down, mut right) = (0, 0);
        loop {
            let block = rows_of::<W>(from, down);
            let to = &to[right * side(W)..(right * side(W) + side(W)).min(to.len())];
            let at = src.wrapping_add(right * LINE);
            let dst = dst.wrapping_add(down * LINE);
            // What is prefetched: the same block of the next tile.
            let next = Next {
                src: after.src.wrapping_add(right * LINE),
                rows: rows_of::<W>(after.rows, down),
            };
            down += 1;
            if down == high {
                (right, down) = (right + 1, 0);
            }
            // SAFETY: a block of the tile.
            unsafe { self.block(task, at, dst, block, to, next) };
            if right == wide {
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
        next: Next<'_>,
    ) {
        let full = from.len() == side(W) && to.len() == side(W);
        // SAFETY: the block's rows can be read, its columns can be written; in a full block each is
        // a line, and with `past` every column begins at one.
        unsafe {
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
