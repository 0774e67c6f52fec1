//! What is an error on purpose, so that the message says what to write.
//!
//! The second argument of `View<layout!(…)>` and of `ArrayRef<f32>`: without a default the compiler proposes to write one into
//! the macros of this crate.
//! Then operators, conversions and methods that no array has: the compiler asks for a trait which no type implements. The module is
//! private, so no other crate implements it either.
#![allow(unreachable_pub, reason = "the public types of `view` name them")]

use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Div, DivAssign, Index, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{ArrayBase, ArrayRef, Part, View};
use crate::array_layout::{ArrayLayout, Axis, Coordinate};
use crate::dynamic::StridedLayout;

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

/// The elements of an array in a `Vec` or in an array of Rust. No type implements it, because the sequence has to be said.
#[diagnostic::on_unimplemented(
    message = "an array becomes neither a `Vec` nor an array of Rust without the sequence of its elements",
    label = "write `a.iter().copied().collect::<Vec<_>>()` for row-major sequence, `a.into_vec()` for that of memory, \
             `a.to_nested()?` for rows as `[[f32; 3]; 2]`"
)]
pub trait WithoutSequence {}

#[cfg(feature = "alloc")]
#[doc(hidden)]
impl<T, S, L> From<ArrayBase<S, L>> for alloc::vec::Vec<T>
where
    for<'a> &'a (): WithoutSequence,
{
    fn from(_: ArrayBase<S, L>) -> Self {
        unreachable!("no type implements `WithoutSequence`")
    }
}

#[doc(hidden)]
impl<T, S, L, const N: usize> From<ArrayBase<S, L>> for [T; N]
where
    for<'a> &'a (): WithoutSequence,
{
    fn from(_: ArrayBase<S, L>) -> Self {
        unreachable!("no type implements `WithoutSequence`")
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

/// Arithmetic at which the compiler stops where it makes code. No bound gives a message there: of that of a unary operator the
/// compiler drops the text, and for a literal number it ignores an operator whose bound does not hold.
struct Arithmetic<T>(PhantomData<T>);

impl<T> Arithmetic<T> {
    const NEGATED: () = panic!(
        "xlayout does not compute with arrays: write `a.map(|x| -x)?`, or in place `a.for_each_mut(|_, x| *x = -*x)`"
    );
    const BEHIND_A_NUMBER: () = panic!(
        "xlayout does not compute with arrays: write `a.map(|x| 2.0 * x)?`, or in place `a.for_each_mut(|_, x| *x *= 2.0)`"
    );
}

macro_rules! refused {
    ($($operator:ident $method:ident, $assign:ident $assign_method:ident;)*) => {
        refused!(- [S, L] ArrayBase<S, L>);
        refused!(- ['a, S, L] &'a ArrayBase<S, L>);
        refused!(- ['a, T, L] &'a ArrayRef<T, L>);
    $(
        refused!(@ $operator $method [S, L] ArrayBase<S, L>);
        refused!(@ $operator $method ['a, S, L] &'a ArrayBase<S, L>);
        refused!(@ $operator $method ['a, T, L] &'a ArrayRef<T, L>);

        #[doc(hidden)]
        impl<S, L, R: Operand> $assign<R> for ArrayBase<S, L> {
            fn $assign_method(&mut self, _: R) {
                unreachable!("no type implements `Operand`")
            }
        }
    )*};
    (@ $operator:ident $method:ident [$($parameter:tt)*] $array:ty) => {
        #[doc(hidden)]
        impl<$($parameter)*, R: Operand> $operator<R> for $array {
            // As it would be, so that what follows is no mistake, too.
            type Output = Self;

            fn $method(self, _: R) -> Self {
                unreachable!("no type implements `Operand`")
            }
        }
        refused! { $operator $method [$($parameter)*] $array: f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 }
    };
    (- [$($parameter:tt)*] $array:ty) => {
        #[doc(hidden)]
        impl<$($parameter)*> Neg for $array {
            type Output = Self;

            fn neg(self) -> Self {
                let () = Arithmetic::<$array>::NEGATED;
                self
            }
        }
    };
    ($operator:ident $method:ident $parameters:tt $array:ty: $($number:ty)*) => {$(
        refused!(= $operator $method $parameters $array, $number);
    )*};
    (= $operator:ident $method:ident [$($parameter:tt)*] $array:ty, $number:ty) => {
        #[doc(hidden)]
        // Messages about numbers do not list it.
        #[diagnostic::do_not_recommend]
        impl<$($parameter)*> $operator<$array> for $number {
            type Output = $array;

            fn $method(self, array: $array) -> $array {
                let () = Arithmetic::<$array>::BEHIND_A_NUMBER;
                array
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

/// Methods of other libraries that a type does not have. A row has the declaration, whose types are those of the other
/// library, so that nothing else in a line with the method is a mistake, and what to write in its place.
///
/// Each takes `&mut self`: the compiler tries `&self` first, so a method `&self` that a program adds by a trait of its own
/// is found in place of one of these.
macro_rules! named_otherwise {
    (@ $(#[$condition:meta])* [$($parameter:tt)*] $type:ty, $name:ident $arguments:tt -> $output:ty: $instead:literal) => {
        $(#[$condition])*
        const _: () = {
            #[diagnostic::on_unimplemented(message = "there is no method of this name", label = $instead)]
            pub trait NoMethod {}

            impl<$($parameter)*> $type {
                #[doc(hidden)]
                pub fn $name $arguments -> $output
                where
                    // It has a lifetime, because the compiler refuses other bounds that never hold.
                    for<'a> &'a (): NoMethod,
                {
                    unreachable!("no type implements `NoMethod`")
                }
            }
        };
    };
    ($($parameters:tt $type:ty { $($(#[$condition:meta])* $name:ident $arguments:tt -> $output:ty: $instead:literal;)* })*) => {$($(
        named_otherwise!(@ $(#[$condition])* $parameters $type, $name $arguments -> $output: $instead);
    )*)*};
}

/// What `rows` gives.
type Rows<'a, T> = core::option::IntoIter<Part<'a, T, StridedLayout<[usize; 1], isize>>>;

named_otherwise! {
    [T, L: ArrayLayout] ArrayRef<T, L> {
        axis_iter(&mut self, _: usize) -> Rows<'_, T>: "write `a.rows()` for `row[j]`, `a.columns()` for `column[i]`; `a.chunks::<0>(1)` for `part[[0, j, k]]`";
        contains(&mut self, _: impl Sized) -> bool: "write `a.iter().any(|x| *x == 1.0)`";
        copy_from_slice(&mut self, _: &[T]) -> (): "write `a.copy_from_row_major(&values)?`, or in the sequence of memory `a.memory_mut().copy_from_slice(&values)`";
        diagonal(&mut self) -> core::option::IntoIter<&T>: "write `(0..a.sizes()[0]).map(|i| a[[i, i]])`";
        dot(&mut self, _: impl Sized) -> &Self: "xlayout does not compute with arrays: write `Array::from_fn(c, |&[i, j]| a.axis::<1>().map(|k| a[(i, k)] * b[(k, j)]).sum())?`";
        extent(&mut self, _: usize) -> usize: "write `a.sizes()[0]`";
        first(&mut self) -> Option<&T>: "write `a.iter().next()`";
        flatten(&mut self) -> &Self: "write `a.iter()` for all elements; `a.as_view().try_reshape(layout)?` for an array of other sizes";
        flip(&mut self, _: usize) -> &Self: "write `Array::from_fn(a.layout().clone(), |&[i, j]| a[[a.sizes()[0] - 1 - i, j]])?`";
        fold(&mut self, _: T, _: impl FnMut(T, &T) -> T) -> T: "write `a.iter().fold(0.0, |sum, x| sum + x)`";
        get_unchecked(&mut self, _: impl Sized) -> &T: "write `a[[i, j]]`, or `a[(i, j)]` with coordinates of `a.axis::<0>()` and `a.axis::<1>()`, which are not checked again";
        indices(&mut self) -> core::option::IntoIter<L::Coordinates>: "write `for (at, x) in a.indexed_iter()`, or a loop over each axis, `for i in a.axis::<0>()`";
        last(&mut self) -> Option<&T>: "write `a.iter().last()`";
        map_inplace(&mut self, _: impl FnMut(&mut T)) -> (): "write `a.for_each_mut(|_, x| *x *= 2.0)`";
        matmul(&mut self, _: impl Sized) -> &Self: "xlayout does not compute with arrays: write `Array::from_fn(c, |&[i, j]| a.axis::<1>().map(|k| a[(i, k)] * b[(k, j)]).sum())?`";
        mean(&mut self) -> T: "write `a.sum() / a.len() as f32`";
        nrows(&mut self) -> usize: "write `a.sizes()[0]`";
        outer_iter(&mut self) -> Rows<'_, T>: "write `a.rows()` for `row[j]`; `a.chunks::<0>(1)` for `part[[0, j, k]]`";
        resize(&mut self, _: impl Sized) -> (): "an array keeps its sizes: write `Array::zeros(layout)?` and `b.region_mut([0, 0], a.sizes())?.assign(&a)?`";
        par_iter(&mut self) -> Rows<'_, T>: "write `for part in a.chunks_mut::<0>(rows)` in `std::thread::scope`, and give each thread a part; or rayon's `a.memory().par_iter()` for the elements in the sequence of memory";
        row_iter(&mut self) -> Rows<'_, T>: "write `a.rows()`";
        sort_by(&mut self, _: impl FnMut(&T, &T) -> Ordering) -> (): "write `for row in a.slices_mut::<1>()? {{ row.sort_by(f32::total_cmp) }}`, or sort `a.iter().copied().collect::<Vec<_>>()`";
        squeeze(&mut self) -> &Self: "write `a.row(0)?`, or `a.as_view().delete_unit::<0>()` where the type of the layout says that the size is 1";
        #[cfg(feature = "alloc")]
        to_vec(&mut self) -> alloc::vec::Vec<T>: "write `a.iter().copied().collect::<Vec<_>>()`, or in the sequence of memory `a.memory().to_vec()`";
        view(&mut self) -> View<'_, T, L>: "write `a.as_view()`, or `a.region([0, 1], [2, 2])?` for a part by its first coordinates and its sizes";
        zip_map(&mut self, _: impl Sized, _: impl FnMut(&T, &T) -> T) -> &Self: "write `Array::from_fn(a.layout().clone(), |at| a[at] + b[at])?`";
    }
    [L: ArrayLayout, const D: usize] Axis<L, D> {
        iter(&mut self) -> Self: "an axis is an iterator: write `for i in a.axis::<0>()`";
    }
}
