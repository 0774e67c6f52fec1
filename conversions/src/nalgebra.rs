//! Matrices of the crate `nalgebra`. Sizes that a type says stay in the type, in both directions.
//!
//! | of nalgebra | of xlayout |
//! |---|---|
//! | `&SMatrix<T, 2, 3>` | `SliceView<T, layout!(f32[2,3]{0,1})>`: [`Columns`] |
//! | `&DMatrix`, `&DVector` | `SliceView<T, StridedLayout<[usize; 2]>>` |
//! | `MatrixView`, also with steps | `View<T, StridedLayout<[usize; 2]>>` |
//! | the same with `&mut`, `MatrixViewMut` | the same to write |
//! | `SMatrix`, `DMatrix`, `DVector` | `Array`; an `SMatrix` moves from the stack to the heap |
//!
//! A matrix of nalgebra has two dimensions, also a vector: its layout is `[n, 1]`. An array of
//! xlayout with one dimension becomes a vector. Sizes that are known at run time are `Dyn`. The
//! strides are positive, and those of a view are known at run time. An array of xlayout that is
//! passed by value has to be column-major (`{0,1}`), because a `DMatrix` is.
//!
//! Of a view whose rows have a stride above 1, take elements by index and not by `iter`: there
//! nalgebra 0.35 computes an address beyond the memory, as it does for its own views with steps.
//!
//! ```
//! use xlayout::{Array, LayoutError, layout};
//! use xlayout_conversions::{to_nalgebra, to_xlayout};
//!
//! // Their function over my array: equations, whose number the type says.
//! let a = Array::from_nested(layout!(f64[2,2]{1,0}), [[2.0, 1.0], [1.0, 3.0]])?;
//! let b = Array::from_nested(layout!(f64[2]), [5.0, 10.0])?;
//! let cholesky = to_nalgebra(&a)?.clone_owned().cholesky().expect("positive definite");
//! let x = cholesky.solve(&to_nalgebra(&b)?);
//! assert!((x - nalgebra::Vector2::new(1.0, 3.0)).norm() < 1e-12);
//!
//! // The layout of their matrix is a type.
//! let matrix = nalgebra::Matrix2x3::new(0.0, 1.0, 2.0, 10.0, 11.0, 12.0);
//! let view: xlayout::SliceView<'_, f64, layout!(f64[2,3]{0,1})> = to_xlayout(&matrix)?;
//! assert_eq!(view[[1, 2]], 12.0);
//! # Ok::<(), LayoutError>(())
//! ```

use ::nalgebra::{
    Const, DefaultAllocator, Dim, Dyn, IsContiguous, Matrix, OMatrix, RawStorage, RawStorageMut,
    SMatrix, Scalar, U1, VecStorage, ViewStorage, ViewStorageMut, allocator::Allocator,
};
use xlayout_core::types::{
    self, AtMost, MinorToMajor, MixedLayout, Nat, Num, RunTime, SizeType, StaticLayout,
};
use xlayout_core::{
    Array, ArrayLayout, BlockLayout, BrandedLayout, BroadcastLayout, Coordinates, DynCoordinates,
    DynLayout, Element, RegionLayout, SliceView, SliceViewMut, Stride, StridedLayout, View,
    ViewMut, dtype::DType,
};

use crate::memory::nalgebra::{self as memory, LIBRARY, Strided, layout, sizes};
use crate::memory::{positive, strided};
use crate::{ConversionError, IntoXlayout, Source};

/// The layout of an `SMatrix<T, R, C>`: `layout!(f32[R,C]{0,1})` of `f32`.
pub type Columns<T, const R: usize, const C: usize> =
    StaticLayout<<T as Element>::Type, (Nat<R>, Nat<C>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;

/// Converts an array of xlayout: `&array` gives a `MatrixView`, `&mut array` a `MatrixViewMut`, and
/// `array` an `OMatrix`. See the [module](self).
///
/// # Errors
/// Tiles, negative strides, repeated dimensions, another rank than 1 or 2; of `array`, a layout
/// that is not column-major.
pub fn to_nalgebra<A: Source<Form: IntoNalgebra>>(
    array: A,
) -> Result<<A::Form as IntoNalgebra>::Matrix, ConversionError> {
    array.form().into_nalgebra()
}

/// What [`to_nalgebra`] takes.
#[diagnostic::on_unimplemented(
    message = "`to_nalgebra` does not take a `{Self}`",
    label = "an array of one or two dimensions is expected",
    note = "give an array whose rank the run time knows a rank: `array.ranked::<2>()?`"
)]
pub trait IntoNalgebra {
    /// The matrix of nalgebra.
    type Matrix;
    #[doc(hidden)]
    fn into_nalgebra(self) -> Result<Self::Matrix, ConversionError>;
}

/// Layouts of one or two dimensions, with the types of their sizes in nalgebra.
#[diagnostic::on_unimplemented(
    message = "the layout `{Self}` is not that of a matrix or of a vector",
    label = "a layout of one or two dimensions is expected"
)]
pub trait MatrixLayout: ArrayLayout {
    /// `Const<N>` or `Dyn`.
    type Rows: Dim;
    /// `Const<N>` or `Dyn`; `Const<1>` of a vector.
    type Columns: Dim;
}

/// A size of a layout's type.
pub trait Size {
    /// `Const<N>` or `Dyn`.
    type Dim: Dim;
}

impl<const N: usize> Size for Nat<N> {
    type Dim = Const<N>;
}

impl<const N: usize> Size for AtMost<N> {
    type Dim = Const<N>;
}

impl<S: SizeType> Size for Num<S> {
    type Dim = Dyn;
}

impl Size for RunTime {
    type Dim = Dyn;
}

macro_rules! typed {
    ($($layout:ident)*) => {$(
        impl<E: DType, R, C, O, A> MatrixLayout for $layout<E, (R, C), O, A>
        where
            R: types::Dimension<Unnamed: Size>,
            C: types::Dimension<Unnamed: Size>,
            (R, C): types::Dimensions,
            Self: ArrayLayout,
        {
            type Rows = <R::Unnamed as Size>::Dim;
            type Columns = <C::Unnamed as Size>::Dim;
        }

        impl<E: DType, R, O, A> MatrixLayout for $layout<E, (R,), O, A>
        where
            R: types::Dimension<Unnamed: Size>,
            (R,): types::Dimensions,
            Self: ArrayLayout,
        {
            type Rows = <R::Unnamed as Size>::Dim;
            type Columns = U1;
        }
    )*};
}

typed! { StaticLayout MixedLayout }

/// Coordinates of a matrix whose sizes only the run time knows.
pub trait MatrixCoordinates: Coordinates {
    /// `Dyn`; `Const<1>` of a vector.
    type Columns: Dim;
}

impl MatrixCoordinates for [usize; 1] {
    type Columns = U1;
}

impl MatrixCoordinates for [usize; 2] {
    type Columns = Dyn;
}

impl MatrixCoordinates for DynCoordinates {
    type Columns = Dyn;
}

macro_rules! at_run_time {
    ($([$($generics:tt)*] $layout:ty, $coordinates:ty;)*) => {$(
        impl<$($generics)*> MatrixLayout for $layout
        where
            $layout: ArrayLayout<Coordinates = $coordinates>,
            $coordinates: MatrixCoordinates,
        {
            type Rows = Dyn;
            type Columns = <$coordinates as MatrixCoordinates>::Columns;
        }
    )*};
}

at_run_time! {
    [C: Coordinates, I: Stride] StridedLayout<C, I>, C;
    [C: Coordinates] DynLayout<C>, C;
    ['a, C: Coordinates] &'a DynLayout<C>, C;
    [L: ArrayLayout] RegionLayout<L>, L::Coordinates;
    [L: ArrayLayout, B] BlockLayout<L, B>, L::Coordinates;
    [L: ArrayLayout, const DIM: usize] BroadcastLayout<L, DIM>, L::Coordinates;
    [L: ArrayLayout] types::SliceLayout<L>, L::Coordinates;
    ['id, L: ArrayLayout] BrandedLayout<'id, L>, L::Coordinates;
}

impl<'a, T: Element, L: MatrixLayout> IntoNalgebra for View<'a, T, L> {
    type Matrix = Matrix<T, L::Rows, L::Columns, ViewStorage<'a, T, L::Rows, L::Columns, Dyn, Dyn>>;
    fn into_nalgebra(self) -> Result<Self::Matrix, ConversionError> {
        memory::matrix_view(self)
    }
}

impl<'a, T: Element, L: MatrixLayout> IntoNalgebra for ViewMut<'a, T, L> {
    type Matrix =
        Matrix<T, L::Rows, L::Columns, ViewStorageMut<'a, T, L::Rows, L::Columns, Dyn, Dyn>>;
    fn into_nalgebra(self) -> Result<Self::Matrix, ConversionError> {
        memory::matrix_view_mut(self)
    }
}

impl<T: Element + Scalar, L: MatrixLayout> IntoNalgebra for Array<T, L>
where
    DefaultAllocator: Allocator<L::Rows, L::Columns>,
{
    type Matrix = OMatrix<T, L::Rows, L::Columns>;
    fn into_nalgebra(self) -> Result<Self::Matrix, ConversionError> {
        let (rows, columns) = sizes::<L::Rows, L::Columns>(self.layout())?;
        let layout = strided::<T, L>(self.layout(), LIBRARY)?;
        let strides = positive(&layout, LIBRARY)?;
        let column_major = [1, rows.value()];
        let sizes = [rows.value(), columns.value()];
        let mut dimensions = strides.iter().zip(column_major).zip(sizes);
        let fits = dimensions.all(|((&stride, expected), size)| size < 2 || stride == expected);
        if layout.elements() > 0 && !fits {
            return Err(ConversionError::Sequence {
                library: LIBRARY,
                needed: "a column-major matrix without padding",
                shape: self.array_shape().to_string(),
                strides: layout.signed_strides().collect(),
            });
        }
        let mut memory = self.into_vec();
        memory.truncate(layout.elements());
        Ok(OMatrix::from_vec_generic(rows, columns, memory))
    }
}

/// The layout of a matrix that owns its memory.
fn dense<T: Element>((rows, columns): (usize, usize)) -> Result<Strided, ConversionError> {
    layout::<T>((rows, columns), (1, rows))
}

macro_rules! matrices {
    ($(
        [$($generics:tt)*] $matrix:ty $(where [$($bounds:tt)*])?,
        |$value:ident| $converted:expr => $array:ty;
    )*) => {$(
        impl<'a, T: Element, $($generics)*> IntoXlayout for $matrix $(where $($bounds)*)? {
            type Array = $array;
            fn into_xlayout(self) -> Result<Self::Array, ConversionError> {
                let $value = self;
                Ok($converted?)
            }
        }
    )*};
}

// Elements in the matrix itself: the layout is a type.
matrices! {
    [const R: usize, const C: usize] &'a SMatrix<T, R, C>,
    |matrix| SliceView::new(Columns::<T, R, C>::NEW, matrix.as_slice())
        => SliceView<'a, T, Columns<T, R, C>>;

    [const R: usize, const C: usize] &'a mut SMatrix<T, R, C>,
    |matrix| SliceViewMut::new(Columns::<T, R, C>::NEW, matrix.as_mut_slice())
        => SliceViewMut<'a, T, Columns<T, R, C>>;

    [const R: usize, const C: usize] SMatrix<T, R, C>,
    |matrix| Array::new(Columns::<T, R, C>::NEW, matrix.as_slice().to_vec())
        => Array<T, Columns<T, R, C>>;
}

// Elements in a vector.
matrices! {
    [R: Dim, C: Dim] &'a Matrix<T, R, C, VecStorage<T, R, C>>
    where [VecStorage<T, R, C>: RawStorage<T, R, C> + IsContiguous],
    |matrix| SliceView::new(dense::<T>(matrix.shape())?, matrix.as_slice())
        => SliceView<'a, T, StridedLayout<[usize; 2]>>;

    [R: Dim, C: Dim] &'a mut Matrix<T, R, C, VecStorage<T, R, C>>
    where [VecStorage<T, R, C>: RawStorageMut<T, R, C> + IsContiguous],
    |matrix| SliceViewMut::new(dense::<T>(matrix.shape())?, matrix.as_mut_slice())
        => SliceViewMut<'a, T, StridedLayout<[usize; 2]>>;

    [R: Dim, C: Dim] Matrix<T, R, C, VecStorage<T, R, C>>
    where [VecStorage<T, R, C>: RawStorage<T, R, C>],
    |matrix| Array::new(dense::<T>(matrix.shape())?, Vec::from(matrix.data))
        => Array<T, StridedLayout<[usize; 2]>>;
}

// Elements of another matrix.
matrices! {
    [R: Dim, C: Dim, RS: Dim, CS: Dim] Matrix<T, R, C, ViewStorage<'a, T, R, C, RS, CS>>,
    |matrix| memory::view(matrix)
        => View<'a, T, StridedLayout<[usize; 2]>>;

    [R: Dim, C: Dim, RS: Dim, CS: Dim] Matrix<T, R, C, ViewStorageMut<'a, T, R, C, RS, CS>>,
    |matrix| memory::view_mut(matrix)
        => ViewMut<'a, T, StridedLayout<[usize; 2]>>;

    [R: Dim, C: Dim, RS: Dim, CS: Dim] &'a Matrix<T, R, C, ViewStorage<'_, T, R, C, RS, CS>>,
    |matrix| memory::view(matrix.generic_view((0, 0), matrix.shape_generic()))
        => View<'a, T, StridedLayout<[usize; 2]>>;

    [R: Dim, C: Dim, RS: Dim, CS: Dim] &'a Matrix<T, R, C, ViewStorageMut<'_, T, R, C, RS, CS>>,
    |matrix| memory::view(matrix.generic_view((0, 0), matrix.shape_generic()))
        => View<'a, T, StridedLayout<[usize; 2]>>;

    [R: Dim, C: Dim, RS: Dim, CS: Dim] &'a mut Matrix<T, R, C, ViewStorageMut<'_, T, R, C, RS, CS>>,
    |matrix| {
        let sizes = matrix.shape_generic();
        memory::view_mut(matrix.generic_view_mut((0, 0), sizes))
    } => ViewMut<'a, T, StridedLayout<[usize; 2]>>;
}
