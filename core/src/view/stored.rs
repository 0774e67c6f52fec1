//! What an item of an array's memory holds: an element, or several that share a byte.
#![allow(
    unreachable_pub,
    reason = "the public methods of arrays name these traits"
)]

use core::ops::Range;

use super::ArrayRef;
use super::part_items::{PartItems, PartItemsMut};
use super::unchecked::Inside;
use crate::array_layout::ArrayLayout;
use crate::element::{DType, Element};
use crate::layout_error::LayoutError;
use crate::{Coordinates, ElementType};

/// An item of an array's memory. An element is one, and so is [`Packed`](crate::Packed), a byte of
/// several elements. Parts of an array begin and end with an item. The trait is sealed: it is not
/// exported.
// The compiler says this in place of what it would say of `Element`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` carries none of XLA's element types",
    label = "no element type of XLA, or one whose feature is off",
    note = "rows become an array by `Array::from_nested(layout, rows)?`; they are read in place by \
            `SliceView::new(layout, rows.as_flattened())?`",
    note = "for `half::bf16` and `half::f16` write `features = [\"half\"]` at xlayout in \
            Cargo.toml, for 8-bit floats `float8`, for complex numbers `num-complex`; the versions \
            of these crates must be the same as xlayout's",
    note = "`f32`, `f64`, `bool` (pred), `i8` … `i64` (s8 … s64) and `u8` … `u64` need no feature",
    note = "an array of packed elements is made by `Array::<Packed, _>::zeros(layout)?` or \
            `Array::packed_from_fn(layout, |at| …)?`"
)]
pub trait Stored: Copy + 'static {
    /// The value of an element: the element, or the number of a packed one, which fits into an
    /// `i8`.
    type Number: Copy + 'static;
    /// What is read of an element: a reference to it, or the number of a packed one.
    type Ref<'a>: Copy;

    /// The type of the element in an item; `None` where several elements share one.
    const ELEMENT: Option<ElementType>;
    /// An item of zeros.
    const ZEROS: Self;
    /// Whether all bytes are items: of elements [`Element::ANY_BITS`].
    const ANY_BITS: bool;
    /// Whether several elements are in one item.
    const SHARED: bool = Self::ELEMENT.is_none();

    /// The value of what was read.
    fn number(read: Self::Ref<'_>) -> Self::Number;

    /// Reads the element at a proven linear index of the layout that the items were checked
    /// against.
    fn read<'a, L: ArrayLayout>(
        items: PartItems<'a, Self>,
        layout: &L,
        at: Inside,
    ) -> Self::Ref<'a>;

    /// Changes the element at a proven linear index, as [`read`](Self::read) finds it. Of a packed
    /// one the low bits are written back.
    fn change<L: ArrayLayout>(
        items: &mut PartItemsMut<'_, Self>,
        layout: &L,
        at: Inside,
        change: impl FnOnce(&mut Self::Number),
    );

    /// Writes the element at a proven linear index, as [`change`](Self::change).
    #[inline(always)]
    fn write<L: ArrayLayout>(
        items: &mut PartItemsMut<'_, Self>,
        layout: &L,
        at: Inside,
        number: Self::Number,
    ) {
        Self::change(
            items,
            layout,
            at,
            #[inline(always)]
            |element| *element = number,
        );
    }

    /// Fills the padding of an array of zeros: of packed elements, it stays zero.
    #[cfg(feature = "alloc")]
    fn fill_padding<L: ArrayLayout>(zeros: &mut super::Array<Self, L>);

    /// The number, if elements of this type are packed and have no such number.
    #[cfg(feature = "serde")]
    fn beyond(layout: &impl ArrayLayout, number: Self::Number) -> Option<i8> {
        let _ = (layout, number);
        None
    }

    /// The number of items that a layout allocates.
    #[inline(always)]
    fn items<L: ArrayLayout>(layout: &L) -> usize {
        layout.buffer_len()
    }

    /// The item that holds the element at linear index `first`, with which the part with layout
    /// `part` begins.
    #[inline(always)]
    fn place<L: ArrayLayout, M: ArrayLayout>(layout: &L, (first, part): (usize, M)) -> (usize, M) {
        let _ = layout;
        (first, part)
    }

    /// Checks that an item begins with the first of the coordinates of a dimension that a step
    /// takes, and says which.
    ///
    /// # Errors
    /// [`LayoutError::SharedByte`].
    #[inline(always)]
    fn place_of_step<L: ArrayLayout, M: ArrayLayout>(
        layout: &L,
        dimension: usize,
        placed: (usize, M),
    ) -> Result<(usize, M), LayoutError> {
        let _ = (layout, dimension);
        Ok(placed)
    }

    /// Checks that no item has elements of a range of a dimension and others.
    ///
    /// # Errors
    /// [`LayoutError::SharedByte`].
    #[inline(always)]
    fn check_range<L: ArrayLayout>(
        layout: &L,
        dimension: usize,
        range: Range<usize>,
    ) -> Result<(), LayoutError> {
        let _ = (layout, dimension, range);
        Ok(())
    }

    /// Checks that no item has elements of two parts of `len` coordinates of a dimension.
    ///
    /// # Errors
    /// [`LayoutError::SharedByte`].
    #[inline(always)]
    fn check_lengths<L: ArrayLayout>(
        layout: &L,
        dimension: usize,
        len: usize,
    ) -> Result<(), LayoutError> {
        if const { !Self::SHARED } {
            return Ok(());
        }
        let size = layout.shape().coordinate(dimension);
        // If two neighbours among the multiples of `len` divide no item, their difference is a
        // multiple of the elements of an item, and so no other multiple of `len` does.
        Self::check_range(
            layout,
            dimension,
            len.min(size)..len.saturating_mul(2).min(size),
        )
    }

    /// Checks that no item has elements of a box of indices and others. One without elements shares
    /// none.
    ///
    /// # Errors
    /// [`LayoutError::SharedByte`].
    #[inline(always)]
    fn check_box<L: ArrayLayout>(
        layout: &L,
        origin: &L::Coordinates,
        sizes: &L::Coordinates,
    ) -> Result<(), LayoutError> {
        if const { !Self::SHARED } || sizes.as_ref().contains(&0) {
            return Ok(());
        }
        for dim in 0..layout.rank() {
            let start = origin.coordinate(dim);
            Self::check_range(layout, dim, start..start + sizes.coordinate(dim))?;
        }
        Ok(())
    }
}

impl<T: Element> Stored for T {
    type Number = T;
    type Ref<'a> = &'a T;
    const ELEMENT: Option<ElementType> = Some(<T::Type as DType>::TYPE);
    const ZEROS: T = T::ZERO;
    const ANY_BITS: bool = <T as Element>::ANY_BITS;

    #[inline(always)]
    fn number(read: &T) -> T {
        *read
    }

    #[inline(always)]
    fn read<'a, L: ArrayLayout>(items: PartItems<'a, T>, _: &L, at: Inside) -> &'a T {
        items.item_of(at)
    }

    #[inline(always)]
    fn change<L: ArrayLayout>(
        items: &mut PartItemsMut<'_, T>,
        _: &L,
        at: Inside,
        change: impl FnOnce(&mut T),
    ) {
        change(items.item_mut(at));
    }

    #[cfg(feature = "alloc")]
    fn fill_padding<L: ArrayLayout>(zeros: &mut super::Array<T, L>) {
        zeros.fill_padding();
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The element at a linear index that is proven, as [`Inside`] says.
    #[inline(always)]
    pub(super) fn read(&self, linear: usize) -> T::Ref<'_> {
        T::read(self.items(), &self.layout, Inside::of(linear))
    }
}

/// An element with an address of its own.
#[diagnostic::on_unimplemented(
    message = "a packed array is not indexed by `[…]`",
    label = "several elements share a byte, so there is no reference to one",
    note = "read an element by `array.at([i, j])` or `array.get([i, j])`",
    note = "write an element by `array.set_at([i, j], number)` or `array.set([i, j], number)`"
)]
pub trait Addressed: Element {}

impl<T: Element> Addressed for T {}

/// What the closure of [`ArrayRef::map`] may give: an element of the array's type.
#[cfg(feature = "alloc")]
#[diagnostic::on_unimplemented(
    message = "`map` keeps the element type, which is `{T}`, and this closure gives `{Self}`",
    label = "the layout of the new array is the same, and it says the element type",
    note = "give a layout with the other element type: `array.map_to(layout!(s32[2,3]{{1,0}}), |x| *x as i32)?`"
)]
pub trait SameElement<T> {
    #[doc(hidden)]
    fn same(self) -> T;
}

#[cfg(feature = "alloc")]
impl<T> SameElement<T> for T {
    #[inline(always)]
    fn same(self) -> T {
        self
    }
}

/// With a second implementation the compiler takes the type from the closure, and not from this
/// trait.
#[cfg(feature = "alloc")]
#[diagnostic::do_not_recommend]
impl<T: Element> SameElement<T> for core::convert::Infallible {
    fn same(self) -> T {
        match self {}
    }
}
