//! Arrays in the bytes of a buffer, at an address, and of arrays of arrays; their padding.
#![allow(unsafe_code)]

use core::ops::Range;
use core::ptr::NonNull;

use super::base::{ArrayBase, SliceView, SliceViewMut, View, ViewMut};
use super::storage::{Inside, PartItems, PartItemsMut, SliceStorageMut};
use super::stored::{
    Stored, assert_element, check_element, elements_of_bytes, elements_of_bytes_mut, padding_of,
    padding_value,
};
use crate::array_layout::{ArrayLayout, ConstLayout};
use crate::const_text::{ConstText, stop};
use crate::coordinates::Coordinates;
use crate::element::{Element, StoredAs};
use crate::layout_error::LayoutError;

impl<'a, T: Element, L: ConstLayout> SliceView<'a, T, L>
where
    L::Type: StoredAs<T>,
{
    /// The array in a Rust array, also in a constant: the compiler checks the length.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, StaticLayout};
    /// use xlayout_core::SliceView;
    /// // layout!(f32[2,3]{0,1})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    ///
    /// static TABLE: SliceView<'static, f32, A> =
    ///     SliceView::of_array(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    /// assert_eq!(TABLE[[1, 2]], 5.0);
    /// ```
    #[must_use]
    pub const fn of_array<const N: usize>(data: &'a [T; N]) -> Self {
        const {
            assert_element::<T, L>();
            if N != L::BUFFER_LEN {
                let text = ConstText::new(
                    "the array has {} items, but the layout allocates {} (padding included)",
                    &[N, L::BUFFER_LEN],
                );
                stop(text.as_str());
            }
        }
        Self {
            data,
            layout: L::NEW,
        }
    }
}

impl<'a, T: Stored, L: ArrayLayout> SliceView<'a, T, L> {
    /// The array in bytes, of elements or packed ones.
    pub(super) fn of_bytes(layout: L, bytes: &'a [u8]) -> Result<Self, LayoutError> {
        check_element::<T>(&layout)?;
        let data = elements_of_bytes(bytes, T::items(&layout))?;
        Ok(Self { data, layout })
    }
}

impl<'a, T: Stored, L: ArrayLayout> SliceViewMut<'a, T, L> {
    /// The array in bytes, of elements or packed ones, to write.
    pub(super) fn of_bytes(layout: L, bytes: &'a mut [u8]) -> Result<Self, LayoutError> {
        check_element::<T>(&layout)?;
        let data = elements_of_bytes_mut(bytes, T::items(&layout))?;
        Ok(Self { data, layout })
    }
}

impl<'a, T: Element, L: ArrayLayout> SliceView<'a, T, L>
where
    L::Type: StoredAs<T>,
{
    /// The array in the bytes of a buffer, such as one that another program made. The bytes of an
    /// element are in the byte order of this machine, on nearly all little-endian;
    /// [`Element::from_be`] corrects big-endian ones.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, SliceView, SliceViewMut};
    ///
    /// let layout: DynLayout = "s8[2,2]{0,1}".parse().unwrap();
    /// let mut bytes = [1, 2, 3, 255];
    /// assert_eq!(SliceView::<i8, _>::from_bytes(&layout, &bytes).unwrap()[[1, 1]], -1);
    /// SliceViewMut::<i8, _>::from_bytes(&layout, &mut bytes).unwrap()[[0, 1]] = -2;
    /// assert_eq!(bytes, [1, 2, 254, 255]);
    /// ```
    ///
    /// # Errors
    /// When the element type is not the layout's, when the number of bytes is not
    /// [`ArrayLayout::bytes`], or when the bytes do not begin at a multiple of the element's
    /// alignment.
    pub fn from_bytes(layout: L, bytes: &'a [u8]) -> Result<Self, LayoutError> {
        const { L::LOWERED }
        Self::of_bytes(layout, bytes)
    }
}

impl<'a, T: Element, L: ArrayLayout> SliceViewMut<'a, T, L>
where
    L::Type: StoredAs<T>,
{
    /// The array in the bytes of a buffer, to write.
    ///
    /// # Errors
    /// As [`SliceView::from_bytes`](SliceView::from_bytes).
    pub fn from_bytes(layout: L, bytes: &'a mut [u8]) -> Result<Self, LayoutError> {
        const { L::LOWERED }
        Self::of_bytes(layout, bytes)
    }
}

impl<S: SliceStorageMut<Item: Element>, L: ArrayLayout> ArrayBase<S, L> {
    /// Fills the padding with the layout's padding value; with zero where it names none or an
    /// unknown one.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, SliceViewMut};
    /// let text = "f32[2,3]<0,1>, padded_dimensions = [3, 5], padding_value = one";
    /// let layout: DynLayout = text.parse().unwrap();
    /// let mut data = [7.0_f32; 15];
    /// let mut view = SliceViewMut::new(layout, &mut data[..]).unwrap();
    /// view.fill_padding();
    /// assert_eq!(data[..9], [7.0, 7.0, 1.0, 7.0, 7.0, 1.0, 7.0, 7.0, 1.0]);
    /// assert_eq!(data[9..], [1.0; 6]);
    /// ```
    pub fn fill_padding(&mut self) {
        self.fill_padding_with(padding_of(padding_value(&self.layout)));
    }
}

impl<S: SliceStorageMut<Item: Stored>, L: ArrayLayout> ArrayBase<S, L> {
    /// Fills the padding with a value. The elements stay as they are, and so does what lies in the
    /// gaps of a [slice](ArrayBase::into_slice): it is the rest of another array.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, Packed};
    /// let layout: DynLayout = "s32[3]{0}, padded_dimensions = [5]".parse().unwrap();
    /// let mut array = Array::from_fn(layout, |_| 1).unwrap();
    /// array.fill_padding_with(-1);
    /// assert_eq!(array.memory(), [1, 1, 1, -1, -1]);
    ///
    /// let packed: DynLayout = "u4[3]{0:T(4)E(4)}".parse().unwrap();
    /// let mut array = Array::<Packed, _>::zeros(packed).unwrap();
    /// array.fill_padding_with(15);
    /// assert_eq!(array.as_bytes(), [0, 0xf0]);
    /// ```
    pub fn fill_padding_with(&mut self, value: <S::Item as Stored>::Number) {
        if !self.layout.owns_padding() || self.layout.is_exhaustive() {
            return;
        }
        let (mut items, layout) = self.items_mut_and_layout();
        // The places of a layout are below the number of those that it allocates.
        let mut fill = |places: Range<usize>| {
            places.for_each(|place| S::Item::write(&mut items, layout, Inside::of(place), value));
        };
        let mut end = 0;
        // Elements come in the sequence of memory, so that what lies between two is padding.
        layout.for_each_in_memory(|_, linear| {
            fill(end..linear);
            end = linear + 1;
        });
        fill(end..layout.buffer_len());
    }
}

/// The address of linear index 0 of an array whose element `[0, 0, …]` is at `first`.
///
/// # Safety
/// All elements of the layout are in the allocation of `first`, at the differences of their linear
/// indices.
unsafe fn lowest<T, L: ArrayLayout>(first: NonNull<T>, layout: &L) -> NonNull<T> {
    if const { L::REVERSES } && layout.buffer_len() > 0 {
        let origin = L::Coordinates::origin(layout.rank());
        // SAFETY: there are elements, so linear index 0 is one: each reversed dimension at its last
        // coordinate, the others at 0. By the caller's promise it is in the allocation.
        return unsafe { first.sub(layout.linear_index(&origin)) };
    }
    first
}

impl<'a, T: Element, L: ArrayLayout> View<'a, T, L>
where
    L::Type: StoredAs<T>,
{
    /// The array whose element `[0, 0, …]` is at an address, such as that of a sliced array of
    /// NumPy or ndarray, without a copy. If a stride is negative
    /// ([`StridedLayout`](crate::StridedLayout)), other elements are below that address.
    ///
    /// ```
    /// use core::ptr::NonNull;
    /// use xlayout_core::{View, StridedLayout};
    ///
    /// // Every second element of a row, as another library gives it: an address and strides.
    /// let row = [0.0_f32, 1.0, 2.0, 3.0, 4.0];
    /// let layout = StridedLayout::new::<f32>([2], [2])?;
    /// // The address comes from the whole row, not from a reference to one element.
    /// let first = NonNull::from(&row[1..]).cast();
    /// // SAFETY: the elements at 1 and 3 are in `row`, which lives as long as `part` and is not
    /// // written.
    /// let part = unsafe { View::<f32, _>::from_address(layout, first)? };
    /// assert_eq!((part[[0]], part[[1]]), (1.0, 3.0));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Safety
    /// - An element is at its linear index less that of `[0, 0, …]`, counted from the address. All
    ///   elements of the layout are initialized and in one allocation.
    /// - The pointer may be used for all of them: it does not come from a reference to the first
    ///   element only.
    /// - For `'a` they may be read, and nothing writes them.
    ///
    /// # Errors
    /// When the element type is not the layout's, or when the layout packs elements.
    pub unsafe fn from_address(layout: L, first: NonNull<T>) -> Result<Self, LayoutError> {
        check_element::<T>(&layout)?;
        // SAFETY: the caller's promise, for both.
        let data = unsafe { PartItems::from_raw(lowest(first, &layout), layout.buffer_len()) };
        Ok(ArrayBase { data, layout })
    }
}

impl<'a, T: Element, L: ArrayLayout> ViewMut<'a, T, L>
where
    L::Type: StoredAs<T>,
{
    /// The array whose element `[0, 0, …]` is at an address, to write. See
    /// [`View::from_address`](View::from_address).
    ///
    /// # Safety
    /// The elements of the layout, each at its linear index less that of `[0, 0, …]` from the
    /// address on, are initialized elements of one allocation, and distinct indices are distinct
    /// elements (`layout.is_unique()`). For `'a` nothing else reads or writes them.
    ///
    /// # Errors
    /// When the element type is not the layout's, or when the layout packs elements.
    pub unsafe fn from_address(layout: L, first: NonNull<T>) -> Result<Self, LayoutError> {
        check_element::<T>(&layout)?;
        // SAFETY: the caller's promise, for both.
        let data = unsafe { PartItemsMut::from_raw(lowest(first, &layout), layout.buffer_len()) };
        Ok(ArrayBase { data, layout })
    }
}
