//! What a view is indexed by: `view[index]`.

use super::unchecked;
use crate::array_layout::sealed::Token;
use crate::array_layout::{ArrayLayout, FixedSizes};
use crate::array_layout::{
    Index, IntoCoordinates, LinearIndex, out_of_bounds, view_index as sealed,
};
use crate::{Coordinates, DynCoordinates};

/// Something that finds an element of an array with layout `L`:
/// - an [`Index`] of that layout type: no check where the type fixes the sizes
///   ([`FixedSizes`](crate::FixedSizes)); checked against the view's own layout elsewhere, panics
///   out of bounds;
/// - a [`LinearIndex`] of that layout type, which must fix the sizes: no check;
/// - coordinates `[i, j]`, also a reference to them, a slice of them where only the run time knows
///   the rank, and `i` of an array of rank 1: checked, panics out of bounds;
/// - a tuple of [`Coordinate`](crate::Coordinate)s, without a check, and of numbers, which are
///   checked: `(i, 2)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no index of an array with this layout",
    label = "expected a `usize` for each dimension, as `view[[i, j]]`, or coordinates of axes, as `view[(i, j)]`",
    note = "other integers are converted: `view[[i as usize, 0]]`; `view[i][j]` and `view[i, j]` are no indices; a part of an \
            array is `view.slice::<DIM>(range)`",
    note = "a loop over `axis.try_range(1..)` without `?` gives the axis in place of its coordinates: write `axis.range(1..)`",
    note = "an `Index` or `LinearIndex` indexes views of the layout that it was made for; a `LinearIndex` only where \
            the type of the layout fixes all sizes: elsewhere use `layout.index_at(linear_index)`",
    note = "a function for all layouts of two dimensions says so: `L: Rank<2>`; where only the run time knows \
            the rank, a slice is an index: `view[&coordinates[..]]`",
    note = "the layout is `{L}`: `RunTime` is `?`, `Named<'M'>` is `?M`"
)]
pub trait ViewIndex<L>: sealed::Sealed {
    /// A check at compile time. It is in the function that the user calls, so that the
    /// compiler points there.
    #[doc(hidden)]
    const FITS: () = ();
    /// What is said of an index out of bounds.
    #[doc(hidden)]
    type Coordinates: AsRef<[usize]>;
    /// The linear index of the element in this layout; the coordinates if they are out of bounds.
    /// Only this crate has a token.
    #[doc(hidden)]
    fn find_in(self, layout: &L, token: Token) -> Result<usize, Self::Coordinates>;
    /// The linear index of the element in this layout.
    ///
    /// # Panics
    /// Out of bounds.
    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn linear_in(self, layout: &L, token: Token) -> usize
    where
        Self: Sized,
        L: ArrayLayout,
    {
        match self.find_in(layout, token) {
            Ok(linear) => linear,
            Err(index) => out_of_bounds(index.as_ref(), layout.shape().as_ref()),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<L: ArrayLayout> ViewIndex<L> for Index<L> {
    type Coordinates = L::Coordinates;
    #[inline(always)]
    fn find_in(self, layout: &L, _: Token) -> Result<usize, L::Coordinates> {
        Self::find_in(&self, layout).ok_or(self.into_coordinates())
    }
}

#[diagnostic::do_not_recommend]
impl<'a, L: ArrayLayout> ViewIndex<L> for &'a Index<L> {
    type Coordinates = &'a L::Coordinates;
    #[inline(always)]
    fn find_in(self, layout: &L, _: Token) -> Result<usize, &'a L::Coordinates> {
        Index::find_in(self, layout).ok_or(self.coordinates())
    }
}

#[diagnostic::do_not_recommend]
impl<L: FixedSizes> ViewIndex<L> for LinearIndex<L> {
    type Coordinates = [usize; 0];
    #[inline(always)]
    fn find_in(self, _layout: &L, _: Token) -> Result<usize, [usize; 0]> {
        Ok(unchecked::proven::<L>(self.get()))
    }
}

#[diagnostic::do_not_recommend]
impl<L: ArrayLayout, const N: usize> ViewIndex<L> for [usize; N]
where
    [usize; N]: IntoCoordinates<L::Coordinates>,
{
    type Coordinates = Self;
    #[inline]
    fn find_in(self, layout: &L, _: Token) -> Result<usize, Self> {
        self.linear_index_in(layout).ok_or(self)
    }
}

/// The only coordinate of an array of rank 1.
#[diagnostic::do_not_recommend]
impl<L: ArrayLayout<Coordinates = [Self; 1]>> ViewIndex<L> for usize {
    type Coordinates = [Self; 1];
    #[inline]
    fn find_in(self, layout: &L, token: Token) -> Result<usize, [Self; 1]> {
        [self].find_in(layout, token)
    }
}

/// Coordinates of a rank that the run time knows.
#[diagnostic::do_not_recommend]
impl<L: ArrayLayout<Coordinates = DynCoordinates>> ViewIndex<L> for &[usize] {
    type Coordinates = Self;
    #[inline]
    fn find_in(self, layout: &L, _: Token) -> Result<usize, Self> {
        layout.linear_index_in_bounds(self).ok_or(self)
    }
}

/// Coordinates as closures get them: `Array::from_fn(layout, |at| other[at])`.
#[diagnostic::do_not_recommend]
impl<L: ArrayLayout, C: Coordinates + IntoCoordinates<L::Coordinates>> ViewIndex<L> for &C {
    type Coordinates = Self;
    #[inline]
    fn find_in(self, layout: &L, _: Token) -> Result<usize, Self> {
        self.linear_index_in(layout).ok_or(self)
    }
}
