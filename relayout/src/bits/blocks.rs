//! Elements that are packed on one side or on both, in any sequence: blocks of them are bytes in
//! between.
//!
//! ```text
//! block = of all loops, the one of the shortest steps in the source and the one in the destination
//!         in turn, up to SIDE steps of each and BLOCK elements, so that both sides have long runs
//!         in a block
//! a loop that is too long is cut; what is left of it is a nest of its own
//! inner = the side that is packed; if both are, the one whose first loop is longer
//! for each block:
//!     copy it from the source into a buffer, a byte for each element, and from there to the
//!     destination
//! ```
//!
//! The loops that the inner side has chosen are the innermost ones of the buffer. So its step
//! copies long runs of elements. The other step is an ordinary copy: of bytes, or if both sides are
//! packed, of bytes and packed elements.

use super::elements::{MOST_LOOPS, elements_of, in_a_byte, loops_of, rows};
use super::parts::{Without, add_part, each_block, parts, pitch};
use super::planes::{self, SHORT};
use crate::cells::Cells;
use crate::kernels::task::Task;
use crate::kernels::{self, Run};
use crate::nest::{Loop, Loops, Nest};

/// The most elements of a block. It fits into the second cache together with whole lines of the
/// unpacked side. Small in unit tests, whose arrays are small.
pub(super) const BLOCK: usize = if cfg!(test) { 400 } else { 64 << 10 };
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

/// The loops of a block that a side chooses: each at least doubles the block.
type Chosen = Loops<{ BLOCK.ilog2() as usize + 1 }>;

/// A way of copying a nest, unless it does not apply to it.
type CopyCells = unsafe fn(&Nest, Cells, *const u8, *mut u8) -> Result<(), Without>;

/// Copies a nest by a way; in two parts, if a loop is too long for its blocks. The first part has
/// the largest multiple of `limit` steps of this loop. Returns whether it copied. `way`, which cuts
/// the loop, copies both parts, and does not cut this loop again: the first part has a multiple of
/// `limit` steps, and the second one has fewer. So calls are nested at most as deep as loops. What
/// `way` refuses is copied by [`run`], and then element by element.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn in_parts(
    way: CopyCells,
    nest: &Nest,
    cells: Cells,
    src: *const u8,
    dst: *mut u8,
) -> bool {
    // SAFETY: the caller's promise.
    let (cut, limit) = match unsafe { way(nest, cells, src, dst) } {
        Ok(()) => return true,
        Err(Without::Refused) => return false,
        Err(Without::TooLong(cut, limit)) => (cut, limit),
    };
    let whole = cut.size / limit * limit;
    for (begin, size) in [(0, whole), (whole, cut.size - whole)] {
        let mut part = Nest {
            src: nest.src + begin as isize * cut.src,
            dst: nest.dst + begin as isize * cut.dst,
            ..Nest::of_width(1)
        };
        for &level in loops_of(nest).as_slice() {
            let size = if level == cut { size } else { level.size };
            if !part.loops.push(Loop { size, ..level }) {
                return false;
            }
        }
        part.normalise();
        // SAFETY: the caller's promise: the steps of a part are steps of the nest.
        unsafe {
            let copied =
                in_parts(way, &part, cells, src, dst) || in_parts(run, &part, cells, src, dst);
            if !copied {
                elements_of(&part, cells, src, dst);
            }
        }
    }
    true
}

/// Rounds a count of steps down to whole bytes, so that every part begins at a whole byte if the
/// first one does.
const fn whole(steps: usize) -> usize {
    if steps < 8 { steps } else { steps / 8 * 8 }
}

/// Copies a nest, unless this way does not apply to it.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn run(
    nest: &Nest,
    cells: Cells,
    src: *const u8,
    dst: *mut u8,
) -> Result<(), Without> {
    let blocks = Blocks::of(nest, cells)?;
    // SAFETY: the caller's promise, of the nest that these are the blocks of.
    unsafe { blocks.copy(src, dst) };
    Ok(())
}

/// How a nest is copied. There are no addresses here: [`copy`](Self::copy) has them.
///
/// The invariant `BLOCKS`, of a nest and what [`of`](Self::of) makes of it:
/// 1. The steps of `around` and of a block are the steps of the nest, each once.
/// 2. The first step of a block writes all its elements to the buffer, and the second one reads
///    them there. The buffer has a byte for each of the `count` elements, at most `BLOCK`, and
///    `pitch` adds a quarter at most.
pub(super) struct Blocks {
    /// The loops around a block, and where they begin on both sides.
    pub(super) around: Loops<MOST_LOOPS>,
    begin: (isize, isize),
    /// From the source to the buffer, and from there to the destination.
    pub(super) steps: [(Nest, Cells); 2],
    count: usize,
    /// The step that copies packed elements, if the other one copies bytes only.
    packed_step: Option<usize>,
}

impl Blocks {
    pub(super) fn of(nest: &Nest, cells: Cells) -> Result<Self, Without> {
        let in_bytes = in_a_byte(cells.src_bits) && in_a_byte(cells.dst_bits);
        let both = cells.src_bits < 8 && cells.dst_bits < 8;
        let is_long = !both && (nest.loops.len() == 0 || nest.width >= LONG);
        let mut outer = loops_of(nest);
        if !in_bytes || is_long || outer.count() < FEW {
            return Err(Without::Refused);
        }
        // The loop of the shortest steps on a side: 0 is the source.
        let step = |level: Loop, side: usize| [level.src, level.dst][side].unsigned_abs();
        let shortest = |outer: &Loops<MOST_LOOPS>, side: usize| {
            (0..outer.len()).min_by_key(|&k| step(outer.get(k), side))
        };
        let size = |side| shortest(&outer, side).map_or(1, |k| outer.get(k).size);
        let (inner, enough, longest) = if !both {
            (usize::from(cells.dst_bits < 8), ENOUGH, RUN)
        } else if shortest(&outer, 0) == shortest(&outer, 1) {
            // One loop is the innermost one on both sides.
            (0, 0, RUN)
        } else {
            (usize::from(size(0) < size(1)), 0, SIDE)
        };
        let unpacking = Cells {
            dst_bits: 8,
            ..cells
        };
        let packing = Cells {
            src_bits: 8,
            ..cells
        };
        let mut blocks = Self {
            around: Loops::NONE,
            begin: (nest.src, nest.dst),
            steps: [(Nest::of_width(1), unpacking), (Nest::of_width(1), packing)],
            count: 1,
            packed_step: (!both).then_some(inner),
        };
        // The loops of a block that the source has chosen, and those of the destination.
        let mut chosen = [Chosen::NONE; 2];
        let mut side = inner;
        while let Some(k) = shortest(&outer, side) {
            let level = outer.get(k);
            let limit = whole((BLOCK / blocks.count).min(longest));
            if limit < 2 {
                break;
            }
            let (part, repeats) = parts(level, limit).ok_or(Without::TooLong(level, limit))?;
            outer.remove(k);
            add_part(&mut chosen[side], part, &mut blocks.around, repeats);
            blocks.count *= part.size;
            side = if blocks.count < enough {
                inner
            } else {
                1 - side
            };
        }
        for &level in outer.as_slice() {
            let fits = blocks.around.push(level);
            debug_assert!(fits, "each was one of the nest");
        }
        // Short runs are groups of a byte: `planes` copies them if other loops are contiguous in
        // the buffer.
        let first = chosen[inner].get(0);
        let next = chosen[inner].get(1);
        if chosen[inner].len() > 1
            && first.size < SHORT
            && step(next, inner) != first.size * step(first, inner)
        {
            chosen[inner].remove(0);
            chosen[inner].push(first);
        }
        blocks.take(&chosen[inner], &chosen[1 - inner]);
        Ok(blocks)
    }

    /// Gives both steps their loops; `inner` are the innermost ones of the buffer.
    fn take(&mut self, inner: &Chosen, outer: &Chosen) {
        let [(unpack, _), (pack, _)] = &mut self.steps;
        let mut in_buffer = 1;
        for loops in [inner, outer] {
            for &level in loops.as_slice() {
                let dst = in_buffer as isize;
                let src = dst;
                unpack.loops.push(Loop { dst, ..level });
                pack.loops.push(Loop { src, ..level });
                in_buffer *= level.size;
            }
            in_buffer = pitch(in_buffer);
        }
        unpack.normalise();
        pack.normalise();
    }

    /// Copies the nest that these are the blocks of.
    ///
    /// # Safety
    /// As `super::run`.
    unsafe fn copy(&self, src: *const u8, dst: *mut u8) {
        let run = Run::of(self.count);
        each_block::<{ BLOCK / 4 * 5 }>(self.around.as_slice(), self.begin, |buffer, from, to| {
            let sides = [(src, buffer), (buffer.cast_const(), dst)];
            for (k, (src, dst)) in sides.into_iter().enumerate() {
                let (mut nest, cells) = self.steps[k];
                if k == 0 {
                    nest.src = from;
                } else {
                    nest.dst = to;
                }
                // SAFETY: by `BLOCKS` the steps are elements of the nest on its sides, which the
                // caller promises, and bytes of the buffer, which are written before they are read.
                unsafe {
                    if self.packed_step.is_some_and(|step| step != k) {
                        kernels::run(&Task::new(&nest), src, dst, &run);
                        continue;
                    }
                    let copied = rows(&nest, cells, src, dst)
                        || in_parts(planes::run, &nest, cells, src, dst)
                        || self.packed_step.is_none()
                            && in_parts(self::run, &nest, cells, src, dst);
                    if !copied {
                        elements_of(&nest, cells, src, dst);
                    }
                }
            }
        });
    }
}
