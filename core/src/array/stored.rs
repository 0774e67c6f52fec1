//! What an item of an array's memory holds: an element, or several that share a byte; and what is
//! checked of items.
#![allow(unsafe_code)]
#![allow(
    unreachable_pub,
    reason = "the public methods and the iterators of arrays name these types"
)]

use core::iter::{Empty, empty};
use core::ops::Range;

use super::storage::{Inside, PartItems, PartItemsMut, TakeOne};
use crate::ElementType;
use crate::array_layout::{ArrayLayout, ConstLayout};
use crate::const_text::stop;
use crate::coordinates::Coordinates;
use crate::element::{DType, Element};
use crate::layout::PaddingValue;
use crate::layout_error::{LayoutError, element_bits};

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
    /// What an iterator reads ahead: nothing of elements that have an address, numbers of packed
    /// ones, because a byte that is unpacked gives several.
    type Ahead<'a>: ExactSizeIterator<Item = Self::Ref<'a>> + DoubleEndedIterator + Clone;

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

    /// Reads some of the `adjacent` elements after the one at a proven linear index, whose linear
    /// indices are the next ones and are proven, too. `None` where it does not pay.
    fn read_ahead<'a, L: ArrayLayout>(
        items: PartItems<'a, Self>,
        layout: &L,
        at: Inside,
        adjacent: usize,
    ) -> Option<Self::Ahead<'a>>;

    /// Nothing that was read ahead.
    fn nothing_ahead<'a>() -> Self::Ahead<'a>;

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

    /// What fills the padding of a new array; `None` of packed elements, whose padding stays zero.
    #[cfg(feature = "alloc")]
    fn padding(value: Option<PaddingValue>) -> Option<Self::Number>;

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
    type Ahead<'a> = Empty<&'a T>;
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
    fn read_ahead<'a, L: ArrayLayout>(
        _: PartItems<'a, T>,
        _: &L,
        _: Inside,
        _: usize,
    ) -> Option<Empty<&'a T>> {
        None
    }

    #[inline(always)]
    fn nothing_ahead<'a>() -> Empty<&'a T> {
        empty()
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
    fn padding(value: Option<PaddingValue>) -> Option<T> {
        Some(padding_of(value))
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
    note = "give a layout with the other element type: `array.map_to(layout!(s32[2,3]{{1,0}}), |x| \
            *x as i32)?`"
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

impl<'a, T: Stored> TakeOne for PartItems<'a, T> {
    type Ref = T::Ref<'a>;
    type Ahead = T::Ahead<'a>;

    #[inline(always)]
    fn take<L: ArrayLayout>(&mut self, layout: &L, at: Inside) -> T::Ref<'a> {
        T::read(*self, layout, at)
    }

    #[inline(always)]
    fn take_ahead<L: ArrayLayout>(
        &mut self,
        layout: &L,
        at: Inside,
        adjacent: usize,
    ) -> Option<Self::Ahead> {
        T::read_ahead(*self, layout, at, adjacent)
    }

    #[inline(always)]
    fn nothing_ahead() -> Self::Ahead {
        T::nothing_ahead()
    }
}

/// The bytes of `len` elements: their length and alignment are checked here, once.
///
/// # Errors
/// When the bytes are not as many, or do not begin at a multiple of the element's alignment. No
/// bytes may begin anywhere.
pub(super) fn elements_of_bytes<T: Stored>(bytes: &[u8], len: usize) -> Result<&[T], LayoutError> {
    check_bytes::<T>(bytes, len)?;
    if bytes.is_empty() {
        return Ok(&[]);
    }
    // SAFETY: the pointer is aligned and the length `len` times the size of `T` (both checked
    // above); every bit pattern is a value of `T` (`ANY_BITS`, checked in `check_bytes`; the trait
    // is sealed); the lifetime and the sharing are those of `bytes`.
    Ok(unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), len) })
}

/// Bytes as elements, to write. As [`elements_of_bytes`].
pub(super) fn elements_of_bytes_mut<T: Stored>(
    bytes: &mut [u8],
    len: usize,
) -> Result<&mut [T], LayoutError> {
    check_bytes::<T>(bytes, len)?;
    if bytes.is_empty() {
        return Ok(&mut []);
    }
    // SAFETY: as above, the borrow being unique; and `T` has no padding bytes (sealed: numbers, or
    // a byte), so that whatever is written leaves the bytes initialised.
    Ok(unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), len) })
}

fn check_bytes<T: Stored>(bytes: &[u8], len: usize) -> Result<(), LayoutError> {
    const {
        if !T::ANY_BITS {
            stop(
                "not every byte is a `bool`; view the bytes as `u8` with a layout of `u8`: \
                 `SliceView::<u8, _>::from_bytes(layout!(u8[3]), bytes)`",
            );
        }
    }
    // Too many elements for the address space have more bytes than any slice.
    let expected = len.saturating_mul(size_of::<T>());
    let found = bytes.len();
    if found != expected {
        return Err(LayoutError::Bytes { expected, found });
    }
    let beyond = bytes.as_ptr().addr() % align_of::<T>();
    if found > 0 && beyond != 0 {
        return Err(LayoutError::Alignment {
            expected: align_of::<T>(),
            found: beyond,
        });
    }
    Ok(())
}

/// Room for `len` items. The error names the element type, the elements and the bytes of the array.
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

/// The value with which a layout fills padding.
pub(super) fn padding_value(layout: &impl ArrayLayout) -> Option<PaddingValue> {
    let layout = layout.array_shape().layout?;
    layout.padding_value
}

/// The element with which padding is filled; zero where the layout names no value or an unknown
/// one.
pub(super) fn padding_of<T: Element>(value: Option<PaddingValue>) -> T {
    match value {
        Some(PaddingValue::One) => T::ONE,
        Some(PaddingValue::Lowest) => T::LOWEST,
        Some(PaddingValue::Highest) => T::HIGHEST,
        Some(PaddingValue::Zero | PaddingValue::Unknown) | None => T::ZERO,
        Some(_) => unreachable!("there are no other padding values"),
    }
}
