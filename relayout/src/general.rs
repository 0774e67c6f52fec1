//! What has no common refinement: tiles of both sides that do not divide each other, and merged
//! coordinates.
//!
//! One dimension is inside: along it both sides move by constant steps between the places where a
//! digit changes. The others are an odometer that keeps what each contributes.
#![allow(unsafe_code)]

use alloc::vec::Vec;

use crate::bits;
use crate::cells::Cells;
use crate::piece::range;
use crate::refine::Digit;
use crate::side::Side;

/// So many coordinates of the inner dimension are looked at at once.
const BLOCK: usize = 4096;

/// How to copy element by element.
#[derive(Clone)]
pub(crate) struct General {
    cells: Cells,
    sizes: Vec<usize>,
    /// The inner dimension; nothing where no dimension has more than one index.
    inner: Option<usize>,
    /// The other dimensions of more than one index, the fastest first.
    outer: Vec<usize>,
    src: Side,
    dst: Side,
}

/// A run along the inner dimension: its first offset on either side, and its elements.
#[derive(Clone, Copy)]
struct Segment {
    src: isize,
    dst: isize,
    len: usize,
}

impl General {
    pub(crate) fn new(sizes: &[usize], src: &Side, dst: &Side) -> Self {
        let mut dims: Vec<usize> = (0..sizes.len()).filter(|dim| sizes[*dim] > 1).collect();
        // As the destination has them: it is written from front to back.
        dims.sort_by_key(|dim| {
            let of = dst.digits.iter().filter(|digit| digit.dim == *dim);
            of.map(|digit| digit.stride.unsigned_abs()).min()
        });
        // Merged coordinates say nothing about their dimensions: the last one is fast as a rule.
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

    fn inner_size(&self) -> usize {
        self.inner.map_or(1, |inner| self.sizes[inner])
    }

    /// The steps of the outer dimensions, and the blocks of the inner one.
    fn steps(&self) -> (usize, usize) {
        let steps = self.outer.iter().map(|dim| self.sizes[*dim]).product();
        (steps, self.inner_size().div_ceil(BLOCK))
    }

    /// The coordinates of a block.
    fn block(&self, block: usize) -> (usize, usize) {
        let begin = block * BLOCK;
        (begin, self.inner_size().min(begin + BLOCK))
    }

    /// How many elements a share has.
    pub(crate) fn elements_of_part(&self, part: usize, parts: usize) -> usize {
        let mut elements = 0;
        self.each((part, parts), |_, steps, (first, last)| {
            elements += steps * (last - first)
        });
        elements
    }

    /// Visits a share: the number of the first outer step, how many there are, and the block of the inner dimension.
    fn each(
        &self,
        (part, parts): (usize, usize),
        mut visit: impl FnMut(usize, usize, (usize, usize)),
    ) {
        let (steps, blocks) = self.steps();
        let (mut at, end) = range(steps * blocks, part, parts);
        while at < end {
            let until = end.min((at / steps + 1) * steps);
            visit(at % steps, until - at, self.block(at / steps));
            at = until;
        }
    }

    /// Copies a share of the elements. There is one share where elements of two could lie in one byte: see
    /// `Plan::parts`.
    ///
    /// # Safety
    /// As `Way::run`.
    pub(crate) unsafe fn run(&self, src: *const u8, dst: *mut u8, part: usize, parts: usize) {
        if parts > 1 && self.cells.dst_unit != 8 {
            unreachable!("a packed destination has one share");
        }
        let merges = self.src.terms.len() + self.dst.terms.len() > 0;
        self.each((part, parts), |first, steps, block| {
            // SAFETY: the caller's promise; the steps are below `steps`, the coordinates below the inner size.
            unsafe {
                if merges {
                    self.merged(src, dst, first, steps, block);
                } else {
                    self.separate(src, dst, first, steps, block);
                }
            }
        });
    }

    /// The runs of a block along the inner dimension, and what a step inside a run moves.
    fn segments(&self, (from, to): (usize, usize)) -> (Vec<Segment>, isize, isize) {
        let of = |side: &Side| -> Vec<Digit> {
            let digits = side.digits.as_slice().iter().copied();
            digits
                .filter(|digit| Some(digit.dim) == self.inner)
                .collect()
        };
        let (src, dst) = (of(&self.src), of(&self.dst));
        let step = |digits: &[Digit]| -> isize {
            let fast = digits.iter().filter(|digit| digit.divisor == 1);
            fast.map(|digit| digit.stride).sum()
        };
        let mut segments = Vec::new();
        let mut at = from;
        while at < to {
            // Up to where a digit changes, or the fast one begins again.
            let mut end = to;
            for digit in src.iter().chain(&dst) {
                let period = match (digit.divisor, digit.top) {
                    (1, true) => continue,
                    (1, false) => digit.size,
                    (divisor, _) => divisor,
                };
                // Beyond what a number counts there is no change.
                if let Some(change) = (at / period + 1).checked_mul(period) {
                    end = end.min(change);
                }
            }
            segments.push(Segment {
                src: sum(&src, at),
                dst: sum(&dst, at),
                len: end - at,
            });
            at = end;
        }
        (segments, step(&src), step(&dst))
    }

    /// Each dimension contributes by itself.
    ///
    /// # Safety
    /// As `run`.
    unsafe fn separate(
        &self,
        src: *const u8,
        dst: *mut u8,
        first: usize,
        steps: usize,
        block: (usize, usize),
    ) {
        let (segments, src_step, dst_step) = self.segments(block);
        let mut index = self.index_of(first);
        // What each outer dimension contributes, on either side.
        let of = |dim: usize, at: usize| (self.src.of_dim(dim, at), self.dst.of_dim(dim, at));
        let mut parts: Vec<(isize, isize)> =
            self.outer.iter().map(|dim| of(*dim, index[*dim])).collect();
        let mut sums = (self.src.base, self.dst.base);
        for part in &parts {
            sums = (sums.0 + part.0, sums.1 + part.1);
        }
        for _ in 0..steps {
            for segment in &segments {
                let (from, to) = (sums.0 + segment.src, sums.1 + segment.dst);
                // SAFETY: the outer coordinates are below their sizes, and the segment is inside of the inner
                // one, so each step of the run is an index in bounds. `parts` are what `of_dim` gives, and no
                // digit changes inside a segment, so the two offsets are those of `SIDE`, by which the
                // elements are in the buffers (2), and those of other shares are others (3).
                unsafe {
                    bits::run_of(
                        self.cells,
                        (src, from, src_step),
                        (dst, to, dst_step),
                        segment.len,
                    );
                }
            }
            for (k, &dim) in self.outer.iter().enumerate() {
                index[dim] += 1;
                let more = index[dim] < self.sizes[dim];
                if !more {
                    index[dim] = 0;
                }
                let part = of(dim, index[dim]);
                let before = core::mem::replace(&mut parts[k], part);
                sums = (sums.0 + part.0 - before.0, sums.1 + part.1 - before.1);
                if more {
                    break;
                }
            }
        }
    }

    /// Every element by itself.
    ///
    /// # Safety
    /// As `run`.
    unsafe fn merged(
        &self,
        src: *const u8,
        dst: *mut u8,
        first: usize,
        steps: usize,
        (from, to): (usize, usize),
    ) {
        let mut index = self.index_of(first);
        let mut coordinates = Vec::new();
        for _ in 0..steps {
            for at in from..to {
                if let Some(inner) = self.inner {
                    index[inner] = at;
                }
                let from = self.src.offset(&index, &mut coordinates);
                let to = self.dst.offset(&index, &mut coordinates);
                // SAFETY: the index is in bounds: the inner coordinate is inside of its block, and the others
                // count up to their sizes. `offset` is the one of `SIDE`, by which the element is in
                // the buffers (2), and those of other shares are others (3).
                unsafe { bits::run_of(self.cells, (src, from, 0), (dst, to, 0), 1) };
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

    /// The index of an outer step.
    fn index_of(&self, mut step: usize) -> Vec<usize> {
        let mut index = alloc::vec![0; self.sizes.len()];
        for &dim in &self.outer {
            index[dim] = step % self.sizes[dim];
            step /= self.sizes[dim];
        }
        index
    }
}

impl Side {
    /// What one dimension contributes.
    fn of_dim(&self, dim: usize, at: usize) -> isize {
        let of = self
            .digits
            .as_slice()
            .iter()
            .filter(|digit| digit.dim == dim);
        of.map(|digit| digit.offset(at)).sum()
    }

    /// The offset of an index, in units. `coordinates` is a buffer for those of the index and the merged ones.
    fn offset(&self, index: &[usize], coordinates: &mut Vec<usize>) -> isize {
        coordinates.clear();
        coordinates.extend_from_slice(index);
        for term in &self.terms {
            // The first merged coordinate has the number of the rank, and the others follow. Each is made of
            // dimensions and of earlier ones.
            if term.coordinate == coordinates.len() {
                coordinates.push(0);
            }
            let source = coordinates[term.digit.dim];
            // No overflow in bounds: the sum is below the width of what was merged.
            coordinates[term.coordinate] += term.digit.digit(source) * term.digit.stride;
        }
        let all = self.digits.as_slice().iter();
        all.fold(self.base, |sum, digit| {
            sum + digit.offset(coordinates[digit.dim])
        })
    }
}

fn sum(digits: &[Digit], at: usize) -> isize {
    digits.iter().map(|digit| digit.offset(at)).sum()
}
