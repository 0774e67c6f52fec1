//! What a view is indexed by, `view[index]`: indices, coordinates of axes in a tuple, numbers.

use core::ops::{Index as At, IndexMut as AtMut};

use super::reference::ArrayRef;
use super::storage::{Inside, TakeOne, proven};
use super::stored::{Addressed, Stored};
use crate::array_layout::sealed::Token;
use crate::array_layout::view_index::Sealed;
use crate::array_layout::{
    ArrayLayout, ConstLayout, Coordinate, FixedSizes, Index, IntoCoordinates, LinearIndex, Number,
    both_known, check_same, out_of_bounds, view_index as sealed,
};
use crate::coordinates::{Coordinates, DynCoordinates};
use crate::element::Element;

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
    label = "expected a `usize` for each dimension, as `view[[i, j]]`, or coordinates of axes, as \
             `view[(i, j)]`",
    note = "other integers are converted: `view[[i as usize, 0]]`; `view[i][j]` and `view[i, j]` \
            are no indices; a part of an array is `view.slice::<DIM>(range)`",
    note = "a loop over `axis.try_range(1..)` without `?` gives the axis in place of its \
            coordinates: write `axis.range(1..)`",
    note = "an `Index` or `LinearIndex` indexes views of the layout that it was made for; a \
            `LinearIndex` only where the type of the layout fixes all sizes: elsewhere use \
            `layout.index_at(linear_index)`",
    note = "a function for all layouts of two dimensions says so: `L: Rank<2>`; where only the run \
            time knows the rank, a slice is an index: `view[&coordinates[..]]`",
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
        Ok(proven::<L>(self.get()))
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

/// One member of a tuple that indexes an array with layout `Of`: for dimension `TO`. Sealed by
/// `Number`.
///
/// # Invariant
/// If `PROVEN`, the number is below the size of dimension `TO` of every layout of type `Of`.
pub trait Member<Of, const TO: usize>: Number {
    /// A compile error where the type of the member says that it is of another size.
    const FITS: ();
    const PROVEN: bool;
}

#[diagnostic::do_not_recommend]
impl<Of, const TO: usize> Member<Of, TO> for usize {
    const FITS: () = ();
    const PROVEN: bool = false;
}

// `PROVEN`: both types fix the sizes, which `FITS` compares, and a coordinate is below its own.
#[diagnostic::do_not_recommend]
impl<Of, L, const D: usize, const TO: usize> Member<Of, TO> for Coordinate<L, D>
where
    Of: ArrayLayout,
    L: ArrayLayout,
{
    const FITS: () = check_same::<L, Of>(D, TO);
    const PROVEN: bool = both_known::<L, Of>(D, TO);
}

impl<L, const D: usize> Sealed for Coordinate<L, D> {}

/// The only coordinate of an array of rank 1 needs no tuple.
#[diagnostic::do_not_recommend]
impl<Of, L, const D: usize> ViewIndex<Of> for Coordinate<L, D>
where
    Of: ArrayLayout<Coordinates = [usize; 1]>,
    L: ArrayLayout,
{
    const FITS: () = <(Self,) as ViewIndex<Of>>::FITS;

    type Coordinates = [usize; 1];

    #[inline(always)]
    fn find_in(self, layout: &Of, token: Token) -> Result<usize, [usize; 1]> {
        (self,).find_in(layout, token)
    }
}

// A tuple of coordinates and numbers, one for each dimension, is an index. Up to the rank that XLA
// keeps inline. A letter is the type of a member, and then the layout that it is a coordinate of.

macro_rules! tuples {
    ($($n:literal: $($layout:ident $from:ident $to:tt),*;)*) => {$(
        impl<$($layout),*> Sealed for ($($layout,)*) {}

        #[diagnostic::do_not_recommend]
        impl<Of, $($layout),*> ViewIndex<Of> for ($($layout,)*)
        where
            Of: ArrayLayout<Coordinates = [usize; $n]>,
            $($layout: Member<Of, $to>,)*
        {
            const FITS: () = { $(let () = $layout::FITS;)* };

            type Coordinates = [usize; $n];

            #[inline(always)]
            fn find_in(self, layout: &Of, _: Token) -> Result<usize, [usize; $n]> {
                let () = <Self as ViewIndex<Of>>::FITS;
                let index = [$(self.$to.number()),*];
                // A number, or a coordinate of an array whose type does not fix the size, may be
                // outside.
                let inside = true $(&& ($layout::PROVEN || index[$to] < layout.shape()[$to]))*;
                if inside { Ok(layout.linear_index(&index)) } else { Err(index) }
            }
        }

        impl<Of, $($layout, const $from: usize),*> From<($(Coordinate<$layout, $from>,)*)> for Index<Of>
        where
            Of: ConstLayout<Coordinates = [usize; $n]>,
            $($layout: ConstLayout,)*
        {
            #[inline(always)]
            fn from(coordinates: ($(Coordinate<$layout, $from>,)*)) -> Self {
                const { <($(Coordinate<$layout, $from>,)*) as ViewIndex<Of>>::FITS };
                Self::proven([$(coordinates.$to.get()),*])
            }
        }
    )*};
}

tuples! {
    1: A FROM_0 0;
    2: A FROM_0 0, B FROM_1 1;
    3: A FROM_0 0, B FROM_1 1, C FROM_2 2;
    4: A FROM_0 0, B FROM_1 1, C FROM_2 2, E FROM_3 3;
    5: A FROM_0 0, B FROM_1 1, C FROM_2 2, E FROM_3 3, F FROM_4 4;
    6: A FROM_0 0, B FROM_1 1, C FROM_2 2, E FROM_3 3, F FROM_4 4, G FROM_5 5;
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The element at an index, which is what `array[index]` takes, or of packed elements
    /// [`at`](Self::at); `None` out of bounds.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    ///
    /// let layout: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
    /// let mut array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32).unwrap();
    /// assert_eq!(array.memory(), [0.0, 10.0, 1.0, 11.0, 2.0, 12.0]);
    /// assert_eq!((array.get([1, 2]), array.get([2, 0])), (Some(&12.0), None));
    /// *array.get_mut([1, 2]).unwrap() = 7.0;
    /// array.for_each_in_memory_mut(|at, value| *value += at[1] as f32);
    /// let mut row_major = [0.0; 6];
    /// array.as_view().to_row_major(&mut row_major).unwrap();
    /// assert_eq!(row_major, [0.0, 2.0, 4.0, 10.0, 12.0, 9.0]);
    /// array.as_view_mut().copy_from_row_major(&[1.0; 6]).unwrap();
    /// array.memory_mut()[0] = 2.0;
    /// let mut sum = 0.0;
    /// array.for_each_in_memory(|_, value| sum += value);
    /// assert_eq!(sum, 7.0);
    /// assert_eq!(array.layout().to_string(), "f32[2,3]{0,1}");
    /// assert_eq!(array.into_vec().len(), 6);
    /// ```
    #[inline]
    pub fn get<I: ViewIndex<L>>(&self, index: I) -> Option<T::Ref<'_>> {
        let () = I::FITS;
        let linear = index.find_in(&self.layout, Token).ok()?;
        Some(self.read(linear))
    }
}

impl<T: Element, L: ArrayLayout> ArrayRef<T, L> {
    /// The element at an index, to write; `None` out of bounds.
    #[inline]
    pub fn get_mut<I: ViewIndex<L>>(&mut self, index: I) -> Option<&mut T> {
        let () = I::FITS;
        let linear = index.find_in(&self.layout, Token).ok()?;
        let (mut items, layout) = self.items_mut_and_layout();
        Some(items.take(layout, Inside::of(linear)))
    }
}

// One implementation for all kinds of indices, so that a wrong one is refused by a trait of ours,
// which can say why.

impl<T: Addressed, L: ArrayLayout, I: ViewIndex<L>> At<I> for ArrayRef<T, L> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: I) -> &T {
        let () = I::FITS;
        let linear = index.linear_in(&self.layout, Token);
        self.items().item_of(Inside::of(linear))
    }
}

impl<T: Addressed, L: ArrayLayout, I: ViewIndex<L>> AtMut<I> for ArrayRef<T, L> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut T {
        let () = I::FITS;
        let linear = index.linear_in(&self.layout, Token);
        let (mut items, layout) = self.items_mut_and_layout();
        items.take(layout, Inside::of(linear))
    }
}
