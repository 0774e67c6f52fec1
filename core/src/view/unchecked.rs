//! What is proven of a linear index, and bytes as elements. Access without a bounds check is in
//! `part_items.rs`, for speed that was measured (`benches/index`: a check costs 6 to 8 instructions
//! of 17 at rank 4).
#![allow(unsafe_code)]
#![allow(
    unreachable_pub,
    reason = "a trait of `lines.rs` names `Inside`, if there is a heap"
)]

use super::stored::Stored;
use crate::array_layout::FixedSizes;
use crate::const_text::stop;
use crate::layout_error::LayoutError;

/// A linear index that is proven: it is the one of an element of the layout that the storage was
/// checked against.
#[derive(Clone, Copy)]
pub struct Inside(usize);

impl Inside {
    /// A linear index that a view's own layout gave: for an index that it found in bounds, for one
    /// that is proven (`Index::linear_in`), or when it visited its elements.
    ///
    /// The caller (this module's siblings only) promises that, and that the storage was checked to
    /// have as many items as that very layout allocates. For packed elements the items are the
    /// bytes of the layout, and `linear` is the byte that holds the element.
    #[inline(always)]
    pub(super) const fn of(linear: usize) -> Self {
        Self(linear)
    }

    #[inline(always)]
    pub(super) const fn get(self) -> usize {
        self.0
    }
}

/// The linear index of an element of one value of `L` is proven for `L`: by the invariant of
/// `FixedSizes` all values of `L` are equal, so it is the linear index of an element of every
/// value.
#[inline(always)]
pub(super) const fn proven<L: FixedSizes>(linear: usize) -> usize {
    const { assert!(L::FIXED_SIZES) }
    linear
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
    // above); every bit pattern is a value of `T` (`ANY_BITS`, checked in
    // `check_bytes`; the trait is sealed);
    // the lifetime and the sharing are those of `bytes`.
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
