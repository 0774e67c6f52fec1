//! Elements that are packed on one side or on both, in any sequence: blocks of them are bytes in between.
//!
//! ```text
//! block = of all loops, the one of the shortest steps in the source and the one in the destination in turn, up to SIDE steps of
//!         each and BLOCK elements, so that both sides have long runs in a block
//! a loop that is too long is cut; what is left of it is a nest of its own
//! inner = the side that is packed; if both are, the one whose first loop is longer
//! for each block:
//!     copy it from the source into a buffer, a byte for each element, and from there to the destination
//! ```
//!
//! The loops that the inner side has chosen are the innermost ones of the buffer. So its step copies long runs of elements. The other
//! step is an ordinary copy: of bytes, or if both sides are packed, of bytes and packed elements.

use core::mem::MaybeUninit;

use super::planes::{self, SHORT};
use super::{elements_of, in_a_byte, rows};
use crate::cells::Cells;
use crate::kernels::LINE;
use crate::kernels::cost::Run;
use crate::nest::{Loop, Loops, MAX_LOOPS, Nest, each};

/// The most elements of a block. It fits into the second cache together with whole lines of the unpacked side. Small in unit
/// tests, whose arrays are small.
const BLOCK: usize = if cfg!(test) { 400 } else { 64 << 10 };
/// The most steps of a loop of a block if both sides are packed in other sequences.
const SIDE: usize = if cfg!(test) { 24 } else { 256 };
/// The same for others.
const RUN: usize = if cfg!(test) { 160 } else { 2048 };
/// Fewer elements are copied one by one: the plans of both steps take longer.
const FEW: usize = if cfg!(test) { 32 } else { 256 };
/// If one side is packed, it chooses loops until they have this many elements.
const ENOUGH: usize = if cfg!(test) { 16 } else { 128 };
/// Longer runs on both sides need no buffer, if one side is packed.
const LONG: usize = if cfg!(test) { 40 } else { 512 };

/// The loops of a nest, the width too, and the two that are cut.
pub(super) const MOST_LOOPS: usize = MAX_LOOPS + 3;

/// The first `most` steps of a loop, and the loop over such parts, where they divide it.
pub(super) fn parts(by: Loop, most: usize) -> Option<(Loop, Loop)> {
    let size = most.min(by.size);
    let over = Loop {
        size: by.size / size,
        // A step behind the last part may lead out of all memory.
        src: by.src.wrapping_mul(size as isize),
        dst: by.dst.wrapping_mul(size as isize),
    };
    (by.size.is_multiple_of(size)).then_some((Loop { size, ..by }, over))
}

/// A way of copying a nest. Returns whether it applies to the nest.
type Way = unsafe fn(&Nest, Cells, *const u8, *mut u8) -> bool;

/// Copies a nest in two parts. The first part has the largest multiple of `most` steps of one loop. Returns whether it
/// copied. `way`, which cuts the loop, copies both parts, and does not cut this loop again: the first part has a
/// multiple of `most` steps, and the second one has fewer. So calls are nested at most as deep as loops. What `way`
/// refuses is copied by this file's [`run`], and then element by element.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn in_two(
    way: Way,
    nest: &Nest,
    (cut, most): (Loop, usize),
    cells: Cells,
    (src, dst): (*const u8, *mut u8),
) -> bool {
    let whole = cut.size / most * most;
    for (begin, size) in [(0, whole), (whole, cut.size - whole)] {
        let mut part = Nest {
            src: nest.src + begin as isize * cut.src,
            dst: nest.dst + begin as isize * cut.dst,
            ..Nest::of_width(1)
        };
        for &by in loops_of(nest).as_slice() {
            let by = if by == cut { Loop { size, ..by } } else { by };
            if !part.loops.push(by) {
                return false;
            }
        }
        part.normalise();
        // SAFETY: the caller's promise.
        unsafe {
            if !(way(&part, cells, src, dst) || run(&part, cells, src, dst)) {
                elements_of(&part, cells, src, dst);
            }
        }
    }
    true
}

/// Calls `copy` with a buffer of `N` bytes, which begins at a line of the cache, and with the offsets of every step of the loops.
/// The buffer is not in the frame of the caller, which may copy the parts of its nest by further
/// calls.
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

/// The bytes of the buffer that a run of `len` elements takes. Runs that begin at multiples of 256 collide in the first
/// cache.
pub(super) const fn pitch(len: usize) -> usize {
    len + if len.is_multiple_of(256) { LINE } else { 0 }
}

/// Rounds a count of steps down to whole bytes, so that every part begins at a whole byte if the
/// first one does.
const fn whole(steps: usize) -> usize {
    if steps < 8 { steps } else { steps / 8 * 8 }
}

/// The loops of a nest, and the loop over its contiguous elements.
pub(super) fn loops_of(nest: &Nest) -> Loops<MOST_LOOPS> {
    let together = Loop {
        size: nest.width,
        src: 1,
        dst: 1,
    };
    let mut all = Loops::NONE;
    for by in nest.loops.as_slice().iter().chain([&together]) {
        let fits = by.size == 1 || all.push(*by);
        debug_assert!(fits, "there are at most `MAX_LOOPS` and the width");
    }
    all
}

/// Copies a nest. Returns whether this way applies to it.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn run(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) -> bool {
    let in_bytes = in_a_byte(cells.src_bits) && in_a_byte(cells.dst_bits);
    let both = cells.src_bits < 8 && cells.dst_bits < 8;
    let is_long = !both && (nest.loops.len() == 0 || nest.width >= LONG);
    let mut outer = loops_of(nest);
    if !in_bytes || is_long || outer.count() < FEW {
        return false;
    }
    // The loop of the shortest steps on a side: 0 is the source.
    let shortest = |outer: &Loops<MOST_LOOPS>, side: usize| {
        let steps = |by: Loop| [by.src, by.dst][side].unsigned_abs();
        (0..outer.len()).min_by_key(|&k| steps(outer.get(k)))
    };
    let size = |side| shortest(&outer, side).map_or(1, |k| outer.get(k).size);
    let (inner, enough, longest) = match both {
        // One loop is the innermost one on both sides.
        true if shortest(&outer, 0) == shortest(&outer, 1) => (0, 0, RUN),
        true => (usize::from(size(0) < size(1)), 0, SIDE),
        false => (usize::from(cells.dst_bits < 8), ENOUGH, RUN),
    };
    let mut around = Loops::<MOST_LOOPS>::NONE;
    // The loops of a block that the source has chosen, and those of the destination.
    let (mut chosen, mut count, mut side) = ([Loops::<MAX_LOOPS>::NONE; 2], 1, inner);
    while let Some(k) = shortest(&outer, side) {
        let (by, most) = (outer.get(k), whole((BLOCK / count).min(longest)));
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
        count *= part.size;
        side = if count < enough { inner } else { 1 - side };
    }
    for &by in outer.as_slice() {
        let fits = around.push(by);
        debug_assert!(fits, "each was one of the nest");
    }
    // Short runs are groups of a byte: `planes` copies them if other loops are contiguous in the buffer.
    let first = chosen[inner].get(0);
    let next = chosen[inner].get(1);
    let step_of = |by: Loop| [by.src, by.dst][inner].unsigned_abs();
    if chosen[inner].len() > 1 && first.size < SHORT && step_of(next) != first.size * step_of(first)
    {
        chosen[inner].remove(0);
        chosen[inner].push(first);
    }
    let (mut unpack, mut pack, mut step) = (Nest::of_width(1), Nest::of_width(1), 1);
    for side in [inner, 1 - inner] {
        for &by in chosen[side].as_slice() {
            unpack.loops.push(Loop {
                dst: step as isize,
                ..by
            });
            pack.loops.push(Loop {
                src: step as isize,
                ..by
            });
            step *= by.size;
        }
        step = pitch(step);
    }
    unpack.normalise();
    pack.normalise();
    let (mut unpacking, mut packing) = (cells, cells);
    (unpacking.dst_bits, packing.src_bits) = (8, 8);
    let by = Run::of(count);
    let at = (nest.src, nest.dst);
    each_block::<{ BLOCK / 4 * 5 }>(around.as_slice(), at, |buffer, from, to| {
        let mut nests = [unpack, pack];
        (nests[0].src, nests[1].dst) = (from, to);
        let steps = [
            (unpacking, src, buffer),
            (packing, buffer.cast_const(), dst),
        ];
        for (k, (cells, src, dst)) in steps.into_iter().enumerate() {
            // SAFETY: the caller's promise: every step of the loops is an element on both sides. The buffer has a byte for each of
            // the `count` elements, at most `BLOCK`, and `pitch` adds a quarter at most. Each is written before it is read.
            unsafe {
                if k == inner && !both {
                    let nest = &nests[k];
                    if !(rows(nest, cells, src, dst) || planes::run(nest, cells, src, dst)) {
                        elements_of(nest, cells, src, dst);
                    }
                } else {
                    super::run(&nests[k], cells, src, dst, &by);
                }
            }
        }
    });
    true
}
