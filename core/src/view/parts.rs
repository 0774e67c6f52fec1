//! Parts of an array: ranges of its dimensions, without a copy.

use core::ops::Range;

use super::chunks::{Chunks, ChunksMut};
use super::part_items::{PartItems, PartItemsMut, Take};
use super::places::{DimensionRange, assert_unique, halves, place_of, range_of, repeated, stepped};
use super::several::Several;
use super::slices::range_in;
use super::stored::Stored;
use super::{ArrayBase, ArrayRef};
use crate::HasDimension;
use crate::array_layout::{ArrayLayout, Axis, IntoCoordinates};
use crate::dynamic::{DynLayout, StridedLayout};
use crate::layout_error::{LayoutError, or_panic};
use crate::part::BroadcastLayout;

/// A borrowed array, or a part of one. Elements of other parts may be between its elements, so it
/// has an address and no slice.
///
/// [`split_at`](ArrayRef::split_at), [`chunks`](ArrayRef::chunks), [`tiles`](ArrayRef::tiles),
/// [`region`](ArrayRef::region), [`with_step`](ArrayRef::with_step) and
/// [`broadcast`](ArrayRef::broadcast) make it of a part. A function takes [`&ArrayRef`](ArrayRef),
/// which a view and an array are. A struct names the layout of the part, which is not that of the
/// array: `View<'a, f32, <A as ArrayLayout>::Region<'a>>` of a region, a slice, a half or a chunk
/// of an array with layout `A`.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout: DynLayout = "f32[4,6]{1,0:T(2,2)}".parse()?;
/// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32)?;
/// let part = array.region([2, 2], [2, 4])?; // rows 2 to 3, columns 2 to 5
/// assert_eq!((part[[0, 0]], part[[1, 3]]), (22.0, 35.0));
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type View<'a, T, L> = ArrayBase<PartItems<'a, T>, L>;

/// A borrowed array, or a part of one, that can be written to. Threads may write to several parts
/// of one array.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout: DynLayout = "f32[4,6]{1,0:T(2,2)}".parse()?;
/// let mut array = Array::<f32, _>::zeros(layout)?;
/// let (mut top, mut bottom) = array.split_at_mut::<0>(2)?;
/// top.fill(1.0);
/// bottom.fill(2.0);
/// assert_eq!((array[[1, 5]], array[[2, 5]]), (1.0, 2.0));
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type ViewMut<'a, T, L> = ArrayBase<PartItemsMut<'a, T>, L>;

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The coordinates of dimension `DIM` of this array, in sequence, each proven in bounds of it.
    /// A tuple of them accesses an array as `view[(i, j)]`. Sizes that the types fix are compared
    /// by the compiler; the others, by each access.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, MixedLayout, RunTime};
    /// use xlayout_core::SliceView;
    /// // layout!(f32[?,3])
    /// type Rows = MixedLayout<f32, (RunTime, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let data = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    /// let view = SliceView::new(Rows::with_sizes([2, 3])?, &data[..])?;
    /// let sums: Vec<f32> = view
    ///     .axis::<0>()
    ///     .map(|i| view.axis::<1>().map(|j| view[(i, j)]).sum())
    ///     .collect();
    /// assert_eq!(sums, [6.0, 15.0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn axis<const DIM: usize>(&self) -> Axis<L, DIM>
    where
        L::Coordinates: HasDimension<DIM>,
    {
        Axis::of(self.layout())
    }

    /// The whole array, borrowed: a value that is passed on, kept in a struct, or sliced by
    /// [`into_slice`](ArrayBase::into_slice).
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayRef, DynLayout, View};
    /// struct Two<'a, L>(View<'a, f32, L>, View<'a, f32, L>);
    /// fn pair<'a, L: xlayout_core::ArrayLayout>(a: &'a ArrayRef<f32, L>) -> Two<'a, L> {
    ///     Two(a.as_view(), a.as_view())
    /// }
    /// let array = Array::<f32, DynLayout>::zeros("f32[2,3]".parse()?)?;
    /// assert_eq!(pair(&array).0, pair(&array).1);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[doc(alias = "view")]
    #[inline(always)]
    pub fn as_view(&self) -> View<'_, T, L> {
        self.with_same_memory(self.layout.clone())
    }

    /// The address of linear index 0, for other libraries. The element at an index is at its linear
    /// index from there. Of a part, only the elements may be read: others lie between them.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, Array, DynLayout};
    /// let layout: DynLayout = "s32[2,5]{1,0}".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?;
    /// let part = array.with_step::<1>(1.., 2)?;
    /// let offset = part.as_ptr().addr() - array.as_ptr().addr();
    /// assert_eq!((offset, part.layout().strides().unwrap().as_ref()), (4, &[5, 2][..]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn as_ptr(&self) -> *const T {
        self.items().address()
    }

    /// The part that begins at `origin` and has these sizes.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[4,6]{1,0:T(2,2)}".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?;
    /// let part = array.region([2, 4], [2, 1])?;
    /// assert_eq!((part[[0, 0]], part[[1, 0]]), (24, 34));
    /// // It begins where tiles do, or is inside one tile.
    /// assert!(array.region([1, 0], [2, 1]).is_err());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: out of bounds, or inside a tile.
    pub fn region(
        &self,
        origin: impl IntoCoordinates<L::Coordinates>,
        sizes: impl IntoCoordinates<L::Coordinates>,
    ) -> Result<View<'_, T, L::Region<'_>>, LayoutError> {
        let origin = origin.into_coordinates();
        let sizes = sizes.into_coordinates();
        let placed = place_of(&self.layout, &origin, sizes.clone())?;
        T::check_box(&self.layout, &origin, &sizes)?;
        Ok(self.part(T::place(&self.layout, placed)))
    }

    /// The part with the coordinates of a range in dimension `DIM`. For a view,
    /// [`into_slice`](ArrayBase::into_slice) and [`const_slice`](ArrayBase::const_slice) keep more
    /// in the type.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[2,4]{1,0}".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?;
    /// let columns = array.slice::<1>(1..3)?; // array[:, 1:3] in NumPy
    /// assert_eq!((columns[[0, 0]], columns[[1, 1]]), (1, 12));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: out of bounds, or inside a tile.
    pub fn slice<const DIM: usize>(
        &self,
        range: impl DimensionRange,
    ) -> Result<View<'_, T, L::Region<'_>>, LayoutError> {
        let Range { start, end } = range_in::<L, DIM>(&self.layout, range)?;
        let (origin, sizes) = range_of(&self.layout, DIM, start, end)?;
        self.region(origin, sizes)
    }

    /// The part before coordinate `at` of dimension `DIM`, and the part from there on.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[2,4]{1,0}".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?;
    /// let (left, right) = array.split_at::<1>(3)?;
    /// assert_eq!((left[[1, 2]], right[[1, 0]]), (12, 13));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: out of bounds, or inside a tile.
    #[expect(clippy::type_complexity, reason = "two parts of one type")]
    pub fn split_at<const DIM: usize>(
        &self,
        at: usize,
    ) -> Result<(View<'_, T, L::Region<'_>>, View<'_, T, L::Region<'_>>), LayoutError> {
        let (halves, _) = halves::<T, L>(&self.layout, DIM, at)?;
        let [left, right] = halves.map(|half| self.part(half));
        Ok((left, right))
    }

    /// Parts of `len` coordinates of dimension `DIM`; the last one has what is left.
    ///
    /// # Panics
    /// When a part would begin inside a tile, or `len` is 0: see [`try_chunks`](Self::try_chunks).
    #[track_caller]
    pub fn chunks<const DIM: usize>(&self, len: usize) -> Chunks<'_, T, L> {
        or_panic(self.try_chunks::<DIM>(len))
    }

    /// As [`chunks`](Self::chunks), for lengths and tiles that only the run time knows.
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: a part would begin inside a tile; [`LayoutError::EmptyPart`]: `len` is 0.
    pub fn try_chunks<const DIM: usize>(
        &self,
        len: usize,
    ) -> Result<Chunks<'_, T, L>, LayoutError> {
        Chunks::new(self.items(), &self.layout, DIM, len)
    }

    /// Every `|step|`-th coordinate of a range of dimension `DIM`. A negative step begins at the
    /// end of the range. The layout has a stride for each dimension.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[2,5]{1,0}".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?;
    /// let odd = array.with_step::<1>(1.., 2)?; // array[:, 1::2] in NumPy
    /// assert_eq!((odd[[0, 1]], odd[[1, 0]]), (3, 11));
    /// let back = array.with_step::<1>(.., -2)?; // array[:, ::-2] in NumPy
    /// assert_eq!((back[[0, 0]], back[[0, 1]], back[[1, 2]]), (4, 2, 10));
    /// // All dimensions reversed: array[::-1, ::-1].
    /// let (rows, columns) = (array.with_step::<0>(.., -1)?, ..);
    /// assert_eq!(rows.with_step::<1>(columns, -1)?[[0, 0]], 14);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`] out of bounds; [`LayoutError::NotStrided`] for tiles;
    /// [`LayoutError::NoStep`] for step 0.
    pub fn with_step<const DIM: usize>(
        &self,
        range: impl DimensionRange,
        step: isize,
    ) -> Result<View<'_, T, StridedLayout<L::Coordinates, isize>>, LayoutError> {
        let placed = stepped(&self.layout, DIM, range, step)?;
        Ok(self.part(T::place_of_step(&self.layout, DIM, placed)?))
    }

    /// The same array with dimension `DIM`, of size 1, repeated `size` times, to read.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "f32[1,3]{1,0}".parse()?;
    /// let bias = Array::from_fn(layout, |at| at[1] as f32)?;
    /// let rows = bias.broadcast::<0>(4)?;
    /// assert_eq!((rows[[0, 2]], rows[[3, 2]]), (2.0, 2.0));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Size`] when the size of the dimension is not 1; [`LayoutError::NoSlice`] when
    /// there is no such dimension, or when tiles merge dimensions.
    pub fn broadcast<const DIM: usize>(
        &self,
        size: usize,
    ) -> Result<View<'_, T, BroadcastLayout<L, DIM>>, LayoutError> {
        Ok(self.part((0, repeated(&self.layout, size)?)))
    }

    /// The part with this layout that begins at an item.
    #[inline(always)]
    pub(super) fn part<M: ArrayLayout>(&self, placed: (usize, M)) -> View<'_, T, M> {
        self.items().take_part(placed)
    }
}

impl<S, L: Into<DynLayout>> ArrayBase<S, L> {
    /// The same array with a layout of known rank: then its indices are `[usize; N]`, and functions
    /// for any layout of this rank take it. The layout is a [`DynLayout`], or a reference to one.
    /// See [`Rank`](crate::Rank).
    ///
    /// # Errors
    /// [`LayoutError::Rank`] when the rank is not `RANK`.
    pub fn ranked<const RANK: usize>(
        self,
    ) -> Result<ArrayBase<S, DynLayout<[usize; RANK]>>, LayoutError> {
        Ok(ArrayBase {
            layout: self.layout.into().ranked()?,
            data: self.data,
        })
    }
}

impl<T: Stored, L: ArrayLayout + Into<DynLayout>> ArrayRef<T, L> {
    /// As [`ArrayBase::ranked`], of any array, to read.
    ///
    /// # Errors
    /// As there.
    pub fn ranked<const RANK: usize>(
        &self,
    ) -> Result<View<'_, T, DynLayout<[usize; RANK]>>, LayoutError> {
        self.as_view().ranked()
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The whole array, borrowed to write: see [`as_view`](ArrayRef::as_view).
    #[doc(alias = "view_mut")]
    #[inline(always)]
    pub fn as_view_mut(&mut self) -> ViewMut<'_, T, L> {
        ArrayBase {
            layout: self.layout.clone(),
            data: self.items_mut(),
        }
    }

    /// The address of linear index 0, to write: see [`as_ptr`](ArrayRef::as_ptr). Of a part, only
    /// the elements may be written.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.items_mut().address()
    }

    /// The part that begins at `origin` and has these sizes, to write. See
    /// [`region`](ArrayRef::region).
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: out of bounds, or inside a tile.
    pub fn region_mut(
        &mut self,
        origin: impl IntoCoordinates<L::Coordinates>,
        sizes: impl IntoCoordinates<L::Coordinates>,
    ) -> Result<ViewMut<'_, T, L::Region<'_>>, LayoutError> {
        let origin = origin.into_coordinates();
        let sizes = sizes.into_coordinates();
        let (data, whole) = self.items_mut_and_layout();
        let placed = place_of(whole, &origin, sizes.clone())?;
        T::check_box(whole, &origin, &sizes)?;
        Ok(data.take_part(T::place(whole, placed)))
    }

    /// The part with the coordinates of a range in dimension `DIM`, to write. See
    /// [`slice`](ArrayRef::slice).
    ///
    /// # Errors
    /// As there.
    pub fn slice_mut<const DIM: usize>(
        &mut self,
        range: impl DimensionRange,
    ) -> Result<ViewMut<'_, T, L::Region<'_>>, LayoutError> {
        let Range { start, end } = range_in::<L, DIM>(&self.layout, range)?;
        let (origin, sizes) = range_of(&self.layout, DIM, start, end)?;
        self.region_mut(origin, sizes)
    }

    /// The part before coordinate `at` of dimension `DIM`, and the part from there on, to write. No
    /// index is in both, so two threads may write to them.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[2,4]{1,0}".parse()?;
    /// let mut array = Array::<i32, _>::zeros(layout)?;
    /// let (mut left, mut right) = array.split_at_mut::<1>(2)?;
    /// std::thread::scope(|scope| {
    ///     scope.spawn(move || left.for_each_mut(|_, value| *value = 1));
    ///     scope.spawn(move || right.for_each_mut(|_, value| *value = 2));
    /// });
    /// assert_eq!(array.memory(), [1, 1, 2, 2, 1, 1, 2, 2]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: out of bounds, or inside a tile.
    #[expect(clippy::type_complexity, reason = "two parts of one type")]
    pub fn split_at_mut<const DIM: usize>(
        &mut self,
        at: usize,
    ) -> Result<(ViewMut<'_, T, L::Region<'_>>, ViewMut<'_, T, L::Region<'_>>), LayoutError> {
        const { assert_unique::<L>() }
        let (data, layout) = self.items_mut_and_layout();
        let (halves, apart) = halves::<T, L>(layout, DIM, at)?;
        // The coordinates of dimension `DIM` are below `at` in the one, and not in the other.
        let mut parts = Several::new(data, layout, apart);
        let [left, right] = halves.map(|half| parts.take_part(half));
        Ok((left, right))
    }

    /// Parts of `len` coordinates of dimension `DIM`, to write; the last one has what is left. No
    /// index is in two of them, so threads may write to them.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[3,6]{1,0:T(2,2)}".parse()?;
    /// let mut array = Array::<i32, _>::zeros(layout)?;
    /// std::thread::scope(|scope| {
    ///     for (n, mut chunk) in array.chunks_mut::<1>(2).enumerate() {
    ///         scope.spawn(move || chunk.for_each_mut(|_, value| *value = n as i32));
    ///     }
    /// });
    /// assert_eq!((array[[2, 1]], array[[2, 2]]), (0, 1));
    /// assert!(array.try_chunks_mut::<1>(3).is_err()); // the second part would begin inside a tile
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Panics
    /// As [`chunks`](ArrayRef::chunks).
    #[track_caller]
    pub fn chunks_mut<const DIM: usize>(&mut self, len: usize) -> ChunksMut<'_, T, L> {
        or_panic(self.try_chunks_mut::<DIM>(len))
    }

    /// As [`chunks_mut`](Self::chunks_mut), for lengths and tiles that only the run time knows.
    ///
    /// # Errors
    /// As [`try_chunks`](ArrayRef::try_chunks).
    pub fn try_chunks_mut<const DIM: usize>(
        &mut self,
        len: usize,
    ) -> Result<ChunksMut<'_, T, L>, LayoutError> {
        const { assert_unique::<L>() }
        let (data, layout) = self.items_mut_and_layout();
        ChunksMut::new(data, layout, DIM, len)
    }

    /// Every `|step|`-th coordinate of a range of dimension `DIM`, to write. See
    /// [`with_step`](ArrayRef::with_step).
    ///
    /// # Errors
    /// As there.
    pub fn with_step_mut<const DIM: usize>(
        &mut self,
        range: impl DimensionRange,
        step: isize,
    ) -> Result<ViewMut<'_, T, StridedLayout<L::Coordinates, isize>>, LayoutError> {
        const { assert_unique::<L>() }
        let (data, layout) = self.items_mut_and_layout();
        let placed = stepped(layout, DIM, range, step)?;
        Ok(data.take_part(T::place_of_step(layout, DIM, placed)?))
    }
}
