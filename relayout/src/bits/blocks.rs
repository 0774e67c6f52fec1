//! Elements that are packed on one side, in any sequence: blocks of them are unpacked bytes in between.
//!
//! ```text
//! run    = the loops that follow each other on the packed side, up to RUN elements; where they have fewer than ENOUGH, the
//!          last one is cut there
//! beside = of the other loops the one with the shortest steps on the side of bytes, up to BLOCK elements with the run
//! a loop that is too long is cut; what is left of it is a nest of its own
//! for each block:
//!     packing:    copy its bytes to a buffer, run after run; pack each run
//!     unpacking:  unpack each run into the buffer; copy its bytes from there
//! ```
//!
//! The copy of bytes is an ordinary nest of loops.

use core::mem::MaybeUninit;

use super::{elements_of, in_a_byte, run_of};
use crate::cells::Cells;
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
use crate::kernels::{self, LINE};
use crate::nest::{Loop, Loops, MAX_LOOPS, Nest, each};

/// The most elements of a run: packing them takes much longer than the call.
/// Small in unit tests, whose arrays are small.
const RUN: usize = if cfg!(test) { 160 } else { 2048 };
/// The most elements of a block. It fits into the second cache together with whole lines of the unpacked side.
pub(super) const BLOCK: usize = if cfg!(test) { 400 } else { 64 << 10 };
/// A run of this many elements takes no part of the next loop, which may be the one along the
/// bytes.
const ENOUGH: usize = RUN / 16;
/// Shorter runs are copied element by element.
const SHORT: usize = 16;

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
/// multiple of `most` steps, and the second one has fewer. What `way` refuses is copied by this file's [`run`], and
/// then element by element. Neither calls `way`, so calls are nested at most as deep as loops.
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
            let _ = way(&part, cells, src, dst)
                || run(&part, cells, src, dst)
                || elements_of(&part, cells, src, dst);
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
pub(super) const fn whole(steps: usize) -> usize {
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
    let (packs, bits) = (cells.dst_bits < 8, cells.src_bits.min(cells.dst_bits));
    let is_one_packed = cells.src_bits.max(cells.dst_bits) == 8 && bits < 8 && in_a_byte(bits);
    // Long runs on both sides need no buffer.
    if !is_one_packed || nest.loops.len() == 0 || nest.width >= RUN / 4 {
        return false;
    }
    let packed = |by: &Loop| if packs { by.dst } else { by.src };
    let bytes = |by: &Loop| if packs { by.src } else { by.dst };
    let mut outer = loops_of(nest);
    let (mut loops, mut len, mut runs) = (Loops::<MAX_LOOPS>::NONE, 1, Loop::ONCE);
    while runs.size == 1
        && let Some(k) = (outer.as_slice().iter()).position(|by| packed(by) == len as isize)
    {
        let (by, most) = (outer.get(k), whole(RUN / len));
        if most < 2 || by.size > most && len >= ENOUGH {
            break;
        }
        let Some((part, over)) = parts(by, most) else {
            // SAFETY: the caller's promise.
            return unsafe { in_two(run, nest, (by, most), cells, (src, dst)) };
        };
        outer.remove(k);
        (len, runs) = (len * part.size, over);
        let fits = loops.push(part);
        debug_assert!(fits, "a run has few loops: each doubles it");
    }
    if len < SHORT {
        return false;
    }
    let pitch = pitch(len);
    let near = (0..outer.len()).min_by_key(|&k| bytes(&outer.get(k)).unsigned_abs());
    let by = near.map_or(Loop::ONCE, |near| outer.remove(near));
    let most = whole((BLOCK / pitch).max(1));
    let Some((beside, blocks)) = parts(by, most) else {
        // SAFETY: the caller's promise.
        return unsafe { in_two(run, nest, (by, most), cells, (src, dst)) };
    };
    let rows = beside.size;
    let mut around = Loops::<MOST_LOOPS>::NONE;
    for &by in [blocks, runs].iter().chain(outer.as_slice()) {
        let fits = around.push(by);
        debug_assert!(fits, "two of them were taken out");
    }
    let (step, mut down) = (packed(&beside), beside);
    *(if packs { &mut down.dst } else { &mut down.src }) = pitch as isize;
    let fits = loops.push(down);
    debug_assert!(fits, "a block has few loops");
    let mut copied = Nest {
        loops,
        ..Nest::of_width(1)
    };
    copied.normalise();
    let (task, by) = (Task::new(&copied), Run::of(len * rows));
    let (mut unpacking, mut packing) = (cells, cells);
    (unpacking.dst_bits, packing.src_bits) = (8, 8);
    let at = (nest.src, nest.dst);
    each_block::<BLOCK>(around.as_slice(), at, |buffer, from, to| {
        // SAFETY: the caller's promise: the steps of the loops are elements on both sides. The buffer has room
        // for `rows` runs at the pitch of the longest, at most `BLOCK` bytes. What is read of it was written before.
        unsafe {
            if packs {
                kernels::run(&task, src.offset(from), buffer, &by);
            }
            for k in 0..rows as isize {
                let at = k * pitch as isize;
                if packs {
                    run_of(packing, (buffer, at, 1), (dst, to + k * step, 1), len);
                } else {
                    run_of(unpacking, (src, from + k * step, 1), (buffer, at, 1), len);
                }
            }
            if !packs {
                kernels::run(&task, buffer, dst.offset(to), &by);
            }
        }
    });
    true
}
