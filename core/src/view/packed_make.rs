//! Arrays of packed elements that are made by names of their own: see [`Packed`].

use alloc::vec::Vec;

use super::{Array, NestedArray, Packed, SliceView};
use crate::array_layout::{ArrayLayout, Rank};
use crate::layout_error::LayoutError;

impl<L: ArrayLayout> Array<Packed, L> {
    /// The packed array in `bytes`, padding included.
    ///
    /// # Errors
    /// When the number of bytes is not the layout's, or an element has not 1, 2 or 4 bits.
    pub fn packed(layout: L, bytes: Vec<u8>) -> Result<Self, LayoutError> {
        let layout = SliceView::packed(layout, &bytes)?.layout;
        let items: Vec<Packed> = bytes.into_iter().map(Packed::of).collect();
        let data = items.into();
        Ok(Self { data, layout })
    }

    /// The bytes, padding included.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        let items = Vec::from(self.data);
        items.into_iter().map(Packed::byte).collect()
    }

    /// A packed array with the low bits of a number for each index.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "u4[2,3]{1,0:E(4)}".parse()?;
    /// let array = Array::packed_from_fn(layout, |at| (3 * at[0] + at[1]) as i8)?;
    /// assert_eq!(array.as_bytes(), [0x10, 0x32, 0x54]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros).
    pub fn packed_from_fn(
        layout: L,
        mut number: impl FnMut(&L::Coordinates) -> i8,
    ) -> Result<Self, LayoutError> {
        let mut array = Self::zeros_of(layout)?;
        array.for_each_mut(|at, element| *element = number(at));
        Ok(array)
    }

    /// A packed array with the low bits of the numbers in `items`, in row-major sequence.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "u4[2,2]{0,1:E(4)}".parse()?;
    /// let array = Array::packed_from_row_major(layout, &[0, 1, 2, 3])?;
    /// assert_eq!(array.as_bytes(), [0x20, 0x31]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Elements`] when there are not as many items as elements; else as
    /// [`zeros`](Self::zeros).
    pub fn packed_from_row_major(layout: L, items: &[i8]) -> Result<Self, LayoutError> {
        let mut array = Self::zeros_of(layout)?;
        array.copy_from_row_major(items)?;
        Ok(array)
    }

    /// A packed array with the low bits of the numbers of an array of arrays.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout = DynLayout::new("u4[2,2]{0,1:E(4)}")?.ranked::<2>()?;
    /// let array = Array::packed_from_nested(layout, [[0, 1], [2, 3]])?;
    /// assert_eq!(array.bits_at([1, 0]), 2);
    /// assert_eq!(array.to_nested::<[[i8; 2]; 2], 2>()?, [[0, 1], [2, 3]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Array::zeros`]; [`LayoutError::Size`] when a size
    /// differs.
    pub fn packed_from_nested<A, const N: usize>(
        layout: L,
        elements: A,
    ) -> Result<Self, LayoutError>
    where
        L: Rank<N>,
        A: NestedArray<i8, N>,
    {
        elements.check(layout.shape())?;
        Self::packed_from_fn(layout, |&index| *elements.element(index))
    }
}
