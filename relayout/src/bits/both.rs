//! Elements that are packed on both sides, in sequences that no byte keeps: blocks of them are bytes in between.
//!
//! ```text
//! block = of all loops, the one of the shortest steps in the source and the one in the destination in turn, up to SIDE steps of
//!         each and BLOCK elements, so that both sides have long runs in a block
//! a loop that is too long is cut; what is left of it is a nest of its own
//! for each block:
//!     unpack it into a buffer, a byte for each element; pack the buffer into the destination
//! ```
//!
//! In the buffer the loops of the side whose first one is longer are the innermost ones: that step copies long runs, and the other
//! one panels of bytes.

use super::blocks::{BLOCK, MOST_LOOPS, each_block, in_two, loops_of, parts, whole};
use super::in_a_byte;
use crate::cells::Cells;
use crate::kernels::cost::Run;
use crate::nest::{Loop, Loops, MAX_LOOPS, Nest};

/// The most steps of a loop of a block. Small in unit tests, whose arrays are small.
const SIDE: usize = if cfg!(test) { 24 } else { 256 };
/// Fewer elements are copied one by one: the plans of both steps take longer.
const FEW: usize = if cfg!(test) { 32 } else { 256 };

/// Copies a nest. Returns whether this way applies to it.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn run(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) -> bool {
    let is_packed = |bits| bits < 8 && in_a_byte(bits);
    let mut outer = loops_of(nest);
    if !is_packed(cells.src_bits) || !is_packed(cells.dst_bits) || outer.count() < FEW {
        return false;
    }
    let mut around = Loops::<MOST_LOOPS>::NONE;
    // The loops of a block that the source has chosen, and those of the destination.
    let (mut chosen, mut count, mut side) = ([Loops::<MAX_LOOPS>::NONE; 2], 1, 0);
    while let Some(k) = (0..outer.len()).min_by_key(|&k| {
        let by = outer.get(k);
        [by.src, by.dst][side].unsigned_abs()
    }) {
        let (by, most) = (outer.get(k), whole((BLOCK / count).min(SIDE)));
        if most < 2 {
            break;
        }
        let Some((part, over)) = parts(by, most) else {
            // SAFETY: the caller's promise.
            return unsafe { in_two(run, nest, (by, most), cells, (src, dst)) };
        };
        outer.remove(k);
        let fits = chosen[side].push(part) && (over.size == 1 || around.push(over));
        debug_assert!(fits, "each loop doubles the block, and was one of the nest");
        (count, side) = (count * part.size, 1 - side);
    }
    for &by in outer.as_slice() {
        let fits = around.push(by);
        debug_assert!(fits, "each was one of the nest");
    }
    if chosen[0].get(0).size < chosen[1].get(0).size {
        chosen.reverse();
    }
    let (mut unpack, mut pack, mut step) = (Nest::of_width(1), Nest::of_width(1), 1);
    for by in chosen.iter().flat_map(Loops::as_slice) {
        unpack.loops.push(Loop { dst: step, ..*by });
        pack.loops.push(Loop { src: step, ..*by });
        step *= by.size as isize;
    }
    unpack.normalise();
    pack.normalise();
    let (mut unpacking, mut packing) = (cells, cells);
    (unpacking.dst_bits, packing.src_bits) = (8, 8);
    let by = Run::of(count);
    let at = (nest.src, nest.dst);
    each_block::<BLOCK>(around.as_slice(), at, |buffer, from, to| {
        let mut nests = [unpack, pack];
        (nests[0].src, nests[1].dst) = (from, to);
        // SAFETY: the caller's promise: every step of the loops is an element on both sides. The buffer has a byte for each of the
        // `count` elements, at most `BLOCK`; all are written before they are read.
        unsafe {
            super::run(&nests[0], unpacking, src, buffer, &by);
            super::run(&nests[1], packing, buffer, dst, &by);
        }
    });
    true
}
