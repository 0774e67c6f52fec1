//! The coordinates of an axis in blocks.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

use super::axis::Axis;
use super::{ArrayLayout, Coordinate};

/// The coordinates of an [`Axis`] in blocks of `N`; [`Axis::blocks`] makes it. Each block is an
/// iterator of `N` coordinates.
pub struct AxisBlocks<L, const D: usize, const N: usize> {
    pub(super) range: Range<usize>,
    pub(super) next: usize,
    pub(super) count: usize,
    pub(super) marker: PhantomData<fn() -> L>,
}

impl<L: ArrayLayout, const D: usize, const N: usize> AxisBlocks<L, D, N> {
    /// The coordinates behind the last whole block, fewer than `N`.
    #[inline(always)]
    #[must_use]
    pub fn remainder(&self) -> Axis<L, D> {
        Axis {
            range: self.range.start + self.count * N..self.range.end,
            marker: PhantomData,
        }
    }
}

impl<L: ArrayLayout, const D: usize, const N: usize> Iterator for AxisBlocks<L, D, N> {
    type Item = AxisBlock<L, D, N>;

    #[inline(always)]
    fn next(&mut self) -> Option<AxisBlock<L, D, N>> {
        if self.next == self.count {
            return None;
        }
        let block = AxisBlock {
            first: self.range.start + self.next * N,
            range: 0..N,
            marker: PhantomData,
        };
        self.next += 1;
        Some(block)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count - self.next;
        (left, Some(left))
    }
}

impl<L: ArrayLayout, const D: usize, const N: usize> ExactSizeIterator for AxisBlocks<L, D, N> {}
impl<L: ArrayLayout, const D: usize, const N: usize> FusedIterator for AxisBlocks<L, D, N> {}

/// `N` coordinates of an axis, in sequence.
pub struct AxisBlock<L, const D: usize, const N: usize> {
    first: usize,
    range: Range<usize>,
    marker: PhantomData<fn() -> L>,
}

impl<L, const D: usize, const N: usize> AxisBlock<L, D, N> {
    /// The first coordinate of the block.
    #[inline(always)]
    #[must_use]
    pub const fn first(&self) -> Coordinate<L, D> {
        Coordinate::proven(self.first)
    }
}

impl<L, const D: usize, const N: usize> Iterator for AxisBlock<L, D, N> {
    type Item = Coordinate<L, D>;

    #[inline(always)]
    fn next(&mut self) -> Option<Coordinate<L, D>> {
        // The block is inside the axis: `first + N` is at most its end.
        let inside = self.range.next()?;
        Some(Coordinate::proven(self.first + inside))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl<L, const D: usize, const N: usize> ExactSizeIterator for AxisBlock<L, D, N> {}
impl<L, const D: usize, const N: usize> FusedIterator for AxisBlock<L, D, N> {}

impl<L, const D: usize, const N: usize> Clone for AxisBlocks<L, D, N> {
    fn clone(&self) -> Self {
        Self {
            range: self.range.clone(),
            ..*self
        }
    }
}

impl<L, const D: usize, const N: usize> fmt::Debug for AxisBlocks<L, D, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} in blocks of {N}", self.range)
    }
}

impl<L, const D: usize, const N: usize> Clone for AxisBlock<L, D, N> {
    fn clone(&self) -> Self {
        Self {
            range: self.range.clone(),
            ..*self
        }
    }
}

impl<L, const D: usize, const N: usize> fmt::Debug for AxisBlock<L, D, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.first + self.range.start..self.first + N)
    }
}
