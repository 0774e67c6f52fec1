//! Arrays of arrays, as Rust writes small ones: `[[1.0, 2.0], [3.0, 4.0]]`.

use super::ArrayBase;
use super::storage::Storage;
use crate::array_layout::ArrayLayout;
#[cfg(feature = "alloc")]
use crate::element::Element;
#[cfg(feature = "alloc")]
use crate::element::StoredAs;
use crate::layout_error::LayoutError;

/// An array of arrays with `N` dimensions: `[T; 3]` has one, `[[T; 3]; 2]` has two. Up to 6.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array of {N} dimensions with elements `{T}`",
    label = "expected arrays in arrays, as `[[{T}; 3]; 2]` for two dimensions"
)]
pub trait NestedArray<T, const N: usize>: Sized {
    /// The sizes, dimension 0 first.
    const SIZES: [usize; N];
    /// The element at an index in bounds.
    #[doc(hidden)]
    fn element(&self, index: [usize; N]) -> &T;
    /// The array with these elements.
    #[doc(hidden)]
    fn from_elements(element: impl FnMut([usize; N]) -> T) -> Self;
}

macro_rules! nested {
    (@type $t:ident;) => { $t };
    (@type $t:ident; $size:ident $($rest:ident)*) => { [nested!(@type $t; $($rest)*); $size] };
    (@make $f:ident [$($done:ident)*];) => { $f([$($done),*]) };
    (@make $f:ident [$($done:ident)*]; $next:ident $($rest:ident)*) => {
        core::array::from_fn(|$next| nested!(@make $f [$($done)* $next]; $($rest)*))
    };
    ($($n:literal: $($size:ident $i:ident)*;)*) => {$(
        impl<T, $(const $size: usize),*> NestedArray<T, $n> for nested!(@type T; $($size)*) {
            const SIZES: [usize; $n] = [$($size),*];

            #[inline(always)]
            fn element(&self, [$($i),*]: [usize; $n]) -> &T {
                &self $([$i])*
            }

            #[inline(always)]
            fn from_elements(mut element: impl FnMut([usize; $n]) -> T) -> Self {
                nested!(@make element []; $($i)*)
            }
        }
    )*};
}

nested! {
    1: A a;
    2: A a B b;
    3: A a B b C c;
    4: A a B b C c D d;
    5: A a B b C c D d E e;
    6: A a B b C c D d E e F g;
}

/// The first dimension whose size is another one.
#[inline]
fn check_sizes(expected: &[usize], found: &[usize]) -> Result<(), LayoutError> {
    let mut pairs = expected.iter().zip(found).enumerate();
    match pairs.find(|(_, (expected, found))| expected != found) {
        Some((dimension, (&expected, &found))) => Err(LayoutError::Size {
            dimension,
            expected,
            found,
        }),
        None => Ok(()),
    }
}

impl<S: Storage<Item: Copy>, L: ArrayLayout> ArrayBase<S, L> {
    /// The elements as an array of arrays.
    ///
    /// ```
    /// use xlayout_core::{Array, StridedLayout};
    /// let layout: StridedLayout<2> = "f32[2,3]{0,1}".parse()?;
    /// let array = Array::from_nested(layout, [[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
    /// assert_eq!(array.memory(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// let rows: [[f32; 3]; 2] = array.to_nested()?;
    /// assert_eq!(rows[1], [4.0, 5.0, 6.0]);
    /// assert!(array.to_nested::<[[f32; 2]; 3], 2>().is_err());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Size`] when a size is another one.
    pub fn to_nested<A, const N: usize>(&self) -> Result<A, LayoutError>
    where
        A: NestedArray<S::Item, N>,
        L: ArrayLayout<Coordinates = [usize; N]>,
    {
        check_sizes(&self.layout.sizes(), &A::SIZES)?;
        Ok(A::from_elements(|index| self[index]))
    }
}

#[cfg(feature = "alloc")]
impl<T, L: ArrayLayout> super::Array<T, L> {
    /// An array with the elements of an array of arrays; its padding has the layout's padding value.
    ///
    /// # Errors
    /// [`LayoutError::Size`] when a size is another one; else as [`Array::zeros`](super::Array::zeros).
    pub fn from_nested<A, const N: usize>(layout: L, elements: A) -> Result<Self, LayoutError>
    where
        T: Element,
        L: ArrayLayout<Coordinates = [usize; N]>,
        L::Type: StoredAs<T>,
        A: NestedArray<T, N>,
    {
        check_sizes(&layout.sizes(), &A::SIZES)?;
        Self::from_fn(layout, |&index| *elements.element(index))
    }
}
