//! Arrays of elements narrower than a byte, packed: XLA's `E(1)`, `E(2)` and `E(4)`.

use super::unchecked::Inside;
use super::{SliceStorage, Storage, StorageMut, ViewIndex};
use crate::array_layout::ArrayLayout;
use crate::array_layout::sealed::Token;
use crate::layout_error::LayoutError;

/// A borrowed packed array: bytes with several elements each. [`PackedBase`] has an example.
pub type PackedView<'a, L> = PackedBase<&'a [u8], L>;

/// A borrowed packed array that can be written to.
pub type PackedViewMut<'a, L> = PackedBase<&'a mut [u8], L>;

/// A packed array: bytes with several elements each, the first in the low bits.
///
/// Elements are handed out as raw bits in the low end of a `u8`; [`get_signed`](Self::get_signed)
/// extends the sign. Source: `PackIntN` in XLA's `util.h`.
///
/// It has the parts, axes, blocks, steps of either sign, iterators and reductions of
/// [`ArrayBase`](crate::ArrayBase). A part begins at a byte, so blocks and slices are checked at run time
/// (`try_tiles`, `try_slice`). There are no references to elements, so [`at`](Self::at) and
/// [`set_at`](Self::set_at) replace `view[index]`, and `for_each_mut` replaces `iter_mut`.
///
/// ```
/// use xlayout_core::{DynLayout, ArrayLayout, PackedView};
///
/// let layout: DynLayout = "s4[3]{0:E(4)}".parse().unwrap();
/// let view = PackedView::new(&[0x21, 0x0f][..], layout).unwrap();
/// assert_eq!(view.get(&[1].into()), Some(2));
/// assert_eq!(view.get_signed(&[2].into()), Some(-1));
/// assert_eq!(view.get(&[3].into()), None);
/// ```
#[doc(alias = "PackIntN")]
#[doc(alias = "UnpackIntN")]
#[derive(Clone, Copy)]
pub struct PackedBase<S, L> {
    /// Invariant: as many bytes as the layout has. No other array writes to these bytes.
    pub(super) bytes: S,
    pub(super) layout: L,
}

impl<S: Storage<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// The packed array in `bytes`, padding included.
    ///
    /// # Errors
    /// When the number of bytes is not the layout's, or an element has not 1, 2 or 4 bits.
    pub fn new(bytes: S, layout: L) -> Result<Self, LayoutError>
    where
        S: SliceStorage,
    {
        let found = layout.element_bits();
        if !matches!(found, 1 | 2 | 4) {
            let element_type = layout.element_type();
            return Err(LayoutError::NotPacked {
                element_type,
                found,
            });
        }
        let (expected, found) = (layout.bytes(), bytes.items().len());
        if expected != found {
            return Err(LayoutError::Bytes { expected, found });
        }
        Ok(Self { bytes, layout })
    }

    /// The same bytes under another layout that lays elements out in them alike.
    pub(crate) fn with_equal_layout<M>(self, layout: M) -> PackedBase<S, M> {
        PackedBase {
            bytes: self.bytes,
            layout,
        }
    }

    /// The layout.
    #[inline(always)]
    pub const fn layout(&self) -> &L {
        &self.layout
    }

    /// The bytes, padding included.
    pub fn memory(&self) -> &[u8]
    where
        S: SliceStorage,
    {
        self.bytes.items()
    }

    /// The bits of the element at an index; `None` out of bounds.
    #[inline]
    pub fn get(&self, index: &L::Coordinates) -> Option<u8> {
        self.layout
            .in_bounds(index)
            .then(|| self.bits_at(self.layout.linear_index(index)))
    }

    /// The element at an index as a signed number; `None` out of bounds.
    #[inline]
    pub fn get_signed(&self, index: &L::Coordinates) -> Option<i8> {
        self.get(index).map(|bits| self.extended(bits))
    }

    /// The bits of an element as a signed number.
    #[inline]
    pub(super) fn extended(&self, bits: u8) -> i8 {
        let unused = 8 - self.layout.element_bits() as u32;
        ((bits << unused) as i8) >> unused
    }

    /// The bits of an element as a number: with a sign if the element type has one.
    #[inline(always)]
    pub(crate) fn number(&self, bits: u8) -> i8 {
        match self.layout.element_type().kind() {
            Some(xlayout_shape::primitive::Kind::Signed) => self.extended(bits),
            // At most four bits.
            _ => bits as i8,
        }
    }

    /// The bits of the element at an index: coordinates `[i, j]`, a tuple of coordinates of
    /// [`axis`](Self::axis), or an [`Index`](crate::Index). What is checked is what
    /// [`ArrayBase`](crate::ArrayBase) checks of `view[index]`.
    ///
    /// # Panics
    /// When the index is out of bounds of this array.
    #[inline(always)]
    #[track_caller]
    pub fn at<I: ViewIndex<L>>(&self, index: I) -> u8 {
        let () = I::FITS;
        self.bits_at(index.linear_in(&self.layout, Token))
    }

    /// Visits the bits of every element with its index, in the sequence of memory.
    #[inline(always)]
    pub fn for_each(&self, mut visit: impl FnMut(&L::Coordinates, u8)) {
        self.layout.for_each_in_memory(
            #[inline(always)]
            |index, linear| visit(index, self.bits_at(linear)),
        );
    }

    #[inline(always)]
    pub(super) fn bits_at(&self, linear: usize) -> u8 {
        let place = BitPosition::of(linear, self.layout.element_bits());
        // One element of a byte at a time: the byte is in bounds when the element is.
        *self.bytes.item(Inside::of(place.byte)) >> place.shift & place.mask
    }
}

impl<S: StorageMut<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// Writes the element at an index; higher bits of `bits` are dropped, as XLA's packing does.
    /// Answers whether the index was in bounds.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, Index, ArrayLayout, PackedViewMut};
    ///
    /// let layout: DynLayout = "s4[3]{0:E(4)}".parse().unwrap();
    /// let mut bytes = [0; 2];
    /// let mut view = PackedViewMut::new(&mut bytes[..], &layout).unwrap();
    /// assert!(view.set(&[1].into(), 7));
    /// let index = Index::new(&&layout, [2].into()).unwrap();
    /// view.set_at(&index, 15);
    /// assert_eq!((view.at(&index), view.get_signed(&[2].into())), (15, Some(-1)));
    /// let mut sum = 0;
    /// view.for_each(|_, bits| sum += bits);
    /// assert_eq!(sum, 22);
    /// assert_eq!((view.layout().bytes(), view.memory()), (2, &[0x70, 0x0f][..]));
    /// ```
    #[inline]
    #[must_use = "out of bounds nothing is written"]
    pub fn set(&mut self, index: &L::Coordinates, bits: u8) -> bool {
        let inside = self.layout.in_bounds(index);
        if inside {
            self.write(self.layout.linear_index(index), bits);
        }
        inside
    }

    /// Writes the element at an index, as [`at`](PackedBase::at) reads it.
    ///
    /// # Panics
    /// When the index is out of bounds of this array.
    #[inline(always)]
    #[track_caller]
    pub fn set_at<I: ViewIndex<L>>(&mut self, index: I, bits: u8) {
        let () = I::FITS;
        self.write(index.linear_in(&self.layout, Token), bits);
    }

    #[inline(always)]
    pub(super) fn write(&mut self, linear: usize, bits: u8) {
        let place = BitPosition::of(linear, self.layout.element_bits());
        let byte = self.bytes.item_mut(Inside::of(place.byte));
        *byte = *byte & !(place.mask << place.shift) | (bits & place.mask) << place.shift;
    }
}

/// Where a packed element lies.
struct BitPosition {
    byte: usize,
    shift: u32,
    mask: u8,
}

impl BitPosition {
    /// Elements of 1, 2 or 4 bits never cross a byte.
    #[inline(always)]
    fn of(linear: usize, element_bits: usize) -> Self {
        // 8, 4 or 2 in a byte: a shift, since `element_bits` is a power of two.
        let per_byte = (8 / element_bits).trailing_zeros();
        let within = linear & ((1 << per_byte) - 1);
        Self {
            byte: linear >> per_byte,
            shift: (within * element_bits) as u32,
            mask: (1 << element_bits) - 1,
        }
    }
}
