//! Arrays of elements narrower than a byte, packed: XLA's `E(1)`, `E(2)` and `E(4)`.
#![allow(unsafe_code)]

use super::part_items::PartItems;
use super::stored::Stored;
use super::unchecked::Inside;
use super::{
    ArrayBase, ArrayRef, SliceStorage, SliceStorageMut, SliceView, SliceViewMut, ViewIndex,
};
use crate::array_layout::ArrayLayout;
use crate::array_layout::sealed::Token;
use crate::element::sealed::{CanStore, Narrow};
use crate::element::{AnyType, StoredAs};
use crate::layout_error::LayoutError;

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
/// | `for_each_mut` | also `iter_mut` | likewise |
/// | `packed` of [`SliceView`], [`SliceViewMut`] and [`Array`](crate::Array); `as_bytes` | `new`, `from_bytes`; `memory` | an item is no element: the memory is bytes |
/// | `packed_from_fn`, `packed_from_row_major`, `packed_from_nested` | `from_fn`, … | from these the compiler takes the element type, and an `i8` is an s8 |
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
#[doc(alias = "PackIntN")]
#[doc(alias = "UnpackIntN")]
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
    /// view.for_each(|_, number| sum += number);
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
        Packed::change(&mut items, layout, Inside::of(linear), |x| *x = number);
    }
}

/// The bits of an element as a number: with a sign if the element type has one.
#[inline(always)]
pub(crate) fn number_of(layout: &impl ArrayLayout, bits: u8) -> i8 {
    match layout.element_type().kind() {
        Some(xlayout_shape::element_type::Kind::Signed) => {
            let unused = 8 - layout.element_bits() as u32;
            ((bits << unused) as i8) >> unused
        }
        // At most four bits.
        _ => bits as i8,
    }
}

/// The bits of the element at a proven linear index.
#[inline(always)]
pub(super) fn bits_of(items: PartItems<'_, Packed>, layout: &impl ArrayLayout, at: Inside) -> u8 {
    let position = BitPosition::of(at, layout.element_bits());
    position.bits(*items.item_of(position.item))
}

/// Where a packed element lies.
pub(super) struct BitPosition {
    pub(super) item: Inside,
    shift: u32,
    mask: u8,
}

impl BitPosition {
    /// Elements of 1, 2 or 4 bits never cross a byte. The byte is in bounds when the element is.
    #[inline(always)]
    pub(super) fn of(at: Inside, element_bits: usize) -> Self {
        let linear = at.get();
        // 1, 2 or 4 bits: multiplications and divisions by them are shifts.
        let bits = element_bits.trailing_zeros();
        let in_byte = 3 - bits;
        let within = linear & ((1 << in_byte) - 1);
        Self {
            item: Inside::of(linear >> in_byte),
            shift: (within << bits) as u32,
            mask: (1 << element_bits) - 1,
        }
    }

    /// The bits of the element in its byte.
    #[inline(always)]
    pub(super) const fn bits(&self, Packed(byte): Packed) -> u8 {
        byte >> self.shift & self.mask
    }

    /// The byte with other bits for the element.
    #[inline(always)]
    pub(super) const fn with_bits(&self, Packed(byte): Packed, bits: u8) -> Packed {
        Packed(byte & !(self.mask << self.shift) | (bits & self.mask) << self.shift)
    }
}
