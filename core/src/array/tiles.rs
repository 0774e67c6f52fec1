//! An array in blocks.

mod grid;

use core::fmt;
use core::iter::FusedIterator;

use self::grid::Grid;
use super::reference::ArrayRef;
use super::several::{Apart, Several};
use super::storage::{PartItems, PartItemsMut, Take};
use super::stored::{Addressed, Stored};
use super::tile::{Tile, TileView, TileViewMut};
use crate::array_layout::ArrayLayout;
use crate::layout_error::LayoutError;
use crate::layouts::region::parts::assert_unique;
use crate::layouts::types::StaticDimensions;
use crate::layouts::{ConstTiles, RegionLayout, TileBy};

/// The blocks of an array, each with its number in each dimension; [`ArrayRef::tiles`] and
/// [`ArrayRef::try_tiles`] make it. [`Tile`] has an example.
pub type TileViews<'a, T, L, B> = EachTile<'a, PartItems<'a, T>, L, B>;

/// The blocks of an array, to write, each with its number: [`ArrayRef::tiles_mut`].
pub type TileViewsMut<'a, T, L, B> = EachTile<'a, PartItemsMut<'a, T>, L, B>;

/// [`TileViews`] and [`TileViewsMut`].
#[allow(unreachable_pub, reason = "public types are it")]
pub struct EachTile<'a, S, L: TileBy<B>, B: StaticDimensions> {
    data: Several<S>,
    grid: Grid<'a, L, B>,
}

impl<'a, S: Take<Item: Stored>, L: TileBy<B>, B: StaticDimensions> EachTile<'a, S, L, B> {
    /// The type of the sizes says their values.
    #[inline(always)]
    fn new(data: S, layout: &'a L, _: B) -> Result<Self, LayoutError> {
        let grid = Grid::new(layout)?;
        let apart = Apart::blocks::<S::Item, L>(layout, B::SIZES)?;
        let data = Several::new(data, layout, apart);
        Ok(Self { data, grid })
    }
}

impl<'a, T: Stored, L: TileBy<B>, B: StaticDimensions> TileViews<'a, T, L, B> {
    /// The block with a number, dimension 0 first; `None` beyond the end.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, number: L::Coordinates) -> Option<TileView<'a, T, L, B>> {
        if !self.grid.is_inside(&number) {
            return None;
        }
        let mut data = self.data;
        Some(self.grid.tile(&mut data, &number))
    }
}

impl<'a, T: Stored, L: TileBy<B>, B: StaticDimensions> TileViewsMut<'a, T, L, B> {
    /// The block with a number, dimension 0 first, as long as it is used: in any sequence, and
    /// again. `None` beyond the end, and of a block that this iterator has given.
    ///
    /// ```
    /// use xlayout_core::types::nat;
    /// use xlayout_core::{Array, DynLayout};
    /// let layout = DynLayout::new("s32[4,4]")?.ranked::<2>()?;
    /// let mut array = Array::<i32, _>::zeros(layout)?;
    /// let mut tiles = array.try_tiles_mut(nat![2, 2])?;
    /// // Column by column.
    /// for (n, [j, i]) in [[0, 0], [0, 1], [1, 0], [1, 1]].into_iter().enumerate() {
    ///     tiles.get([i, j]).expect("there are 2 by 2 tiles").fill(n as i32);
    /// }
    /// assert!(tiles.get([0, 2]).is_none());
    /// assert!(tiles.next().is_some() && tiles.get([0, 0]).is_none());
    /// assert_eq!(array, [[0, 0, 2, 2], [0, 0, 2, 2], [1, 1, 3, 3], [1, 1, 3, 3]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&mut self, number: L::Coordinates) -> Option<TileViewMut<'_, T, L, B>> {
        if !self.grid.has(&number) {
            return None;
        }
        // The borrow of `self` keeps the block from being taken twice.
        Some(self.grid.tile(&mut self.data, &number))
    }
}

impl<'a, S: Take<Item: Stored>, L: TileBy<B>, B: StaticDimensions> Iterator
    for EachTile<'a, S, L, B>
{
    type Item = (L::Coordinates, Tile<S, L::Block, RegionLayout<L::Block>>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let number = self.grid.take()?;
        // Each number is taken once.
        let tile = self.grid.tile(&mut self.data, &number);
        Some((number, tile))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.grid.left, Some(self.grid.left))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.grid.skip(n);
        self.next()
    }
}

impl<S: Take<Item: Stored>, L: TileBy<B>, B: StaticDimensions> ExactSizeIterator
    for EachTile<'_, S, L, B>
{
}

impl<S, L: TileBy<B>, B: StaticDimensions> fmt::Debug for EachTile<'_, S, L, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks of {:?}", self.grid.left, B::SIZES)
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The array in blocks of these sizes, each with its number, in row-major sequence. The
    /// compiler knows the layout of a [whole](Tile::whole) block: loops over its axes check
    /// nothing. A block at the edge has fewer elements.
    ///
    /// ```
    /// use xlayout_core::SliceView;
    /// use xlayout_core::types::{Nat, nat, StaticLayout, MinorToMajor, Tile};
    ///
    /// // layout!(s32[4,5]{1,0:T(2,4)})
    /// type Tiles = (Tile<(Nat<2>, Nat<4>)>,);
    /// type A = StaticLayout<i32, (Nat<4>, Nat<5>), MinorToMajor<(Nat<1>, Nat<0>)>, Tiles>;
    ///
    /// let data: Vec<i32> = (0..32).collect();
    /// let view = SliceView::new(A::NEW, &data[..])?;
    /// for ([i, j], tile) in view.tiles(nat![2, 4]) {
    ///     assert_eq!(tile[[1, 0]], view[[2 * i + 1, 4 * j]]);
    ///     assert_eq!(tile.is_whole(), j == 0);
    /// }
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// Blocks that would begin inside tiles do not compile:
    ///
    /// ```compile_fail
    /// # use xlayout_core::types::{Nat, nat, StaticLayout, MinorToMajor, Tile};
    /// # type Tiles = (Tile<(Nat<2>, Nat<4>)>,);
    /// # type A = StaticLayout<i32, (Nat<4>, Nat<5>), MinorToMajor<(Nat<1>, Nat<0>)>, Tiles>;
    /// # let view = xlayout_core::SliceView::new(A::NEW, &[0; 32][..]).unwrap();
    /// view.tiles(nat![3, 4]);
    /// ```
    #[inline(always)]
    pub fn tiles<B>(&self, sizes: B) -> TileViews<'_, T, L, B>
    where
        T: Addressed,
        B: StaticDimensions,
        L: ConstTiles<B>,
    {
        let () = L::FITS;
        match self.try_tiles(sizes) {
            Ok(tiles) => tiles,
            Err(_) => unreachable!("the compiler has checked the sizes"),
        }
    }

    /// As [`tiles`](Self::tiles), also for a layout whose tiles only the run time knows. There a
    /// dimension has one stride inside a block.
    ///
    /// ```
    /// use xlayout_core::types::nat;
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[4,8]{1,0:T(2,4)}".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?.ranked::<2>()?;
    /// let tiles = array.try_tiles(nat![2, 4])?;
    /// assert_eq!(tiles.get([1, 0]).map(|tile| tile[[1, 2]]), Some(32));
    /// assert!(array.try_tiles(nat![3, 4]).is_err()); // blocks would begin inside tiles
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`] when a block would begin inside a tile, or a size of the blocks is
    /// 0; [`LayoutError::NotStrided`] when a dimension has several strides inside a block.
    #[inline(always)]
    pub fn try_tiles<B>(&self, sizes: B) -> Result<TileViews<'_, T, L, B>, LayoutError>
    where
        B: StaticDimensions,
        L: TileBy<B>,
    {
        TileViews::new(self.items(), &self.layout, sizes)
    }

    /// The array in blocks of these sizes, to write. No index is in two of them, so threads may
    /// write to them. See [`tiles`](ArrayRef::tiles).
    ///
    /// ```
    /// use xlayout_core::types::{Nat, nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::Array;
    ///
    /// // layout!(s32[2,3]{1,0})
    /// type A = StaticLayout<i32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    ///
    /// let mut array = Array::<i32, A>::zeros(A::NEW)?;
    /// for ([_, j], mut tile) in array.tiles_mut(nat![2, 2]) {
    ///     tile[[0, 0]] = 1 + 10 * j as i32;
    /// }
    /// assert_eq!(array.memory(), [1, 0, 11, 0, 0, 0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn tiles_mut<B>(&mut self, sizes: B) -> TileViewsMut<'_, T, L, B>
    where
        T: Addressed,
        B: StaticDimensions,
        L: ConstTiles<B>,
    {
        let () = L::FITS;
        match self.try_tiles_mut(sizes) {
            Ok(tiles) => tiles,
            Err(_) => unreachable!("the compiler has checked the sizes"),
        }
    }

    /// As [`tiles_mut`](Self::tiles_mut), also for a layout whose tiles only the run time knows.
    ///
    /// # Errors
    /// As [`try_tiles`](ArrayRef::try_tiles).
    #[inline(always)]
    pub fn try_tiles_mut<B>(&mut self, sizes: B) -> Result<TileViewsMut<'_, T, L, B>, LayoutError>
    where
        B: StaticDimensions,
        L: TileBy<B>,
    {
        const { assert_unique::<L>() }
        let (data, layout) = self.items_mut_and_layout();
        TileViewsMut::new(data, layout, sizes)
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

impl<S: Clone, L: TileBy<B>, B: StaticDimensions> Clone for EachTile<'_, S, L, B> {
    fn clone(&self) -> Self {
        Self {
            data: self.data.clone(),
            grid: self.grid.clone(),
        }
    }
}
