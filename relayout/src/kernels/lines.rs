//! Panels in blocks of a cache line by a cache line.
//!
//! ```text
//! for each plane:
//!     for each tile (at most MOST_ROWS rows, MOST_COLUMNS columns):
//!         fill the tables with the offsets of its rows and columns, and of the rows of the next
//!         tile, if they have others
//!         for each block of the tile:
//!             if a row of the block is not whole lanes of 16 bytes, or its columns are not whole
//!             lines, or its rows collide in the cache: copy it to a buffer of 64 lines first
//!             transpose the block in registers
//!             store each column of the block as one cache line
//!             prefetch a block of the next tile
//! ```
//!
//! Whole blocks of planes, which have one loop on each side, need no tables: with them a large
//! matrix took a fifth longer on Zen 4.
//!
//! If the columns begin at cache lines of the destination, each line is written once, past the
//! cache. Otherwise blocks go to the slots of `finish`, and whole lines are written from there
//! after each tile. What is left of a line waits for the tile below, so a plane is then copied in
//! bands of as many columns as have a place to wait.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::block::across;
use super::finish::{self, BAND, SLOT, SLOTS, Slots, Waiting};
use super::lanes::{Lanes, Next};
use super::odometer::{Odometer, offsets};
use super::square::{WHOLE, square};
use super::stage::{Stage, side};
use super::write::{Scratch, copy, multiples, stream};
use crate::kernels::cost::{MOST_COLUMNS, MOST_ROWS, Shape};
use crate::kernels::task::Task;
use crate::machine::LINE;
use crate::nest::Loop;

/// The buffer for a block whose lines several narrower registers fill.
type Whole = Scratch<{ LINE * LINE }>;

/// The offsets of the lines of a whole block.
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
    let mut whole = MaybeUninit::<Whole>::uninit();
    let buffer = whole.as_mut_ptr().cast();
    let lines = Lines::<L, W, false>::new(task, shape, past, buffer, core::ptr::null_mut());
    // SAFETY: the caller's promise; the buffer is that of a block.
    unsafe { lines.run(task, src, dst) }
}

/// As [`lines`], for columns that begin anywhere in a line: `finish` puts the lines together.
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
    let mut slots = MaybeUninit::<Slots>::uninit();
    let mut waiting = MaybeUninit::<Waiting>::uninit();
    let buffer = slots.as_mut_ptr().cast();
    let left = waiting.as_mut_ptr().cast();
    let lines = Lines::<L, W, true>::new(task, shape, true, buffer, left);
    // SAFETY: the caller's promise; the buffers have the slots, and a line for each column of a
    // band.
    unsafe { lines.run(task, src, dst) }
}

impl<L: Lanes, const W: usize, const FINISH: bool> Lines<L, W, FINISH> {
    /// The buffer is `Whole`, or the slots of `finish`, whose lines that are left wait at `waiting`.
    #[inline(always)]
    fn new(task: &Task, shape: Shape, past: bool, buffer: *mut u8, waiting: *mut u8) -> Self {
        let most_down = if FINISH { finish::MOST_DOWN } else { MOST_ROWS };
        Self {
            stage: Stage::new(),
            buffer,
            waiting,
            past,
            pitch: match task.rows.as_slice() {
                [only] if shape.direct && task.cell.is_none() => Some(only.src),
                _ => None,
            },
            to_pitch: match task.columns.as_slice() {
                [only] if !FINISH && W >= WHOLE && L::whole() => Some(only.dst),
                _ => None,
            },
            tile: shape.elements(W, most_down),
            lanes: core::marker::PhantomData,
        }
    }

    /// Runs the task that this was made for.
    ///
    /// # Safety
    /// As [`lines`] or [`finish::finish`], with the buffer of that kernel.
    #[inline(always)]
    unsafe fn run(mut self, task: &Task, src: *const u8, dst: *mut u8) {
        // One set of tables for all panels, which may have fewer bytes.
        let mut tables = (Tables::EMPTY, Tables::EMPTY);
        // SAFETY: the caller's promise.
        unsafe {
            // The next plane.
            let mut ahead = Odometer::new(task.outer.as_slice(), src, dst);
            ahead.next();
            for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
                let after = ahead.next().map(|next| next.0);
                self.panel(&mut tables, task, (src, dst), after);
            }
            if self.past {
                L::fence();
            }
        }
    }
}

/// The offsets of the rows, or of the columns, of `K` tiles.
struct Tables<const N: usize, const K: usize> {
    tables: [[isize; N]; K],
    /// The number of the first row in each table.
    first: [Option<usize>; K],
    /// The table that was used last.
    last: usize,
}

impl<const N: usize, const K: usize> Tables<N, K> {
    const EMPTY: Self = Self {
        tables: [[0; N]; K],
        first: [None; K],
        last: 0,
    };

    /// Returns the number of the table with `len` rows from `first` on. If no table has them, it
    /// fills the least recently used one. Tiles of several panels begin with the same rows, so they
    /// find their table.
    #[inline(always)]
    fn of(&mut self, loops: &[Loop], in_source: bool, first: usize, len: usize) -> usize {
        if self.first[self.last] != Some(first) {
            self.last = (self.last + 1) % K;
            if self.first[self.last].replace(first) != Some(first) {
                let table = &mut self.tables[self.last][..len];
                offsets(loops, first, in_source, table);
            }
        }
        self.last
    }
}

struct Lines<L, const W: usize, const FINISH: bool> {
    stage: Stage,
    buffer: *mut u8,
    waiting: *mut u8,
    past: bool,
    /// The distance of the rows, if blocks are read from the source without the stage.
    pitch: Option<isize>,
    /// The distance of the columns, if whole blocks need no tables, and the processor loads them as
    /// whole registers.
    to_pitch: Option<isize>,
    /// The rows and the columns of a tile.
    tile: (usize, usize),
    lanes: core::marker::PhantomData<L>,
}

/// The rows, or the columns, of a block. At the end of a tile they may be fewer, or none.
#[inline(always)]
fn rows_of<const W: usize>(rows: &[isize], first: usize) -> &[isize] {
    let first = first.min(rows.len());
    &rows[first..(first + side(W)).min(rows.len())]
}

/// A tile whose rows and columns have a pitch: its addresses, that of the next tile, and the
/// distances of rows and columns.
struct Plane {
    src: *const u8,
    dst: *mut u8,
    next: *const u8,
    pitch: isize,
    to_pitch: isize,
}

impl Plane {
    /// Transposes the whole block that begins at a row and a column of the tile.
    ///
    /// # Safety
    /// The block is inside the tile, whose rows can be read and whose columns can be written. With
    /// `past` every column begins at a line. The processor has the instructions of `L`.
    #[inline(always)]
    unsafe fn block<L: Lanes, const W: usize>(&self, down: usize, right: usize, past: bool) {
        let pitch = self.pitch;
        let block = down as isize * pitch + (right * W) as isize;
        let src = self.src.wrapping_offset(block);
        let next = self.next.wrapping_offset(block);
        let column = right as isize * self.to_pitch;
        let dst = self.dst.wrapping_add(down * W).wrapping_offset(column);
        let to = |k: usize| dst.wrapping_offset(k as isize * self.to_pitch);
        let ahead = |first, count| {
            for k in first..first + count {
                // SAFETY: the caller has the instructions. What is prefetched is not read.
                unsafe { L::prefetch::<2>(next.wrapping_offset(k as isize * pitch)) };
            }
        };
        // SAFETY: the caller's promise.
        unsafe {
            if past {
                square::<L, W>(src, pitch, to, true, ahead);
            } else {
                square::<L, W>(src, pitch, to, false, ahead);
            }
        }
    }
}

impl<L: Lanes, const W: usize, const FINISH: bool> Lines<L, W, FINISH> {
    /// Copies the panel at `src` and `dst`, band by band. During the last tile it prefetches the
    /// first tile of the panel at `after`.
    ///
    /// # Safety
    /// As [`lines`], of this panel.
    #[inline(always)]
    unsafe fn panel(
        &mut self,
        tables: &mut (Tables<MOST_ROWS, 2>, Tables<MOST_COLUMNS, 1>),
        task: &Task,
        (src, dst): (*const u8, *mut u8),
        after: Option<*const u8>,
    ) {
        let width = if FINISH { BAND } else { task.column_count };
        let mut first = 0;
        while first < task.column_count {
            let end = task.column_count.min(first + width);
            let after = if end < task.column_count {
                Some(src.wrapping_add(end * W))
            } else {
                after
            };
            // SAFETY: the caller's promise, of these columns.
            unsafe { self.band(tables, task, (src, dst), first..end, after) };
            first = end;
        }
    }

    /// Copies a band of columns of the panel at `src` and `dst`, tile by tile. During the last tile
    /// it prefetches the first tile at `after`.
    ///
    /// # Safety
    /// As [`lines`], of these columns, which are at most [`BAND`] for [`finish`].
    #[inline(always)]
    unsafe fn band(
        &mut self,
        tables: &mut (Tables<MOST_ROWS, 2>, Tables<MOST_COLUMNS, 1>),
        task: &Task,
        (src, dst): (*const u8, *mut u8),
        band: Range<usize>,
        after: Option<*const u8>,
    ) {
        let (high, wide) = self.tile;
        let rows = task.row_count;
        let src = src.wrapping_add(band.start * W);
        let mut at = Some((0, 0));
        while let Some((row, column)) = at {
            at = step((row, column), self.tile, (rows, band.len()), false);
            // After the last tile of the band comes the first one of the next band, if there is
            // one.
            let (next_src, next_row) = match (at, after) {
                (Some(next), _) => (src.wrapping_add(next.1 * W), next.0),
                (None, Some(after)) => (after, 0),
                (None, None) => (src, rows),
            };
            let len = high.min(rows - row);
            let next_len = high.min(rows - next_row);
            let from = tables.0.of(task.rows.as_slice(), true, row, len);
            let below = tables.0.of(task.rows.as_slice(), true, next_row, next_len);
            let from = &tables.0.tables[from][..len];
            let next = Next {
                src: next_src,
                rows: &tables.0.tables[below][..next_len],
            };
            let wide = wide.min(band.len() - column);
            let columns = task.columns.as_slice();
            tables.1.of(columns, false, band.start + column, wide);
            let to = &tables.1.tables[0][..wide];
            // SAFETY: a tile of the panel, which begins at this row and column. The slots hold its
            // columns, and behind `waiting` there is a line for each column of the band.
            unsafe {
                let waiting = self.waiting.wrapping_add(column * LINE);
                if FINISH && row > 0 {
                    finish::resume::<L>(self.buffer, waiting, wide);
                }
                self.tile(task, src.add(column * W), dst.add(row * W), from, to, next);
                if FINISH {
                    let begin = row * W;
                    let all = rows * W;
                    let extent = (begin, high * W, all);
                    finish::write::<L>((self.buffer, waiting), dst, extent, to);
                }
            }
        }
    }

    /// Copies a tile of the panel, block by block along its columns.
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
        let size = (from.len(), to.len());
        let sides = (side(W), side(W));
        let plane = (self.pitch.zip(self.to_pitch)).map(|(pitch, to_pitch)| {
            let next = after.rows.first().copied().unwrap_or_default();
            Plane {
                src: src.wrapping_offset(from[0]),
                dst: dst.wrapping_offset(to[0]),
                next: after.src.wrapping_offset(next),
                pitch,
                to_pitch,
            }
        });
        let mut at = Some((0, 0));
        while let Some((down, right)) = at {
            at = step((down, right), sides, size, true);
            let is_full = down + side(W) <= size.0 && right + side(W) <= size.1;
            if is_full && let Some(plane) = &plane {
                // SAFETY: a whole block of the tile.
                unsafe { plane.block::<L, W>(down, right, self.past) };
                continue;
            }
            let slot = if FINISH {
                // A tile has as many slots as columns, with a line for each block.
                self.buffer.wrapping_add(right * SLOT + LINE + down * W)
            } else {
                self.buffer
            };
            let block = rows_of::<W>(from, down);
            let to = rows_of::<W>(to, right);
            // The same block of the next tile is prefetched.
            let next = Next {
                src: after.src.wrapping_add(right * W),
                rows: rows_of::<W>(after.rows, down),
            };
            let src = src.wrapping_add(right * W);
            let dst = dst.wrapping_add(down * W);
            // SAFETY: a block of the tile.
            unsafe { self.block(task, src, (dst, slot), block, to, next) };
        }
    }

    /// Copies a block of a tile: to its columns, or to their slots if these are finished later.
    ///
    /// # Safety
    /// The offsets are those of at most a line of rows and of columns, from `src` and `dst` on.
    /// There is a slot for each column.
    #[inline(always)]
    unsafe fn block(
        &mut self,
        task: &Task,
        src: *const u8,
        (dst, slot): (*mut u8, *mut u8),
        from: &[isize],
        to: &[isize],
        next: Next<'_>,
    ) {
        // Whole lanes of whole lines: what is read and written is the block, and nothing beside it.
        let whole = from.len() == side(W) && to.len().is_multiple_of(across(W));
        let (block, pitch) = match self.pitch {
            Some(pitch) if whole => (src.wrapping_offset(from[0]), pitch),
            _ => {
                let len = to.len() * W;
                let cell = task.cell.as_ref();
                // SAFETY: the caller's promise: the block's rows can be read.
                let stage = unsafe { self.stage.fill::<L>(src, from, len, cell) };
                (stage, LINE as isize)
            }
        };
        // Whole lines are written in one piece. If a register is less than a line, the lines are
        // put together here first.
        let in_place = !FINISH && whole && (L::BYTES == LINE || !self.past);
        let slots = if FINISH { &SLOTS } else { &LINES };
        let slots = &slots[..to.len().next_multiple_of(across(W))];
        let (target, at): (_, &[isize]) = if in_place { (dst, to) } else { (slot, slots) };
        // SAFETY: the caller's promise: the block's columns can be written. In a whole block each
        // is a line, and with `past` every column begins at a line. Other blocks go to the slots.
        unsafe { L::block::<W>(block, pitch, target, at, in_place && self.past, next) };
        if in_place || FINISH {
            return;
        }
        for (k, to) in to.iter().enumerate() {
            // SAFETY: as above: the column was put together in its slot.
            unsafe {
                let line = slot.add(k * LINE);
                let to = dst.offset(*to);
                if self.past && from.len() == side(W) {
                    stream::<L>(line, to, LINE);
                } else {
                    copy::<L>(line, to, from.len() * W);
                }
            }
        }
    }
}

/// Returns the row and the column of the next part, of parts of one size: the part below if `down`,
/// otherwise the part to the right. After the last part of a column, or of a row, comes the first
/// part of the next column or row.
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
