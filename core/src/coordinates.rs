//! The coordinates of one element: an array where the rank is known, a list where it is not.

use core::fmt::Debug;
use core::hash::Hash;

use crate::dims::INLINE_RANK;
use crate::list::List;

/// What seals the indices of views.
pub(crate) mod view_index {
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be made an index of arrays",
        label = "only xlayout implements this trait",
        note = "access without a check relies on the linear index that it gives; turn `{Self}` \
                into coordinates such as `[i, j]`"
    )]
    pub trait Sealed {}
    impl Sealed for usize {}
    impl<const N: usize> Sealed for [usize; N] {}
    impl Sealed for super::DynCoordinates {}
    impl Sealed for &[usize] {}
    impl<C: super::Coordinates> Sealed for &C {}
}

/// The coordinates of one element, dimension 0 first: `[usize; N]`, or [`DynCoordinates`] where
/// the rank is known at run time only.
///
/// ```
/// use xlayout_core::{Coordinates, ArrayLayout};
///
/// fn last<L: ArrayLayout>(layout: &L) -> L::Coordinates {
///     let mut index = L::Coordinates::origin(layout.rank());
///     for (i, n) in index.as_mut().iter_mut().zip(layout.shape().as_ref()) {
///         *i = n - 1;
///     }
///     index
/// }
/// let layout: xlayout_core::DynLayout = "f32[2,3]".parse().unwrap();
/// assert_eq!(last(&layout)[..], [1, 2]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of coordinates or sizes",
    label = "expected one number for each dimension: an array as `[2, 3]`, or `DynCoordinates`",
    note = "of a slice or a `Vec` write `DynCoordinates::from(&list[..])`"
)]
pub trait Coordinates:
    sealed::Sealed
    + view_index::Sealed
    + Clone
    + Debug
    + PartialEq
    + Eq
    + Hash
    + AsRef<[usize]>
    + AsMut<[usize]>
{
    /// The origin of an array of this rank. For `[usize; N]` the rank is `N`, and the number is
    /// not looked at.
    ///
    /// # Panics
    /// For a rank above 16 without the feature `alloc`, where no array has that many dimensions.
    fn origin(rank: usize) -> Self;

    /// One coordinate.
    ///
    /// This and [`set`](Self::set) do without a slice in between, which would be the address
    /// of the coordinates: the compiler takes them for memory, then, while it shapes the loops
    /// around.
    #[doc(hidden)]
    fn coordinate(&self, dim: usize) -> usize;

    /// Changes one coordinate.
    #[doc(hidden)]
    fn set(&mut self, dim: usize, to: usize);

    /// Whether every coordinate is below the size of its dimension, and the ranks are the same.
    #[doc(hidden)]
    fn below(&self, sizes: &Self) -> bool;

    /// The sum of the products, wrapping: the linear index with these strides.
    #[doc(hidden)]
    fn dot(&self, strides: &Self) -> usize;
}

/// Coordinates of a rank above `DIM`: a bound by which the compiler refuses a dimension that a
/// layout does not have, at the line that names it.
///
/// `[usize; N]` is `HasDimension<0>` to `HasDimension<N - 1>`, for the ranks that typed layouts
/// have.
///
/// ```
/// use xlayout_core::HasDimension;
/// fn last<C: HasDimension<1>>() {}
/// last::<[usize; 2]>();
/// ```
///
/// ```compile_fail
/// # use xlayout_core::HasDimension;
/// # fn last<C: HasDimension<1>>() {}
/// last::<[usize; 1]>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a layout with coordinates `{Self}` has no dimension {DIM}, or only the \
               run time knows it",
    label = "the compiler knows no dimension {DIM} of this layout",
    note = "dimensions count from 0; in a generic function say the rank: `L: Rank<2>`",
    note = "`DynCoordinates` have a rank that the run time knows: give the array a rank that the \
            compiler knows, `array.ranked::<2>()?`, or where it is borrowed \
            `array.as_view().ranked::<2>()?`"
)]
pub trait HasDimension<const DIM: usize>: Coordinates {}

macro_rules! has_dimensions {
    ($($rank:literal: $($dim:literal)*;)*) => {$(const _: () = {
        // The rank is a constant, which rustc checks once for the name.
        type Array = [usize; $rank];
        $(
            #[diagnostic::do_not_recommend]
            impl HasDimension<$dim> for Array {}
        )*
    };)*};
}

has_dimensions! {
    1: 0;
    2: 0 1;
    3: 0 1 2;
    4: 0 1 2 3;
    5: 0 1 2 3 4;
    6: 0 1 2 3 4 5;
    7: 0 1 2 3 4 5 6;
    8: 0 1 2 3 4 5 6 7;
    9: 0 1 2 3 4 5 6 7 8;
    10: 0 1 2 3 4 5 6 7 8 9;
    11: 0 1 2 3 4 5 6 7 8 9 10;
    12: 0 1 2 3 4 5 6 7 8 9 10 11;
    13: 0 1 2 3 4 5 6 7 8 9 10 11 12;
    14: 0 1 2 3 4 5 6 7 8 9 10 11 12 13;
    15: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14;
    16: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15;
}

/// Coordinates of arrays that are compared: those of one rank, or of one that the run time knows.
#[diagnostic::on_unimplemented(
    message = "an array with coordinates `{Self}` is not compared with one with \
               coordinates `{Other}`",
    label = "arrays of two ranks are never equal; a function for all layouts says one rank: \
             `impl Rank<2>`"
)]
pub trait SameRank<Other> {}

impl<C: Coordinates> SameRank<C> for C {}
impl<const N: usize> SameRank<DynCoordinates> for [usize; N] {}
impl<const N: usize> SameRank<[usize; N]> for DynCoordinates {}

/// Coordinates of an array whose rank is known at run time only.
///
/// ```
/// use xlayout_core::DynCoordinates;
/// let at = DynCoordinates::from(&[1, 2][..]);
/// assert_eq!(at[..], [1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DynCoordinates(pub(crate) List<usize, INLINE_RANK>);

mod sealed {
    pub trait Sealed {}
    impl<const N: usize> Sealed for [usize; N] {}
    impl Sealed for super::DynCoordinates {}
}

impl<const N: usize> Coordinates for [usize; N] {
    #[inline(always)]
    fn origin(_rank: usize) -> Self {
        [0; N]
    }

    #[inline(always)]
    fn coordinate(&self, dim: usize) -> usize {
        self[dim]
    }

    #[inline(always)]
    fn set(&mut self, dim: usize, to: usize) {
        self[dim] = to;
    }

    // Written out: a loop is unrolled too late for the loops around it to do without the check.
    #[inline(always)]
    fn below(&self, sizes: &Self) -> bool {
        macro_rules! all {
            ($($k:literal)*) => {
                $((const { N <= $k } || self[$k] < sizes[$k]) &&)* true
            };
        }
        all!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
            && (const { N <= 16 } || self.iter().zip(sizes).skip(16).all(|(i, size)| i < size))
    }

    // Written out, as above.
    #[inline(always)]
    fn dot(&self, strides: &Self) -> usize {
        let mut sum = 0_usize;
        macro_rules! add {
            ($($k:literal)*) => {
                $(if const { N > $k } {
                    sum = sum.wrapping_add(self[$k].wrapping_mul(strides[$k]));
                })*
            };
        }
        add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        for (i, stride) in self.iter().zip(strides).skip(16) {
            sum = sum.wrapping_add(i.wrapping_mul(*stride));
        }
        sum
    }
}

/// [`Coordinates::below`] of slices.
#[inline]
pub(crate) fn below(index: &[usize], sizes: &[usize]) -> bool {
    index.len() == sizes.len() && index.iter().zip(sizes).all(|(i, size)| i < size)
}

/// [`Coordinates::dot`] of slices.
#[inline]
pub(crate) fn dot(index: &[usize], strides: &[usize]) -> usize {
    let terms = index.iter().zip(strides);
    terms.fold(0, |sum: usize, (i, stride)| {
        sum.wrapping_add(i.wrapping_mul(*stride))
    })
}

impl Coordinates for DynCoordinates {
    #[inline]
    fn dot(&self, strides: &Self) -> usize {
        dot(self, strides)
    }

    #[inline]
    fn origin(rank: usize) -> Self {
        let mut list = List::new();
        for _ in 0..rank {
            if let Err(full) = list.try_push(0) {
                panic!("{full}");
            }
        }
        Self(list)
    }

    #[inline]
    fn coordinate(&self, dim: usize) -> usize {
        self.0[dim]
    }

    #[inline]
    fn set(&mut self, dim: usize, to: usize) {
        self.as_mut()[dim] = to;
    }

    #[inline]
    fn below(&self, sizes: &Self) -> bool {
        below(self, sizes)
    }
}

/// # Panics
/// For more than 16 coordinates without the feature `alloc`, where no array has that many.
impl From<&[usize]> for DynCoordinates {
    #[inline]
    fn from(coordinates: &[usize]) -> Self {
        match List::try_from_iter(coordinates.iter().copied()) {
            Ok(list) => Self(list),
            Err(full) => panic!("{full}"),
        }
    }
}

impl<const N: usize> From<[usize; N]> for DynCoordinates {
    fn from(coordinates: [usize; N]) -> Self {
        Self::from(&coordinates[..])
    }
}

impl core::ops::Deref for DynCoordinates {
    type Target = [usize];
    #[inline]
    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl AsRef<[usize]> for DynCoordinates {
    #[inline]
    fn as_ref(&self) -> &[usize] {
        &self.0
    }
}

impl AsMut<[usize]> for DynCoordinates {
    #[inline]
    fn as_mut(&mut self) -> &mut [usize] {
        &mut self.0
    }
}
