//! Indices that are proven in bounds, and belong to their layout's type.

use core::fmt;
use core::marker::PhantomData;

use super::{ArrayLayout, ConstLayout, FixedSizes, Rank};
use crate::const_text::ConstText;
use crate::layout_error::LayoutError;

/// The coordinates of one element of an array with layout `L`, proven in bounds.
///
/// The proof is made once: by [`ArrayLayout::index`], by [`Index::at`] at compile time, or by the
/// iteration that hands out the index. An index of one layout type does not fit a view of another
/// type: that does not compile.
///
/// If the type fixes the sizes ([`FixedSizes`]), access by the index checks nothing. Otherwise
/// (`?`, [`StridedLayout`](crate::StridedLayout), [`DynLayout`](crate::DynLayout)) two values of
/// one type may have different sizes. Then an access compares the coordinates that the type does
/// not fix with the layout of the view. It panics out of bounds or for another rank, as
/// `view[[1, 2]]` does. [`branded`](crate::branded) avoids these comparisons.
///
/// # Which index
/// | index | its proof | use it for |
/// |---|---|---|
/// | `[i, j]`, `&[usize]` | none: each access checks | an element here and there |
/// | `(i, j)` of [`Coordinate`](crate::Coordinate)s | of an [`Axis`](crate::Axis), one for each dimension | loops over dimensions, products of several arrays |
/// | [`Index`] | of all coordinates, made once | one element of several arrays of a layout; constants; [`indices`](ArrayLayout::indices) |
/// | [`LinearIndex`] | of the place in memory, where the type fixes the sizes | one element that is accessed again and again: no arithmetic is left |
/// | any of a [`branded`](crate::branded) layout | as if the type fixed the sizes | sizes that only the run time knows, without a check |
///
/// ```
/// use xlayout_core::{Index, ArrayLayout, StridedLayout};
///
/// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse().unwrap();
/// let index = layout.index([1, 2]).unwrap();
/// assert_eq!(index.coordinates(), &[1, 2]);
/// assert_eq!(index.to_linear(&layout).get(), 5);
/// assert!(layout.index([1, 3]).is_err());
/// ```
pub struct Index<L: ArrayLayout> {
    coordinates: L::Coordinates,
    marker: PhantomData<fn() -> L>,
}

/// The linear index, in elements, of one element of an array with layout `L`, proven not to lie
/// in padding or beyond the end.
///
/// If the type fixes the sizes ([`FixedSizes`]), it accesses views without a check, and becomes an
/// [`Index`] again. Otherwise (`?`, [`StridedLayout`](crate::StridedLayout),
/// [`DynLayout`](crate::DynLayout)) a layout of other sizes may have another element at the same
/// number. So a view cannot be indexed by it: that does not compile.
/// [`index_at`](ArrayLayout::index_at) makes an [`Index`] of the number, and
/// [`branded`](crate::branded) gives the value a type that fixes the sizes.
///
/// ```
/// use xlayout_core::{ArrayLayout, StridedLayout, branded};
///
/// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse().unwrap();
/// assert_eq!(layout.index_at(5).unwrap().coordinates(), &[1, 2]);
/// assert!(layout.linear(6).is_err());
/// branded(layout, |layout| {
///     let linear = layout.linear(5).unwrap();
///     assert_eq!(linear.to_index(&layout).coordinates(), &[1, 2]);
/// });
/// ```
///
/// ```compile_fail
/// # use xlayout_core::{DynLayout, ArrayLayout, SliceView};
/// let layout: DynLayout = "f32[2,3]".parse().unwrap();
/// let linear = layout.linear(5).unwrap();
/// SliceView::new(layout, &[0.0_f32; 6][..]).unwrap()[linear];
/// ```
pub struct LinearIndex<L: ArrayLayout> {
    linear: usize,
    marker: PhantomData<fn() -> L>,
}

impl<L: ArrayLayout> Index<L> {
    /// Proves that coordinates are in bounds, as [`ArrayLayout::index`] does for every kind of
    /// coordinates.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, DynCoordinates, DynLayout, Index};
    /// let layout: DynLayout = "f32[2,3]".parse().unwrap();
    /// let index = Index::new(&layout, DynCoordinates::from([1, 2])).unwrap();
    /// assert_eq!(index, layout.index([1, 2]).unwrap());
    /// ```
    ///
    /// # Errors
    /// The first coordinate that is out of bounds, with the size of its dimension.
    #[inline]
    pub fn new(layout: &L, coordinates: L::Coordinates) -> Result<Self, LayoutError> {
        if layout.in_bounds(&coordinates) {
            Ok(Self::proven(coordinates))
        } else {
            Err(LayoutError::index(
                coordinates.as_ref(),
                layout.shape().as_ref(),
            ))
        }
    }

    /// Coordinates that the caller knows to be in bounds of a value of `L`.
    #[inline(always)]
    pub(crate) const fn proven(coordinates: L::Coordinates) -> Self {
        Self {
            coordinates,
            marker: PhantomData,
        }
    }

    /// The coordinates, dimension 0 first.
    #[inline(always)]
    pub const fn coordinates(&self) -> &L::Coordinates {
        &self.coordinates
    }

    /// The coordinates, dimension 0 first.
    #[inline(always)]
    pub(crate) fn into_coordinates(self) -> L::Coordinates {
        self.coordinates
    }

    /// The index that is `steps` away, one number of steps for each dimension; `None` if it is out
    /// of bounds of `layout`, or there are not as many numbers as dimensions.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, DynLayout};
    /// let layout: DynLayout = "f32[2,3]".parse()?;
    /// let index = layout.index([1, 1])?;
    /// let neighbour = index.checked_offset(&layout, &[-1, 1]).unwrap();
    /// assert_eq!(neighbour.coordinates()[..], [0, 2]);
    /// assert!(index.checked_offset(&layout, &[1, 0]).is_none());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[must_use]
    pub fn checked_offset(&self, layout: &L, steps: &[isize]) -> Option<Self> {
        let mut there = self.coordinates.clone();
        if steps.len() != there.as_ref().len() {
            return None;
        }
        for (i, &steps) in there.as_mut().iter_mut().zip(steps) {
            *i = i.checked_add_signed(steps)?;
        }
        layout.in_bounds(&there).then(|| Self::proven(there))
    }

    /// Where the element with these coordinates lies in an array of this layout.
    ///
    /// # Panics
    /// Where the type does not fix the sizes: when the coordinates are out of bounds of `layout`,
    /// or its rank is another. A [`FixedSizes`] layout checks nothing.
    #[inline(always)]
    #[track_caller]
    pub fn to_linear(&self, layout: &L) -> LinearIndex<L> {
        LinearIndex::proven(self.linear_in(layout))
    }

    /// The linear index in this layout: below its number of places. The coordinates are checked
    /// here where the proof was one for another value of `L`, perhaps.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn linear_in(&self, layout: &L) -> usize {
        match self.find_in(layout) {
            Some(linear) => linear,
            // A copy, so that the index itself need not lie in memory when all is well.
            None => out_of_bounds(self.coordinates.clone().as_ref(), layout.shape().as_ref()),
        }
    }

    /// The same; `None` out of bounds of this value of `L`.
    #[inline(always)]
    pub(crate) fn find_in(&self, layout: &L) -> Option<usize> {
        if layout.in_bounds_again(&self.coordinates) {
            Some(layout.linear_index(&self.coordinates))
        } else {
            None
        }
    }
}

/// Panics because of a coordinate that is out of bounds, or another rank.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn out_of_bounds(index: &[usize], sizes: &[usize]) -> ! {
    panic!("{}", LayoutError::index(index, sizes))
}

// The bound is at the function: there the compiler says what to write in a generic one.
impl<L: ConstLayout> Index<L> {
    /// The index at these coordinates, checked by the compiler: out of bounds it does not compile
    /// where it is used in a const context, as in `const { Index::<A>::at([1, 2]) }`, which is what
    /// `index!(A[1, 2])` writes. Where `L` is a parameter of a generic function, the sizes are
    /// known when code is generated: `cargo build` says so, `cargo check` does not.
    ///
    /// # Panics
    /// Out of bounds, where it is called at run time.
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn at<const N: usize>(coordinates: [usize; N]) -> Self
    where
        L: Rank<N>,
    {
        assert_in_bounds::<L>(&coordinates);
        Self::proven(coordinates)
    }

    /// The index of the element at this linear index, also in a constant; `None` in padding and
    /// beyond the end. It is the inverse of [`LinearIndex::at`].
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, StaticLayout};
    /// use xlayout_core::{Index, LinearIndex};
    /// // layout!(f32[2,3]{0,1})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    /// const LAST: Index<A> = Index::at_linear(5).unwrap();
    /// assert_eq!(LAST, Index::at([1, 2]));
    /// assert_eq!(Index::<A>::at_linear(6), None);
    /// ```
    #[doc(alias = "multi_index")]
    #[must_use]
    pub const fn at_linear<const N: usize>(linear: usize) -> Option<Self>
    where
        L: Rank<N>,
    {
        match L::MEMORY_MAP.table.multi_index_in_const(linear) {
            Some(coordinates) => Some(Self::proven(coordinates)),
            None => None,
        }
    }
}

/// Stops, the compiler or the program, at the first coordinate that is out of bounds.
#[track_caller]
const fn assert_in_bounds<L: ConstLayout>(coordinates: &[usize]) {
    each!(d, 0..coordinates.len(), {
        if coordinates[d] >= L::SIZES[d] {
            let message = ConstText::new("index ", &[]).list(coordinates).filled(
                " is out of bounds: dimension {} has size {}, so that its last index is {}",
                &[d, L::SIZES[d], L::SIZES[d].saturating_sub(1)],
            );
            panic!("{}", message.as_str());
        }
    });
}

impl<L, const N: usize> LinearIndex<L>
where
    L: ConstLayout<Coordinates = [usize; N]>,
{
    /// The linear index of the element at these coordinates, in a constant; out of bounds it does
    /// not compile there.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, StaticLayout};
    /// use xlayout_core::LinearIndex;
    /// // layout!(f32[2,3]{0,1})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    /// const LAST: usize = LinearIndex::<A>::at([1, 2]).get();
    /// assert_eq!(LAST, 5);
    /// ```
    ///
    /// # Panics
    /// Out of bounds, where it is called at run time.
    #[must_use]
    #[track_caller]
    pub const fn at(coordinates: [usize; N]) -> Self {
        assert_in_bounds::<L>(&coordinates);
        Self::proven(L::MEMORY_MAP.table.linear_index_in_const(&coordinates))
    }
}

impl<L: ArrayLayout> LinearIndex<L> {
    /// The linear index with this number; `None` in padding and beyond the end. Of a layout that
    /// the run time knows: [`ArrayLayout::linear`].
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, StaticLayout};
    /// use xlayout_core::{Index, LinearIndex};
    /// // layout!(f32[2,3]{0,1})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    /// assert_eq!(LinearIndex::<A>::new(5), Some(Index::at([1, 2]).linear()));
    /// assert_eq!(LinearIndex::<A>::new(6), None);
    /// ```
    #[must_use]
    pub fn new(linear: usize) -> Option<Self>
    where
        L: ConstLayout,
    {
        Self::checked(&L::NEW, linear).ok()
    }

    /// Checks that a linear index is the one of an element: [`ArrayLayout::linear`].
    #[inline]
    pub(crate) fn checked(layout: &L, linear_index: usize) -> Result<Self, LayoutError> {
        if layout.multi_index(linear_index).is_some() {
            Ok(Self::proven(linear_index))
        } else {
            Err(LayoutError::linear(linear_index, layout.buffer_len()))
        }
    }

    #[inline(always)]
    pub(crate) const fn proven(linear: usize) -> Self {
        Self {
            linear,
            marker: PhantomData,
        }
    }

    /// The linear index, in elements.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> usize {
        self.linear
    }
}

impl<L: FixedSizes> LinearIndex<L> {
    /// The coordinates of the element. Where the type does not fix the sizes this does not compile;
    /// see [`ArrayLayout::index_at`].
    #[inline(always)]
    pub fn to_index(self, layout: &L) -> Index<L> {
        // All values of `L` are equal, so that this is the linear index of an element of `layout`.
        Index::proven(layout.multi_index_of_element(self.linear))
    }
}

impl<L: ConstLayout> Index<L> {
    /// Where the element lies.
    #[inline(always)]
    pub fn linear(&self) -> LinearIndex<L> {
        self.to_linear(&L::NEW)
    }
}

impl<L: ArrayLayout> Clone for Index<L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self::proven(self.coordinates.clone())
    }
}

impl<L: ArrayLayout> Copy for Index<L> where L::Coordinates: Copy {}

crate::by_value! { [L: ArrayLayout] Index<L>: Hash = |it| it.coordinates }

impl<L: ArrayLayout> fmt::Debug for Index<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.coordinates.as_ref().fmt(f)
    }
}

crate::by_value! { [L: ArrayLayout] LinearIndex<L>: Copy Ord Hash = |it| it.linear }

impl<L: ArrayLayout> fmt::Debug for LinearIndex<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.linear.fmt(f)
    }
}
