//! Elements that are packed on one side, or on both, in any sequence: blocks that are bytes in between.
//!
//! ```text
//! run    = the loops that follow each other on the packed side, up to RUN elements; where they have fewer than ENOUGH, the
//!          last one is cut there
//! beside = of the other loops the one with the shortest steps on the side of bytes, up to BLOCK elements with the run
//! for each block:
//!     packing:    copy its bytes to a buffer, run after run; pack each run
//!     unpacking:  unpack each run into the buffer; copy its bytes from there
//!     both, where the run is one loop, and the source has its elements beside together:  unpack rows of the source into
//!                 another buffer, transpose them into the first one; pack each run
//! ```
//!
//! The copy of bytes is a nest of loops as any other. The ends of loops that are cut are blocks of other sizes.

use core::mem::MaybeUninit;

use super::run_of;
use crate::cells::Cells;
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
use crate::kernels::{self, LINE};
use crate::nest::{Loop, Loops, MAX_LOOPS, Nest, each};

/// The elements of a run, at most: packing them takes much longer than the call.
/// Small in unit tests, whose arrays are small.
const RUN: usize = if cfg!(test) { 160 } else { 2048 };
/// The elements of a block, at most: they fit into a second cache, with lines of the side of bytes that are read whole.
const BLOCK: usize = if cfg!(test) { 400 } else { 64 << 10 };
/// Runs of this many elements take no part of a loop, which may be the one along the bytes.
const ENOUGH: usize = RUN / 16;
/// Shorter runs are copied element by element.
const SHORT: usize = 16;

/// The loops of a nest, the width too, and the two that are cut.
pub(super) const MOST_LOOPS: usize = MAX_LOOPS + 3;

/// A loop in parts: those of `size` steps, and the rest.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    by: Loop,
    size: usize,
}

impl Cut {
    /// A loop in parts of at most so many steps.
    pub(super) fn at(by: Loop, most: usize) -> Self {
        let size = if by.size > most { whole(most) } else { by.size };
        Self { by, size }
    }

    /// The loop over the parts, and how many steps each has; first those of equal size.
    pub(super) fn parts(self) -> impl Iterator<Item = (isize, Loop, usize)> {
        let Self { by, size } = self;
        let (whole, rest) = (by.size / size, by.size % size);
        let over = |count, begin| {
            // A step behind the last part may lead out of all memory.
            let of = |step: isize| step.wrapping_mul(size as isize);
            let parts = Loop {
                size: count,
                src: of(by.src),
                dst: of(by.dst),
            };
            (begin as isize, parts, if begin == 0 { size } else { rest })
        };
        let last = (rest > 0).then(|| over(1, whole * size));
        core::iter::once(over(whole, 0)).chain(last)
    }
}

/// The bytes of a block. It begins at a line of the cache.
#[repr(align(64))]
struct Buffer([MaybeUninit<u8>; BLOCK]);

/// How many bytes of the buffer a run of so many elements takes: runs that begin at multiples of 256 collide in the first
/// cache.
pub(super) const fn pitch(len: usize) -> usize {
    if len.is_multiple_of(256) {
        len + LINE
    } else {
        len
    }
}

/// So many steps or fewer, such that parts begin at whole bytes where the first one does.
const fn whole(steps: usize) -> usize {
    if steps < 8 { steps } else { steps / 8 * 8 }
}

/// The loops of a nest, and the one over the elements that lie together.
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

/// Copies a nest; whether it did.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn run(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) -> bool {
    let is_packed = |bits| match bits {
        1 | 2 | 4 => Some(true),
        8 => Some(false),
        _ => None,
    };
    let (Some(unpacks), Some(packs)) = (is_packed(cells.src_bits), is_packed(cells.dst_bits))
    else {
        return false;
    };
    if nest.loops.len() == 0 || nest.width >= RUN / 4 {
        // Long runs on both sides need no buffer.
        return false;
    }
    let packed = |by: &Loop| if packs { by.dst } else { by.src };
    let bytes = |by: &Loop| if packs { by.src } else { by.dst };
    let mut outer = loops_of(nest);
    let nothing = Cut {
        by: Loop::ONCE,
        size: 1,
    };
    let both = packs && unpacks;
    // The rows that are unpacked are as long as the runs then.
    let longest = if both { RUN / 8 } else { RUN };
    let (mut inner, mut len, mut cut) = (Loops::<MAX_LOOPS>::NONE, 1, nothing);
    while let Some(k) = outer
        .as_slice()
        .iter()
        .position(|by| packed(by) == len as isize)
    {
        let (by, most) = (outer.get(k), longest / len);
        if most < 2 || by.size > most && len >= ENOUGH {
            break;
        }
        outer.remove(k);
        if by.size > most {
            cut = Cut::at(by, most);
            break;
        }
        let fits = inner.push(by);
        debug_assert!(fits, "a run has few loops: each doubles it");
        len *= by.size;
    }
    if len * cut.size < SHORT {
        return false;
    }
    let pitch = pitch(len * cut.size);
    let near = (0..outer.len()).min_by_key(|&k| bytes(&outer.get(k)).unsigned_abs());
    let beside = near.map_or(nothing, |near| {
        let by = outer.remove(near);
        Cut::at(by, (BLOCK / pitch).max(1))
    });
    // Where both sides are packed, the rows of the source are unpacked first: those of a plane.
    if both
        && (inner.len() + usize::from(cut.size > 1) != 1
            || beside.by.src != 1
            || beside.size < SHORT)
    {
        return false;
    }
    let mut buffers = [const { Buffer([const { MaybeUninit::uninit() }; BLOCK]) }; 2];
    let [buffer, unpacked] = buffers
        .each_mut()
        .map(|buffer| buffer.0.as_mut_ptr().cast::<u8>());
    let (unpacking, packing) = (
        Cells {
            dst_unit: 8,
            dst_bits: 8,
            ..cells
        },
        Cells {
            src_unit: 8,
            src_bits: 8,
            ..cells
        },
    );
    for (first, runs, steps) in cut.parts() {
        let len = len * steps;
        for (row, blocks, rows) in beside.parts() {
            let mut around = Loops::<MOST_LOOPS>::NONE;
            for &by in [blocks, runs].iter().chain(outer.as_slice()) {
                let fits = around.push(by);
                debug_assert!(fits, "two of them were taken out");
            }
            let mut loops = inner;
            let last = Loop {
                size: steps,
                ..cut.by
            };
            let mut down = Loop {
                size: rows,
                ..beside.by
            };
            let step = packed(&down);
            *(if packs { &mut down.dst } else { &mut down.src }) = pitch as isize;
            // The loop along the run, where it is the only one.
            let along = if inner.len() == 1 { inner.get(0) } else { last };
            let mut fits = loops.push(last) && loops.push(down);
            if both {
                let of_rows = Loop {
                    src: rows as isize,
                    ..along
                };
                loops = Loops::NONE;
                fits = loops.push(of_rows) && loops.push(down);
            }
            debug_assert!(fits, "as above");
            let mut copied = Nest {
                loops,
                ..Nest::of_width(1)
            };
            copied.normalise();
            let (task, by) = (Task::new(&copied), Run::of(len * rows));
            let from = nest.src + first * cut.by.src + row * beside.by.src;
            let to = nest.dst + first * cut.by.dst + row * beside.by.dst;
            each::<MOST_LOOPS>(around.as_slice(), (from, to), |from, to| {
                // SAFETY: the caller's promise: the steps of the loops are elements on both sides. The buffer has room for
                // `rows` runs at the pitch of the longest, at most `BLOCK` bytes; the other one for as many elements. What is
                // read of them was written before.
                unsafe {
                    if both {
                        for k in 0..len as isize {
                            let row = (unpacked, k * rows as isize, 1);
                            run_of(unpacking, (src, from + k * along.src, 1), row, rows);
                        }
                        kernels::run(&task, unpacked, buffer, &by);
                    } else if packs {
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
        }
    }
    true
}
