//! Arrays of arrays, which are not in one allocation: from and to arrays with layouts.

use super::index::ViewIndex;
use super::reference::ArrayRef;
use super::stored::Stored;
#[cfg(feature = "alloc")]
use super::{base::Array, stored::room};
use crate::ElementType;
use crate::array_layout::sealed::Token;
use crate::array_layout::{ArrayLayout, Rank};
use crate::layout_error::LayoutError;

/// An array of arrays with `N` dimensions, 3 at most: `T` has none, `[T; 3]` and `Vec<T>` have one,
/// `[[T; 3]; 2]` and `Vec<Vec<T>>` have two. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array of {N} dimensions with elements `{T}`",
    label = "expected arrays in arrays, as `[[{T}; 3]; 2]` or `Vec<Vec<{T}>>` for two dimensions"
)]
pub trait NestedArray<T, const N: usize>: sealed::Sealed<T, N> + Sized {
    /// Checks that the sizes are these, dimension 0 first.
    ///
    /// # Errors
    /// [`LayoutError::Size`], also of a row whose length is not that of the other rows.
    #[doc(hidden)]
    fn check(&self, sizes: [usize; N]) -> Result<(), LayoutError>;
    /// The element at an index in bounds.
    #[doc(hidden)]
    fn element(&self, index: [usize; N]) -> &T;
    /// The array of these sizes with these elements.
    ///
    /// # Errors
    /// [`LayoutError::Size`] when the type says another size, [`LayoutError::OutOfMemory`] of a
    /// vector, which names the type of the elements.
    #[doc(hidden)]
    fn from_elements(
        element_type: ElementType,
        sizes: [usize; N],
        element: impl FnMut([usize; N]) -> T,
    ) -> Result<Self, LayoutError>;
}

mod sealed {
    /// It has the parameters, too: a crate may implement a trait of another for a type that is not
    /// its own when a parameter is.
    pub trait Sealed<T, const N: usize> {}
}

macro_rules! nested {
    (@type $t:ident;) => { $t };
    (@type $t:ident; $size:ident $($rest:ident)*) => { [nested!(@type $t; $($rest)*); $size] };
    (@make $f:ident [$($done:ident)*];) => { $f([$($done),*]) };
    (@make $f:ident [$($done:ident)*]; $next:ident $($rest:ident)*) => {
        core::array::from_fn(|$next| nested!(@make $f [$($done)* $next]; $($rest)*))
    };
    ($($n:literal: $($size:ident $i:ident)*;)*) => {$(
        impl<T, $(const $size: usize),*> sealed::Sealed<T, $n> for nested!(@type T; $($size)*) {}
        impl<T, $(const $size: usize),*> NestedArray<T, $n> for nested!(@type T; $($size)*) {
            #[inline]
            fn check(&self, sizes: [usize; $n]) -> Result<(), LayoutError> {
                check_sizes(&sizes, &[$($size),*])
            }

            #[inline(always)]
            fn element(&self, [$($i),*]: [usize; $n]) -> &T {
                &self $([$i])*
            }

            #[inline(always)]
            fn from_elements(
                _: ElementType,
                sizes: [usize; $n],
                mut element: impl FnMut([usize; $n]) -> T,
            ) -> Result<Self, LayoutError> {
                check_sizes(&sizes, &[$($size),*])?;
                Ok(nested!(@make element []; $($i)*))
            }
        }
    )*};
}

/// The element of an array without dimensions.
impl<T> sealed::Sealed<T, 0> for T {}
impl<T> NestedArray<T, 0> for T {
    fn check(&self, []: [usize; 0]) -> Result<(), LayoutError> {
        Ok(())
    }

    fn element(&self, []: [usize; 0]) -> &T {
        self
    }

    fn from_elements(
        _: ElementType,
        _: [usize; 0],
        mut element: impl FnMut([usize; 0]) -> T,
    ) -> Result<T, LayoutError> {
        Ok(element([]))
    }
}

nested! {
    1: A a;
    2: A a B b;
    3: A a B b C c;
}

#[cfg(feature = "alloc")]
macro_rules! nested_vectors {
    (@type $t:ident;) => { $t };
    (@type $t:ident; $i:ident $($rest:ident)*) => {
        alloc::vec::Vec<nested_vectors!(@type $t; $($rest)*)>
    };
    (@check $rows:expr, $sizes:ident, $dim:expr; $last:ident) => {
        check_size($dim, $sizes[$dim], $rows.len())
    };
    (@check $rows:expr, $sizes:ident, $dim:expr; $i:ident $($rest:ident)*) => {{
        check_size($dim, $sizes[$dim], $rows.len())?;
        $rows.iter().try_for_each(|row| nested_vectors!(@check row, $sizes, $dim + 1; $($rest)*))
    }};
    (@make $f:ident $element_type:ident $sizes:ident, $dim:expr, [$($done:ident)*]; $last:ident) => {
        elements($element_type, $sizes[$dim], |$last| $f([$($done,)* $last]))
    };
    (
        @make $f:ident $element_type:ident $sizes:ident, $dim:expr, [$($done:ident)*];
        $next:ident $($rest:ident)*
    ) => {
        rows($element_type, $sizes[$dim], |$next| {
            nested_vectors!(
                @make $f $element_type $sizes, $dim + 1, [$($done)* $next]; $($rest)*
            )
        })
    };
    ($($n:literal: $($i:ident)*;)*) => {$(
        impl<T> sealed::Sealed<T, $n> for nested_vectors!(@type T; $($i)*) {}
        impl<T> NestedArray<T, $n> for nested_vectors!(@type T; $($i)*) {
            fn check(&self, sizes: [usize; $n]) -> Result<(), LayoutError> {
                nested_vectors!(@check self, sizes, 0; $($i)*)
            }

            #[inline(always)]
            fn element(&self, [$($i),*]: [usize; $n]) -> &T {
                &self $([$i])*
            }

            fn from_elements(
                element_type: ElementType,
                sizes: [usize; $n],
                mut element: impl FnMut([usize; $n]) -> T,
            ) -> Result<Self, LayoutError> {
                nested_vectors!(@make element element_type sizes, 0, []; $($i)*)
            }
        }
    )*};
}

#[cfg(feature = "alloc")]
nested_vectors! {
    1: a;
    2: a b;
    3: a b c;
}

/// A vector for `len` items. Of an array without elements, the memory of the array does not bound
/// the sizes.
#[cfg(feature = "alloc")]
fn with_capacity<T>(
    element_type: ElementType,
    len: usize,
) -> Result<alloc::vec::Vec<T>, LayoutError> {
    room(len, element_type, len, len.saturating_mul(size_of::<T>()))
}

/// A vector of elements.
#[cfg(feature = "alloc")]
fn elements<T>(
    element_type: ElementType,
    len: usize,
    element: impl FnMut(usize) -> T,
) -> Result<alloc::vec::Vec<T>, LayoutError> {
    let mut elements = with_capacity(element_type, len)?;
    elements.extend((0..len).map(element));
    Ok(elements)
}

/// A vector of vectors.
#[cfg(feature = "alloc")]
fn rows<R>(
    element_type: ElementType,
    len: usize,
    mut row: impl FnMut(usize) -> Result<R, LayoutError>,
) -> Result<alloc::vec::Vec<R>, LayoutError> {
    let mut rows = with_capacity(element_type, len)?;
    for number in 0..len {
        rows.push(row(number)?);
    }
    Ok(rows)
}

fn check_size(dimension: usize, expected: usize, found: usize) -> Result<(), LayoutError> {
    if expected == found {
        Ok(())
    } else {
        Err(LayoutError::Size {
            dimension,
            expected,
            found,
        })
    }
}

/// The first dimension whose size differs.
#[inline]
fn check_sizes(expected: &[usize], found: &[usize]) -> Result<(), LayoutError> {
    let mut pairs = expected.iter().zip(found).enumerate();
    pairs.try_for_each(|(dimension, (&expected, &found))| check_size(dimension, expected, found))
}

/// An array of arrays whose elements compare with `T`, of as many dimensions as there are
/// coordinates in `C`.
#[allow(unreachable_pub, reason = "public implementations name it")]
pub trait NestedElements<T, C> {
    fn equals(&self, sizes: C, elements: impl Iterator<Item = (C, T)>) -> bool;
}

impl<T: PartialEq, A: NestedArray<T, N>, const N: usize> NestedElements<T, [usize; N]> for A {
    fn equals(
        &self,
        sizes: [usize; N],
        mut elements: impl Iterator<Item = ([usize; N], T)>,
    ) -> bool {
        self.check(sizes).is_ok() && elements.all(|(index, item)| item == *self.element(index))
    }
}

/// Equal sizes and equal elements; those of packed arrays as numbers.
///
/// ```
/// use xlayout_core::{Array, StridedLayout};
/// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse()?;
/// let array = Array::from_fn(layout, |&[i, j]| (10 * i + j) as f32)?;
/// assert_eq!(array, [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]);
/// assert_ne!(array, [[0.0, 1.0], [10.0, 11.0]]);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<T: Stored, L: ArrayLayout, U, const A: usize> PartialEq<[U; A]> for ArrayRef<T, L>
where
    [U; A]: NestedElements<T::Number, L::Coordinates>,
{
    fn eq(&self, other: &[U; A]) -> bool {
        let elements = self.indexed_iter();
        let numbered = elements.map(|(index, element)| (index, T::number(element)));
        other.equals(self.layout.shape(), numbered)
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The elements as an array of arrays; those of packed arrays as numbers.
    ///
    /// ```
    /// use xlayout_core::{Array, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse()?;
    /// let array = Array::from_nested(layout, [[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
    /// assert_eq!(array.memory(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// let rows: [[f32; 3]; 2] = array.to_nested()?;
    /// assert_eq!(rows[1], [4.0, 5.0, 6.0]);
    /// assert!(array.to_nested::<[[f32; 2]; 3], 2>().is_err());
    /// let rows: Vec<Vec<f32>> = array.to_nested()?;
    /// assert_eq!(rows, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    /// let scalar: StridedLayout<[usize; 0]> = "f32[]".parse()?;
    /// assert_eq!(Array::from_nested(scalar, 7.0_f32)?.to_nested::<f32, 0>()?, 7.0);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Size`] when a size differs; [`LayoutError::OutOfMemory`] when there is no
    /// memory for a vector: a layout of no bytes may have rows without end, as
    /// `f32[1099511627776,0]` has.
    pub fn to_nested<A, const N: usize>(&self) -> Result<A, LayoutError>
    where
        A: NestedArray<T::Number, N>,
        L: Rank<N>,
    {
        A::from_elements(self.layout.element_type(), self.layout.shape(), |index| {
            T::number(self.read(index.linear_in(&self.layout, Token)))
        })
    }
}

#[cfg(feature = "alloc")]
impl<T, L: ArrayLayout> Array<T, L> {
    /// An array with the elements of an array of arrays; its padding has the layout's padding
    /// value.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "f32[2,2]{0,1}".parse()?;
    /// let rows = vec![vec![1.0_f32, 2.0], vec![3.0, 4.0]];
    /// let array = Array::from_nested(layout.ranked::<2>()?, rows)?;
    /// assert_eq!(array.memory(), [1.0, 3.0, 2.0, 4.0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Array::zeros`](Array::zeros); [`LayoutError::Size`] when a size differs.
    pub fn from_nested<A, const N: usize>(layout: L, elements: A) -> Result<Self, LayoutError>
    where
        T: crate::element::Element,
        L: Rank<N>,
        L::Type: crate::element::StoredAs<T>,
        A: NestedArray<T, N>,
    {
        const { L::LOWERED }
        elements.check(layout.shape())?;
        Self::from_fn(layout, |&index| *elements.element(index))
    }
}
