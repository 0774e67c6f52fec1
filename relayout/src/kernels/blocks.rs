//! Panels in the cache.
//!
//! ```text
//! for each block, along the rows or along the columns:
//!     load the rows of the block from the source, transpose them in registers
//!     store each column of the block at its place in the destination
//! ```
//!
//! A block is a cache line by a cache line, a register by 16 bytes, or, in smaller panels, 8 by 8
//! bytes. If the side of a panel is not a multiple of a block, the last block overlaps the block
//! before it: both write the same bytes to the same places. Elements that fill a register are
//! copied one by one.

use super::block::{across, dealt, each_of, store_each, transposed};
use super::lanes::Lanes;
use super::odometer::Odometer;
use super::square::{WHOLE, square};
use super::stage::side;
use crate::kernels::cost::Along;
use crate::kernels::task::{Task, WORD};
use crate::machine::LINE;
use crate::nest::Loop;

/// The most elements of a register that are copied along one loop before the other loop's next
/// step: the lines that they begin stay in the first cache until they are complete.
const STRIP: usize = 128;
/// The same where steps of many lines put these lines into few places of the first cache.
const SHORT_STRIP: usize = 16;

/// The size of a block.
#[derive(Clone, Copy)]
enum Size {
    /// A cache line each way.
    Line,
    /// The rows that a register holds, by 16 bytes.
    Register,
    /// [`WORD`] each way.
    Word,
}

/// Whether the plane of the innermost rows and columns holds a block of registers `L`.
#[inline(always)]
pub(super) fn fits<L: Lanes>(task: &Task) -> bool {
    task.rows.get(0).size * task.width >= L::BYTES && task.columns.get(0).size * task.width >= 16
}

/// Runs a task of the kind `Panel` with elements of `W` bytes, without a buffer.
///
/// # Safety
/// As `kernels::run`, and [`fits`]; for the narrowest registers `Task::holds_block` is enough.
#[inline(always)]
pub(super) unsafe fn blocks<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    along: Along,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if task.outer.len() == 0 && task.is_plane() {
            return plane::<L, W>(task, src, dst, along);
        }
        for (src, dst) in Odometer::new(task.around_plane().as_slice(), src, dst) {
            plane::<L, W>(task, src, dst, along);
        }
    }
}

/// Copies the plane of the innermost rows and columns by whole blocks, along the rows or along the
/// columns. If a side is not a multiple of a block, its last block overlaps the block before it.
#[inline(always)]
unsafe fn plane<L: Lanes, const W: usize>(task: &Task, src: *const u8, dst: *mut u8, along: Along) {
    let rows = task.rows.get(0);
    let columns = task.columns.get(0);
    let whole = W >= WHOLE && L::whole() && rows.size * W >= LINE && columns.size * W >= LINE;
    let (size, (high, wide)) = if whole {
        (Size::Line, (side(W), side(W)))
    } else if W >= WORD || L::BYTES > 16 || fits::<L>(task) {
        (Size::Register, (L::BYTES / W, across(W)))
    } else {
        (Size::Word, (WORD / W, WORD / W))
    };
    let pitch = rows.src;
    let step = columns.dst;
    let down = (
        Loop {
            dst: W as isize,
            ..rows
        },
        high,
    );
    let across = (
        Loop {
            src: W as isize,
            ..columns
        },
        wide,
    );
    if L::BYTES == W {
        let (outer, inner) = match along {
            Along::Rows => (down.0, across.0),
            Along::Columns => (across.0, down.0),
        };
        // SAFETY: the caller's promise.
        return unsafe { registers::<L>(outer, inner, src, dst) };
    }
    let ends = ((src, pitch), (dst, step));
    // Two calls, so that one stride of each loop is a constant.
    // SAFETY: the caller's promise.
    unsafe {
        match along {
            Along::Rows => each_block::<L, W>(down, across, ends, size),
            Along::Columns => each_block::<L, W>(across, down, ends, size),
        }
    }
}

/// Copies a plane of elements that fill a register, one after the other.
///
/// # Safety
/// As [`blocks`], and an element is a register.
#[inline(always)]
unsafe fn registers<L: Lanes>(outer: Loop, inner: Loop, src: *const u8, dst: *mut u8) {
    let collides = inner.src % 512 == 0 || inner.dst % 512 == 0;
    let strip = if collides { SHORT_STRIP } else { STRIP };
    for first in (0..inner.size).step_by(strip) {
        let count = strip.min(inner.size - first);
        let strip_src = src.wrapping_offset(first as isize * inner.src);
        let strip_dst = dst.wrapping_offset(first as isize * inner.dst);
        for step in 0..outer.size as isize {
            let mut from = strip_src.wrapping_offset(step * outer.src);
            let mut to = strip_dst.wrapping_offset(step * outer.dst);
            for _ in 0..count / 2 {
                // SAFETY: two elements of the strip; a register holds one.
                unsafe {
                    L::load(from).store(to);
                    L::load(from.offset(inner.src)).store(to.offset(inner.dst));
                }
                from = from.wrapping_offset(2 * inner.src);
                to = to.wrapping_offset(2 * inner.dst);
            }
            if !count.is_multiple_of(2) {
                // SAFETY: the last element of the strip.
                unsafe { L::load(from).store(to) };
            }
        }
    }
}

/// Copies all blocks of a plane. Each loop is given with the steps that a block has, each side with
/// the pitch of a block.
#[inline(always)]
unsafe fn each_block<L: Lanes, const W: usize>(
    outer: (Loop, usize),
    inner: (Loop, usize),
    ((src, pitch), (dst, step)): ((*const u8, isize), (*mut u8, isize)),
    size: Size,
) {
    let last_a = outer.0.size - outer.1;
    let last_b = inner.0.size - inner.1;
    let mut a = 0;
    loop {
        let mut b = 0;
        loop {
            let by_a = a as isize;
            let by_b = b as isize;
            // SAFETY: the block begins at a row and a column that are at most those of the last
            // block.
            unsafe {
                let from = src.offset(by_a * outer.0.src + by_b * inner.0.src);
                let to = dst.offset(by_a * outer.0.dst + by_b * inner.0.dst);
                block::<L, W>((from, pitch), (to, step), size);
            }
            if b == last_b {
                break;
            }
            b = (b + inner.1).min(last_b);
        }
        if a == last_a {
            break;
        }
        a = (a + outer.1).min(last_a);
    }
}

/// Copies a block.
///
/// # Safety
/// The rows and the columns of a block of this size, each a pitch apart, can be read and written.
#[inline(always)]
unsafe fn block<L: Lanes, const W: usize>(
    (from, pitch): (*const u8, isize),
    (to, step): (*mut u8, isize),
    size: Size,
) {
    let to = |k: usize| to.wrapping_offset(k as isize * step);
    // SAFETY: the caller's promise.
    unsafe {
        match size {
            Size::Line => square::<L, W>(from, pitch, to, false, |_, _| ()),
            Size::Register => store_each::<L, W>(&transposed::<L, W>(from, pitch), false, to),
            Size::Word => word::<L, W>(from, pitch, to),
        }
    }
}

/// Copies a block of 8 by 8 bytes. A register holds two rows, and two columns after the steps of
/// `block::dealt`.
///
/// # Safety
/// Registers have 16 bytes, the rows, a pitch apart, can be read, and the columns written.
#[inline(always)]
unsafe fn word<L: Lanes, const W: usize>(
    from: *const u8,
    pitch: isize,
    to: impl Fn(usize) -> *mut u8,
) {
    let n = WORD / W / 2;
    // SAFETY: the caller's promise.
    unsafe {
        let mut block = [L::zero(); 16];
        each_of!(8: k if k < n => {
            let row = |k: usize| from.offset(k as isize * pitch).cast::<u64>().read_unaligned();
            let rows = [row(2 * k), row(2 * k + 1)];
            block[k] = L::load(rows.as_ptr().cast());
        });
        if W == 4 {
            block[0] = block[0].shuffle(&[0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15]);
        }
        each_of!(8: step if n > 1 && W << step < WORD => {
            block = dealt::<L, W>(block, n);
        });
        each_of!(8: k if k < n => {
            let mut columns = [0_u64; 2];
            block[k].store(columns.as_mut_ptr().cast());
            to(2 * k).cast::<u64>().write_unaligned(columns[0]);
            to(2 * k + 1).cast::<u64>().write_unaligned(columns[1]);
        });
    }
}
