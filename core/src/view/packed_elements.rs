//! All elements of a packed array.

use core::fmt;

use super::debug::{all_of, nested};
use super::packed::PackedBase;
use super::places::assert_unique;
use super::storage::{SliceStorageMut, Storage, StorageMut};
use crate::array_layout::ArrayLayout;
#[cfg(feature = "alloc")]
use crate::array_layout::ConstLayout;
#[cfg(feature = "alloc")]
use crate::const_text::stop;
use crate::layout_error::LayoutError;

/// A packed array that owns its bytes.
///
/// ```
/// use xlayout_core::{DynLayout, PackedArray};
/// let layout: DynLayout = "u4[3]{0:E(4)}".parse()?;
/// let array = PackedArray::from_fn(layout, |at| at[0] as u8 + 1)?;
/// assert_eq!(array.memory(), [0x21, 0x03]); // the first element of a byte has the low bits
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[cfg(feature = "alloc")]
pub type PackedArray<L> = PackedBase<alloc::vec::Vec<u8>, L>;

#[cfg(feature = "alloc")]
impl<L: ArrayLayout> PackedArray<L> {
    /// A packed array of zeros.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, PackedArray};
    /// let layout: DynLayout = "s4[2,3]{1,0:T(2,4)E(4)}".parse()?;
    /// let mut array = PackedArray::zeros(layout)?;
    /// array.set_at([1, 2], 7);
    /// assert_eq!((array.at([1, 2]), array.memory()), (7, &[0, 0, 0, 7][..]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NotPacked`] for other layouts; [`LayoutError::OutOfMemory`].
    pub fn zeros(layout: L) -> Result<Self, LayoutError> {
        let bytes = layout.bytes();
        let mut memory = alloc::vec::Vec::new();
        memory
            .try_reserve_exact(bytes)
            .map_err(|_| LayoutError::OutOfMemory {
                element_type: layout.element_type(),
                buffer_len: layout.buffer_len(),
                bytes,
            })?;
        memory.resize(bytes, 0);
        Self::new(memory, layout)
    }

    /// A packed array with the low bits of a number for each index.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, PackedArray};
    /// let layout: DynLayout = "u4[2,3]{1,0:E(4)}".parse()?;
    /// let array = PackedArray::from_fn(layout, |at| (3 * at[0] + at[1]) as u8)?;
    /// assert_eq!(array.memory(), [0x10, 0x32, 0x54]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros).
    pub fn from_fn(
        layout: L,
        mut bits: impl FnMut(&L::Coordinates) -> u8,
    ) -> Result<Self, LayoutError> {
        let mut array = Self::zeros(layout)?;
        array.for_each_mut(|at, element| *element = bits(at));
        Ok(array)
    }
}

impl<S: Storage<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// The bits of all elements, in row-major sequence of the indices.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, PackedView};
    /// let layout: DynLayout = "u4[2,2]{0,1:E(4)}".parse()?;
    /// let view = PackedView::new(&[0x20, 0x31][..], layout)?;
    /// assert!(view.iter().eq([0, 1, 2, 3]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u8> {
        self.indexed_iter().map(|(_, bits)| bits)
    }

    /// The bits of all elements with their indices, in row-major sequence.
    pub fn indexed_iter(&self) -> impl ExactSizeIterator<Item = (L::Coordinates, u8)> {
        self.layout.indices().map(|index| {
            let coordinates = index.into_coordinates();
            let linear = self.layout.linear_index(&coordinates);
            (coordinates, self.bits_at(linear))
        })
    }

    /// Puts the bits of the elements into `out` in row-major sequence, a byte for each.
    ///
    /// # Errors
    /// When `out` is not as long as there are elements.
    pub fn to_row_major(&self, out: &mut [u8]) -> Result<(), LayoutError> {
        check_len(self.layout.elements(), out.len())?;
        for (slot, bits) in out.iter_mut().zip(self.iter()) {
            *slot = bits;
        }
        Ok(())
    }
}

impl<S: StorageMut<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// Visits the bits of every element with its index, in the sequence of memory. The low bits that
    /// `visit` leaves are written back.
    pub fn for_each_mut(&mut self, mut visit: impl FnMut(&L::Coordinates, &mut u8)) {
        let layout = self.layout.clone();
        layout.for_each_in_memory(|index, linear| {
            let mut bits = self.bits_at(linear);
            visit(index, &mut bits);
            self.write(linear, bits);
        });
    }

    /// Sets all elements to the low bits of a number. Padding stays as it is.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, PackedArray};
    /// let layout: DynLayout = "u4[3]{0:T(4)E(4)}".parse()?;
    /// let mut array = PackedArray::zeros(layout)?;
    /// array.fill(5);
    /// assert_eq!(array.memory(), [0x55, 0x05]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn fill(&mut self, bits: u8) {
        self.for_each_mut(|_, element| *element = bits);
    }

    /// Sets the elements to the low bits of the numbers in `items`, in row-major sequence.
    ///
    /// # Errors
    /// When there are not as many items as elements.
    pub fn copy_from_row_major(&mut self, items: &[u8]) -> Result<(), LayoutError> {
        const { assert_unique::<L>() }
        check_len(self.layout.elements(), items.len())?;
        let layout = self.layout.clone();
        for (index, &bits) in layout.indices().zip(items) {
            self.write(layout.linear_index(index.coordinates()), bits);
        }
        Ok(())
    }
}

impl<S: SliceStorageMut<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// Sets the padding to the low bits of a number. Elements stay as they are. See
    /// [`ArrayBase::fill_padding_with`](crate::ArrayBase::fill_padding_with);
    /// [`padding_ranges`](ArrayLayout::padding_ranges) has the places.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, PackedArray};
    /// let layout: DynLayout = "u4[3]{0:T(4)E(4)}".parse()?;
    /// let mut array = PackedArray::zeros(layout)?;
    /// array.fill_padding_with(15);
    /// assert_eq!(array.memory(), [0, 0xf0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn fill_padding_with(&mut self, bits: u8) {
        let layout = self.layout.clone();
        for range in layout.padding_ranges() {
            for linear in range {
                self.write(linear, bits);
            }
        }
    }
}

fn check_len(expected: usize, found: usize) -> Result<(), LayoutError> {
    if expected == found {
        Ok(())
    } else {
        Err(LayoutError::Elements { expected, found })
    }
}

/// Whether the sizes and the bits of all elements are equal.
impl<S, L, R, M> PartialEq<PackedBase<R, M>> for PackedBase<S, L>
where
    S: Storage<Item = u8>,
    L: ArrayLayout,
    R: Storage<Item = u8>,
    M: ArrayLayout<Coordinates = L::Coordinates>,
{
    fn eq(&self, other: &PackedBase<R, M>) -> bool {
        self.layout.sizes() == other.layout.sizes() && self.iter().eq(other.iter())
    }
}

impl<S: Storage<Item = u8>, L: ArrayLayout> Eq for PackedBase<S, L> {}

/// A packed array of zeros.
///
/// ```
/// use xlayout_core::types::{ElementWidth, MinorToMajor, Nat, StaticLayout};
/// use xlayout_core::{PackedArray, dtype::s4};
/// // layout!(s4[2,3]{1,0:E(4)})
/// type A = StaticLayout<s4, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, (ElementWidth<4>,)>;
/// assert_eq!(PackedArray::<A>::default().memory(), [0; 3]);
/// ```
#[cfg(feature = "alloc")]
impl<L: ConstLayout> Default for PackedArray<L> {
    fn default() -> Self {
        const {
            if !matches!(L::MEMORY_MAP.table.numbers.element_bits, 1 | 2 | 4) {
                stop("elements of 1, 2 or 4 bits are packed; for others use an `Array`");
            }
        }
        Self {
            bytes: alloc::vec![0; L::BYTES],
            layout: L::NEW,
        }
    }
}

/// The shape, and the elements nested by dimension: numbers with a sign if the type has one.
///
/// ```
/// use xlayout_core::{DynLayout, PackedView};
/// let layout: DynLayout = "s4[2,2]{1,0:E(4)}".parse()?;
/// let view = PackedView::new(&[0x10, 0x3f][..], layout)?;
/// assert_eq!(
///     format!("{view:?}"),
///     "PackedView { shape: s4[2,2]{1,0:E(4)}, elements: [[0, 1], [-1, 3]] }",
/// );
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<S: Storage<Item = u8>, L: ArrayLayout> fmt::Debug for PackedBase<S, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element = |at: &L::Coordinates, f: &mut fmt::Formatter<'_>| match self.get(at) {
            Some(bits) => self.number(bits).fmt(f),
            None => unreachable!("each coordinate is below the size of its dimension"),
        };
        let sizes = self.layout.sizes();
        f.debug_struct("PackedView")
            .field("shape", &format_args!("{}", self.layout.shape()))
            .field(
                "elements",
                &nested(&sizes, all_of(self.layout.elements()), &element),
            )
            .finish()
    }
}
