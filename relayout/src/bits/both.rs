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
//! The elements follow each other in the buffer as on the side whose innermost loop is longer: what is left of the copy are
//! panels of bytes then, and one of the two steps is contiguous.

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
    let (mut block, mut around) = (Loops::<MAX_LOOPS>::NONE, Loops::<MOST_LOOPS>::NONE);
    let mut in_source = true;
    while let Some(k) = (0..outer.len()).min_by_key(|&k| {
        let by = outer.get(k);
        if in_source { by.src } else { by.dst }.unsigned_abs()
    }) {
        let (by, most) = (outer.get(k), whole((BLOCK / block.count()).min(SIDE)));
        if most < 2 {
            break;
        }
        let Some((part, over)) = parts(by, most) else {
            // SAFETY: the caller's promise.
            return unsafe { in_two(run, nest, (by, most), cells, (src, dst)) };
        };
        outer.remove(k);
        let fits = block.push(part) && (over.size == 1 || around.push(over));
        debug_assert!(fits, "each loop doubles the block, and was one of the nest");
        in_source = !in_source;
    }
    for &by in outer.as_slice() {
        let fits = around.push(by);
        debug_assert!(fits, "each was one of the nest");
    }
    let of_source = block.len() < 2 || block.get(0).size >= block.get(1).size;
    let exchanged = |by: Loop| match of_source {
        true => Loop {
            src: by.dst,
            dst: by.src,
            ..by
        },
        false => by,
    };
    let mut sorted = Loops::<MAX_LOOPS>::NONE;
    for &by in block.as_slice() {
        sorted.push(exchanged(by));
    }
    sorted.sort(false);
    let (mut unpack, mut pack, mut count) = (Nest::of_width(1), Nest::of_width(1), 1);
    for &by in sorted.as_slice() {
        let by = exchanged(by);
        unpack.loops.push(Loop {
            dst: count as isize,
            ..by
        });
        pack.loops.push(Loop {
            src: count as isize,
            ..by
        });
        count *= by.size;
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
