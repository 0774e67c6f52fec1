//! An array in blocks. The layout of whole ones is a type, too.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut};

#[cfg(feature = "alloc")]
use super::base::Array;
use super::base::{ArrayBase, View, ViewMut, part_among, part_of};
use super::reference::ArrayRef;
use super::storage::{PartItems, PartItemsMut, Storage, StorageMut, Take};
use super::stored::{Addressed, Apart, Several, Stored};
use crate::array_layout::ArrayLayout;
use crate::array_layout::sealed::Token;
use crate::coordinates::Coordinates;
use crate::layout_error::LayoutError;
use crate::layouts::region::parts::assert_unique;
use crate::layouts::types::StaticDimensions;
use crate::layouts::{ConstTiles, RegionLayout, TileBy};

/// A block of an array: an array whose sizes the run time knows. It is indexed, iterated and passed
/// to functions as other arrays are. If it is inside the array, and does not hang over the edge,
/// [`whole`](Self::whole) gives it with a layout whose sizes the compiler knows, so that loops over
/// its axes check nothing.
///
/// `W` is the layout of a whole block, `E` that of any block. Both have the strides inside of a
/// block, so that an access does not divide by the tile.
///
/// ```
/// use xlayout_core::types::nat;
/// use xlayout_core::{Array, ArrayLayout, ArrayRef, DynLayout, Rank};
///
/// fn sum(x: &ArrayRef<f32, impl Rank<2>>) -> f32 {
///     x.iter().sum()
/// }
/// let layout: DynLayout = "f32[3,4]{1,0:T(2,2)}".parse()?;
/// let array = Array::from_fn(layout, |at| at[1] as f32)?.ranked::<2>()?;
/// for ([i, j], tile) in array.try_tiles(nat![2, 2])? {
///     assert_eq!(tile.shape(), if i == 0 { [2, 2] } else { [1, 2] });
///     assert_eq!(tile[[0, 1]], (2 * j + 1) as f32);
///     // Both arms give the same. In the first one the compiler knows the sizes.
///     let found = match tile.whole() {
///         Some(tile) => sum(&tile),
///         None => sum(&tile),
///     };
///     assert_eq!(found, tile.iter().sum::<f32>());
/// }
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tile<S, W, E> {
    array: ArrayBase<S, E>,
    /// Some if the block is whole. Invariant: the layout of the elements of `array`.
    whole: Option<W>,
}

/// A block of an array with layout `L`, borrowed: [`TileViews`] gives it.
pub type TileView<'a, T, L, B> =
    Tile<PartItems<'a, T>, <L as TileBy<B>>::Block, RegionLayout<<L as TileBy<B>>::Block>>;

/// A block of an array with layout `L`, to write: [`TileViewsMut`] gives it.
pub type TileViewMut<'a, T, L, B> =
    Tile<PartItemsMut<'a, T>, <L as TileBy<B>>::Block, RegionLayout<<L as TileBy<B>>::Block>>;

// The target has no size, so that the array of a block is not exchanged for that of another one:
// `whole` would then be the layout of other elements.
impl<S: Storage, W, E> Deref for Tile<S, W, E> {
    type Target = ArrayRef<S::Item, E>;

    #[inline(always)]
    fn deref(&self) -> &ArrayRef<S::Item, E> {
        &self.array
    }
}

impl<S: StorageMut, W, E> DerefMut for Tile<S, W, E> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut ArrayRef<S::Item, E> {
        &mut self.array
    }
}

impl<S: Storage<Item: Stored>, W: ArrayLayout, E: ArrayLayout> Tile<S, W, E> {
    /// Whether the block is inside the array, and has all of its elements.
    #[inline(always)]
    pub fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// The block with a layout whose sizes the compiler knows; `None` if a part of it is beyond the
    /// edge.
    #[inline(always)]
    pub fn whole(&self) -> Option<View<'_, S::Item, W>> {
        let layout = self.whole.clone()?;
        Some(part_of(self.array.items(), (0, layout)))
    }

    /// The block with a layout whose sizes the compiler knows, to write; `None` if a part of it is
    /// beyond the edge.
    #[inline(always)]
    pub fn whole_mut(&mut self) -> Option<ViewMut<'_, S::Item, W>>
    where
        S: StorageMut,
    {
        let layout = self.whole.clone()?;
        // The borrow of `self` gives the elements to nothing else.
        Some(part_of(self.array.items_mut(), (0, layout)))
    }

    /// The block as an array whose sizes the run time knows, for as long as its memory is borrowed.
    #[inline(always)]
    pub fn into_part(self) -> ArrayBase<S, E> {
        self.array
    }
}

/// How an array is divided into blocks.
struct Grid<'a, L: TileBy<B>, B: StaticDimensions> {
    layout: &'a L,
    block: L::Block,
    /// Some if there is a whole block: the same layout with sizes that the run time knows.
    whole: Option<RegionLayout<L::Block>>,
    sizes: L::Coordinates,
    /// The number of the next block of an iteration.
    next: L::Coordinates,
    left: usize,
}

impl<'a, L: TileBy<B>, B: StaticDimensions> Grid<'a, L, B> {
    /// The type of the sizes says their values.
    #[inline(always)]
    fn new(layout: &'a L, _: B) -> Result<Self, LayoutError> {
        let () = L::FITS;
        let sizes = layout.shape();
        let block = layout.block(Token)?;
        let mut left = 1;
        let mut whole = true;
        for (d, &block) in B::SIZES.iter().enumerate() {
            left *= sizes.coordinate(d).div_ceil(block);
            whole &= sizes.coordinate(d) >= block;
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

    /// The block with this number, which there is. Its elements are taken from `data`.
    #[inline(always)]
    fn tile<S: Take<Item: Stored>>(
        &self,
        data: &mut Several<S>,
        number: &L::Coordinates,
    ) -> Tile<S, L::Block, RegionLayout<L::Block>> {
        let mut origin = *number;
        let mut inside = true;
        for (d, &block) in B::SIZES.iter().enumerate() {
            let start = number.coordinate(d) * block;
            origin.set(d, start);
            inside &= self.sizes.coordinate(d) - start >= block;
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
        for (d, &block) in B::SIZES.iter().enumerate() {
            sizes.set(
                d,
                block.min(self.sizes.coordinate(d) - origin.coordinate(d)),
            );
        }
        RegionLayout::new(self.block.clone(), sizes)
    }

    #[inline(always)]
    fn is_inside(&self, number: &L::Coordinates) -> bool {
        let mut inside = true;
        for (d, &block) in B::SIZES.iter().enumerate() {
            inside &= number.coordinate(d) < self.sizes.coordinate(d).div_ceil(block);
        }
        inside
    }

    /// The next number in row-major sequence.
    #[inline(always)]
    fn take(&mut self) -> Option<L::Coordinates> {
        self.left = self.left.checked_sub(1)?;
        let number = self.next;
        for (d, &block) in B::SIZES.iter().enumerate().rev() {
            let next = number.coordinate(d) + 1;
            if next < self.sizes.coordinate(d).div_ceil(block) {
                self.next.set(d, next);
                break;
            }
            self.next.set(d, 0);
        }
        Some(number)
    }
}

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
    #[inline(always)]
    fn new(data: S, layout: &'a L, sizes: B) -> Result<Self, LayoutError> {
        let grid = Grid::new(layout, sizes)?;
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
    /// type A = StaticLayout<i32, (Nat<4>, Nat<5>), MinorToMajor<(Nat<1>, Nat<0>)>, (Tile<(Nat<2>, Nat<4>)>,)>;
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
    /// # type A = StaticLayout<i32, (Nat<4>, Nat<5>), MinorToMajor<(Nat<1>, Nat<0>)>, (Tile<(Nat<2>, Nat<4>)>,)>;
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
    /// [`LayoutError::NoSlice`] when a block would begin inside a tile; [`LayoutError::NotStrided`]
    /// when a dimension has several strides inside a block; [`LayoutError::EmptyPart`] when a size
    /// of the blocks is 0.
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

#[cfg(feature = "alloc")]
impl<S: Storage<Item: Stored>, W, E: ArrayLayout> Tile<S, W, E> {
    /// As [`ArrayRef::to_owned`].
    #[doc(hidden)]
    #[must_use]
    pub fn to_owned(&self) -> Array<S::Item, E::Owned> {
        ArrayRef::to_owned(self)
    }
}
