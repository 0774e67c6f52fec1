//! What is an error on purpose, so that the message says what to write.
//!
//! The second argument of `View<layout!(…)>` and of `ArrayRef<f32>`: without a default the compiler proposes to write one into
//! the macros of this crate.
//! Then operators and conversions that no array has: the compiler asks for the trait of the operand, which no type implements. The module is
//! private, so no other crate implements it either.
#![allow(unreachable_pub, reason = "the public types of `view` name them")]

use core::ops::{Add, AddAssign, Div, DivAssign, Index, Mul, MulAssign, Sub, SubAssign};

use super::{ArrayBase, ArrayRef};
use crate::array_layout::{Axis, Coordinate};

/// No type implements this, so that the default of a layout is never used.
#[diagnostic::on_unimplemented(
    message = "an array takes two types, that of its elements and its layout, and one is missing",
    label = "write both: `View<f32, layout!(f32[2,3])>`, `&ArrayRef<f32, impl Rank<2>>`; or `ViewOf<layout!(f32[2,3])>`, \
             `ArrayOf<…>`"
)]
pub trait ElementAndLayout {
    /// Never given.
    type Layout;
}

/// The layout of a view that is given one type only: an error.
pub type Layout<T> = <T as ElementAndLayout>::Layout;

/// An operand of arithmetic with arrays. No type implements it.
#[diagnostic::on_unimplemented(
    message = "xlayout does not compute with arrays, so nothing is added to one or multiplied with it",
    label = "write what happens to each element",
    note = "with a number: `array.map(|x| x * 2.0)`, or in place `array.for_each_mut(|_, x| *x *= 2.0)`",
    note = "with an array of any layout: `Array::from_fn(a.layout().clone(), |at| a[at] + b[at])`; a product of matrices is a loop \
            over `axis`"
)]
pub trait Operand {}

/// Elements that become an array without a layout. No type implements it, because the sizes have to be checked.
#[diagnostic::on_unimplemented(
    message = "elements alone do not become an array: a layout says how many there are in each dimension",
    label = "give a layout with the elements; collect those of an iterator into a `Vec` first",
    note = "write `Array::from_row_major(layout, &values)?` for a `Vec` or a slice of elements in row-major sequence, \
            `Array::from_nested(layout, [[1.0, 2.0], [3.0, 4.0]])?` for rows, `Array::from_fn(layout, |at| …)?` for elements by \
            their coordinates, `array.map(|x| …)` for the elements of another array"
)]
pub trait WithoutLayout {}

/// What indexes an axis. No type implements it, because a coordinate is made and not borrowed.
#[diagnostic::on_unimplemented(
    message = "an axis is no list of coordinates",
    label = "write `axis.coordinate(1)?` for one of them, `axis.range(1..)` for a range"
)]
pub trait IndexOfAxis {}

#[doc(hidden)]
impl<T, S, L> FromIterator<T> for ArrayBase<S, L>
where
    T: WithoutLayout,
{
    fn from_iter<I: IntoIterator<Item = T>>(_: I) -> Self {
        unreachable!("no type implements `WithoutLayout`")
    }
}

#[cfg(feature = "alloc")]
#[doc(hidden)]
impl<T: WithoutLayout, S, L> From<alloc::vec::Vec<T>> for ArrayBase<S, L> {
    fn from(_: alloc::vec::Vec<T>) -> Self {
        unreachable!("no type implements `WithoutLayout`")
    }
}

#[doc(hidden)]
impl<T: WithoutLayout, S, L, const N: usize> From<[T; N]> for ArrayBase<S, L> {
    fn from(_: [T; N]) -> Self {
        unreachable!("no type implements `WithoutLayout`")
    }
}

#[doc(hidden)]
impl<L, I: IndexOfAxis, const D: usize> Index<I> for Axis<L, D> {
    type Output = Coordinate<L, D>;

    fn index(&self, _: I) -> &Coordinate<L, D> {
        unreachable!("no type implements `IndexOfAxis`")
    }
}

macro_rules! refused {
    ($($operator:ident $method:ident, $assign:ident $assign_method:ident;)*) => {$(
        refused!(@ $operator $method [S, L] ArrayBase<S, L>);
        refused!(@ $operator $method [S, L] &ArrayBase<S, L>);
        refused!(@ $operator $method [T, L] &ArrayRef<T, L>);

        #[doc(hidden)]
        impl<S, L, R: Operand> $assign<R> for ArrayBase<S, L> {
            fn $assign_method(&mut self, _: R) {
                unreachable!("no type implements `Operand`")
            }
        }
    )*};
    (@ $operator:ident $method:ident [$($parameter:ident),*] $array:ty) => {
        #[doc(hidden)]
        impl<$($parameter,)* R: Operand> $operator<R> for $array {
            // As it would be, so that what follows is no mistake, too.
            type Output = Self;

            fn $method(self, _: R) -> Self {
                unreachable!("no type implements `Operand`")
            }
        }
    };
}

refused! {
    Add add, AddAssign add_assign;
    Sub sub, SubAssign sub_assign;
    Mul mul, MulAssign mul_assign;
    Div div, DivAssign div_assign;
}
