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
//! for each box, the full blocks first: one loop for each cut; then the rest of each block, cut one
//!     level lower
//! ```
//!
//! Both sides are sums over digits of the same coordinates. If every cut divides the next one, a
//! digit between two neighbouring cuts has one stride on either side, and the copy is a nest of
//! loops.

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

    /// A mode of a layout with elements of `bytes` bytes. `None` if its stride in bytes does not
    /// fit into an offset.
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

    /// The offset that this digit contributes for a coordinate, in bytes.
    pub(crate) const fn offset(&self, coordinate: usize) -> isize {
        let digit = coordinate / self.divisor;
        let digit = if self.top { digit } else { digit % self.size };
        digit as isize * self.stride
    }
}

/// The most cuts, each of which makes a loop. The general path copies arrays that need more.
pub(crate) const MAX_CUTS: usize = MAX_LOOPS;

/// A cut of a dimension, and the distance of a step of the digit that begins there.
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
    /// The refinement for an array of these sizes, without merged coordinates and dimensions of
    /// size 0. `None` if a cut does not divide the next one, or if there are more than `MAX_CUTS`
    /// cuts: the general path copies these.
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
        each!(dim, 0..sizes.len(), {
            if sizes[dim] > 1 && refined.add(dim, sizes[dim], src, dst).is_none() {
                return None;
            }
        });
        Some(refined)
    }

    const fn add(&mut self, dim: usize, size: usize, src: &[Digit], dst: &[Digit]) -> Option<()> {
        // Each cut is the smallest divisor above the cut before.
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

    /// An iterator over the boxes, each a nest of loops.
    pub(crate) const fn first(&self) -> Boxes {
        Boxes(Some([0; MAX_CUTS]))
    }

    /// Returns the next box as a nest of loops, not yet normalised. The first box is the largest.
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

    /// Steps to the next combination of levels at which dimensions are cut. The level of a
    /// dimension is stored at its first cut. Returns whether there is one.
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

    /// The end of the cuts of the dimension with the first cut `k`.
    const fn end(&self, k: usize) -> usize {
        let mut end = k;
        while end < self.len && self.cuts[end].dim == self.cuts[k].dim {
            end += 1;
        }
        end
    }

    /// Returns the box at these levels; `None` if it is empty.
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
            each!(above, 0..end - k, {
                let Cut { src, dst, at, .. } = self.cuts[end - 1 - above];
                let size = left / at;
                if above < levels[k] {
                    // The digits above the level have their last value.
                    nest.src += size as isize * src;
                    nest.dst += size as isize * dst;
                    left %= at;
                } else if size == 0 {
                    return None;
                } else {
                    // The digit at the level runs over its whole blocks, and those below over all
                    // values. There are at most as many loops as cuts, and `MAX_CUTS` of them fit.
                    let fits = nest.loops.push(Loop { size, src, dst });
                    debug_assert!(fits);
                    left = at;
                }
            });
            k = end;
        }
        Some(nest)
    }
}

/// The levels of the next box; `None` after the last one.
#[derive(Clone, Copy)]
pub(crate) struct Boxes(Option<[usize; MAX_CUTS]>);

/// The distance of a step of the digit that begins at `at`, which lies within one digit of the
/// side.
const fn step(digits: &[Digit], dim: usize, at: usize) -> isize {
    let mut found = Digit::NONE;
    each!(digit, digits, {
        if digit.dim == dim && digit.divisor <= at && digit.divisor >= found.divisor {
            found = *digit;
        }
    });
    found.stride * (at / found.divisor) as isize
}

/// Returns the smallest divisor above `at`, or `smallest` if that is smaller.
const fn above(digits: &[Digit], dim: usize, at: usize, mut smallest: usize) -> usize {
    each!(digit, digits, {
        if digit.dim == dim && digit.divisor > at && digit.divisor < smallest {
            smallest = digit.divisor;
        }
    });
    smallest
}
