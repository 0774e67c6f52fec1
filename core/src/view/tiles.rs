//! An array in blocks: whole ones, whose layout is a type, and those that hang over the edge.

use core::fmt;

use super::part_items::{PartItems, PartItemsMut};
use super::parts::Part;
use super::places::assert_unique;
use super::stored::{Addressed, Stored};
use super::{ArrayBase, ArrayRef};
use crate::Coordinates;
use crate::array_layout::{ArrayLayout, sealed::Token};
use crate::layout_error::LayoutError;
use crate::part::{ConstTiles, TileBy};
use crate::types::StaticDimensions;

/// A block of an array. `W` is the layout of a whole block, `E` that of a block at the edge.
///
/// ```
/// use xlayout_core::types::Nat;
/// use xlayout_core::{Array, ArrayLayout, RankedLayout, TileOf};
///
/// let layout = RankedLayout::<2>::new("f32[3,4]{1,0:T(2,2)}".parse()?)?;
/// let array = Array::<f32, _>::zeros(layout)?;
/// for ([i, _], tile) in array.try_tiles::<(Nat<2>, Nat<2>)>()? {
///     match tile {
///         TileOf::Whole(block) => assert_eq!((i, block.layout().sizes()), (0, [2, 2])),
///         TileOf::Edge(block) => assert_eq!((i, block.layout().sizes()), (1, [1, 2])),
///     }
/// }
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub enum TileOf<S, W, E> {
    /// A block that is inside the array: the compiler knows its sizes.
    Whole(ArrayBase<S, W>),
    /// A block of which only a part is inside the array: its sizes are known at run time.
    Edge(ArrayBase<S, E>),
}

/// A block of an array with layout `L`, borrowed: [`TileViews`] gives it.
pub type TileView<'a, T, L, B> =
    TileOf<PartItems<'a, T>, <L as TileBy<B>>::Block, <L as ArrayLayout>::Region<'a>>;

/// A block of an array with layout `L`, to write: [`TileViewsMut`] gives it.
pub type TileViewMut<'a, T, L, B> =
    TileOf<PartItemsMut<'a, T>, <L as TileBy<B>>::Block, <L as ArrayLayout>::Region<'a>>;

/// How an array is divided into blocks.
struct Grid<L: TileBy<B>, B: StaticDimensions> {
    layout: L,
    /// Some if there is a whole block.
    block: Option<L::Block>,
    sizes: L::Coordinates,
    /// The number of the next block of an iteration.
    next: L::Coordinates,
    left: usize,
}

/// Where a block lies, and its layout.
type Placed<L, B> = (
    usize,
    TileOf<(), <L as TileBy<B>>::Block, <L as ArrayLayout>::Region>,
);

impl<L: TileBy<B>, B: StaticDimensions> Grid<L, B> {
    #[inline(always)]
    fn new<T: Stored>(layout: L) -> Result<Self, LayoutError> {
        let () = L::FITS;
        let sizes = layout.sizes();
        let block = layout.block(Token)?;
        for (dim, &block) in B::SIZES.iter().enumerate() {
            T::check_lengths(&layout, dim, block)?;
        }
        let (mut left, mut whole) = (1, true);
        for (d, &block) in B::SIZES.iter().enumerate() {
            left *= sizes.coordinate(d).div_ceil(block);
            whole &= sizes.coordinate(d) >= block;
        }
        Ok(Self {
            next: L::Coordinates::origin(B::SIZES.len()),
            block: whole.then_some(block),
            layout,
            sizes,
            left,
        })
    }

    /// The block with this number, which there is.
    #[inline(always)]
    fn place(&self, number: &L::Coordinates) -> Placed<L, B> {
        let mut origin = *number;
        let mut whole = true;
        for (d, &block) in B::SIZES.iter().enumerate() {
            let start = number.coordinate(d) * block;
            origin.set(d, start);
            whole &= self.sizes.coordinate(d) - start >= block;
        }
        let first = self.layout.linear_index(&origin);
        match &self.block {
            Some(layout) if whole => (
                first,
                TileOf::Whole(ArrayBase {
                    data: (),
                    layout: layout.clone(),
                }),
            ),
            _ => (first, TileOf::Edge(self.edge(&origin))),
        }
    }

    #[cold]
    fn edge(&self, origin: &L::Coordinates) -> ArrayBase<(), L::Region> {
        let mut sizes = self.sizes;
        for (d, &block) in B::SIZES.iter().enumerate() {
            sizes.set(
                d,
                block.min(self.sizes.coordinate(d) - origin.coordinate(d)),
            );
        }
        ArrayBase {
            data: (),
            layout: self.layout.region(sizes, Token),
        }
    }

    #[inline(always)]
    fn has(&self, number: &L::Coordinates) -> bool {
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

/// Gives a placed block its elements.
macro_rules! filled {
    ($grid:expr, $number:expr, $data:expr) => {{
        let (first, tile) = $grid.place($number);
        match tile {
            TileOf::Whole(ArrayBase { layout, .. }) => {
                let (first, layout) = T::place(&$grid.layout, (first, layout));
                TileOf::Whole(ArrayBase {
                    data: $data(first, T::items(&layout)),
                    layout,
                })
            }
            TileOf::Edge(ArrayBase { layout, .. }) => {
                let (first, layout) = T::place(&$grid.layout, (first, layout));
                TileOf::Edge(ArrayBase {
                    data: $data(first, T::items(&layout)),
                    layout,
                })
            }
        }
    }};
}

/// The blocks of an array, each with its number in each dimension; [`ArrayRef::tiles`] and
/// [`ArrayRef::try_tiles`] make it. [`TileOf`] has an example.
pub struct TileViews<'a, T, L: TileBy<B>, B: StaticDimensions> {
    data: PartItems<'a, T>,
    grid: Grid<L, B>,
}

/// The blocks of an array, to write, each with its number: [`ArrayRef::tiles_mut`].
pub struct TileViewsMut<'a, T, L: TileBy<B>, B: StaticDimensions> {
    data: PartItemsMut<'a, T>,
    grid: Grid<L, B>,
}

impl<'a, T: Stored, L: TileBy<B>, B: StaticDimensions> TileViews<'a, T, L, B> {
    /// The block with a number, dimension 0 first; `None` beyond the end.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, number: L::Coordinates) -> Option<TileView<'a, T, L, B>> {
        if !self.grid.has(&number) {
            return None;
        }
        Some(filled!(self.grid, &number, |first, len| self
            .data
            .part(first, len)))
    }

    /// The block with a number as a part whose sizes the run time knows: whole blocks and those at the
    /// edge have one type. `None` beyond the end.
    #[must_use]
    pub fn region(&self, number: L::Coordinates) -> Option<Part<'a, T, L::Region<'a>>> {
        if !self.grid.has(&number) {
            return None;
        }
        let mut origin = number;
        for (d, &block) in B::SIZES.iter().enumerate() {
            origin.set(d, origin.coordinate(d) * block);
        }
        let ArrayBase { layout, .. } = self.grid.edge(&origin);
        let first = self.grid.layout.linear_index(&origin);
        let (first, layout) = T::place(&self.grid.layout, (first, layout));
        Some(ArrayBase {
            data: self.data.part(first, T::items(&layout)),
            layout,
        })
    }
}

impl<'a, T: Stored, L: TileBy<B>, B: StaticDimensions> Iterator for TileViews<'a, T, L, B> {
    type Item = (L::Coordinates, TileView<'a, T, L, B>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let number = self.grid.take()?;
        let tile = filled!(self.grid, &number, |first, len| self.data.part(first, len));
        Some((number, tile))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.grid.left, Some(self.grid.left))
    }
}

impl<'a, T: Stored, L: TileBy<B>, B: StaticDimensions> Iterator for TileViewsMut<'a, T, L, B> {
    type Item = (L::Coordinates, TileViewMut<'a, T, L, B>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let number = self.grid.take()?;
        // Disjoint: no index is in two blocks, no item has elements of two blocks (`Grid::new`), and each number is
        // taken once.
        let tile = filled!(self.grid, &number, |first, len| {
            self.data.disjoint_part(first, len)
        });
        Some((number, tile))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.grid.left, Some(self.grid.left))
    }
}

impl<T: Stored, L: TileBy<B>, B: StaticDimensions> ExactSizeIterator for TileViews<'_, T, L, B> {}
impl<T: Stored, L: TileBy<B>, B: StaticDimensions> ExactSizeIterator for TileViewsMut<'_, T, L, B> {}

impl<T, L: TileBy<B>, B: StaticDimensions> fmt::Debug for TileViews<'_, T, L, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks of {:?}", self.grid.left, B::SIZES)
    }
}

impl<T, L: TileBy<B>, B: StaticDimensions> fmt::Debug for TileViewsMut<'_, T, L, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks of {:?}", self.grid.left, B::SIZES)
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The array in blocks of the sizes `B`, each with its number, in row-major sequence. The compiler
    /// knows the layout of a whole block: loops over its axes check nothing. A block at the edge has
    /// fewer elements and is told apart.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, Tile};
    /// use xlayout_core::{TileOf, View};
    ///
    /// // layout!(s32[4,5]{1,0:T(2,4)})
    /// type A = StaticLayout<i32, (Nat<4>, Nat<5>), MinorToMajor<(Nat<1>, Nat<0>)>, (Tile<(Nat<2>, Nat<4>)>,)>;
    ///
    /// let data: Vec<i32> = (0..32).collect();
    /// let view = View::new(&data[..], A::NEW)?;
    /// for ([i, j], tile) in view.tiles::<(Nat<2>, Nat<4>)>() {
    ///     match tile {
    ///         TileOf::Whole(tile) => assert_eq!(tile[[1, 3]], view[[2 * i + 1, 4 * j + 3]]),
    ///         TileOf::Edge(tile) => assert_eq!(tile[[1, 0]], view[[2 * i + 1, 4 * j]]),
    ///     }
    /// }
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// Blocks that would begin inside tiles do not compile:
    ///
    /// ```compile_fail
    /// # use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, Tile};
    /// # type A = StaticLayout<i32, (Nat<4>, Nat<5>), MinorToMajor<(Nat<1>, Nat<0>)>, (Tile<(Nat<2>, Nat<4>)>,)>;
    /// # let view = xlayout_core::View::new(&[0; 32][..], A::NEW).unwrap();
    /// view.tiles::<(Nat<3>, Nat<4>)>();
    /// ```
    #[inline(always)]
    pub fn tiles<B>(&self) -> TileViews<'_, T, L, B>
    where
        T: Addressed,
        B: StaticDimensions,
        L: ConstTiles<B>,
    {
        let () = L::FITS;
        match self.try_tiles() {
            Ok(tiles) => tiles,
            Err(_) => unreachable!("the compiler has checked the sizes"),
        }
    }

    /// As [`tiles`](Self::tiles), also for a layout whose tiles only the run time knows. There a dimension
    /// has one stride inside a block.
    ///
    /// ```
    /// use xlayout_core::types::Nat;
    /// use xlayout_core::{Array, DynLayout, TileOf};
    /// let layout: DynLayout = "s32[4,8]{1,0:T(2,4)}".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?.ranked::<2>()?;
    /// let tiles = array.try_tiles::<(Nat<2>, Nat<4>)>()?;
    /// let Some(TileOf::Whole(tile)) = tiles.get([1, 0]) else { panic!() };
    /// assert_eq!(tile[[1, 2]], 32);
    /// assert!(array.try_tiles::<(Nat<3>, Nat<4>)>().is_err()); // blocks would begin inside tiles
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`] when a block would begin inside a tile; [`LayoutError::NotStrided`] when a dimension
    /// has several strides inside a block; [`LayoutError::EmptyPart`] when a size of the blocks is 0.
    #[inline(always)]
    pub fn try_tiles<B>(&self) -> Result<TileViews<'_, T, L, B>, LayoutError>
    where
        B: StaticDimensions,
        L: TileBy<B>,
    {
        Ok(TileViews {
            data: self.items(),
            grid: Grid::new::<T>(self.layout.clone())?,
        })
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The array in blocks of the sizes `B`, to write. No index is in two of them, so threads may write
    /// to them. See [`tiles`](ArrayRef::tiles).
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{Array, TileOf};
    ///
    /// // layout!(s32[2,3]{1,0})
    /// type A = StaticLayout<i32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    ///
    /// let mut array = Array::<i32, A>::zeros(A::NEW)?;
    /// for ([_, j], tile) in array.tiles_mut::<(Nat<2>, Nat<2>)>() {
    ///     match tile {
    ///         TileOf::Whole(mut tile) => tile[[0, 0]] = 1,
    ///         TileOf::Edge(mut tile) => tile[[0, 0]] = 10 + j as i32,
    ///     }
    /// }
    /// assert_eq!(array.memory(), [1, 0, 11, 0, 0, 0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn tiles_mut<B>(&mut self) -> TileViewsMut<'_, T, L, B>
    where
        T: Addressed,
        B: StaticDimensions,
        L: ConstTiles<B>,
    {
        let () = L::FITS;
        match self.try_tiles_mut() {
            Ok(tiles) => tiles,
            Err(_) => unreachable!("the compiler has checked the sizes"),
        }
    }

    /// As [`tiles_mut`](Self::tiles_mut), also for a layout whose tiles only the run time knows.
    ///
    /// # Errors
    /// As [`try_tiles`](ArrayRef::try_tiles).
    #[inline(always)]
    pub fn try_tiles_mut<B>(&mut self) -> Result<TileViewsMut<'_, T, L, B>, LayoutError>
    where
        B: StaticDimensions,
        L: TileBy<B>,
    {
        const { assert_unique::<L>() }
        Ok(TileViewsMut {
            grid: Grid::new::<T>(self.layout.clone())?,
            data: self.items_mut(),
        })
    }
}
