//! Panels by way of a buffer. A panel is a transpose of two dimensions: rows of the source become
//! columns of the destination.
//!
//! ```text
//! for each panel of at most ROWS rows and as many columns as the buffer takes:
//!     for each row of the panel:
//!         copy the row from the source to the buffer, in whole cache lines
//!     for each block of the buffer (16 bytes of columns, one register of rows):
//!         load the rows of the block, transpose them in registers
//!         store each column of the block at its place in the destination
//! ```
//!
//! The buffer has a pitch that is not a power of two, so its rows do not collide in the cache. The
//! offsets of rows and columns are in tables, because loops of several dimensions and of tiles have
//! no common pitch.

use core::mem::MaybeUninit;

use super::block::{across, shuffle_lanes, store_each, transposed};
use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::write::{Scratch, copy};
use crate::kernels::task::Task;
use crate::machine::LINE;

/// The most rows of a panel: lines of the narrowest elements.
const ROWS: usize = LINES * LINE;
/// The most columns of a panel.
pub(super) const COLUMNS: usize = 2 * LINE;
/// The bytes of a packed row that are used. They are half as many if a panel has many rows, because
/// it must fit into the first cache.
pub(super) const fn packed(width: usize) -> usize {
    if width == 1 { 2 * LINE } else { 4 * LINE }
}

/// The distance of packed rows: a constant, so that the addresses in a block are constants, and not
/// a power of two, so that its lines do not collide in the cache.
pub(super) const fn pitch(width: usize) -> usize {
    packed(width) + LINE
}

/// The lines of the destination that the rows of a panel fill.
const LINES: usize = 2;

/// The bytes of all packed rows, for any width.
const BUFFER: usize = ROWS * pitch(1);

/// Runs a task of the kind `Panel` with elements of `W` bytes.
///
/// # Safety
/// As `kernels::run`.
#[inline(always)]
pub(super) unsafe fn panel<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    past: bool,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut packed = MaybeUninit::<Scratch<BUFFER>>::uninit();
        let mut panels = Panels::<L, W> {
            task,
            streams: past && task.row_count * W >= LINE && aligned(task, dst),
            packed: packed.as_mut_ptr().cast(),
            from: [0; ROWS],
            to: [0; COLUMNS],
            lanes: core::marker::PhantomData,
        };
        for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
            panels.plane(src, dst);
        }
        if past {
            L::fence();
        }
    }
}

/// Whether every column begins at a line, on every outer step.
#[inline(always)]
pub(super) fn aligned(task: &Task, dst: *mut u8) -> bool {
    task.keeps_lines && (dst as usize).is_multiple_of(LINE)
}

struct Panels<'a, L, const W: usize> {
    task: &'a Task,
    /// Whether columns are written past the cache, in whole aligned lines.
    streams: bool,
    packed: *mut u8,
    /// The offsets of the rows in the source, and of the columns in the destination.
    from: [isize; ROWS],
    to: [isize; COLUMNS],
    lanes: core::marker::PhantomData<L>,
}

impl<L: Lanes, const W: usize> Panels<'_, L, W> {
    /// The rows that one register holds.
    const BLOCK: usize = L::BYTES / W;

    /// Copies all panels of one step of the outer loops.
    #[inline(always)]
    unsafe fn plane(&mut self, src: *const u8, dst: *mut u8) {
        let task = self.task;
        let step = LINES * LINE / W;
        let across = packed(W) / W;
        let mut row = 0;
        while row < task.row_count {
            let rows = step.min(task.row_count - row);
            offsets(task.rows.as_slice(), row, true, &mut self.from[..rows]);
            let mut column = 0;
            while column < task.column_count {
                let columns = across.min(task.column_count - column);
                offsets(
                    task.columns.as_slice(),
                    column,
                    false,
                    &mut self.to[..columns],
                );
                // SAFETY: rows and columns of the plane.
                unsafe { self.panel(src.add(column * W), dst, row, rows, columns) };
                column += columns;
            }
            row += step;
        }
    }

    /// Copies the rows of a panel that begin at `row`, by the buffer.
    ///
    /// # Safety
    /// The tables of offsets have these rows and columns, which lie inside both sides from `src`
    /// and `dst` on.
    #[inline(always)]
    unsafe fn panel(
        &mut self,
        src: *const u8,
        dst: *mut u8,
        row: usize,
        rows: usize,
        columns: usize,
    ) {
        // SAFETY: the rows lie inside the source; the buffer has room for `ROWS` of them.
        unsafe { pack::<L, W>(self.task, self.packed, src, &self.from[..rows], columns) };
        let mut column = 0;
        while column < columns {
            let count = across(W).min(columns - column);
            let mut block = 0;
            while block < rows {
                let to = dst.wrapping_add((row + block) * W);
                // SAFETY: a block of the panel, whose columns have the rest of the rows.
                unsafe { self.block(to, (block, rows), column, count) };
                block += Self::BLOCK;
            }
            column += across(W);
        }
    }

    /// Transposes a block of the packed rows, and writes `count` columns from `dst` on.
    ///
    /// # Safety
    /// The first one of the rows is below their number. The columns are inside the destination.
    #[inline(always)]
    unsafe fn block(&self, dst: *mut u8, (row, rows): (usize, usize), column: usize, count: usize) {
        // SAFETY: the packed rows are padded to whole blocks.
        let registers = unsafe {
            let from = self.packed.add(row * const { pitch(W) } + column * W);
            transposed::<L, W>(from, const { pitch(W) } as isize)
        };
        let len = (rows - row) * W;
        // SAFETY: the caller's promise: each column has room for a register, or for `len` bytes.
        unsafe {
            if count == across(W) && len >= L::BYTES {
                let at = &self.to[column..column + across(W)];
                if self.streams {
                    store_each::<L, W>(&registers, true, |k| dst.offset(at[k]));
                } else {
                    store_each::<L, W>(&registers, false, |k| dst.offset(at[k]));
                }
            } else {
                let mut part = MaybeUninit::<Scratch<1024>>::uninit();
                let part = part.as_mut_ptr().cast::<u8>();
                store_each::<L, W>(&registers, false, |k| part.add(k * L::BYTES));
                for (k, at) in self.to[column..column + count].iter().enumerate() {
                    let from = part.add(k * L::BYTES);
                    copy::<L>(from, dst.offset(*at), len.min(L::BYTES));
                }
            }
        }
    }
}

/// Copies `columns` elements of some rows of a task to packed rows, and zeros for what blocks read
/// beyond them.
///
/// # Safety
/// The rows can be read at these offsets from `src`. There are packed rows for whole blocks of
/// them, a pitch apart.
#[inline(always)]
pub(super) unsafe fn pack<L: Lanes, const W: usize>(
    task: &Task,
    packed_rows: *mut u8,
    src: *const u8,
    from: &[isize],
    columns: usize,
) {
    let rows = from.len();
    let row = |k: usize| packed_rows.wrapping_add(k * const { pitch(W) });
    let len = columns * W;
    // Whole registers shuffle cells.
    let lanes = task.cell.as_ref().map_or(1, |_| L::LANES);
    let padded = len.next_multiple_of(16 * lanes);
    for (k, from) in from.iter().enumerate() {
        // SAFETY: a row of the source, and a packed row with its padding.
        unsafe {
            let from = src.offset(*from);
            let to = row(k);
            if len == const { packed(W) } {
                copy::<L>(from, to, const { packed(W) });
            } else {
                copy::<L>(from, to, len);
                core::ptr::write_bytes(to.add(len), 0, padded - len);
            }
        }
    }
    if let Some(cell) = &task.cell {
        for k in 0..rows {
            // SAFETY: a packed row, padded to whole registers.
            unsafe { shuffle_lanes::<L>(row(k), padded, &cell.bytes) };
        }
    }
    for k in rows..rows.next_multiple_of(L::BYTES / W) {
        // SAFETY: a packed row.
        unsafe { core::ptr::write_bytes(row(k), 0, padded) };
    }
}
