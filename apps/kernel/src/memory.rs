//! Bytes as the elements of an array: the one place where memory gets a type.
#![allow(unsafe_code)]

use core::slice;

use xlayout_core::{Element, ElementType, dtype::DType};

use crate::fault::Wrong;

/// The bytes as elements. They are whole elements: the caller counted them by the size of an
/// element.
#[inline(always)]
pub(crate) fn elements<T: Element>(bytes: &[u8]) -> Result<&[T], Wrong> {
    if bytes.is_empty() {
        return Ok(&[]);
    }
    check_place::<T>(bytes)?;
    if !T::ANY_BITS {
        check_bools::<T>(bytes)?;
    }
    let len = bytes.len() / size_of::<T>();
    // SAFETY: the pointer is aligned and the length a multiple of the size of `T` (`check_place`).
    // Every bit pattern is a value of `T` (`ANY_BITS`; the trait is sealed), or `T` is `bool` and
    // every byte is 0 or 1 (`check_bools`). Lifetime and sharing are those of `bytes`.
    Ok(unsafe { slice::from_raw_parts(bytes.as_ptr().cast(), len) })
}

/// The bytes as elements to write. If `keep`, the values before are kept and checked. Otherwise
/// they are unspecified, but `bool` is `false`.
#[inline(always)]
pub(crate) fn elements_mut<T: Element>(bytes: &mut [u8], keep: bool) -> Result<&mut [T], Wrong> {
    if bytes.is_empty() {
        return Ok(&mut []);
    }
    check_place::<T>(bytes)?;
    if !T::ANY_BITS {
        if keep {
            check_bools::<T>(bytes)?;
        } else {
            bytes.fill(0);
        }
    }
    let len = bytes.len() / size_of::<T>();
    // SAFETY: as in `elements`, and the borrow is unique; bytes that were cleared are 0, which is
    // `false`. `T` has no padding bytes (sealed: numbers), so that whatever is written leaves the
    // bytes initialised.
    Ok(unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), len) })
}

#[inline(always)]
fn check_place<T: Element>(bytes: &[u8]) -> Result<(), Wrong> {
    let beyond = bytes.as_ptr().addr() % align_of::<T>();
    if beyond != 0 {
        return Err(Wrong::Alignment { beyond });
    }
    let whole = bytes.len().is_multiple_of(size_of::<T>());
    assert!(whole, "bytes are counted by the size of their elements");
    Ok(())
}

/// Whether every byte is 0 or 1, as those of a `bool` are.
fn check_bools<T: Element>(bytes: &[u8]) -> Result<(), Wrong> {
    const {
        assert!(
            T::ANY_BITS || matches!(<T::Type as DType>::TYPE, ElementType::Pred),
            "`bool` is the only element that not every byte is",
        );
    }
    // In pieces, so that the compiler looks at many bytes at once.
    for (k, piece) in bytes.chunks(512).enumerate() {
        if piece.iter().fold(0, |bits, byte| bits | byte) > 1 {
            let Some(at) = piece.iter().position(|&byte| byte > 1) else {
                unreachable!("bits above the first are those of one of the bytes");
            };
            return Err(Wrong::NotBool { at: 512 * k + at });
        }
    }
    Ok(())
}
