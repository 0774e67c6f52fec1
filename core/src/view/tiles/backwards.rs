//! The blocks of an array from the last one on.

use core::iter::FusedIterator;

use super::{EachTile, Grid};
use crate::Coordinates;
use crate::part::TileBy;
use crate::types::StaticDimensions;
use crate::view::part_items::Take;
use crate::view::stored::Stored;

impl<L: TileBy<B>, B: StaticDimensions> Grid<'_, L, B> {
    /// The number of blocks along a dimension.
    fn count(&self, dim: usize) -> usize {
        self.sizes.coordinate(dim).div_ceil(B::SIZES[dim])
    }

    /// The index of the element of a block that is the lowest in memory: the last coordinate of
    /// each reversed dimension.
    #[inline(always)]
    pub(super) fn lowest(&self, origin: L::Coordinates) -> L::Coordinates {
        let mut lowest = origin;
        if const { L::REVERSES } {
            for (dim, &block) in B::SIZES.iter().enumerate() {
                if self.layout.is_reversed(dim) {
                    let start = origin.coordinate(dim);
                    let len = block.min(self.sizes.coordinate(dim) - start);
                    lowest.set(dim, start + len - 1);
                }
            }
        }
        lowest
    }

    /// How many blocks come before the one with this number.
    fn before(&self, number: &L::Coordinates) -> usize {
        let digits = number.as_ref().iter().enumerate();
        digits.fold(0, |before, (dim, digit)| before * self.count(dim) + digit)
    }

    /// The number of the block before which so many come.
    fn number(&self, before: usize) -> L::Coordinates {
        let mut number = self.next;
        let mut rest = before;
        for dim in (0..B::SIZES.len()).rev() {
            number.set(dim, rest % self.count(dim));
            rest /= self.count(dim);
        }
        number
    }

    /// The last number.
    pub(super) fn take_back(&mut self) -> Option<L::Coordinates> {
        self.left = self.left.checked_sub(1)?;
        Some(self.number(self.before(&self.next) + self.left))
    }

    /// Leaves out the next blocks.
    pub(super) fn skip(&mut self, count: usize) {
        if count < self.left {
            self.next = self.number(self.before(&self.next) + count);
        }
        self.left = self.left.saturating_sub(count);
    }

    /// Whether there is a block with this number, and it was not taken from either end.
    #[inline]
    pub(super) fn has(&self, number: &L::Coordinates) -> bool {
        let first = self.before(&self.next);
        self.is_inside(number) && (first..first + self.left).contains(&self.before(number))
    }
}

impl<S: Take<Item: Stored>, L: TileBy<B>, B: StaticDimensions> DoubleEndedIterator
    for EachTile<'_, S, L, B>
{
    fn next_back(&mut self) -> Option<Self::Item> {
        let number = self.grid.take_back()?;
        // Each number is taken once.
        let tile = self.grid.tile(&mut self.data, &number);
        Some((number, tile))
    }
}

impl<S: Take<Item: Stored>, L: TileBy<B>, B: StaticDimensions> FusedIterator
    for EachTile<'_, S, L, B>
{
}

// Written out, since deriving would ask the same of `L` and `B`.

impl<L: TileBy<B>, B: StaticDimensions> Clone for Grid<'_, L, B> {
    fn clone(&self) -> Self {
        Self {
            layout: self.layout,
            block: self.block.clone(),
            whole: self.whole.clone(),
            sizes: self.sizes,
            next: self.next,
            left: self.left,
        }
    }
}

impl<S: Clone, L: TileBy<B>, B: StaticDimensions> Clone for EachTile<'_, S, L, B> {
    fn clone(&self) -> Self {
        Self {
            data: self.data.clone(),
            grid: self.grid.clone(),
        }
    }
}
