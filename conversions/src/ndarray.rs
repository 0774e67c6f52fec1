//! Arrays of the crate `ndarray`: of its static ranks (`Ix0` to `Ix6`) and of `IxDyn`.
//!
//! | of ndarray | of xlayout |
//! |---|---|
//! | `&Array`, `ArrayView`, … | `View<T, StridedLayout<[usize; N], isize>>` |
//! | `&mut Array`, `ArrayViewMut`, … | `ViewMut<T, StridedLayout<[usize; N], isize>>` |
//! | `Array` | `Array<T, StridedLayout<[usize; N], isize>>` |
//!
//! Strides may have either sign. An array of its own keeps its memory in both directions. If it is
//! a part of its memory, because it was sliced in place, its elements move to the start of it.
//!
//! ```
//! use xlayout::{Array, ArrayRef, LayoutError, Rank, layout};
//! use xlayout_conversions::{to_ndarray, to_xlayout};
//!
//! // Their function over my array: the product of matrices.
//! let a = Array::from_fn(layout!(f64[2,3]{0,1}), |&[i, j]| (10 * i + j) as f64)?;
//! let mut product = to_ndarray(&a)?.dot(&to_ndarray(&a)?.t());
//! assert_eq!(product, ndarray::array![[5.0, 35.0], [35.0, 365.0]]);
//!
//! // My function over their array.
//! fn trace(x: &ArrayRef<f64, impl Rank<2>>) -> f64 {
//!     x.axis::<0>().zip(x.axis::<1>()).map(|(i, j)| x[(i, j)]).sum()
//! }
//! assert_eq!(trace(&*to_xlayout(&product)?), 370.0);
//! to_xlayout(&mut product)?.fill(1.0);
//! assert_eq!(product.sum(), 4.0);
//! # Ok::<(), LayoutError>(())
//! ```

use ::ndarray::{
    self as theirs, ArrayView, ArrayViewMut, Data, DataMut, Dim, Dimension, IxDyn, OwnedRepr,
    ViewRepr,
};
use xlayout_core::{
    Array, ArrayLayout, Coordinates, DynCoordinates, Element, StridedLayout, View, ViewMut,
};

use crate::memory::{self, Signed, ndarray::LIBRARY};
use crate::{ConversionError, IntoXlayout, Source};

/// Converts an array of xlayout: `&array` gives an `ArrayView`, `&mut array` an `ArrayViewMut`, and
/// `array` an `Array` in the same memory. See the [module](self).
///
/// # Errors
/// Tiles and repeated dimensions.
pub fn to_ndarray<A: Source<Form: IntoNdarray>>(
    array: A,
) -> Result<<A::Form as IntoNdarray>::Array, ConversionError> {
    array.form().into_ndarray()
}

/// What [`to_ndarray`] takes.
#[diagnostic::on_unimplemented(
    message = "`to_ndarray` does not take a `{Self}`",
    label = "an array of up to 6 dimensions, or of a rank that the run time knows, is expected"
)]
pub trait IntoNdarray {
    /// The array of ndarray.
    type Array;
    #[doc(hidden)]
    fn into_ndarray(self) -> Result<Self::Array, ConversionError>;
}

/// The dimensions of ndarray that coordinates of xlayout become.
#[diagnostic::on_unimplemented(
    message = "ndarray has no type of dimensions for `{Self}`",
    note = "it knows ranks from 0 to 6 when it compiles; give a higher one by a `DynLayout`"
)]
pub trait Dimensions: Coordinates {
    /// `Ix0` to `Ix6`, or `IxDyn`.
    type Dimension: Sizes<Coordinates = Self>;
}

/// The coordinates of xlayout that dimensions of ndarray become.
pub trait Sizes: Dimension {
    /// `[usize; N]`, or [`DynCoordinates`].
    type Coordinates: Dimensions<Dimension = Self>;
}

macro_rules! ranks {
    ($($rank:literal)*) => {$(
        impl Dimensions for [usize; $rank] {
            type Dimension = Dim<Self>;
        }

        impl Sizes for Dim<[usize; $rank]> {
            type Coordinates = [usize; $rank];
        }
    )*};
}

ranks! { 0 1 2 3 4 5 6 }

impl Dimensions for DynCoordinates {
    type Dimension = IxDyn;
}

impl Sizes for IxDyn {
    type Coordinates = DynCoordinates;
}

impl<'a, T: Element, L: ArrayLayout<Coordinates: Dimensions>> IntoNdarray for View<'a, T, L> {
    type Array = ArrayView<'a, T, <L::Coordinates as Dimensions>::Dimension>;
    fn into_ndarray(self) -> Result<Self::Array, ConversionError> {
        memory::ndarray::array_view(self)
    }
}

impl<'a, T: Element, L: ArrayLayout<Coordinates: Dimensions>> IntoNdarray for ViewMut<'a, T, L> {
    type Array = ArrayViewMut<'a, T, <L::Coordinates as Dimensions>::Dimension>;
    fn into_ndarray(self) -> Result<Self::Array, ConversionError> {
        memory::ndarray::array_view_mut(self)
    }
}

impl<T: Element, L: ArrayLayout<Coordinates: Dimensions>> IntoNdarray for Array<T, L> {
    type Array = theirs::Array<T, <L::Coordinates as Dimensions>::Dimension>;
    fn into_ndarray(self) -> Result<Self::Array, ConversionError> {
        let layout = memory::strided::<T, L>(self.layout(), LIBRARY)?;
        let mut memory = self.into_vec();
        memory.truncate(layout.buffer_len());
        let array = theirs::Array::from_shape_vec(memory::ndarray::shape(&layout), memory);
        let mut array = array.map_err(|error| ConversionError::Other {
            library: LIBRARY,
            message: error.to_string(),
        })?;
        memory::ndarray::reversed(&layout).for_each(|axis| array.invert_axis(axis));
        Ok(array)
    }
}

macro_rules! borrowed {
    ($([$($generics:tt)*] $borrowed:ty, |$array:ident| $lent:expr => $view:ident by $convert:ident;)*) => {$(
        impl<'a, T: Element, D: Sizes, $($generics)*> IntoXlayout for $borrowed {
            type Array = $view<'a, T, StridedLayout<D::Coordinates, isize>>;
            fn into_xlayout(self) -> Result<Self::Array, ConversionError> {
                let $array = self;
                memory::ndarray::$convert($lent)
            }
        }
    )*};
}

borrowed! {
    [S: Data<Elem = T>] &'a theirs::ArrayBase<S, D>, |array| array.view() => View by view;
    [S: DataMut<Elem = T>] &'a mut theirs::ArrayBase<S, D>, |array| array.view_mut() => ViewMut by view_mut;
    [] &'a theirs::ArrayRef<T, D>, |array| array.view() => View by view;
    [] &'a mut theirs::ArrayRef<T, D>, |array| array.view_mut() => ViewMut by view_mut;
    [] theirs::ArrayBase<ViewRepr<&'a T>, D>, |array| array => View by view;
    [] theirs::ArrayBase<ViewRepr<&'a mut T>, D>, |array| array => ViewMut by view_mut;
}

impl<T: Element, D: Sizes> IntoXlayout for theirs::ArrayBase<OwnedRepr<T>, D> {
    type Array = Array<T, StridedLayout<D::Coordinates, isize>>;
    fn into_xlayout(self) -> Result<Self::Array, ConversionError> {
        let view = memory::ndarray::view(self.view())?;
        let layout: Signed<D::Coordinates> = view.layout().clone();
        let (mut memory, offset) = self.into_raw_vec_and_offset();
        let lowest = match (layout.elements(), offset) {
            (1.., Some(offset)) => offset - memory::origin(&layout),
            // Without elements.
            _ => 0,
        };
        memory.truncate(lowest + layout.buffer_len());
        memory.drain(..lowest);
        Ok(Array::new(layout, memory)?)
    }
}
