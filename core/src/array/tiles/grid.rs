//! How an array is divided into blocks.

use crate::array::base::part_among;
use crate::array::several::Several;
use crate::array::storage::Take;
use crate::array::stored::Stored;
use crate::array::tile::Tile;
use crate::array_layout::sealed::Token;
use crate::coordinates::Coordinates;
use crate::layout_error::LayoutError;
use crate::layouts::types::StaticDimensions;
use crate::layouts::{RegionLayout, TileBy};

/// How an array is divided into blocks, and which of them an iteration has not given.
pub(super) struct Grid<'a, L: TileBy<B>, B: StaticDimensions> {
    layout: &'a L,
    block: L::Block,
    /// Some if there is a whole block: the same layout with sizes that the run time knows.
    whole: Option<RegionLayout<L::Block>>,
    sizes: L::Coordinates,
    /// The number of the next block of an iteration.
    next: L::Coordinates,
    pub(super) left: usize,
}

impl<'a, L: TileBy<B>, B: StaticDimensions> Grid<'a, L, B> {
    #[inline(always)]
    pub(super) fn new(layout: &'a L) -> Result<Self, LayoutError> {
        let () = L::FITS;
        let sizes = layout.shape();
        let block = layout.block(Token)?;
        let mut left = 1;
        let mut whole = true;
        for (dim, &size) in B::SIZES.iter().enumerate() {
            left *= sizes.coordinate(dim).div_ceil(size);
            whole &= sizes.coordinate(dim) >= size;
        }
        Ok(Self {
            next: L::Coordinates::origin(B::SIZES.len()),
            whole: whole.then(|| RegionLayout::new(block.clone(), B::SIZE_COORDINATES)),
            block,
            layout,
            sizes,
            left,
        })
    }

    /// The number of blocks along a dimension.
    #[inline(always)]
    fn count(&self, dim: usize) -> usize {
        self.sizes.coordinate(dim).div_ceil(B::SIZES[dim])
    }

    /// How many coordinates of a dimension the block has that begins at this one.
    #[inline(always)]
    fn len(&self, dim: usize, start: usize) -> usize {
        B::SIZES[dim].min(self.sizes.coordinate(dim) - start)
    }

    /// The block with this number, which there is. Its elements are taken from `data`.
    #[inline(always)]
    pub(super) fn tile<S: Take<Item: Stored>>(
        &self,
        data: &mut Several<S>,
        number: &L::Coordinates,
    ) -> Tile<S, L::Block, RegionLayout<L::Block>> {
        let mut origin = *number;
        let mut inside = true;
        for (dim, &size) in B::SIZES.iter().enumerate() {
            let start = number.coordinate(dim) * size;
            origin.set(dim, start);
            inside &= self.sizes.coordinate(dim) - start >= size;
        }
        let first = self.layout.linear_index(&self.lowest(origin));
        let (layout, whole) = match &self.whole {
            Some(layout) if inside => (layout.clone(), Some(self.block.clone())),
            _ => (self.edge(&origin), None),
        };
        let array = part_among(data, S::Item::place(self.layout, (first, layout)));
        Tile { array, whole }
    }

    #[cold]
    fn edge(&self, origin: &L::Coordinates) -> RegionLayout<L::Block> {
        let mut sizes = self.sizes;
        for dim in 0..B::SIZES.len() {
            sizes.set(dim, self.len(dim, origin.coordinate(dim)));
        }
        RegionLayout::new(self.block.clone(), sizes)
    }

    /// The index of the element of a block that is the lowest in memory: the last coordinate of
    /// each reversed dimension.
    #[inline(always)]
    fn lowest(&self, origin: L::Coordinates) -> L::Coordinates {
        let mut lowest = origin;
        if const { L::REVERSES } {
            for dim in (0..B::SIZES.len()).filter(|&dim| self.layout.is_reversed(dim)) {
                let start = origin.coordinate(dim);
                lowest.set(dim, start + self.len(dim, start) - 1);
            }
        }
        lowest
    }

    /// Whether there is a block with this number.
    #[inline(always)]
    pub(super) fn is_inside(&self, number: &L::Coordinates) -> bool {
        let mut inside = true;
        for dim in 0..B::SIZES.len() {
            inside &= number.coordinate(dim) < self.count(dim);
        }
        inside
    }

    /// Whether there is a block with this number, and it was not taken from either end.
    #[inline]
    pub(super) fn has(&self, number: &L::Coordinates) -> bool {
        let first = self.before(&self.next);
        self.is_inside(number) && (first..first + self.left).contains(&self.before(number))
    }

    /// The next number in row-major sequence.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<L::Coordinates> {
        self.left = self.left.checked_sub(1)?;
        let number = self.next;
        for dim in (0..B::SIZES.len()).rev() {
            let next = number.coordinate(dim) + 1;
            if next < self.count(dim) {
                self.next.set(dim, next);
                break;
            }
            self.next.set(dim, 0);
        }
        Some(number)
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

    /// How many blocks come before the one with this number.
    fn before(&self, number: &L::Coordinates) -> usize {
        let digits = number.as_ref().iter().enumerate();
        digits.fold(0, |before, (dim, digit)| before * self.count(dim) + digit)
    }

    /// The number of the block that has `before` blocks before it.
    fn number(&self, before: usize) -> L::Coordinates {
        let mut number = self.next;
        let mut rest = before;
        for dim in (0..B::SIZES.len()).rev() {
            number.set(dim, rest % self.count(dim));
            rest /= self.count(dim);
        }
        number
    }
}

// Written out, since deriving would ask the same of `B`.
impl<L: TileBy<B>, B: StaticDimensions> Clone for Grid<'_, L, B> {
    fn clone(&self) -> Self {
        Self {
            block: self.block.clone(),
            whole: self.whole.clone(),
            ..*self
        }
    }
}
