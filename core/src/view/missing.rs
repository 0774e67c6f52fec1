//! What is an error on purpose, so that the message says what to write.
//!
//! The second argument of `View<layout!(…)>` and of `ArrayRef<f32>`: without a default the compiler proposes to write one into
//! the macros of this crate.
//! Then operators, conversions and methods that no array has: the compiler asks for a trait which no type implements. The module is
//! private, so no other crate implements it either.
// The public types of `view` name what is here, and a `len` that is an error needs no `is_empty`.
#![allow(unreachable_pub, clippy::len_without_is_empty)]

use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Div, DivAssign, Index, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{ArrayBase, ArrayRef, Part, SliceStorage, View};
use crate::array_layout::{ArrayLayout, Axis, Coordinate};
use crate::dynamic::StridedLayout;
use crate::types::*;

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

/// The body of what no program can call: the bound does not hold.
fn never() -> ! {
    unreachable!("no type implements the trait of the bound")
}

#[doc(hidden)]
impl<T: WithoutLayout, S, L> FromIterator<T> for ArrayBase<S, L> {
    fn from_iter<I: IntoIterator<Item = T>>(_: I) -> Self {
        never()
    }
}

/// The elements of an array in a `Vec` or in an array of Rust. No type implements it, because the sequence has to be said.
#[diagnostic::on_unimplemented(
    message = "an array becomes neither a `Vec` nor an array of Rust without the sequence of its elements",
    label = "write `a.iter().copied().collect::<Vec<_>>()` for row-major sequence, `a.into_vec()` for that of memory, \
             `a.to_nested()?` for rows as `[[f32; 3]; 2]`"
)]
pub trait WithoutSequence {}

macro_rules! not_converted {
    ($($(#[$condition:meta])* [$($parameter:tt)*] $from:ty => $to:ty: $missing:ident;)*) => {$(
        $(#[$condition])*
        #[doc(hidden)]
        impl<$($parameter)*> From<$from> for $to
        where
            for<'a> &'a (): $missing,
        {
            fn from(_: $from) -> Self {
                never()
            }
        }
    )*};
}

not_converted! {
    #[cfg(feature = "alloc")]
    [T, S, L] alloc::vec::Vec<T> => ArrayBase<S, L>: WithoutLayout;
    #[cfg(feature = "alloc")]
    [T, S, L] ArrayBase<S, L> => alloc::vec::Vec<T>: WithoutSequence;
    [T, S, L, const N: usize] [T; N] => ArrayBase<S, L>: WithoutLayout;
    [T, S, L, const N: usize] ArrayBase<S, L> => [T; N]: WithoutSequence;
}

#[doc(hidden)]
impl<L, I: IndexOfAxis, const D: usize> Index<I> for Axis<L, D> {
    type Output = Coordinate<L, D>;

    fn index(&self, _: I) -> &Coordinate<L, D> {
        never()
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
                never()
            }
        }
    )*};
    (@ $operator:ident $method:ident [$($parameter:tt)*] $array:ty) => {
        #[doc(hidden)]
        impl<$($parameter)*, R: Operand> $operator<R> for $array {
            // As it would be, so that what follows is no mistake, too.
            type Output = Self;

            fn $method(self, _: R) -> Self {
                never()
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

/// Methods of other libraries that a type does not have. A row has the methods, which may have one name or several, the
/// declaration, whose types are those of the other library, so that nothing else in a line with the method is a mistake, and
/// what to write in its place. It begins with the name of the trait that no type implements.
///
/// Each takes `&mut self`: the compiler tries `&self` first, so a method `&self` that a program adds by a trait of its own
/// is found in place of one of these. A table is one `impl`, and a body is a call, because the compiler takes time for each.
macro_rules! named_otherwise {
    ($([$($parameter:tt)*] $type:ty { $($missing:ident: [$($name:ident)*] $arguments:tt -> $output:ty: $instead:literal;)* })*) => {$(
        const _: () = {$(
            #[diagnostic::on_unimplemented(message = "there is no method of this name", label = $instead)]
            pub trait $missing {}
            )*

            #[doc(hidden)]
            impl<$($parameter)*> $type {$($(
                pub fn $name $arguments -> $output
                where
                    // It has a lifetime, because the compiler refuses other bounds that never hold.
                    for<'a> &'a (): $missing,
                {
                    never()
                }
            )*)*}
        };
    )*};
}

/// What `rows` gives.
type Rows<'a, T> = core::option::IntoIter<Part<'a, T, StridedLayout<[usize; 1], isize>>>;

/// What `to_vec` gives.
#[cfg(feature = "alloc")]
type Listed<T> = alloc::vec::Vec<T>;
#[cfg(not(feature = "alloc"))]
type Listed<T> = PhantomData<T>;

named_otherwise! {
    [T, L: ArrayLayout] ArrayRef<T, L> {
        NoAbsDiffEq: [abs_diff_eq](&mut self, _: impl Sized, _: T) -> bool: "write `a.iter().zip(b.iter()).all(|(x, y)| (x - y).abs() <= 1e-6)`";
        NoAny: [any all](&mut self, _: impl FnMut(&T) -> bool) -> bool: "write `a.iter().any(|x| *x == 1.0)`: iterators have this method";
        NoArgmax: [argmax argmin](&mut self) -> Option<L::Coordinates>: "write `a.indexed_iter().max_by(|x, y| x.1.total_cmp(y.1))`, or `min_by`, which gives the coordinates and the element";
        NoAsSliceMemoryOrder: [as_slice_memory_order data_handle](&mut self) -> Option<&[T]>: "write `a.memory()`; of a part `a.as_slice()`, which is `None` where there are gaps";
        NoAstype: [astype cast](&mut self) -> &Self: "write `a.map_to(layout!(f64[2,3]), |x| f64::from(*x))?`";
        NoAxisChunksIter: [axis_chunks_iter](&mut self, _: usize, _: usize) -> Rows<'_, T>: "write `a.chunks::<0>(rows)`";
        NoAxisIter: [axis_iter lanes axis_iter_mut](&mut self, _: usize) -> Rows<'_, T>: "write `a.rows()` for `row[j]`, `a.columns()` for `column[i]`; `a.chunks::<0>(1)` for `part[[0, j, k]]`; to write `a.rows_mut()`, `a.chunks_mut::<0>(1)`";
        NoBitcast: [bitcast](&mut self) -> &Self: "write `a.map_to(layout!(u32[2,3]), |x| x.to_bits())?` for elements of another type; `a.as_view().reshape(layout)` for other sizes of the same memory";
        NoBroadcastTo: [broadcast_to repeat](&mut self, _: impl Sized) -> Result<&Self, crate::LayoutError>: "write `let one = a.as_view().insert_unit::<0>();` and `one.broadcast::<0>(2)?`; of a dimension whose size is 1 `a.broadcast::<0>(2)?`";
        NoClamp: [clamp clip](&mut self, _: T, _: T) -> &Self: "write `a.map(|x| x.clamp(0.0, 1.0))?`";
        NoContains: [contains](&mut self, _: impl Sized) -> bool: "write `a.iter().any(|x| *x == 1.0)`";
        NoCopy: [copy contiguous as_standard_layout](&mut self) -> &Self: "write `a.to_owned()` for the same layout, `a.to_layout(layout!(f32[2,3]))?` for the row-major one";
        NoCopyFromSlice: [copy_from_slice](&mut self, _: &[T]) -> (): "write `a.copy_from_row_major(&values)?`, or in the sequence of memory `a.memory_mut().copy_from_slice(&values)`";
        NoCumsum: [cumsum](&mut self) -> &Self: "xlayout does not compute with arrays: write `let mut sum = 0.0; for x in &mut a {{ sum += *x; *x = sum; }}`";
        NoDiagonal: [diagonal diag](&mut self) -> core::option::IntoIter<&T>: "write `(0..a.sizes()[0]).map(|i| a[[i, i]])`";
        NoDim: [dim dims extents raw_dim](&mut self) -> L::Coordinates: "write `a.sizes()`";
        NoDot: [dot matmul](&mut self, _: impl Sized) -> &Self: "xlayout does not compute with arrays: write `Array::from_fn(c, |&[i, j]| a.axis::<1>().map(|k| a[(i, k)] * b[(k, j)]).sum())?`";
        NoDtype: [dtype](&mut self) -> crate::PrimitiveType: "write `a.layout().element_type()`";
        NoElemCount: [elem_count numel nrows ncols nbytes](&mut self) -> usize: "write `a.len()`; `a.sizes()[0]` and `a.sizes()[1]` for the numbers of rows and columns; `a.layout().bytes()`";
        NoExp: [exp ln sqrt abs](&mut self) -> &Self: "write `a.map(|x| x.exp())?`, or in place `a.for_each_mut(|_, x| *x = x.exp())`";
        NoExpandDims: [expand_dims unsqueeze insert_axis](&mut self, _: usize) -> &Self: "write `a.as_view().insert_unit::<0>()`";
        NoExtent: [extent len_of](&mut self, _: usize) -> usize: "write `a.sizes()[0]`";
        NoFirst: [first last](&mut self) -> Option<&T>: "write `a.iter().next()`; `a.iter().last()` for the last element";
        NoFlatten: [flatten ravel](&mut self) -> &Self: "write `a.iter()` for all elements; `a.as_view().try_reshape(layout)?` for an array of other sizes";
        NoFlip: [flip invert_axis](&mut self, _: usize) -> &Self: "write `Array::from_fn(a.layout().clone(), |&[i, j]| a[[a.sizes()[0] - 1 - i, j]])?`";
        NoFold: [fold](&mut self, _: T, _: impl FnMut(T, &T) -> T) -> T: "write `a.iter().fold(0.0, |sum, x| sum + x)`";
        NoGetUnchecked: [get_unchecked uget](&mut self, _: impl Sized) -> &T: "write `a[[i, j]]`, or `a[(i, j)]` with coordinates of `a.axis::<0>()` and `a.axis::<1>()`, which are not checked again";
        NoIndexAxis: [index_axis](&mut self, _: usize, _: usize) -> &Self: "write `a.row(1)?` or `a.column(1)?`; of three dimensions and more `a.slice::<0>(1..2)?`";
        NoIndexedIterMut: [indexed_iter_mut](&mut self) -> core::option::IntoIter<(L::Coordinates, &mut T)>: "write `a.for_each_mut(|&[i, j], x| *x = 1.0)`, in the sequence of memory";
        NoIndices: [indices](&mut self) -> core::option::IntoIter<L::Coordinates>: "write `for (at, x) in a.indexed_iter()`, or a loop over each axis, `for i in a.axis::<0>()`";
        NoIntoShape: [into_shape into_shape_with_order to_shape](&mut self, _: impl Sized) -> Result<&Self, crate::LayoutError>: "write `a.try_reshape(layout!(f32[3,2]))?`";
        NoIsContiguous: [is_contiguous is_standard_layout](&mut self) -> bool: "write `a.layout().is_contiguous()` for all elements without a gap, in any sequence; `a.as_slice()` for the slice of an array, if it is one";
        NoMapInplace: [map_inplace apply](&mut self, _: impl FnMut(&mut T)) -> (): "write `a.for_each_mut(|_, x| *x *= 2.0)`";
        NoMapv: [mapv mapv_inplace](&mut self, _: impl FnMut(T) -> T) -> &Self: "write `a.map(|x| 2.0 * x)?`, or in place `a.for_each_mut(|_, x| *x *= 2.0)`";
        NoMean: [mean product prod norm std var trace](&mut self) -> T: "write `a.sum() / a.len() as f32`, `a.iter().product::<f32>()`, or another loop over the elements, as `a.iter().map(|x| x * x).sum::<f32>().sqrt()`";
        NoMeanAxis: [mean_axis std_axis](&mut self, _: usize) -> &Self: "write `a.along::<0>().reduce(&mut means, |line| line.iter().sum::<f32>() / line.len() as f32)?`";
        NoNarrow: [narrow](&mut self, _: usize, _: usize, _: usize) -> &Self: "write `a.slice::<0>(0..1)?`";
        NoOuterIter: [outer_iter row_iter column_iter col_iter](&mut self) -> Rows<'_, T>: "write `a.rows()` for `row[j]`, `a.columns()` for `column[i]`; `a.chunks::<0>(1)` for `part[[0, j, k]]`";
        NoOuterIterMut: [outer_iter_mut row_iter_mut columns_mut](&mut self) -> Rows<'_, T>: "write `a.rows_mut()`; of columns `for j in 0..a.sizes()[1] {{ a.column_mut(j)?; }}`";
        NoParIter: [par_iter](&mut self) -> Rows<'_, T>: "write `for part in a.chunks_mut::<0>(rows)` in `std::thread::scope`, and give each thread a part; or rayon's `a.memory().par_iter()` for the elements in the sequence of memory";
        NoResize: [resize push append extend](&mut self, _: impl Sized) -> (): "an array keeps its sizes: write `Array::zeros(layout)?` and `b.region_mut([0, 0], a.sizes())?.assign(&a)?`";
        NoReversedAxes: [reversed_axes](&mut self) -> &Self: "write `a.t()`, or `a.as_view().permute(nat![2, 1, 0])`";
        NoReshape: [reshape transpose](&mut self, _: impl Sized) -> &Self: "write `a.as_view()` before it; `a.t()` exchanges two dimensions without a layout";
        NoSelect: [select](&mut self, _: impl Sized, _: impl Sized) -> &Self: "write `Array::from_fn(layout, |&[i, j]| a[[rows[i], j]])?`";
        NoSliceAxis: [slice_axis](&mut self, _: usize, _: impl Sized) -> &Self: "write `a.slice::<0>(0..1)?`";
        NoSort: [sort reverse](&mut self) -> (): "write `a.memory_mut().sort()` in the sequence of memory, or `for row in a.slices_mut::<1>()? {{ row.sort() }}`";
        NoSortBy: [sort_by](&mut self, _: impl FnMut(&T, &T) -> Ordering) -> (): "write `for row in a.slices_mut::<1>()? {{ row.sort_by(f32::total_cmp) }}`, or sort `a.iter().copied().collect::<Vec<_>>()`";
        NoSqueeze: [squeeze](&mut self) -> &Self: "write `a.row(0)?`, or `a.as_view().delete_unit::<0>()` where the type of the layout says that the size is 1";
        NoSwapAxes: [swap_axes swapaxes swap_rows](&mut self, _: usize, _: usize) -> &Self: "of two dimensions write `a.t()`, or `a.as_view().permute(nat![1, 0, 2])`; of two rows `for j in 0..a.sizes()[1] {{ a.swap([0, j], [1, j]); }}`";
        NoToDtype: [to_dtype](&mut self, _: impl Sized) -> &Self: "write `a.map_to(layout!(f64[2,3]), |x| f64::from(*x))?`";
        NoToDyn: [to_dyn into_dyn](&mut self) -> &Self: "write `Array::<f32, DynLayout>::from(a)`, or `a.into()` where that is the type";
        NoToVec: [to_vec](&mut self) -> Listed<T>: "write `a.iter().copied().collect::<Vec<_>>()`, or in the sequence of memory `a.memory().to_vec()`";
        NoTryGet: [try_get](&mut self, _: impl Sized) -> Result<&T, crate::LayoutError>: "write `a.get([i, j])`, which is `None` where there is no element";
        NoView: [view](&mut self) -> View<'_, T, L>: "write `a.as_view()`, or `a.region([0, 1], [2, 2])?` for a part by its first coordinates and its sizes";
        NoWindows: [windows](&mut self, _: impl Sized) -> Rows<'_, T>: "write a loop over where they begin: `for i in 0..a.sizes()[0] - 1 {{ a.region([i, 0], [2, a.sizes()[1]])?; }}`";
        NoZipMap: [zip_map](&mut self, _: impl Sized, _: impl FnMut(&T, &T) -> T) -> &Self: "write `Array::from_fn(a.layout().clone(), |at| a[at] + b[at])?`";
        NoZipMutWith: [zip_mut_with](&mut self, _: impl Sized, _: impl FnMut(&mut T, &T)) -> (): "write `a.iter_mut().zip(&b).for_each(|(x, y)| *x += y)`";
    }
    [T: crate::Element, L: ArrayLayout] ArrayRef<T, L> {
        NoAt: [at](&mut self, _: impl Sized) -> &mut T: "write `a[[i, j]]`; an array of several elements in a byte, which has `at`, is made by `Array::packed_zeros(layout)?`";
    }
    [L: ArrayLayout] ArrayRef<super::Packed, L> {
        NoIterMut: [iter_mut](&mut self) -> core::option::IntoIter<&mut i8>: "several elements share a byte, so there is no reference to one: write `a.for_each_mut(|_, x| *x = 1)`";
    }
    [S: SliceStorage, L: ArrayLayout] ArrayBase<S, L> {
        NoFromElem: [from_elem](_: L, _: S::Item) -> Result<Self, crate::LayoutError>: "write `Array::full(layout, 1.0)?`";
        NoFromShapeFn: [from_shape_fn](_: L, _: impl FnMut(L::Coordinates) -> S::Item) -> Result<Self, crate::LayoutError>: "write `Array::from_fn(layout, |&[i, j]| (i + j) as f32)?`";
        NoFromShapeVec: [from_shape_vec](_: L, _: S::Memory) -> Result<Self, crate::LayoutError>: "write `Array::from_row_major(layout, &values)?`, or in the sequence of memory `Array::new(values, layout)?`";
        NoFromVec: [from_vec](_: S::Memory, _: L) -> Result<Self, crate::LayoutError>: "write `Array::from_row_major(layout, &values)?`, or in the sequence of memory `Array::new(values, layout)?`";
        NoOnes: [ones eye identity](_: L) -> Result<Self, crate::LayoutError>: "write `Array::full(layout, 1.0)?`; `Array::from_fn(layout, |&[i, j]| if i == j {{ 1.0 }} else {{ 0.0 }})?`";
    }
    [I] super::Rows<I> {
        NoIter: [iter](&mut self) -> &mut Self: "rows and columns come from an iterator: write `for row in a.rows()`";
    }
    [S, L] super::chunks::EachChunk<'_, S, L> {
        NoIter: [iter](&mut self) -> &mut Self: "the chunks come from an iterator: write `for chunk in a.chunks::<0>(2)`";
    }
    [S, L: crate::part::TileBy<B>, B: StaticDimensions] super::tiles::EachTile<'_, S, L, B> {
        NoIter: [iter](&mut self) -> &mut Self: "the tiles come from an iterator: write `for ([i, j], tile) in a.tiles(nat![8, 128])`";
    }
    [L: ArrayLayout, const D: usize] Axis<L, D> {
        NoIter: [iter](&mut self) -> Self: "an axis is an iterator: write `for i in a.axis::<0>()`";
    }
    [E: crate::DType, D: StaticDimensions, O: OrderOf, A: Attributes] StaticLayout<E, D, O, A> {
        NoExtents: [extents dim dims](&mut self) -> <Self as ArrayLayout>::Coordinates: "write `layout.sizes()`";
        NoIsRowMajor: [is_row_major](&mut self) -> bool: "write `layout.is_contiguous()` for all elements without a gap, in any sequence; `layout.strides()`";
        NoLen: [len numel required_span_size](&mut self) -> usize: "write `layout.elements()`, or `layout.buffer_len()` with padding";
        NoOffset: [offset at](&mut self, _: impl Sized) -> usize: "write `layout.linear_index(&[i, j])`, in elements";
        NoStride: [stride extent](&mut self, _: usize) -> usize: "write `layout.strides()`, which is `None` where tiles divide a dimension; `layout.sizes()[0]`";
    }
    [C: crate::Coordinates] crate::DynLayout<C> {
        NoExtents: [extents dim](&mut self) -> C: "write `layout.sizes()`";
        NoIsRowMajor: [is_row_major is_dense](&mut self) -> bool: "write `layout.is_contiguous()` for all elements without a gap, in any sequence; `layout.strides()`";
        NoLen: [len numel](&mut self) -> usize: "write `layout.elements()`, or `layout.buffer_len()` with padding";
        NoStride: [stride extent](&mut self, _: usize) -> usize: "write `layout.strides()`, which is `None` where tiles divide a dimension; `layout.sizes()[0]`";
    }
}
