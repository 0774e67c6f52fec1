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
            // A length that the compiler knows takes no branches in the loop.
            match len {
                LINE => fill_rows::<L>(stage, src, offsets, LINE),
                32 => fill_rows::<L>(stage, src, offsets, 32),
                16 => fill_rows::<L>(stage, src, offsets, 16),
                _ => fill_rows::<L>(stage, src, offsets, len),
            }
            if let Some(cell) = cell {
                shuffle_lanes::<L>(stage, offsets.len() * LINE, &cell.bytes);
            }
        }
        stage
    }
}

/// Copies `len` bytes from each offset to a line of the stage.
///
/// # Safety
/// As [`Stage::fill`].
#[inline(always)]
unsafe fn fill_rows<L: Lanes>(stage: *mut u8, src: *const u8, offsets: &[isize], len: usize) {
    for (k, &offset) in offsets.iter().enumerate() {
        // SAFETY: the caller's promise: the row can be read, and the stage has a line for it.
        unsafe { copy::<L>(src.offset(offset), stage.add(k * LINE), len) };
    }
}

/// Transposes a block of `side(W)` rows and at most as many columns, which begins at `from`, and
/// stores each column as a line: past the cache if `past`.
///
/// Meanwhile it prefetches the rows of `next`, a few after each register of columns. A processor
/// has 16 to 24 entries for lines that are on their way: 64 prefetches in one sequence would wait
/// for each other.
///
/// # Safety
/// `at` has an offset for each column, which are whole lanes of a row. `side(W)` rows of the columns
/// can be read, a pitch apart; a line can be written at each offset from `to` on, and with `past`
/// each is where a line begins. The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn block<L: Lanes, const W: usize>(
    from: *const u8,
    pitch: isize,
    to: *mut u8,
    at: &[isize],
    past: bool,
    next: Next<'_>,
) {
    debug_assert!(!past || to.wrapping_offset(at[0]).addr().is_multiple_of(LINE));
    debug_assert!(at.len().is_multiple_of(across(W)));
    let is_whole = at.len() == side(W);
    // SAFETY: the caller's promise; `L::whole` says that a register has four lanes.
    unsafe {
        if is_whole && W >= WHOLE && L::whole() {
            let to = |k: usize| to.wrapping_offset(at[k]);
            square::<L, W>(from, pitch, to, past, |first, count| {
                next.prefetch::<L>(first, count)
            });
        } else if is_whole {
            // The compiler knows how many columns there are, and unrolls the loop.
            columns::<L, W>(from, pitch, to, &at[..side(W)], past, next);
        } else {
            columns::<L, W>(from, pitch, to, at, past, next);
        }
    }
}

/// As [`block`], by a few columns of all rows at a time.
///
/// # Safety
/// As [`block`].
#[inline(always)]
unsafe fn columns<L: Lanes, const W: usize>(
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
    let ahead = side(W) * wide / at.len();
    for (right, at) in at.chunks_exact(wide).enumerate() {
        // SAFETY: the caller has the instructions.
        unsafe { next.prefetch::<L>(right * ahead, ahead) };
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
