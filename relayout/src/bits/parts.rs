//! Blocks of a nest: parts of its loops, and the buffer in between.

use core::mem::MaybeUninit;

use super::elements::MOST_LOOPS;
use crate::machine::LINE;
use crate::nest::{Loop, Loops, each};

/// Why a nest is not copied in blocks.
#[derive(Debug, PartialEq)]
pub(super) enum Without {
    /// Another way copies it.
    Refused,
    /// A loop is too long for a block. The nest is copied in two parts, of which the first has a
    /// multiple of so many of its steps.
    TooLong(Loop, usize),
}

/// The first `limit` steps of a loop, and the loop over such parts, where they divide it.
pub(super) fn parts(level: Loop, limit: usize) -> Option<(Loop, Loop)> {
    let size = limit.min(level.size);
    let repeats = Loop {
        size: level.size / size,
        // A step behind the last part may lead out of all memory.
        src: level.src.wrapping_mul(size as isize),
        dst: level.dst.wrapping_mul(size as isize),
    };
    (level.size.is_multiple_of(size)).then_some((Loop { size, ..level }, repeats))
}

/// Adds a part of a loop to a block, and the loop over such parts to those around it.
pub(super) fn add_part<const B: usize, const A: usize>(
    block: &mut Loops<B>,
    part: Loop,
    around: &mut Loops<A>,
    repeats: Loop,
) {
    let fits = block.push(part) && (repeats.size == 1 || around.push(repeats));
    debug_assert!(fits, "each loop doubles the block, and was one of the nest");
}

/// Calls `copy` with a buffer of `N` bytes, which begins at a line of the cache, and with the
/// offsets of every step of the loops. The buffer is not in the frame of the caller, which may copy
/// the parts of its nest by further calls.
#[inline(never)]
pub(super) fn each_block<const N: usize>(
    around: &[Loop],
    at: (isize, isize),
    mut copy: impl FnMut(*mut u8, isize, isize),
) {
    #[repr(align(64))]
    struct Buffer<const N: usize>([u8; N]);
    let mut buffer = MaybeUninit::<Buffer<N>>::uninit();
    let buffer = buffer.as_mut_ptr().cast();
    each::<MOST_LOOPS>(around, at, |from, to| copy(buffer, from, to));
}

/// The bytes of the buffer that a run of `len` elements takes. Runs that begin at multiples of 256
/// collide in the first cache.
pub(super) const fn pitch(len: usize) -> usize {
    len + if len.is_multiple_of(256) { LINE } else { 0 }
}
