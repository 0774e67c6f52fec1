//! What a view is indexed by: `view[index]`.

use super::unchecked;
use crate::Coordinates;
use crate::array_layout::sealed::Token;
use crate::array_layout::{ArrayLayout, FixedSizes};
use crate::array_layout::{
    Index, IntoCoordinates, LinearIndex, out_of_bounds, view_index as sealed,
};

/// Something that finds an element of an array with layout `L`:
/// - an [`Index`] of that layout type: no check where the type fixes the sizes
///   ([`FixedSizes`](crate::FixedSizes)); checked against the view's own layout elsewhere, panics out of bounds;
/// - a [`LinearIndex`] of that layout type, which must fix the sizes: no check;
/// - coordinates `[i, j]`, also a reference to them, and `i` of an array of rank 1: checked, panics out of bounds;
/// - a tuple of [`Coordinate`](crate::Coordinate)s, without a check, and of numbers, which are checked: `(i, 2)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no index of an array with this layout",
    label = "one coordinate for each dimension, or an `Index` of this layout, is expected",
    note = "numbers are `usize` and written as `view[[i, j]]`, coordinates of axes as `view[(i, j)]`, one for each \
            dimension, and not as `view[i][j]`; a part of an array is `view.slice::<DIM>(range)`",
    note = "a loop over `axis.try_range(1..)` without `?` gives the axis in place of its coordinates: write `axis.range(1..)`",
    note = "an `Index` or `LinearIndex` indexes views of the layout that it was made for; a `LinearIndex` only where \
            the type of the layout fixes all sizes: elsewhere use `layout.index_at(linear_index)`",
    note = "a function for all layouts of two dimensions says so: `L: Rank<2>`",
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
    /// The linear index of the element in this layout; the coordinates if they are out of bounds. Only this crate
    /// has a token.
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
            Err(index) => out_of_bounds(index.as_ref(), layout.sizes().as_ref()),
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

macro_rules! lists {
    ($([$($parameter:tt)*] $list:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<L: ArrayLayout, $($parameter)*> ViewIndex<L> for $list
        where
            Self: IntoCoordinates<L::Coordinates>,
        {
            type Coordinates = Self;
            #[inline]
            fn find_in(self, layout: &L, _: Token) -> Result<usize, Self> {
                self.linear_index_in(layout).ok_or(self)
            }
        }
    )*};
}

lists! {
    [const N: usize] [usize; N];
    [] &[usize];
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

/// Coordinates as closures get them: `Array::from_fn(layout, |at| other[at])`.
#[diagnostic::do_not_recommend]
impl<L: ArrayLayout, C: Coordinates + IntoCoordinates<L::Coordinates>> ViewIndex<L> for &C {
    type Coordinates = Self;
    #[inline]
    fn find_in(self, layout: &L, _: Token) -> Result<usize, Self> {
        self.linear_index_in(layout).ok_or(self)
    }
}
