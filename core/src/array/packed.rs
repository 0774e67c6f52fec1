//! Arrays of elements narrower than a byte, packed: XLA's `E(1)`, `E(2)` and `E(4)`.
#![allow(unsafe_code)]

mod bits;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::array::IntoIter;
use core::ops::Range;

use super::base::{ArrayBase, SliceView, SliceViewMut};
use super::index::ViewIndex;
use super::reference::ArrayRef;
use super::storage::{Inside, PartItems, PartItemsMut, SliceStorage, SliceStorageMut};
use super::stored::Stored;
#[cfg(feature = "alloc")]
use super::{base::Array, nested::NestedArray};
use crate::ElementType;
use crate::array_layout::ArrayLayout;
use crate::array_layout::sealed::Token;
use crate::coordinates::Coordinates;
use crate::element::sealed::{CanStore, Narrow};
use crate::element::{AnyType, StoredAs};
use crate::layout_error::LayoutError;
use crate::layouts::region::place;
#[cfg(feature = "alloc")]
use crate::{array_layout::Rank, layout::PaddingValue};
use bits::{BitPosition, FEWEST, ROOM, number_of, unpacked};

/// A byte with several elements, the first in the low bits: the item of a packed array, as
/// `Array<Packed, L>`, `SliceView<Packed, L>` and `&ArrayRef<Packed, L>`.
///
/// Methods give and take the number that an element means, in an `i8`, with its sign; higher bits
/// of a number are dropped. [`get_bits`](ArrayRef::get_bits) and [`bits_at`](ArrayRef::bits_at)
/// give the bits of an element in the low end of a `u8`. Source: `PackIntN` in XLA's `util.h`.
///
/// A packed array has the methods of other arrays, parts, axes, blocks and steps of either sign
/// included. A part begins and ends with a byte, so blocks and slices are checked at run time
/// (`try_tiles`, `slice`). Some names differ:
///
/// | packed elements | others | why |
/// |---|---|---|
/// | [`at`](ArrayRef::at), [`set_at`](ArrayRef::set_at), [`set`](ArrayRef::set) | `array[index]`, `get_mut` | there is no reference to an element that shares a byte |
/// | `for_each_in_memory_mut` | also `iter_mut` | likewise |
/// | `packed` of [`SliceView`], [`SliceViewMut`] and [`Array`](crate::Array); `as_bytes` | `new`, `from_bytes`; `memory` | an item is no element: the memory is bytes |
/// | `packed_from_fn`, `packed_from_row_major`, `packed_from_nested` | `from_fn`, … | from these the compiler takes the element type, and an `i8` is an s8 |
///
/// A loop over two packed arrays is fastest along an axis; `zip` of two `iter`, which unpack bytes
/// ahead, takes 1.5 times as many instructions:
///
/// ```
/// use xlayout_core::{ArrayRef, Packed, Rank};
///
/// fn dot(a: &ArrayRef<Packed, impl Rank<1>>, b: &ArrayRef<Packed, impl Rank<1>>) -> i32 {
///     let products = a.axis::<0>().map(|i| i32::from(a.at((i,))) * i32::from(b.at((i.get(),))));
///     products.sum()
/// }
/// ```
///
/// An `Array::zeros` of a typed `pred` is one of `bool`: a packed one is made by `packed` or
/// `packed_from_fn`.
///
/// ```
/// use xlayout_core::{ArrayLayout, ArrayRef, DynLayout, Packed, SliceView};
///
/// fn first(x: &ArrayRef<Packed, DynLayout>) -> i8 {
///     x.at([0])
/// }
/// let layout: DynLayout = "s4[3]{0:E(4)}".parse().unwrap();
/// let view = SliceView::packed(layout, &[0x21, 0x0f]).unwrap();
/// assert_eq!((view.get([1]), view.get([2]), view.get([3])), (Some(2), Some(-1), None));
/// assert_eq!(view.get_bits([2]), Some(15));
/// assert_eq!(first(&view), 1);
/// ```
#[doc(alias("PackIntN", "UnpackIntN"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Packed(u8);

#[diagnostic::do_not_recommend]
impl<D: Narrow> CanStore<Packed> for D {}
#[diagnostic::do_not_recommend]
impl<D: Narrow> StoredAs<Packed> for D {}
#[diagnostic::do_not_recommend]
impl CanStore<Packed> for AnyType {}
#[diagnostic::do_not_recommend]
impl StoredAs<Packed> for AnyType {}

impl Packed {
    #[inline(always)]
    pub(super) const fn of(byte: u8) -> Self {
        Self(byte)
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    #[inline(always)]
    fn bytes(items: &[Self]) -> &[u8] {
        // SAFETY: an item is a `u8`, by `repr(transparent)`.
        unsafe { core::slice::from_raw_parts(items.as_ptr().cast(), items.len()) }
    }

    #[inline(always)]
    fn bytes_mut(items: &mut [Self]) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { core::slice::from_raw_parts_mut(items.as_mut_ptr().cast(), items.len()) }
    }
}

impl<'a, L: ArrayLayout> SliceView<'a, Packed, L> {
    /// The packed array in `bytes`, padding included.
    ///
    /// # Errors
    /// When the number of bytes is not the layout's, or an element has not 1, 2 or 4 bits.
    pub fn packed(layout: L, bytes: &'a [u8]) -> Result<Self, LayoutError> {
        Self::of_bytes(layout, bytes)
    }
}

impl<'a, L: ArrayLayout> SliceViewMut<'a, Packed, L> {
    /// The packed array in `bytes`, padding included, to write.
    ///
    /// # Errors
    /// As [`SliceView::packed`](SliceView::packed).
    pub fn packed(layout: L, bytes: &'a mut [u8]) -> Result<Self, LayoutError> {
        Self::of_bytes(layout, bytes)
    }
}

impl<S: SliceStorage<Item = Packed>, L> ArrayBase<S, L> {
    /// The bytes of a packed array, padding included.
    #[inline(always)]
    pub fn as_bytes(&self) -> &[u8] {
        Packed::bytes(self.data.items())
    }

    /// The bytes of a packed array to write, padding included.
    #[inline(always)]
    pub fn as_bytes_mut(&mut self) -> &mut [u8]
    where
        S: SliceStorageMut,
    {
        Packed::bytes_mut(self.data.items_mut())
    }
}

impl<L: ArrayLayout> ArrayRef<Packed, L> {
    /// The bits of the element at an index; `None` out of bounds.
    #[inline]
    pub fn get_bits<I: ViewIndex<L>>(&self, index: I) -> Option<u8> {
        let () = I::FITS;
        let linear = index.find_in(&self.layout, Token).ok()?;
        Some(bits_of(self.items(), &self.layout, Inside::of(linear)))
    }

    /// The number at an index: coordinates `[i, j]`, a tuple of coordinates of
    /// [`axis`](Self::axis), or an [`Index`](crate::Index). What is checked is what
    /// other arrays check of `view[index]`. It has a sign if the element type has one.
    ///
    /// # Panics
    /// When the index is out of bounds of this array.
    #[inline(always)]
    #[track_caller]
    pub fn at<I: ViewIndex<L>>(&self, index: I) -> i8 {
        number_of(&self.layout, self.bits_at(index))
    }

    /// The bits of the element at an index. See [`at`](Self::at).
    ///
    /// # Panics
    /// When the index is out of bounds of this array.
    #[inline(always)]
    #[track_caller]
    pub fn bits_at<I: ViewIndex<L>>(&self, index: I) -> u8 {
        let () = I::FITS;
        let linear = index.linear_in(&self.layout, Token);
        bits_of(self.items(), &self.layout, Inside::of(linear))
    }

    /// Writes the element at an index; higher bits of `number` are dropped, as XLA's packing does.
    /// Answers whether the index was in bounds.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, Index, ArrayLayout, SliceViewMut};
    ///
    /// let layout: DynLayout = "s4[3]{0:E(4)}".parse().unwrap();
    /// let mut bytes = [0; 2];
    /// let mut view = SliceViewMut::packed(&layout, &mut bytes).unwrap();
    /// assert!(view.set([1], 7));
    /// let index = Index::new(&&layout, [2].into()).unwrap();
    /// view.set_at(&index, -1);
    /// assert_eq!((view.bits_at(&index), view.get([2])), (15, Some(-1)));
    /// let mut sum = 0;
    /// view.for_each_in_memory(|_, number| sum += number);
    /// assert_eq!(sum, 6);
    /// assert_eq!((view.layout().bytes(), view.as_bytes()), (2, &[0x70, 0x0f][..]));
    /// ```
    #[inline]
    #[must_use = "out of bounds nothing is written"]
    pub fn set<I: ViewIndex<L>>(&mut self, index: I, number: i8) -> bool {
        let () = I::FITS;
        let found = index.find_in(&self.layout, Token);
        found.map(|linear| self.write(linear, number)).is_ok()
    }

    /// Writes the element at an index, as [`at`](ArrayRef::at) reads it.
    ///
    /// # Panics
    /// When the index is out of bounds of this array.
    #[inline(always)]
    #[track_caller]
    pub fn set_at<I: ViewIndex<L>>(&mut self, index: I, number: i8) {
        let () = I::FITS;
        self.write(index.linear_in(&self.layout, Token), number);
    }

    #[inline(always)]
    fn write(&mut self, linear: usize, number: i8) {
        let (mut items, layout) = self.items_mut_and_layout();
        Packed::write(&mut items, layout, Inside::of(linear), number);
    }
}

/// The bits of the element at a proven linear index.
#[inline(always)]
pub(super) fn bits_of(items: PartItems<'_, Packed>, layout: &impl ArrayLayout, at: Inside) -> u8 {
    let position = BitPosition::of(at, layout.element_bits());
    position.bits(items.item_of(position.item).0)
}

/// The elements of a dimension that share a byte, as [`place::elements_of_byte`] counts them.
fn elements_of_byte<L: ArrayLayout>(layout: &L, dimension: usize) -> Option<usize> {
    layout.with_resolved(Token, |whole| place::elements_of_byte(&whole, dimension))
}

/// A part of dimension `dimension` that begins or ends at `at` shares a byte.
fn shared<L: ArrayLayout>(layout: &L, dimension: usize, at: usize) -> LayoutError {
    let multiple = elements_of_byte(layout, dimension);
    let beyond = match multiple {
        // The bytes of a reversed dimension begin at its end.
        Some(multiple) if layout.is_reversed(dimension) => {
            layout.shape().coordinate(dimension) % multiple
        }
        _ => 0,
    };
    LayoutError::SharedByte {
        dimension,
        at,
        multiple,
        beyond,
    }
}

impl Stored for Packed {
    type Number = i8;
    type Ref<'a> = i8;
    type Ahead<'a> = IntoIter<i8, ROOM>;
    const ELEMENT: Option<ElementType> = None;
    const ZEROS: Self = Self::of(0);
    const ANY_BITS: bool = true;

    #[inline(always)]
    fn number(read: i8) -> i8 {
        read
    }

    #[inline(always)]
    fn read<L: ArrayLayout>(items: PartItems<'_, Self>, layout: &L, at: Inside) -> i8 {
        number_of(layout, bits_of(items, layout, at))
    }

    #[inline(always)]
    fn read_ahead<'a, L: ArrayLayout>(
        items: PartItems<'a, Self>,
        layout: &L,
        at: Inside,
        adjacent: usize,
    ) -> Option<Self::Ahead<'a>> {
        if adjacent < FEWEST {
            return None;
        }
        let bits = layout.element_bits();
        let in_byte = 8 / bits;
        // The elements of the first byte up to the one at `at` are not given.
        let begin = at.get() % in_byte + 1;
        let end = ROOM.min(begin + adjacent);
        let bytes = items.line(Inside::of(at.get() / in_byte), end.div_ceil(in_byte));
        let is_signed = number_of(layout, 1 << (bits - 1)) < 0;
        let mut numbers = unpacked(Packed::bytes(bytes), bits, is_signed).into_iter();
        numbers.nth(begin - 1);
        if end < ROOM {
            numbers.nth_back(ROOM - end - 1);
        }
        Some(numbers)
    }

    #[inline(always)]
    fn nothing_ahead<'a>() -> Self::Ahead<'a> {
        let mut none = [0; ROOM].into_iter();
        none.nth(ROOM - 1);
        none
    }

    #[inline(always)]
    fn change<L: ArrayLayout>(
        items: &mut PartItemsMut<'_, Self>,
        layout: &L,
        at: Inside,
        change: impl FnOnce(&mut i8),
    ) {
        let place = BitPosition::of(at, layout.element_bits());
        let item = items.item_mut(place.item);
        let mut number = number_of(layout, place.bits(item.0));
        change(&mut number);
        item.0 = place.with_bits(item.0, number as u8);
    }

    #[cfg(feature = "alloc")]
    fn padding(_: Option<PaddingValue>) -> Option<i8> {
        None
    }

    #[cfg(feature = "serde")]
    fn beyond(layout: &impl ArrayLayout, number: i8) -> Option<i8> {
        let bits = number as u8 & ((1 << layout.element_bits()) - 1);
        (number_of(layout, bits) != number).then_some(number)
    }

    #[inline(always)]
    fn items<L: ArrayLayout>(layout: &L) -> usize {
        layout.bytes()
    }

    /// Checks that a range of a dimension shares no byte with the rest of the array.
    fn check_range<L: ArrayLayout>(
        layout: &L,
        dimension: usize,
        range: Range<usize>,
    ) -> Result<(), LayoutError> {
        let size = layout.shape().coordinate(dimension);
        let multiple = elements_of_byte(layout, dimension);
        let reversed = layout.is_reversed(dimension);
        let refused = |at: usize| match multiple {
            // The ends of the dimension divide nothing.
            _ if at == 0 || at == size => false,
            Some(multiple) if reversed => !(size - at).is_multiple_of(multiple),
            Some(multiple) => !at.is_multiple_of(multiple),
            None => true,
        };
        match [range.start, range.end].into_iter().find(|&at| refused(at)) {
            Some(at) => Err(shared(layout, dimension, at)),
            None => Ok(()),
        }
    }

    /// The byte that a part begins with. The part shares no byte, as the functions above check, or
    /// it has no elements, and then no first byte.
    fn place<L: ArrayLayout, M: ArrayLayout>(layout: &L, (first, part): (usize, M)) -> (usize, M) {
        if part.buffer_len() == 0 {
            return (0, part);
        }
        match layout.bit_offset(first) {
            (byte, 0) => (byte, part),
            _ => unreachable!("a part that shares no byte begins with one"),
        }
    }

    /// The byte that a range of a dimension with steps begins with.
    ///
    /// # Errors
    /// When its lowest element in memory is inside a byte.
    fn place_of_step<L: ArrayLayout, M: ArrayLayout>(
        layout: &L,
        dimension: usize,
        (first, part): (usize, M),
    ) -> Result<(usize, M), LayoutError> {
        match layout.bit_offset(first) {
            (byte, 0) => Ok((byte, part)),
            _ => {
                let Some(at) = layout.multi_index(first) else {
                    unreachable!("a part with elements begins with one, and one without at 0");
                };
                let mut at = at.coordinate(dimension);
                if layout.is_reversed(dimension) {
                    // The lowest element is the last one, and the part ends behind it.
                    at += 1;
                }
                Err(shared(layout, dimension, at))
            }
        }
    }
}

#[cfg(feature = "alloc")]
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
        array.for_each_in_memory_mut(|at, element| *element = number(at));
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
