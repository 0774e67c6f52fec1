//! Matrices and columns of the crate `faer`.
//!
//! | of faer | of xlayout |
//! |---|---|
//! | `&Mat`, `MatRef` | `View<T, StridedLayout<[usize; 2], isize>>` |
//! | `&mut Mat`, `MatMut` | `ViewMut<T, StridedLayout<[usize; 2], isize>>` |
//! | `&Col`, `ColRef`, `&mut Col`, `ColMut` | the same of rank 1 |
//!
//! Strides may have either sign. A `Mat` and a `Col` have memory of their own kind, which no `Vec`
//! takes: `to_xlayout(&mat)?.to_owned()` copies one, and `to_faer(&array)?.to_owned()` the reverse.
//!
//! ```
//! use faer::linalg::solvers::Solve;
//! use xlayout::{Array, LayoutError, layout};
//! use xlayout_conversions::{to_faer, to_xlayout};
//!
//! // Their function over my array: equations. It writes the solution into my array.
//! let a = Array::from_nested(layout!(f64[2,2]{1,0}), [[2.0, 1.0], [1.0, 3.0]])?;
//! let mut x = Array::from_nested(layout!(f64[2,1]), [[5.0], [10.0]])?;
//! to_faer(&a)?.partial_piv_lu().solve_in_place(to_faer(&mut x)?);
//! assert!((x[[0, 0]] - 1.0).abs() < 1e-12 && (x[[1, 0]] - 3.0).abs() < 1e-12);
//!
//! // My function over their matrix.
//! let matrix = faer::Mat::from_fn(2, 3, |i, j| (10 * i + j) as f64);
//! assert_eq!(to_xlayout(&matrix)?.column(2)?.iter().sum::<f64>(), 14.0);
//! # Ok::<(), LayoutError>(())
//! ```

use ::faer::{Col, ColMut, ColRef, Mat, MatMut, MatRef};
use xlayout_core::{ArrayLayout, Coordinates, Element, StridedLayout, View, ViewMut};

use crate::memory::faer as memory;
use crate::{ConversionError, IntoXlayout, Source};

/// Converts an array of xlayout: `&array` gives a `MatRef` and `&mut array` a `MatMut`, of an array
/// with one dimension a `ColRef` and a `ColMut`. See the [module](self).
///
/// # Errors
/// Tiles and repeated dimensions.
pub fn to_faer<A: Source<Form: IntoFaer>>(
    array: A,
) -> Result<<A::Form as IntoFaer>::Matrix, ConversionError> {
    array.form().into_faer()
}

/// What [`to_faer`] takes.
#[diagnostic::on_unimplemented(
    message = "`to_faer` does not take a `{Self}`",
    label = "a view of an array of one or two dimensions is expected",
    note = "an array stays in its memory: pass `&array` or `&mut array`; a `Mat` of its own is \
            `to_faer(&array)?.to_owned()`",
    note = "give an array whose rank the run time knows a rank: `array.ranked::<2>()?`"
)]
pub trait IntoFaer {
    /// The matrix or column of faer.
    type Matrix;
    #[doc(hidden)]
    fn into_faer(self) -> Result<Self::Matrix, ConversionError>;
}

/// Coordinates of a matrix or of a column.
#[diagnostic::on_unimplemented(
    message = "faer has matrices and columns, and `{Self}` are no coordinates of one",
    note = "give an array whose rank the run time knows a rank: `array.ranked::<2>()?`"
)]
pub trait MatrixCoordinates: Coordinates {
    /// `MatRef` or `ColRef`.
    type Ref<'a, T: 'a>;
    /// `MatMut` or `ColMut`.
    type Mut<'a, T: 'a>;
    #[doc(hidden)]
    fn view<'a, T: Element, L: ArrayLayout<Coordinates = Self>>(
        view: View<'a, T, L>,
    ) -> Result<Self::Ref<'a, T>, ConversionError>;
    #[doc(hidden)]
    fn view_mut<'a, T: Element, L: ArrayLayout<Coordinates = Self>>(
        view: ViewMut<'a, T, L>,
    ) -> Result<Self::Mut<'a, T>, ConversionError>;
}

macro_rules! ranks {
    ($(
        $rank:literal: $ref:ident $mut:ident $owned:ident,
        $to:ident $to_mut:ident, $from:ident $from_mut:ident;
    )*) => {$(
        impl MatrixCoordinates for [usize; $rank] {
            type Ref<'a, T: 'a> = $ref<'a, T>;
            type Mut<'a, T: 'a> = $mut<'a, T>;

            fn view<'a, T: Element, L: ArrayLayout<Coordinates = Self>>(
                view: View<'a, T, L>,
            ) -> Result<$ref<'a, T>, ConversionError> {
                memory::$to(view)
            }

            fn view_mut<'a, T: Element, L: ArrayLayout<Coordinates = Self>>(
                view: ViewMut<'a, T, L>,
            ) -> Result<$mut<'a, T>, ConversionError> {
                memory::$to_mut(view)
            }
        }

        impl<'a, T: Element> IntoXlayout for $ref<'a, T> {
            type Array = View<'a, T, StridedLayout<[usize; $rank], isize>>;
            fn into_xlayout(self) -> Result<Self::Array, ConversionError> {
                memory::$from(self)
            }
        }

        impl<'a, T: Element> IntoXlayout for $mut<'a, T> {
            type Array = ViewMut<'a, T, StridedLayout<[usize; $rank], isize>>;
            fn into_xlayout(self) -> Result<Self::Array, ConversionError> {
                memory::$from_mut(self)
            }
        }

        impl<'a, T: Element> IntoXlayout for &'a $owned<T> {
            type Array = View<'a, T, StridedLayout<[usize; $rank], isize>>;
            fn into_xlayout(self) -> Result<Self::Array, ConversionError> {
                memory::$from(self.as_ref())
            }
        }

        impl<'a, T: Element> IntoXlayout for &'a mut $owned<T> {
            type Array = ViewMut<'a, T, StridedLayout<[usize; $rank], isize>>;
            fn into_xlayout(self) -> Result<Self::Array, ConversionError> {
                memory::$from_mut(self.as_mut())
            }
        }
    )*};
}

ranks! {
    1: ColRef ColMut Col, column column_mut, column_view column_view_mut;
    2: MatRef MatMut Mat, matrix matrix_mut, view view_mut;
}

impl<'a, T: Element, L: ArrayLayout<Coordinates: MatrixCoordinates>> IntoFaer for View<'a, T, L> {
    type Matrix = <L::Coordinates as MatrixCoordinates>::Ref<'a, T>;
    fn into_faer(self) -> Result<Self::Matrix, ConversionError> {
        L::Coordinates::view(self)
    }
}

impl<'a, T: Element, L: ArrayLayout<Coordinates: MatrixCoordinates>> IntoFaer
    for ViewMut<'a, T, L>
{
    type Matrix = <L::Coordinates as MatrixCoordinates>::Mut<'a, T>;
    fn into_faer(self) -> Result<Self::Matrix, ConversionError> {
        L::Coordinates::view_mut(self)
    }
}
