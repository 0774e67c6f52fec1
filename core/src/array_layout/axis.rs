//! Coordinates that are proven in bounds one by one: what the loops of a kernel run over.
//! The coordinates of an axis in blocks.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::{Bound, Range, RangeBounds};

use super::{ArrayLayout, ConstLayout, Coordinate, Number};
use crate::const_text::ConstText;
use crate::coordinates::Coordinates as _;
use crate::dims::Dim;
use crate::layout_error::{LayoutError, NotSlice, or_panic};
use crate::modes::fold_blocks;

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The size of a dimension. A compile error if the layout has no such dimension.
pub(super) const fn size<L: ConstLayout>(dimension: usize) -> usize {
    if dimension < L::SIZES.len() {
        return L::SIZES[dimension];
    }
    let message = ConstText::new(
        "there is no dimension {}: the layout has rank {}, and dimensions count from 0",
        &[dimension, L::SIZES.len()],
    );
    panic!("{}", message.as_str());
}

/// The size of a dimension, if the type of the layout fixes it.
const fn known_size<L: ArrayLayout>(dimension: usize) -> Option<usize> {
    if dimension >= L::KNOWN_DIMS.len() {
        return None;
    }
    match L::KNOWN_DIMS[dimension] {
        Dim::Static(size) | Dim::Bounded(size) => Some(size as usize),
        Dim::Unbounded => None,
    }
}

/// Whether both types fix the size: then [`check_same`] compares them, and nothing is left to
/// check.
pub(crate) const fn both_known<L: ArrayLayout, M: ArrayLayout>(from: usize, to: usize) -> bool {
    known_size::<L>(from).is_some() && known_size::<M>(to).is_some()
}

/// A compile error if a coordinate of dimension `from` of `L` is not a coordinate of dimension `to`
/// of `M`.
pub(crate) const fn check_same<L: ArrayLayout, M: ArrayLayout>(from: usize, to: usize) {
    if let (Some(of), Some(size)) = (known_size::<L>(from), known_size::<M>(to))
        && of != size
    {
        mismatch(to, size, ", but the coordinate is one", of);
    }
}

#[track_caller]
#[inline]
pub(super) const fn mismatch(dimension: usize, size: usize, but: &str, other: usize) {
    let message = ConstText::new("dimension {} of this array has size {}", &[dimension, size])
        .text(but)
        .filled(" of a dimension of size {}", &[other]);
    panic!("{}", message.as_str());
}

/// The coordinates of dimension `D` of layout `L`, in sequence; [`ConstLayout::axis`] makes it.
///
/// In a tiled layout, `map`, `sum`, `fold` and `for_each` run over whole tiles and then their
/// inside, so that no division or mask is left in the innermost loop. A `for` loop cannot do that:
/// use it for the outer loops of a kernel and these for the innermost one.
///
/// Coordinates of two axes have two types, so they are written as a tuple: `array[(i, j)]`, and not
/// `array[[i, j]]`.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout = DynLayout::new("s32[2,3]{0,1}")?.ranked::<2>()?;
/// let array = Array::from_fn(layout, |&[i, j]| (10 * i + j) as i32)?;
/// let mut sums = Vec::new();
/// for i in array.axis::<0>() {
///     sums.push(array.axis::<1>().map(|j| array[(i, j)]).sum::<i32>());
/// }
/// assert_eq!(sums, [3, 33]);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub struct Axis<L, const D: usize> {
    pub(super) range: Range<usize>,
    pub(super) marker: PhantomData<fn() -> L>,
}

impl<L: ConstLayout, const D: usize> Axis<L, D> {
    pub(crate) const ALL: Self = Self {
        range: 0..size::<L>(D),
        marker: PhantomData,
    };
}

impl<L: ArrayLayout, const D: usize> Axis<L, D> {
    /// All coordinates of this value of `L`.
    #[inline(always)]
    pub(crate) fn of(layout: &L) -> Self {
        let end = match const { known_size::<L>(D) } {
            Some(size) => size,
            None => layout.shape().coordinate(D),
        };
        Self {
            range: 0..end,
            marker: PhantomData,
        }
    }

    /// The coordinates of a range of numbers or of coordinates; each is still proven.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{ConstLayout, SliceView};
    /// type A = StaticLayout<f32, (Nat<4>,), MinorToMajor<(Nat<0>,)>, ()>; // layout!(f32[4])
    /// let view = SliceView::new(A::NEW, &[1.0, 2.0, 3.0, 4.0][..])?;
    /// assert_eq!(A::axis::<0>().range(1..3).map(|i| view[i]).sum::<f32>(), 5.0);
    /// for i in A::axis::<0>() {
    ///     assert_eq!(A::axis::<0>().range(i..).size(), 4 - i);
    /// }
    /// assert!(A::axis::<0>().try_range(1..5).is_err());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Panics
    /// When the range is not among the coordinates that are left: see
    /// [`try_range`](Self::try_range).
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn range<N: Number>(self, range: impl RangeBounds<N>) -> Self {
        or_panic(self.try_range(range))
    }

    /// As [`range`](Self::range), for a range that may not fit.
    ///
    /// # Errors
    /// [`LayoutError::RangeNotLeft`]; [`LayoutError::NoSlice`] when the range ends before it
    /// begins.
    #[inline]
    pub fn try_range<N: Number>(self, range: impl RangeBounds<N>) -> Result<Self, LayoutError> {
        let (start, end) = bounds(range, self.range.clone());
        // A range that ends before it begins.
        NotSlice::check(D, start, end, usize::MAX)?;
        if start < self.range.start || end > self.range.end {
            return Err(LayoutError::RangeNotLeft {
                dimension: D,
                range: [start, end],
                start: self.range.start,
                end: self.range.end,
            });
        }
        Ok(Self {
            range: start..end,
            ..self
        })
    }

    /// The number of coordinates that are left: at first the size of the dimension.
    #[inline(always)]
    #[must_use]
    pub fn size(&self) -> usize {
        self.range.len()
    }

    /// The coordinate with this number, if it is among those that are left.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let array = Array::zeros(DynLayout::new("f32[4]")?.ranked::<1>()?)?;
    /// let third: f32 = array[array.axis::<0>().coordinate(2)?];
    /// assert!(array.axis::<0>().coordinate(4).is_err());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NotLeft`].
    #[inline]
    pub fn coordinate(&self, number: usize) -> Result<Coordinate<L, D>, LayoutError> {
        if self.range.contains(&number) {
            Ok(Coordinate::proven(number))
        } else {
            Err(LayoutError::NotLeft {
                dimension: D,
                coordinate: number,
                start: self.range.start,
                end: self.range.end,
            })
        }
    }

    /// The coordinate that is `steps` away from this number; `None` if it is not one of those that
    /// are left.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let array = Array::from_fn(DynLayout::new("s32[4]")?.ranked::<1>()?, |&[i]| i as i32)?;
    /// let axis = array.axis::<0>();
    /// // Each element and its neighbours, as far as there are any.
    /// let sums = axis.clone().map(|i| {
    ///     let near = [-1, 0, 1].into_iter().filter_map(|steps| axis.offset(i, steps));
    ///     near.map(|i| array[i]).sum::<i32>()
    /// });
    /// assert_eq!(sums.collect::<Vec<_>>(), [1, 3, 6, 5]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn offset(&self, from: impl Number, steps: isize) -> Option<Coordinate<L, D>> {
        let number = from.number().checked_add_signed(steps)?;
        self.range
            .contains(&number)
            .then_some(Coordinate::proven(number))
    }

    /// The coordinates in blocks of `N`, and the axis of those that are left, fewer than `N`. A
    /// loop over a block has a constant number of rounds.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{ConstLayout, SliceView};
    /// type A = StaticLayout<f32, (Nat<5>,), MinorToMajor<(Nat<0>,)>, ()>; // layout!(f32[5])
    /// let view = SliceView::new(A::NEW, &[1.0, 2.0, 3.0, 4.0, 5.0][..])?;
    /// let (blocks, rest) = A::axis::<0>().blocks::<2>();
    /// let sums: Vec<f32> = blocks.map(|block| block.map(|i| view[(i,)]).sum()).collect();
    /// let rest: f32 = rest.map(|i| view[(i,)]).sum();
    /// assert_eq!((sums, rest), (vec![3.0, 7.0], 5.0));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[doc(alias("as_chunks", "array_chunks"))]
    #[inline(always)]
    pub fn blocks<const N: usize>(
        self,
    ) -> (
        impl ExactSizeIterator<Item = impl ExactSizeIterator<Item = Coordinate<L, D>> + Clone> + Clone,
        Self,
    ) {
        const { assert!(N > 0, "a block of an axis has at least one coordinate") }
        let Range { start, end } = self.range;
        let count = (end - start) / N;
        let blocks = (0..count).map(
            #[inline(always)]
            move |block| {
                // The block is inside the axis: its last coordinate is below the end.
                let first = start + block * N;
                (0..N).map(
                    #[inline(always)]
                    move |inside| Coordinate::proven(first + inside),
                )
            },
        );
        let rest = Self {
            range: start + count * N..end,
            ..self
        };
        (blocks, rest)
    }
}

/// The two widths at which memory along a dimension changes its step: 2 and 8 for dimension 0 of
/// `T(8,128)(2,1)`, both 128 for dimension 1; 0 where it has one step throughout. Elements that
/// share a byte are a width, too, so that the compiler reads it once. They only decide how loops
/// are cut: the second is a multiple of the first.
pub(super) const fn widths<L: ArrayLayout>(dimension: usize) -> [usize; 2] {
    let narrow = if L::IN_BYTE > 1 && is_adjacent(L::KNOWN_MODES, dimension) {
        L::IN_BYTE
    } else {
        next_width(L::KNOWN_MODES, dimension, 1)
    };
    match next_width(L::KNOWN_MODES, dimension, narrow) {
        0 => [narrow; 2],
        wide => [narrow, wide],
    }
}

/// Where a range begins and ends that is a part of `all`.
#[inline]
pub(crate) fn bounds<N: Number>(range: impl RangeBounds<N>, all: Range<usize>) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(start) => start.number(),
        Bound::Excluded(before) => before.number().saturating_add(1),
        Bound::Unbounded => all.start,
    };
    let end = match range.end_bound() {
        Bound::Included(last) => last.number().saturating_add(1),
        Bound::Excluded(end) => end.number(),
        Bound::Unbounded => all.end,
    };
    (start, end)
}

/// Whether the elements of a dimension follow one another in memory, up to the first cut.
const fn is_adjacent(modes: &[crate::Mode], dimension: usize) -> bool {
    let mut adjacent = false;
    each!(mode, modes, {
        adjacent |= mode.dim == dimension && mode.divisor == 1 && mode.stride == 1;
    });
    adjacent
}

/// The smallest divisor of the dimension's digits that is a proper multiple of `below`; 0 where
/// there is none.
#[inline]
const fn next_width(modes: &[crate::Mode], dimension: usize, below: usize) -> usize {
    let mut width = 0;
    each!(mode, modes, {
        let divisor = mode.divisor;
        // No divisor is a multiple of 0.
        if mode.dim == dimension
            && divisor > below
            && divisor.is_multiple_of(below)
            && (width == 0 || divisor < width)
        {
            width = divisor;
        }
    });
    width
}

impl<L: ArrayLayout, const D: usize> Iterator for Axis<L, D> {
    type Item = Coordinate<L, D>;

    #[inline(always)]
    fn next(&mut self) -> Option<Coordinate<L, D>> {
        self.range.next().map(Coordinate::proven)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }

    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<Coordinate<L, D>> {
        self.range.nth(n).map(Coordinate::proven)
    }

    #[inline(always)]
    fn fold<T, F>(self, init: T, mut call: F) -> T
    where
        F: FnMut(T, Coordinate<L, D>) -> T,
    {
        fold_blocks(
            self.range,
            const { widths::<L>(D) },
            init,
            #[inline(always)]
            |state, value| call(state, Coordinate::proven(value)),
        )
    }
}

impl<L: ArrayLayout, const D: usize> DoubleEndedIterator for Axis<L, D> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Coordinate<L, D>> {
        self.range.next_back().map(Coordinate::proven)
    }
}

impl<L: ArrayLayout, const D: usize> ExactSizeIterator for Axis<L, D> {}

impl<L: ArrayLayout, const D: usize> FusedIterator for Axis<L, D> {}

// Written out, since deriving would ask the same of `L`.

impl<L, const D: usize> Clone for Axis<L, D> {
    fn clone(&self) -> Self {
        Self {
            range: self.range.clone(),
            marker: PhantomData,
        }
    }
}

impl<L, const D: usize> fmt::Debug for Axis<L, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.range.fmt(f)
    }
}
