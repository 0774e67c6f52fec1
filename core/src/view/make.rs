//! Arrays in the bytes of a buffer, and the check of their elements.

use super::stored::Stored;
use super::{SliceView, SliceViewMut, unchecked};
#[cfg(feature = "alloc")]
use crate::ElementType;
use crate::array_layout::{ArrayLayout, ConstLayout};
use crate::const_text::{ConstText, stop};
use crate::element::{Element, StoredAs};
use crate::layout_error::{LayoutError, element_bits};

/// Room for `len` items, for an array of `elements` elements of a type that takes `bytes`.
///
/// # Errors
/// [`LayoutError::OutOfMemory`].
#[cfg(feature = "alloc")]
pub(super) fn room<T>(
    len: usize,
    element_type: ElementType,
    buffer_len: usize,
    bytes: usize,
) -> Result<alloc::vec::Vec<T>, LayoutError> {
    let mut room = alloc::vec::Vec::new();
    let out_of_memory = LayoutError::OutOfMemory {
        element_type,
        buffer_len,
        bytes,
    };
    let reserved = room.try_reserve_exact(len);
    reserved.map(|()| room).map_err(|_| out_of_memory)
}

/// Compares the length of a slice of all elements.
///
/// # Errors
/// [`LayoutError::Elements`].
pub(super) fn check_elements(layout: &impl ArrayLayout, found: usize) -> Result<(), LayoutError> {
    match layout.elements() {
        expected if expected == found => Ok(()),
        expected => Err(LayoutError::Elements { expected, found }),
    }
}

/// The array of a memory of zeros, as long as the items of the layout.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn of_zeros<T: Stored, L: ArrayLayout>(
    zeros: alloc::vec::Vec<T>,
    layout: L,
) -> super::Array<T, L> {
    let data = zeros.into();
    let mut array = super::ArrayBase { data, layout };
    T::fill_padding(&mut array);
    array
}

/// Checks that items of a Rust type hold the elements of a layout.
pub(super) fn check_element<T: Stored>(layout: &impl ArrayLayout) -> Result<(), LayoutError> {
    let element_type = layout.element_type();
    let found = layout.element_bits();
    let Some(expected) = T::ELEMENT else {
        return match found {
            1 | 2 | 4 => Ok(()),
            _ => Err(LayoutError::NotPacked {
                element_type,
                found,
            }),
        };
    };
    if element_type != expected {
        return Err(LayoutError::ElementType {
            expected,
            found: element_type,
        });
    }
    let bits = 8 * size_of::<T>();
    if found != bits {
        return Err(LayoutError::ElementBits {
            expected: bits,
            found,
        });
    }
    Ok(())
}

/// Stops the compiler where the layout gives an element another width than the item has, or does
/// not pack it. The bound `StoredAs` says that the element type is the same.
pub(super) const fn assert_element<T: Stored, L: ConstLayout>() {
    let expected = 8 * size_of::<T>();
    match L::MEMORY_MAP.table.numbers.element_bits {
        1 | 2 | 4 if T::SHARED => {}
        _ if T::SHARED => stop("elements of 1, 2 or 4 bits are packed; for others use an `Array`"),
        found if found != expected => stop(element_bits(expected, found).as_str()),
        _ => {}
    }
}

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
    /// static TABLE: SliceView<'static, f32, A> = SliceView::of_array(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
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
        let data = unchecked::elements_of_bytes(bytes, T::items(&layout))?;
        Ok(Self { data, layout })
    }
}

impl<'a, T: Stored, L: ArrayLayout> SliceViewMut<'a, T, L> {
    /// The array in bytes, of elements or packed ones, to write.
    pub(super) fn of_bytes(layout: L, bytes: &'a mut [u8]) -> Result<Self, LayoutError> {
        check_element::<T>(&layout)?;
        let data = unchecked::elements_of_bytes_mut(bytes, T::items(&layout))?;
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
