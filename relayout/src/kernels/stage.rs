//! A block of a panel with a side of a cache line. The lines that it reads are copied into the
//! stage, so that each line of the source is read once, in one piece, for any pitch. From there the
//! block is transposed in registers.

use super::block::{across, shuffle_lanes, store_each, transposed};
use super::lanes::{Lanes, Next};
use super::square::{WHOLE, square};
use super::write::copy;
use crate::kernels::task::Cell;
use crate::machine::LINE;

/// The rows and the columns of a block: the elements that a line holds.
pub(super) const fn side(width: usize) -> usize {
    LINE / width
}

/// The rows of a block, one line each. All bytes are initialised, so that a block at an edge may
/// read more than was copied.
#[repr(align(64))]
pub(super) struct Stage([u8; LINE * LINE]);

impl Stage {
    /// An empty stage.
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self([0; LINE * LINE])
    }

    /// Copies `len` bytes of each row into the stage. Returns the address of the first one.
    ///
    /// # Safety
    /// There are at most `side(W)` rows. `len` bytes, at most a line, can be read `offset` bytes
    /// from `src` for each offset. The processor has the instructions of `L`.
    #[inline(always)]
    pub(super) unsafe fn fill<L: Lanes>(
        &mut self,
        src: *const u8,
        offsets: &[isize],
        len: usize,
        cell: Option<&Cell>,
    ) -> *const u8 {
        let stage = self.0.as_mut_ptr();
        debug_assert!(offsets.len() <= LINE && len <= LINE);
        // SAFETY: the caller's promise: the rows can be read, and the stage has a line for each.
        unsafe {
            for (k, &offset) in offsets.iter().enumerate() {
                let from = src.offset(offset);
                let to = stage.add(k * LINE);
                if len == LINE {
                    copy::<L>(from, to, LINE);
                } else {
                    copy::<L>(from, to, len);
                }
            }
            if let Some(cell) = cell {
                shuffle_lanes::<L>(stage, offsets.len() * LINE, &cell.bytes);
            }
        }
        stage
    }
}

/// Transposes a block of `side(W)` rows and columns, which begins at `from`, and stores each column
/// as a line: past the cache if `past`.
///
/// Meanwhile it prefetches the rows of `next`, a few after each register of columns. A processor
/// has 16 to 24 entries for lines that are on their way: 64 prefetches in one sequence would wait
/// for each other.
///
/// # Safety
/// `side(W)` rows of a line can be read, a pitch apart. `at` has `side(W)` offsets; a line can be
/// written at each of them from `to` on, and with `past` each is where a line begins. The processor
/// has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn block<L: Lanes, const W: usize>(
    from: *const u8,
    pitch: isize,
    to: *mut u8,
    at: &[isize],
    past: bool,
    next: Next<'_>,
) {
    // The columns of one call of `transposed`, and the rows that a register of them holds.
    let wide = across(W);
    let high = L::BYTES / W;
    debug_assert!(!past || to.wrapping_offset(at[0]).addr().is_multiple_of(LINE));
    if W >= WHOLE && L::whole() {
        let at = &at[..side(W)];
        // SAFETY: the caller's promise; `L::whole` says that a register has four lanes.
        return unsafe {
            let to = |k: usize| to.wrapping_offset(at[k]);
            square::<L, W>(from, pitch, to, past, |first, count| {
                next.prefetch::<L>(first, count)
            })
        };
    }
    for (right, at) in at[..side(W)].chunks_exact(wide).enumerate() {
        // SAFETY: the caller has the instructions.
        unsafe { next.prefetch::<L>(right * wide, wide) };
        let mut row = 0;
        while row < side(W) {
            // Unknown to the compiler: before the loop it would compute the addresses of all rows,
            // more than there are registers, and load each from the stack.
            let pitch = core::hint::black_box(pitch);
            // SAFETY: rows and columns of the block. A register is written to its part of a line,
            // which is a multiple of a register.
            unsafe {
                let from = from.offset(row as isize * pitch).add(right * wide * W);
                let block = transposed::<L, W>(from, pitch);
                let to = to.add(row * W);
                if past {
                    store_each::<L, W>(&block, true, |k| to.offset(at[k]));
                } else {
                    store_each::<L, W>(&block, false, |k| to.offset(at[k]));
                }
            }
            row += high;
        }
    }
}
