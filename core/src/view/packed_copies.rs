//! A packed array copied into another array, or made into one.

use super::ArrayRef;
use super::packed::Packed;
use super::places::same_sizes;
use crate::array_layout::ArrayLayout;
use crate::layout_error::LayoutError;

impl<L: ArrayLayout> ArrayRef<Packed, L> {
    /// Sets all elements to those of a packed array of the same sizes and the same element type, whatever its layout. It is not
    /// called `assign`: the compiler takes the element type of `Array::zeros` from the argument of the only method with this name.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let rows = Array::packed_from_row_major(DynLayout::parse("u4[2,2]{1,0:E(4)}")?, &[0, 1, 2, 3])?;
    /// let mut columns = Array::packed_zeros(DynLayout::parse("u4[2,2]{0,1:E(4)}")?)?;
    /// columns.packed_assign(&rows)?;
    /// assert_eq!(columns.as_bytes(), [0x20, 0x31]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Rank`] or [`LayoutError::Size`] when the sizes differ; [`LayoutError::ElementType`] when the element
    /// types differ.
    pub fn packed_assign<M: ArrayLayout>(
        &mut self,
        from: &ArrayRef<Packed, M>,
    ) -> Result<(), LayoutError> {
        let (expected, found) = (self.layout.element_type(), from.layout.element_type());
        if expected != found {
            return Err(LayoutError::ElementType { expected, found });
        }
        let sizes = self.layout.shape();
        same_sizes(sizes.as_ref().iter().copied(), from.layout.shape().as_ref())?;
        self.write_all(from.iter());
        Ok(())
    }
}

#[cfg(feature = "alloc")]
mod owned {
    use super::super::Array;
    use super::*;
    use crate::array_layout::sealed::Token;
    use crate::element::{Element, StoredAs};

    impl<L: ArrayLayout> ArrayRef<Packed, L> {
        /// A packed array of zeros of the same sizes, with the layout of a copy: see
        /// [`to_owned`](Self::to_owned).
        ///
        /// # Errors
        /// [`LayoutError::OutOfMemory`].
        pub fn zeros_like(&self) -> Result<Array<Packed, L::Owned>, LayoutError> {
            Array::packed_zeros(self.layout.owned(Token))
        }

        /// A copy with another layout of the same sizes and the same element type. For large arrays, `relayout` of
        /// `xlayout-relayout` is faster.
        ///
        /// # Errors
        /// As [`packed_assign`](Self::packed_assign) and [`packed_zeros`](Array::packed_zeros).
        pub fn to_layout<M: ArrayLayout>(
            &self,
            layout: M,
        ) -> Result<Array<Packed, M>, LayoutError> {
            let mut copy = Array::packed_zeros(layout)?;
            copy.packed_assign(self)?;
            Ok(copy)
        }

        /// A new array with the low bits of what `element` makes of each number, which has a sign
        /// if the element type has
        /// one, and with the layout of a copy: see [`to_owned`](Self::to_owned).
        ///
        /// ```
        /// use xlayout_core::{Array, DynLayout};
        /// let array = Array::packed_from_row_major(DynLayout::parse("s4[2]{0:E(4)}")?, &[1, 15])?;
        /// let negative = array.map(|number| -number)?;
        /// assert_eq!((negative.at([0]), negative.at([1])), (-1, 1));
        /// # Ok::<(), xlayout_core::LayoutError>(())
        /// ```
        ///
        /// # Errors
        /// [`LayoutError::OutOfMemory`].
        pub fn map(
            &self,
            element: impl FnMut(i8) -> i8,
        ) -> Result<Array<Packed, L::Owned>, LayoutError> {
            let mut mapped = self.zeros_like()?;
            mapped.write_all(self.iter().map(element));
            Ok(mapped)
        }

        /// A new array with a layout of the same sizes, and what `element` makes of each number, which has a sign if the
        /// element type has one.
        ///
        /// ```
        /// use xlayout_core::{Array, DynLayout};
        /// let weights = Array::packed_from_row_major(DynLayout::parse("s4[2,2]{1,0:E(4)}")?, &[1, 2, 15, 4])?;
        /// let scaled = weights.map_to(DynLayout::parse("f32[2,2]")?, |number| 0.5 * f32::from(number))?;
        /// assert_eq!(scaled.memory(), [0.5, 1.0, -0.5, 2.0]);
        /// # Ok::<(), xlayout_core::LayoutError>(())
        /// ```
        ///
        /// # Errors
        /// [`LayoutError::Rank`] or [`LayoutError::Size`] when the sizes differ; else as [`Array::zeros`].
        pub fn map_to<U: Element, M: ArrayLayout>(
            &self,
            layout: M,
            mut element: impl FnMut(i8) -> U,
        ) -> Result<Array<U, M>, LayoutError>
        where
            M::Type: StoredAs<U>,
        {
            let sizes = self.layout.shape();
            same_sizes(sizes.as_ref().iter().copied(), layout.shape().as_ref())?;
            let mut mapped = Array::zeros(layout)?;
            let pairs = mapped.iter_mut().zip(self.iter());
            pairs.for_each(|(to, number)| *to = element(number));
            Ok(mapped)
        }
    }
}
