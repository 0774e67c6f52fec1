//! The common refinement of two layouts: each dimension is cut at every cut of either side.
//!
//! ```text
//! for each dimension:
//!     at = 1
//!     repeat: add a cut at `at` with the stride of the source and of the destination from there on
//!             next = the smallest divisor of either side above `at`
//!             next >= size of the dimension: the dimension is done
//!             next is not a multiple of at:  no refinement; the general path copies
//!             at = next
//! for each box, the full blocks first: one loop for each cut; then the rest of each block, cut one level lower
//! ```
//!
//! Both sides are sums over digits of the same coordinates. If every cut divides the next one, a digit between two
//! neighbouring cuts has one stride on either side, and the copy is a nest of loops.

use xlayout_core::Mode;

use crate::nest::{Loop, MAX_LOOPS, Nest};

/// One digit of a dimension's coordinate on one side, its stride in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digit {
    pub(crate) dim: usize,
    pub(crate) divisor: usize,
    pub(crate) size: usize,
    pub(crate) stride: isize,
    pub(crate) top: bool,
}

impl Digit {
    pub(crate) const NONE: Self = Self {
        dim: 0,
        divisor: 1,
        size: 1,
        stride: 0,
        top: true,
    };

    /// A mode of a layout whose elements take `bytes` bytes. `None` if its stride in bytes exceeds an offset.
    pub(crate) const fn of(mode: Mode, bytes: usize) -> Option<Self> {
        match mode.stride.checked_mul(bytes) {
            Some(stride) if stride <= isize::MAX as usize => Some(Self {
                dim: mode.dim,
                divisor: mode.divisor,
                size: mode.size,
                stride: stride as isize,
                top: mode.top,
            }),
            _ => None,
        }
    }

    /// What this digit contributes to the offset of a coordinate, in bytes.
    pub(crate) const fn offset(&self, coordinate: usize) -> isize {
        let digit = coordinate / self.divisor;
        let digit = if self.top { digit } else { digit % self.size };
        digit as isize * self.stride
    }
}

/// More cuts than this are left to the general path. Each makes a loop.
pub(crate) const MAX_CUTS: usize = MAX_LOOPS;

/// Where a dimension is cut, and what a step of the digit from there moves.
#[derive(Clone, Copy, Debug)]
struct Cut {
    dim: usize,
    at: usize,
    src: isize,
    dst: isize,
}

/// The cuts of all dimensions, those of one dimension together, the smallest first.
#[derive(Clone, Copy)]
pub(crate) struct Refinement {
    cuts: [Cut; MAX_CUTS],
    len: usize,
}

impl Refinement {
    /// The refinement for an array of these sizes; nothing merged, no dimension of size 0. `None` if a cut does not divide the
    /// next one, or there are more cuts than fit: the general path copies.
    pub(crate) const fn new(sizes: &[usize], src: &[Digit], dst: &[Digit]) -> Option<Self> {
        let mut refined = Self {
            cuts: [Cut {
                dim: 0,
                at: 1,
                src: 0,
                dst: 0,
            }; MAX_CUTS],
            len: 0,
        };
        let mut dim = 0;
        while dim < sizes.len() {
            if sizes[dim] > 1 && refined.add(dim, sizes[dim], src, dst).is_none() {
                return None;
            }
            dim += 1;
        }
        Some(refined)
    }

    const fn add(&mut self, dim: usize, size: usize, src: &[Digit], dst: &[Digit]) -> Option<()> {
        // Each cut in turn: the smallest divisor above the one before.
        let mut at = 1;
        loop {
            if self.len == MAX_CUTS {
                return None;
            }
            self.cuts[self.len] = Cut {
                dim,
                at,
                src: step(src, dim, at),
                dst: step(dst, dim, at),
            };
            self.len += 1;
            let next = above(src, dim, at, above(dst, dim, at, usize::MAX));
            if next >= size {
                return Some(());
            }
            if !next.is_multiple_of(at) {
                return None;
            }
            at = next;
        }
    }

    /// How many boxes a nest of loops is needed for.
    pub(crate) const fn first(&self) -> Boxes {
        Boxes(Some([0; MAX_CUTS]))
    }

    /// The next box as a nest of loops, not yet normalised. The first is the largest.
    pub(crate) const fn next(
        &self,
        sizes: &[usize],
        boxes: &mut Boxes,
        width: usize,
    ) -> Option<Nest> {
        while let Some(levels) = &mut boxes.0 {
            let nest = self.nest(sizes, levels, width);
            if !self.advance(levels) {
                boxes.0 = None;
            }
            if nest.is_some() {
                return nest;
            }
        }
        None
    }

    /// An odometer over the level at which each dimension is cut; a dimension's level is kept at
    /// its first cut.
    const fn advance(&self, levels: &mut [usize; MAX_CUTS]) -> bool {
        let mut k = 0;
        while k < self.len {
            let end = self.end(k);
            levels[k] += 1;
            if levels[k] < end - k {
                return true;
            }
            levels[k] = 0;
            k = end;
        }
        false
    }

    /// The end of the cuts of the dimension whose cuts begin at `k`.
    const fn end(&self, k: usize) -> usize {
        let mut end = k;
        while end < self.len && self.cuts[end].dim == self.cuts[k].dim {
            end += 1;
        }
        end
    }

    /// The box of these levels; `None` where it is empty.
    const fn nest(
        &self,
        sizes: &[usize],
        levels: &[usize; MAX_CUTS],
        width: usize,
    ) -> Option<Nest> {
        let mut nest = Nest::of_width(width);
        let mut k = 0;
        while k < self.len {
            let end = self.end(k);
            let mut left = sizes[self.cuts[k].dim];
            // The digits above the level stand still at their last value.
            let mut cut = end - 1;
            let level = end - 1 - levels[k];
            while cut > level {
                let digit = (left / self.cuts[cut].at) as isize;
                nest.src += digit * self.cuts[cut].src;
                nest.dst += digit * self.cuts[cut].dst;
                left %= self.cuts[cut].at;
                cut -= 1;
            }
            // The one at the level takes what is left whole; those below run in full.
            let mut size = left / self.cuts[level].at;
            if size == 0 {
                return None;
            }
            loop {
                let Cut { src, dst, at, .. } = self.cuts[cut];
                // There are as many loops as cuts at most, and `MAX_CUTS` of them fit.
                let fits = nest.loops.push(Loop { size, src, dst });
                debug_assert!(fits);
                if cut == k {
                    break;
                }
                cut -= 1;
                size = at / self.cuts[cut].at;
            }
            k = end;
        }
        Some(nest)
    }
}

/// The levels of the box that comes next; nothing behind the last one.
#[derive(Clone, Copy)]
pub(crate) struct Boxes(Option<[usize; MAX_CUTS]>);

/// What a step of the digit that begins at `at` moves: it lies within one digit of the side.
const fn step(digits: &[Digit], dim: usize, at: usize) -> isize {
    let mut found = Digit::NONE;
    let mut k = 0;
    while k < digits.len() {
        let digit = digits[k];
        if digit.dim == dim && digit.divisor <= at && digit.divisor >= found.divisor {
            found = digit;
        }
        k += 1;
    }
    found.stride * (at / found.divisor) as isize
}

/// The smallest divisor above `at`, or the smallest one so far.
const fn above(digits: &[Digit], dim: usize, at: usize, mut smallest: usize) -> usize {
    let mut k = 0;
    while k < digits.len() {
        let Digit {
            dim: of, divisor, ..
        } = digits[k];
        if of == dim && divisor > at && divisor < smallest {
            smallest = divisor;
        }
        k += 1;
    }
    smallest
}
