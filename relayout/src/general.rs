//! Copies without a common refinement: the tiles of both sides do not divide each other, or
//! coordinates are merged.
//!
//! One dimension is the inner one: both sides move along it by constant steps between the
//! coordinates at which a digit changes. If coordinates are merged, each element is a step of its
//! own.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::ops::Range;

use crate::bits;
use crate::cells::Cells;
use crate::piece::Share;
use crate::refine::Digit;
use crate::side::Side;

/// The coordinates of the inner dimension in a block.
const BLOCK: usize = 4096;

/// How to copy element by element.
#[derive(Clone)]
pub(crate) struct General {
    cells: Cells,
    sizes: Vec<usize>,
    /// The inner dimension; `None` if no dimension has more than one index.
    inner: Option<usize>,
    /// The other dimensions of more than one index, the fastest first.
    outer: Vec<usize>,
    src: Side,
    dst: Side,
}

/// A run along the inner dimension: its first offset on either side, and its elements.
struct Segment {
    src: isize,
    dst: isize,
    len: usize,
}

impl General {
    pub(crate) fn new(sizes: &[usize], src: &Side, dst: &Side) -> Self {
        let mut dims: Vec<usize> = (0..sizes.len()).filter(|dim| sizes[*dim] > 1).collect();
        // In the sequence of the destination, which is written from front to back.
        dims.sort_by_key(|dim| {
            let own = dst.digits.iter().filter(|digit| digit.dim == *dim);
            own.map(|digit| digit.stride.unsigned_abs()).min()
        });
        // The strides of merged coordinates do not order dimensions: the last dimension is usually
        // the fastest.
        if !dst.terms.is_empty() {
            dims.sort_unstable_by(|a, b| b.cmp(a));
        }
        let inner = (!dims.is_empty()).then(|| dims.remove(0));
        Self {
            cells: Cells::of(src, dst),
            sizes: sizes.to_vec(),
            inner,
            outer: dims,
            src: src.clone(),
            dst: dst.clone(),
        }
    }

    /// The number of elements in a share.
    pub(crate) fn elements_of_part(&self, share: Share) -> usize {
        let mut elements = 0;
        self.each(share, |_, steps, block| elements += steps * block.len());
        elements
    }

    /// Visits a share: the first outer step, the number of outer steps, and the block of the inner
    /// dimension.
    fn each(&self, share: Share, mut visit: impl FnMut(usize, usize, Range<usize>)) {
        let inner = self.inner.map_or(1, |inner| self.sizes[inner]);
        let steps: usize = self.outer.iter().map(|dim| self.sizes[*dim]).product();
        let (mut at, end) = share.of(steps * inner.div_ceil(BLOCK));
        while at < end {
            let until = end.min((at / steps + 1) * steps);
            let begin = at / steps * BLOCK;
            visit(at % steps, until - at, begin..inner.min(begin + BLOCK));
            at = until;
        }
    }

    /// Copies a share of the elements. There is only one share if elements of two shares could have
    /// a byte in common: see `Plan::parts`.
    ///
    /// # Safety
    /// As `Way::run`.
    pub(crate) unsafe fn run(&self, src: *const u8, dst: *mut u8, share: Share) {
        if share.parts > 1 && !self.cells.dst_bits.is_multiple_of(8) {
            unreachable!("a packed destination has one share");
        }
        // SAFETY: the caller's promise; the steps are below `steps`, the coordinates below the
        // inner size.
        self.each(share, |first, steps, block| unsafe {
            self.copy(src, dst, first, steps, block);
        });
    }

    /// Returns the runs of a block along the inner dimension, and the distance of a step inside a
    /// run on each side.
    fn segments(&self, block: Range<usize>) -> (Vec<Segment>, (isize, isize)) {
        let inner_digits = |side: &Side| -> Vec<Digit> {
            let digits = side.digits.as_slice().iter().copied();
            digits
                .filter(|digit| Some(digit.dim) == self.inner)
                .collect()
        };
        let src = inner_digits(&self.src);
        let dst = inner_digits(&self.dst);
        let step = |digits: &[Digit]| -> isize {
            let fast = digits.iter().filter(|digit| digit.divisor == 1);
            fast.map(|digit| digit.stride).sum()
        };
        let mut segments = Vec::new();
        let mut at = block.start;
        while at < block.end {
            // Up to where a digit changes, or the fastest digit begins again.
            let mut end = block.end;
            for digit in src.iter().chain(&dst) {
                let period = match (digit.divisor, digit.top) {
                    (1, true) => continue,
                    (1, false) => digit.size,
                    (divisor, _) => divisor,
                };
                // If the product overflows, the digit does not change before the end.
                if let Some(change) = (at / period + 1).checked_mul(period) {
                    end = end.min(change);
                }
            }
            let sum = |digits: &[Digit]| digits.iter().map(|digit| digit.offset(at)).sum();
            segments.push(Segment {
                src: sum(&src),
                dst: sum(&dst),
                len: end - at,
            });
            at = end;
        }
        (segments, (step(&src), step(&dst)))
    }

    /// Copies a block of the inner dimension at some of the outer steps.
    ///
    /// # Safety
    /// As `run`.
    unsafe fn copy(
        &self,
        src: *const u8,
        dst: *mut u8,
        mut first: usize,
        steps: usize,
        block: Range<usize>,
    ) {
        let merges = self.src.terms.len() + self.dst.terms.len() > 0;
        let first_inner = block.start;
        let (segments, (src_step, dst_step)) = if merges {
            let of_one = |_| Segment {
                src: 0,
                dst: 0,
                len: 1,
            };
            (block.map(of_one).collect(), (0, 0))
        } else {
            self.segments(block)
        };
        let mut index = alloc::vec![0; self.sizes.len()];
        let mut coordinates = Vec::new();
        for &dim in &self.outer {
            index[dim] = first % self.sizes[dim];
            first /= self.sizes[dim];
        }
        for _ in 0..steps {
            let mut sums = (0, 0);
            for (k, segment) in segments.iter().enumerate() {
                // Each dimension is a separate summand, unless coordinates are merged.
                if k == 0 || merges {
                    if merges && let Some(inner) = self.inner {
                        index[inner] = first_inner + k;
                    }
                    let mut offset = |side: &Side| side.offset(&index, &mut coordinates);
                    sums = (offset(&self.src), offset(&self.dst));
                }
                let from = sums.0 + segment.src;
                let to = sums.1 + segment.dst;
                // SAFETY: the outer coordinates are below their sizes, and the segment is inside of
                // the inner one, so each step of the run is an index in bounds. `offset` is the one
                // of `SIDE`, and no digit changes inside a segment, so the elements are in the
                // buffers (2), and those of other shares are others (3).
                unsafe {
                    bits::run_of(
                        self.cells,
                        (src, from, src_step),
                        (dst, to, dst_step),
                        segment.len,
                    )
                };
            }
            for &dim in &self.outer {
                index[dim] += 1;
                if index[dim] < self.sizes[dim] {
                    break;
                }
                index[dim] = 0;
            }
        }
    }
}

impl Side {
    /// The offset of an index, in units. `coordinates` is a buffer for the coordinates of the index
    /// and the merged ones.
    fn offset(&self, index: &[usize], coordinates: &mut Vec<usize>) -> isize {
        coordinates.clear();
        coordinates.extend_from_slice(index);
        for term in &self.terms {
            // The number of the first merged coordinate is the rank, and the others follow. Each is
            // computed from dimensions and from earlier merged coordinates.
            if term.coordinate == coordinates.len() {
                coordinates.push(0);
            }
            let source = coordinates[term.digit.dim];
            // No overflow in bounds: the sum is below the size of the merged coordinate.
            coordinates[term.coordinate] += term.digit.digit(source) * term.digit.stride;
        }
        let all = self.digits.as_slice().iter();
        all.fold(self.base, |sum, digit| {
            sum + digit.offset(coordinates[digit.dim])
        })
    }
}
