//! All elements of a packed array.

use super::ArrayRef;
use super::firsts::Firsts;
use super::into_iter::PackedElements;
use super::make::check_elements;
use super::packed::Packed;
use super::places::assert_unique;
#[cfg(feature = "alloc")]
use super::{Array, Owned, make, packed::check_packed};
use crate::array_layout::ArrayLayout;
use crate::coordinates::SameRank;
use crate::layout_error::LayoutError;
#[cfg(feature = "alloc")]
use crate::{array_layout::ConstLayout, const_text::stop};

#[cfg(feature = "alloc")]
impl<L: ArrayLayout> Array<Packed, L> {
    /// The packed array in `bytes`, padding included.
    ///
    /// # Errors
    /// When the number of bytes is not the layout's, or an element has not 1, 2 or 4 bits.
    pub fn packed(layout: L, bytes: alloc::vec::Vec<u8>) -> Result<Self, LayoutError> {
        check_packed(&layout, bytes.len())?;
        let items: alloc::vec::Vec<Packed> = bytes.into_iter().map(Packed::of).collect();
        let data = items.into();
        Ok(Self { data, layout })
    }

    /// The bytes, padding included.
    #[must_use]
    pub fn into_bytes(self) -> alloc::vec::Vec<u8> {
        let items = alloc::vec::Vec::from(self.data);
        items.into_iter().map(Packed::byte).collect()
    }

    /// A packed array of zeros.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s4[2,3]{1,0:T(2,4)E(4)}".parse()?;
    /// let mut array = Array::packed_zeros(layout)?;
    /// array.set_at([1, 2], 7);
    /// assert_eq!((array.at([1, 2]), array.as_bytes()), (7, &[0, 0, 0, 7][..]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NotPacked`] for other layouts; [`LayoutError::OutOfMemory`].
    pub fn packed_zeros(layout: L) -> Result<Self, LayoutError> {
        let bytes = layout.bytes();
        check_packed(&layout, bytes)?;
        let mut memory = make::room(bytes, layout.element_type(), layout.buffer_len(), bytes)?;
        memory.resize(bytes, Packed::of(0));
        let data = Owned::from(memory);
        Ok(Self { data, layout })
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
    /// As [`packed_zeros`](Self::packed_zeros).
    pub fn packed_from_fn(
        layout: L,
        mut number: impl FnMut(&L::Coordinates) -> i8,
    ) -> Result<Self, LayoutError> {
        let mut array = Self::packed_zeros(layout)?;
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
    /// [`packed_zeros`](Self::packed_zeros).
    pub fn packed_from_row_major(layout: L, items: &[i8]) -> Result<Self, LayoutError> {
        let mut array = Self::packed_zeros(layout)?;
        array.copy_from_row_major(items)?;
        Ok(array)
    }
}

impl<L: ArrayLayout> ArrayRef<Packed, L> {
    /// The numbers of all elements, in row-major sequence of the indices: with a sign if the element type has one.
    ///
    /// `sum`, `for_each`, `fold` and what is built on them read a byte once for all of its elements. A `for` loop and `zip`
    /// ask for one element after the other, which takes three times as long. To go through two arrays at once, use the
    /// coordinates of an axis: `a.axis::<0>().map(|i| i32::from(a.at((i,))) * i32::from(b.at((i,)))).sum::<i32>()`.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, SliceView};
    /// let layout: DynLayout = "s4[2,2]{0,1:E(4)}".parse()?;
    /// let view = SliceView::packed(layout, &[0x20, 0xf1])?;
    /// assert!(view.iter().eq([0, 1, 2, -1]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn iter(&self) -> PackedElements<'_, L> {
        self.into_iter()
    }

    /// The numbers of all elements with their indices, in row-major sequence.
    pub fn indexed_iter(&self) -> impl ExactSizeIterator<Item = (L::Coordinates, i8)> {
        // As in `indexed_iter` of other elements.
        let mut firsts = Firsts::of_elements(&self.layout);
        self.layout.indices().map(move |index| {
            let coordinates = index.into_coordinates();
            let linear = firsts.next_at(&coordinates);
            (coordinates, self.number_of(linear.get()))
        })
    }

    /// Puts the numbers of the elements into `out` in row-major sequence.
    ///
    /// # Errors
    /// When `out` is not as long as there are elements.
    pub fn to_row_major(&self, out: &mut [i8]) -> Result<(), LayoutError> {
        check_elements(&self.layout, out.len())?;
        out.iter_mut()
            .zip(self)
            .for_each(|(slot, number)| *slot = number);
        Ok(())
    }

    /// Visits the number of every element with its index, in the sequence of memory. The low bits of what
    /// `visit` leaves are written back.
    pub fn for_each_mut(&mut self, mut visit: impl FnMut(&L::Coordinates, &mut i8)) {
        let layout = self.layout.clone();
        layout.for_each_in_memory(|index, linear| {
            let mut number = self.number_of(linear);
            visit(index, &mut number);
            self.write(linear, number);
        });
    }

    /// Sets all elements to the low bits of a number. Padding stays as it is.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "u4[3]{0:T(4)E(4)}".parse()?;
    /// let mut array = Array::packed_zeros(layout)?;
    /// array.fill(5);
    /// assert_eq!(array.as_bytes(), [0x55, 0x05]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn fill(&mut self, number: i8) {
        self.for_each_mut(|_, element| *element = number);
    }

    /// Sets the elements to the low bits of the numbers in `items`, in row-major sequence.
    ///
    /// # Errors
    /// When there are not as many items as elements.
    pub fn copy_from_row_major(&mut self, items: &[i8]) -> Result<(), LayoutError> {
        check_elements(&self.layout, items.len())?;
        self.write_all(items.iter().copied());
        Ok(())
    }

    /// Sets the elements to the low bits of numbers, in row-major sequence.
    pub(super) fn write_all(&mut self, items: impl Iterator<Item = i8>) {
        const { assert_unique::<L>() }
        let layout = self.layout.clone();
        for (index, number) in layout.indices().zip(items) {
            self.write(layout.linear_index(index.coordinates()), number);
        }
    }
}

impl<S: super::SliceStorageMut<Item = Packed>, L: ArrayLayout> super::ArrayBase<S, L> {
    /// Sets the padding to the low bits of a number. Elements stay as they are. See
    /// [`fill_padding_with`](super::ArrayBase::fill_padding_with);
    /// [`padding_ranges`](ArrayLayout::padding_ranges) has the places.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "u4[3]{0:T(4)E(4)}".parse()?;
    /// let mut array = Array::packed_zeros(layout)?;
    /// array.fill_packed_padding_with(15);
    /// assert_eq!(array.as_bytes(), [0, 0xf0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn fill_packed_padding_with(&mut self, number: i8) {
        let layout = self.layout.clone();
        for linear in layout.padding_ranges().flatten() {
            self.write(linear, number);
        }
    }
}

/// Whether the sizes and the numbers of all elements are equal.
impl<L, M> PartialEq<ArrayRef<Packed, M>> for ArrayRef<Packed, L>
where
    L: ArrayLayout,
    M: ArrayLayout,
    L::Coordinates: SameRank<M::Coordinates>,
{
    fn eq(&self, other: &ArrayRef<Packed, M>) -> bool {
        self.layout.shape().as_ref() == other.layout.shape().as_ref() && self.iter().eq(other)
    }
}

impl<L: ArrayLayout> Eq for ArrayRef<Packed, L> {}

/// A packed array of zeros.
///
/// ```
/// use xlayout_core::types::{ElementWidth, MinorToMajor, Nat, StaticLayout};
/// use xlayout_core::{Array, Packed, dtype::s4};
/// // layout!(s4[2,3]{1,0:E(4)})
/// type A = StaticLayout<s4, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, (ElementWidth<4>,)>;
/// assert_eq!(Array::<Packed, A>::default().as_bytes(), [0; 3]);
/// ```
#[cfg(feature = "alloc")]
impl<L: ConstLayout> Default for Array<Packed, L> {
    fn default() -> Self {
        const {
            if !matches!(L::MEMORY_MAP.table.numbers.element_bits, 1 | 2 | 4) {
                stop("elements of 1, 2 or 4 bits are packed; for others use an `Array`");
            }
        }
        Self {
            data: alloc::vec![Packed::of(0); L::BYTES].into(),
            layout: L::NEW,
        }
    }
}
