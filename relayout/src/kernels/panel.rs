//! Panels by way of a buffer. A panel is a transpose of two dimensions: rows of the source become columns of the
//! destination.
//!
//! ```text
//! for each panel of at most ROWS rows and as many columns as the buffer takes:
//!     for each row of the panel:
//!         copy the row from the source to the buffer, in whole cache lines
//!     for each block of the buffer (16 bytes of columns, one register of rows):
//!         load the rows of the block, transpose them in registers
//!         store each column of the block:
//!             Store, Stream            at its place in the destination; Stream: past the cache
//!             Finish, FinishTogether   behind the bytes of the same column in a second buffer
//!     Finish:          write each column of the second buffer past the cache, in whole cache lines
//!     FinishTogether:  the same for all columns at once, which are adjacent in the destination
//! ```
//!
//! The buffer has a pitch that is not a power of two, so its rows do not collide in the cache. The offsets of rows and
//! columns are in tables, because loops of several dimensions and of tiles have no common pitch.

use core::mem::MaybeUninit;

use super::block::{across, shuffle_lanes, store_each, stream_each, transposed};
use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::write::{LINE, copy, stream};
use crate::kernels::task::Task;

/// The rows of a panel at most: lines of the narrowest elements, and one line to spare.
const ROWS: usize = (LINES_FINISHED + 1) * LINE;
/// The columns of a panel at most.
const COLUMNS: usize = 2 * LINE;
/// The bytes of a packed row that are used. Half as many where a panel has many rows: it has to fit
/// into the first cache.
const fn packed(width: usize) -> usize {
    if width == 1 { 2 * LINE } else { 4 * LINE }
}

/// From one packed row to the next: a constant, so that a block's addresses are too, and no power
/// of two, so that its lines do not fall on one another in the cache.
const fn pitch(width: usize) -> usize {
    packed(width) + LINE
}

/// The lines of the destination that a panel's rows make; more where one is to spare, so that it is
/// less of all.
const LINES: usize = 2;
const LINES_FINISHED: usize = 4;

/// The bytes of all packed rows, whatever their width.
const BUFFER: usize = ROWS * pitch(1);

/// From one finished column to the next: one line to spare.
const FINISHED: usize = (LINES_FINISHED + 1) * LINE;

#[repr(align(64))]
struct Scratch<const N: usize>([MaybeUninit<u8>; N]);

/// How columns are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Write {
    /// To where they belong.
    Store,
    /// Past the cache: whole lines, aligned.
    Stream,
    /// Into a buffer, from which aligned lines are streamed.
    Finish,
    /// Into a buffer, in which columns follow each other as in the destination.
    FinishTogether,
}

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
    let down = task.row_count * W;
    let write = if !past {
        Write::Store
    } else if down <= L::BYTES && down < LINE && task.columns.get(0).dst == down as isize {
        // One block to a column: what a register holds beyond it is overwritten by the next.
        Write::FinishTogether
    } else if down < LINE {
        Write::Store
    } else if aligned(task, dst) && down.is_multiple_of(LINE) {
        Write::Stream
    } else {
        Write::Finish
    };
    // SAFETY: the caller's promise.
    unsafe {
        let mut packed = Scratch::<BUFFER>([MaybeUninit::uninit(); _]);
        let mut finished = Scratch::<{ COLUMNS * FINISHED + LINE }>([MaybeUninit::uninit(); _]);
        let mut by = Panels::<L, W> {
            task,
            write,
            packed: packed.0.as_mut_ptr().cast(),
            finished: finished.0.as_mut_ptr().cast(),
            from: [0; ROWS],
            to: [0; COLUMNS],
            lanes: core::marker::PhantomData,
        };
        for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
            by.plane(src, dst);
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
    write: Write,
    packed: *mut u8,
    finished: *mut u8,
    /// Where each row of the panel begins in the source, where each column in the destination.
    from: [isize; ROWS],
    to: [isize; COLUMNS],
    lanes: core::marker::PhantomData<L>,
}

impl<L: Lanes, const W: usize> Panels<'_, L, W> {
    /// The rows that one register holds.
    const BLOCK: usize = L::BYTES / W;

    /// All panels of one step of the outer loops.
    #[inline(always)]
    unsafe fn plane(&mut self, src: *const u8, dst: *mut u8) {
        let task = self.task;
        let finishes = self.write == Write::Finish;
        let step = if finishes { LINES_FINISHED } else { LINES } * LINE / W;
        // What a column needs beyond its share to begin and end at lines.
        let spare = if finishes { LINE / W } else { 0 };
        let across = match self.write {
            // Half as many: finished columns want room in the first cache, too.
            Write::Finish | Write::FinishTogether if W == 1 => LINE,
            _ => packed(W) / W,
        };
        let mut row = 0;
        while row < task.row_count {
            let rows = (step + spare).min(task.row_count - row);
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
        unsafe { self.pack(src, rows, columns) };
        let mut column = 0;
        while column < columns {
            let count = (across(W)).min(columns - column);
            let mut block = 0;
            while block < rows {
                // SAFETY: packed rows, padded to whole blocks; the targets are inside the
                // destination or the buffer, which has room for what a register holds beyond.
                unsafe {
                    let from = self.packed.add(block * const { pitch(W) } + column * W);
                    let registers = transposed::<L, W>(from, const { pitch(W) } as isize);
                    let len = (rows - block) * W;
                    if self.write == Write::Finish {
                        let to = self.finished.add(column * FINISHED + block * W);
                        store_each::<L, W>(&registers, |k| to.add(k * FINISHED));
                    } else if self.write == Write::FinishTogether {
                        let to = self.finished.add(column * rows * W + block * W);
                        store_each::<L, W>(&registers, |k| to.add(k * rows * W));
                    } else if count == across(W) && len >= L::BYTES {
                        let to = dst.add((row + block) * W);
                        let at = &self.to[column..column + across(W)];
                        if self.write == Write::Stream {
                            stream_each::<L, W>(&registers, |k| to.offset(at[k]));
                        } else {
                            store_each::<L, W>(&registers, |k| to.offset(at[k]));
                        }
                    } else {
                        let mut part = Scratch::<1024>([MaybeUninit::uninit(); _]);
                        let part = part.0.as_mut_ptr().cast::<u8>();
                        store_each::<L, W>(&registers, |k| part.add(k * L::BYTES));
                        let to = dst.add((row + block) * W);
                        for (k, at) in self.to[column..column + count].iter().enumerate() {
                            let from = part.add(k * L::BYTES);
                            copy::<L>(from, to.offset(*at), len.min(L::BYTES));
                        }
                    }
                }
                block += Self::BLOCK;
            }
            column += across(W);
        }
        // SAFETY: what was finished is inside the destination.
        unsafe {
            match self.write {
                Write::Finish => self.flush(dst, row, rows, columns),
                Write::FinishTogether => self.flush_together(dst, rows, columns),
                Write::Store | Write::Stream => {}
            }
        }
    }

    /// Copies the rows of a panel into the buffer; what blocks read beyond them is zero.
    #[inline(always)]
    unsafe fn pack(&self, src: *const u8, rows: usize, columns: usize) {
        let len = columns * W;
        let padded = len.next_multiple_of(16);
        for (k, from) in self.from[..rows].iter().enumerate() {
            // SAFETY: a row of the source, and a row of the buffer with its padding.
            unsafe {
                let (from, to) = (src.offset(*from), self.packed.add(k * const { pitch(W) }));
                if len == const { packed(W) } {
                    copy::<L>(from, to, const { packed(W) });
                } else {
                    copy::<L>(from, to, len);
                    core::ptr::write_bytes(to.add(len), 0, padded - len);
                }
            }
        }
        if let Some(cell) = &self.task.cell {
            for k in 0..rows {
                // SAFETY: a row of the buffer, padded to whole lanes.
                unsafe {
                    shuffle_lanes::<L>(self.packed.add(k * const { pitch(W) }), padded, &cell.bytes)
                };
            }
        }
        for k in rows..rows.next_multiple_of(Self::BLOCK) {
            // SAFETY: a row of the buffer.
            unsafe { core::ptr::write_bytes(self.packed.add(k * const { pitch(W) }), 0, padded) };
        }
    }

    /// Streams the finished columns: each from the first line of its share to the first line of
    /// the next one.
    #[inline(always)]
    unsafe fn flush(&self, dst: *mut u8, row: usize, rows: usize, columns: usize) {
        let step = LINES_FINISHED * LINE / W;
        let last = row + step >= self.task.row_count;
        for (k, to) in self.to[..columns].iter().enumerate() {
            // SAFETY: the finished rows of this column, which lie in the destination from here on.
            unsafe {
                let to = dst.offset(*to).add(row * W);
                let to_line = (to as usize).wrapping_neg() % LINE;
                let begin = if row == 0 { 0 } else { to_line };
                let end = if last {
                    rows * W
                } else {
                    (step * W + to_line).min(rows * W)
                };
                if begin < end {
                    let from = self.finished.add(k * FINISHED + begin);
                    stream::<L>(from, to.add(begin), end - begin);
                }
            }
        }
    }

    /// Streams finished columns that follow each other in the destination, as runs.
    #[inline(always)]
    unsafe fn flush_together(&self, dst: *mut u8, rows: usize, columns: usize) {
        let len = (rows * W) as isize;
        let mut begin = 0;
        for k in 1..=columns {
            if k < columns && self.to[k] == self.to[k - 1] + len {
                continue;
            }
            // SAFETY: these columns, one after the other on both sides.
            unsafe {
                let from = self.finished.add(begin * rows * W);
                stream::<L>(from, dst.offset(self.to[begin]), (k - begin) * rows * W);
            }
            begin = k;
        }
    }
}
