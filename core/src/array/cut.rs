//! Parts of an array, without a copy: ranges of its dimensions, halves, chunks, steps.

use core::iter::FusedIterator;
use core::ops::Range;

use super::base::{ArrayBase, View, ViewMut, part_among, part_of};
use super::reference::ArrayRef;
use super::several::{Apart, Several};
use super::slice::range_in;
use super::storage::{PartItems, PartItemsMut, Take};
use super::stored::Stored;
use crate::array_layout::sealed::Token;
use crate::array_layout::{ArrayLayout, IntoCoordinates};
use crate::layout_error::{LayoutError, NotSlice, or_panic};
use crate::layouts::region::parts::{
    DimensionRange, assert_unique, place_of, range_of, repeated, size_of_dimension, stepped,
};
use crate::layouts::region::place;
use crate::layouts::{BroadcastLayout, StridedLayout};

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
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
        Ok(self.part(region::<T, L>(&self.layout, origin, sizes)?))
    }

    /// The part with the coordinates of a range in dimension `DIM`. For a view,
    /// [`into_slice`](ArrayBase::into_slice) and
    /// [`into_const_slice`](ArrayBase::into_const_slice) keep more in the type.
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
        Ok(self.part(slice::<T, L, DIM>(&self.layout, range)?))
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
    /// [`LayoutError::NoSlice`]: a part would begin inside a tile, or `len` is 0.
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
        part_of(self.items(), placed)
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
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
        let (data, layout) = self.items_mut_and_layout();
        Ok(part_of(data, region::<T, L>(layout, origin, sizes)?))
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
        let (data, layout) = self.items_mut_and_layout();
        Ok(part_of(data, slice::<T, L, DIM>(layout, range)?))
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
    ///     scope.spawn(move || left.for_each_in_memory_mut(|_, value| *value = 1));
    ///     scope.spawn(move || right.for_each_in_memory_mut(|_, value| *value = 2));
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
        let [left, right] = halves.map(|half| part_among(&mut parts, half));
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
    ///         scope.spawn(move || chunk.for_each_in_memory_mut(|_, value| *value = n as i32));
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
        Ok(part_of(data, T::place_of_step(layout, DIM, placed)?))
    }
}

/// The item that a region begins with, and its layout.
fn region<T: Stored, L: ArrayLayout>(
    layout: &L,
    origin: impl IntoCoordinates<L::Coordinates>,
    sizes: impl IntoCoordinates<L::Coordinates>,
) -> Result<(usize, L::Region<'_>), LayoutError> {
    let origin = origin.into_coordinates();
    let sizes = sizes.into_coordinates();
    let placed = place_of(layout, &origin, sizes.clone())?;
    T::check_box(layout, &origin, &sizes)?;
    Ok(T::place(layout, placed))
}

/// The item that a range of a dimension begins with, and its layout.
fn slice<T: Stored, L: ArrayLayout, const DIM: usize>(
    layout: &L,
    range: impl DimensionRange,
) -> Result<(usize, L::Region<'_>), LayoutError> {
    let Range { start, end } = range_in::<L, DIM>(layout, range)?;
    let (origin, sizes) = range_of(layout, DIM, start, end)?;
    region::<T, L>(layout, origin, sizes)
}

/// How a dimension is divided into parts of one length.
#[derive(Clone, Debug)]
pub(super) struct Ranges {
    dim: usize,
    len: usize,
    next: usize,
    size: usize,
}

impl Ranges {
    fn new<T: Stored, L: ArrayLayout>(
        layout: &L,
        dim: usize,
        len: usize,
    ) -> Result<(Self, Apart), LayoutError> {
        let size = size_of_dimension(layout, dim)?;
        if len == 0 {
            return Err(NotSlice::Empty { dimension: dim }.into());
        }
        let ranges = Self {
            dim,
            len,
            next: 0,
            size,
        };
        // Each part is checked here, so that none is missing later. If `len` is a multiple of a cut
        // (see `place`), or the reverse, all parts are allowed. If not, the first part that reaches
        // over a multiple of the cut is number 1 where `len` is greater, else number `cut / len`.
        // If that one is allowed, it is shorter than `len`, and so the last one.
        layout.with_resolved(Token, |whole| {
            let check = |number: usize| -> Result<(), LayoutError> {
                let start = number.saturating_mul(len);
                if start >= size {
                    return Ok(()); // There is no such part.
                }
                let end = start.saturating_add(len).min(size);
                let (origin, sizes) = range_of(layout, dim, start, end)?;
                Ok(place::check_cuts(&whole, &origin, &sizes)?)
            };
            check(0)?;
            check(1)?;
            for mode in whole.modes.iter().filter(|mode| mode.dim == dim) {
                check(mode.divisor / len)?;
                if !mode.top {
                    check(mode.divisor * mode.size / len)?;
                }
            }
            Ok::<(), LayoutError>(())
        })?;
        Ok((ranges, Apart::lengths::<T, L>(layout, dim, len)?))
    }

    /// The next range.
    #[inline]
    fn take(&mut self) -> Option<Range<usize>> {
        let start = self.next;
        if start >= self.size {
            return None;
        }
        let end = start.saturating_add(self.len).min(self.size);
        self.next = end;
        Some(start..end)
    }

    /// The last range.
    fn take_back(&mut self) -> Option<Range<usize>> {
        let parts = self.left().checked_sub(1)?;
        let start = self.next + parts * self.len;
        let end = self.size;
        self.size = start;
        Some(start..end)
    }

    /// Leaves out the next ranges.
    fn skip(&mut self, count: usize) {
        let start = self.next.saturating_add(self.len.saturating_mul(count));
        self.next = start.min(self.size);
    }

    /// The item that a part begins with, and its layout.
    fn part<'a, T: Stored, L: ArrayLayout>(
        &self,
        layout: &'a L,
        range: Range<usize>,
    ) -> (usize, L::Region<'a>) {
        let part = range_of(layout, self.dim, range.start, range.end)
            .and_then(|(origin, sizes)| place_of(layout, &origin, sizes));
        match part {
            Ok(part) => T::place(layout, part),
            Err(why) => unreachable!("each part was checked: {why}"),
        }
    }

    #[inline]
    fn left(&self) -> usize {
        (self.size - self.next).div_ceil(self.len)
    }
}

/// The parts of an array along a dimension, in sequence;
/// [`ArrayRef::chunks`](super::ArrayRef::chunks) makes it.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout: DynLayout = "s32[4,6]{1,0:T(2,2)}".parse()?;
/// let array = Array::from_fn(layout, |at| at[1] as i32)?;
/// let sums = array.chunks::<1>(4).map(|chunk| chunk.iter().sum::<i32>());
/// assert_eq!(sums.collect::<Vec<_>>(), [24, 36]); // columns 0 to 3, and 4 to 5
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type Chunks<'a, T, L> = EachChunk<'a, PartItems<'a, T>, L>;

/// The parts of an array along a dimension, to write;
/// [`ArrayRef::chunks_mut`](super::ArrayRef::chunks_mut) makes it and has an example.
pub type ChunksMut<'a, T, L> = EachChunk<'a, PartItemsMut<'a, T>, L>;

/// [`Chunks`] and [`ChunksMut`].
#[allow(unreachable_pub, reason = "public types are it")]
#[derive(Clone, Debug)]
pub struct EachChunk<'a, S, L> {
    parts: Several<S>,
    layout: &'a L,
    ranges: Ranges,
}

impl<'a, S: Take<Item: Stored>, L: ArrayLayout> EachChunk<'a, S, L> {
    /// The parts of `len` coordinates of a dimension of an array.
    pub(super) fn new(data: S, layout: &'a L, dim: usize, len: usize) -> Result<Self, LayoutError> {
        let (ranges, apart) = Ranges::new::<S::Item, L>(layout, dim, len)?;
        let parts = Several::new(data, layout, apart);
        Ok(Self {
            parts,
            layout,
            ranges,
        })
    }
}

impl<'a, S: Take<Item: Stored>, L: ArrayLayout> Iterator for EachChunk<'a, S, L> {
    type Item = ArrayBase<S, L::Region<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        // Each part has another range of one dimension.
        let range = self.ranges.take()?;
        let placed = self.ranges.part::<S::Item, L>(self.layout, range);
        Some(part_among(&mut self.parts, placed))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.ranges.skip(n);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.ranges.left(), Some(self.ranges.left()))
    }
}

impl<S: Take<Item: Stored>, L: ArrayLayout> DoubleEndedIterator for EachChunk<'_, S, L> {
    fn next_back(&mut self) -> Option<Self::Item> {
        // As in `next`.
        let range = self.ranges.take_back()?;
        let placed = self.ranges.part::<S::Item, L>(self.layout, range);
        Some(part_among(&mut self.parts, placed))
    }
}

impl<S: Take<Item: Stored>, L: ArrayLayout> ExactSizeIterator for EachChunk<'_, S, L> {}
impl<S: Take<Item: Stored>, L: ArrayLayout> FusedIterator for EachChunk<'_, S, L> {}

/// The parts before and from a coordinate: the item that each begins with, and its layout.
pub(super) fn halves<T: Stored, L: ArrayLayout>(
    layout: &L,
    dim: usize,
    at: usize,
) -> Result<([(usize, L::Region<'_>); 2], Apart), LayoutError> {
    let size = size_of_dimension(layout, dim)?;
    let (origin, sizes) = range_of(layout, dim, 0, at)?;
    let left = place_of(layout, &origin, sizes)?;
    let (origin, sizes) = range_of(layout, dim, at, size)?;
    let right = place_of(layout, &origin, sizes)?;
    let apart = Apart::halves::<T, L>(layout, dim, at)?;
    Ok(([left, right].map(|half| T::place(layout, half)), apart))
}
