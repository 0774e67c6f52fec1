//! Access without a bounds check: the one place with `unsafe`, for speed that was measured
//! (`benches/index`: a check costs 6 to 8 instructions of 17 at rank 4).
#![allow(unsafe_code)]

use crate::const_text::stop;
use crate::element::Element;
use crate::laid_out::LaidOut;
use crate::misfit::Misfit;

/// The item at a linear index that is proven for `L`.
///
/// The caller (this module's siblings only) promises that `data` was checked to have as many items
/// as a value of `L` has places, and that `linear` is the linear index of an element of some value
/// of `L`.
#[inline(always)]
pub(super) fn item<L: LaidOut, T>(data: &[T], linear: usize) -> &T {
    if L::PROVEN {
        debug_assert!(linear < data.len());
        // SAFETY: `PROVEN` says that all values of `L` have the same sizes, so that `linear`, the
        // linear index of an element of one, is one of the value that `data` was checked against.
        // Law 1 (tested exhaustively for small layouts): it is below the number of places of that
        // value, which is the length of `data`.
        unsafe { data.get_unchecked(linear) }
    } else {
        &data[linear]
    }
}

/// The item at a linear index that is proven for `L`, to write. As [`item`].
#[inline(always)]
pub(super) fn item_mut<L: LaidOut, T>(data: &mut [T], linear: usize) -> &mut T {
    if L::PROVEN {
        debug_assert!(linear < data.len());
        // SAFETY: as in `item`.
        unsafe { data.get_unchecked_mut(linear) }
    } else {
        &mut data[linear]
    }
}

/// The item at a linear index that a view's own layout gave, for an index that it found in bounds,
/// or when it visited its elements.
///
/// The caller (this module's siblings only) promises that, and that `data` was checked to have as
/// many items as that very layout has places.
#[inline(always)]
pub(super) fn item_inside<T>(data: &[T], linear: usize) -> &T {
    debug_assert!(linear < data.len());
    // SAFETY: law 1 (tested exhaustively for small layouts): the linear index of an index in bounds
    // of a layout is below its number of places, which is the length of `data`. A view's layout
    // does not change, and the trait of layouts is sealed.
    unsafe { data.get_unchecked(linear) }
}

/// The item at a linear index that a view's own layout gave, to write. As [`item_inside`].
#[inline(always)]
pub(super) fn item_inside_mut<T>(data: &mut [T], linear: usize) -> &mut T {
    debug_assert!(linear < data.len());
    // SAFETY: as in `item_inside`.
    unsafe { data.get_unchecked_mut(linear) }
}

/// Bytes as elements: their length and alignment are checked here, once.
///
/// # Errors
/// When the bytes are not whole elements, or do not begin where an element may.
pub(super) fn elements_of_bytes<T: Element>(bytes: &[u8]) -> Result<&[T], Misfit> {
    check_bytes::<T>(bytes)?;
    // SAFETY: the pointer is aligned and the length a multiple of the size of `T` (both checked
    // above); every bit pattern is a value of `T` (`ANY_BITS`, checked above; the trait is sealed);
    // the lifetime and the sharing are those of `bytes`.
    Ok(unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) })
}

/// Bytes as elements, to write. As [`elements_of_bytes`].
pub(super) fn elements_of_bytes_mut<T: Element>(bytes: &mut [u8]) -> Result<&mut [T], Misfit> {
    check_bytes::<T>(bytes)?;
    let len = bytes.len() / size_of::<T>();
    // SAFETY: as above, the borrow being unique; and `T` has no padding bytes (sealed: numbers), so
    // that whatever is written leaves the bytes initialised.
    Ok(unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), len) })
}

fn check_bytes<T: Element>(bytes: &[u8]) -> Result<(), Misfit> {
    const {
        if !T::ANY_BITS {
            stop("not every byte is a `bool`; view the bytes as `u8` instead");
        }
    }
    let beyond = bytes.as_ptr().addr() % align_of::<T>();
    if beyond != 0 {
        return Err(Misfit::Alignment {
            expected: align_of::<T>(),
            found: beyond,
        });
    }
    let size = size_of::<T>();
    if !bytes.len().is_multiple_of(size) {
        return Err(Misfit::Length {
            expected: bytes.len().next_multiple_of(size),
            found: bytes.len(),
        });
    }
    Ok(())
}
