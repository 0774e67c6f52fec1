//! A packed array in blocks, and the coordinates of its axes.

use core::fmt;

use super::packed::PackedBase;
use super::packed_bytes::{check_lengths, place_in_bytes};
use super::packed_parts::PackedPart;
use super::part_items::{PartItems, PartItemsMut};
use super::places::assert_unique;
use super::storage::{Borrowed, Storage, StorageMut};
use super::tiles::{Grid, TileOf};
use crate::array_layout::{ArrayLayout, Axis};
use crate::layout_error::LayoutError;
use crate::part::TileBy;
use crate::types::StaticDimensions;
use crate::{ArrayBase, HasDimension};

/// A block of a packed array, as [`TileOf`] of other arrays.
#[derive(Clone, Copy)]
pub enum PackedTileOf<S, W, E> {
    /// A block that is inside the array: the compiler knows its sizes.
    Whole(PackedBase<S, W>),
    /// A block of which only a part is inside the array: its sizes are known at run time.
    Edge(PackedBase<S, E>),
}

/// A block of a packed array with layout `L`, borrowed.
pub type PackedTileView<'a, L, B> =
    PackedTileOf<PartItems<'a, u8>, <L as TileBy<B>>::Block, <L as ArrayLayout>::Region>;

/// A block of a packed array with layout `L`, to write.
pub type PackedTileViewMut<'a, L, B> =
    PackedTileOf<PartItemsMut<'a, u8>, <L as TileBy<B>>::Block, <L as ArrayLayout>::Region>;

/// The blocks of a packed array, each with its number: [`PackedBase::try_tiles`].
pub struct PackedTileViews<'a, L: TileBy<B>, B: StaticDimensions> {
    bytes: PartItems<'a, u8>,
    grid: Grid<L, B>,
}

/// The blocks of a packed array, to write, each with its number: [`PackedBase::try_tiles_mut`].
pub struct PackedTileViewsMut<'a, L: TileBy<B>, B: StaticDimensions> {
    bytes: PartItemsMut<'a, u8>,
    grid: Grid<L, B>,
}

/// The blocks, which share no byte.
fn grid<L: TileBy<B>, B: StaticDimensions>(layout: &L) -> Result<Grid<L, B>, LayoutError> {
    let () = L::FITS;
    let grid = Grid::new(layout.clone())?;
    for (dim, &block) in B::SIZES.iter().enumerate() {
        check_lengths(layout, dim, block)?;
    }
    Ok(grid)
}

/// Gives a placed block its bytes.
macro_rules! filled {
    ($grid:expr, $number:expr, $bytes:expr) => {{
        let (first, tile) = $grid.place($number);
        let whole = $grid.layout();
        match tile {
            TileOf::Whole(ArrayBase { layout, .. }) => {
                let (byte, layout) = place_in_bytes(whole, (first, layout));
                PackedTileOf::Whole(PackedBase {
                    bytes: $bytes(byte, layout.bytes()),
                    layout,
                })
            }
            TileOf::Edge(ArrayBase { layout, .. }) => {
                let (byte, layout) = place_in_bytes(whole, (first, layout));
                PackedTileOf::Edge(PackedBase {
                    bytes: $bytes(byte, layout.bytes()),
                    layout,
                })
            }
        }
    }};
}

impl<'a, L: TileBy<B>, B: StaticDimensions> PackedTileViews<'a, L, B> {
    /// The block with a number, dimension 0 first; `None` beyond the end.
    #[must_use]
    pub fn get(&self, number: L::Coordinates) -> Option<PackedTileView<'a, L, B>> {
        if !self.grid.has(&number) {
            return None;
        }
        Some(filled!(self.grid, &number, |byte, len| self
            .bytes
            .part(byte, len)))
    }
}

impl<'a, L: TileBy<B>, B: StaticDimensions> Iterator for PackedTileViews<'a, L, B> {
    type Item = (L::Coordinates, PackedTileView<'a, L, B>);

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.grid.take()?;
        let tile = filled!(self.grid, &number, |byte, len| self.bytes.part(byte, len));
        Some((number, tile))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.grid.left(), Some(self.grid.left()))
    }
}

impl<'a, L: TileBy<B>, B: StaticDimensions> Iterator for PackedTileViewsMut<'a, L, B> {
    type Item = (L::Coordinates, PackedTileViewMut<'a, L, B>);

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.grid.take()?;
        // Disjoint: `grid` has found that no byte has elements of two blocks, and each number is taken once.
        let tile = filled!(self.grid, &number, |byte, len| {
            self.bytes.disjoint_part(byte, len)
        });
        Some((number, tile))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.grid.left(), Some(self.grid.left()))
    }
}

impl<L: TileBy<B>, B: StaticDimensions> ExactSizeIterator for PackedTileViews<'_, L, B> {}
impl<L: TileBy<B>, B: StaticDimensions> ExactSizeIterator for PackedTileViewsMut<'_, L, B> {}

impl<L: TileBy<B>, B: StaticDimensions> fmt::Debug for PackedTileViews<'_, L, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks of {:?}", self.grid.left(), B::SIZES)
    }
}

impl<L: TileBy<B>, B: StaticDimensions> fmt::Debug for PackedTileViewsMut<'_, L, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks of {:?}", self.grid.left(), B::SIZES)
    }
}

impl<S: Storage<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// The coordinates of dimension `D`, each proven in bounds: see
    /// [`ArrayBase::axis`](crate::ArrayBase::axis).
    ///
    /// ```
    /// use xlayout_core::{PackedView, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "u4[2,2]{1,0:E(4)}".parse()?;
    /// let view = PackedView::new(&[0x10, 0x32][..], layout)?;
    /// let (rows, columns) = (view.axis::<0>(), view.axis::<1>());
    /// assert!(rows.zip(columns).map(|(i, j)| view.at((i, j))).eq([0, 3]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn axis<const D: usize>(&self) -> Axis<L, D>
    where
        L::Coordinates: HasDimension<D>,
    {
        Axis::of(self.layout())
    }

    /// The whole array as a part, for functions that take parts.
    pub fn as_part(&self) -> PackedPart<'_, L> {
        PackedBase {
            bytes: self.bytes.part_items(),
            layout: self.layout.clone(),
        }
    }

    /// The array in blocks of the sizes `B`, each with its number: see
    /// [`ArrayBase::try_tiles`](crate::ArrayBase::try_tiles). No byte has elements of two blocks.
    ///
    /// ```
    /// use xlayout_core::types::Nat;
    /// use xlayout_core::{PackedTileOf, PackedView, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "u4[2,4]{1,0:E(4)}".parse()?;
    /// let view = PackedView::new(&[0x10, 0x32, 0x54, 0x76][..], layout)?;
    /// for ([i, j], tile) in view.try_tiles::<(Nat<1>, Nat<2>)>()? {
    ///     let PackedTileOf::Whole(tile) = tile else { unreachable!() };
    ///     assert_eq!(tile.at([0, 1]), view.at([i, 2 * j + 1]));
    /// }
    /// assert!(view.try_tiles::<(Nat<1>, Nat<3>)>().is_err()); // a block would begin inside a byte
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As [`ArrayBase::try_tiles`](crate::ArrayBase::try_tiles), and [`LayoutError::SharedByte`].
    pub fn try_tiles<B>(&self) -> Result<PackedTileViews<'_, L, B>, LayoutError>
    where
        B: StaticDimensions,
        L: TileBy<B>,
    {
        Ok(PackedTileViews {
            bytes: self.bytes.part_items(),
            grid: grid(&self.layout)?,
        })
    }
}

impl<S: StorageMut<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// The array in blocks of the sizes `B`, to write. No byte has elements of two blocks, so threads may
    /// write to them. See [`try_tiles`](PackedBase::try_tiles).
    ///
    /// # Errors
    /// As there.
    pub fn try_tiles_mut<B>(&mut self) -> Result<PackedTileViewsMut<'_, L, B>, LayoutError>
    where
        B: StaticDimensions,
        L: TileBy<B>,
    {
        const { assert_unique::<L>() }
        Ok(PackedTileViewsMut {
            grid: grid(&self.layout)?,
            bytes: self.bytes.part_items_mut(),
        })
    }
}
