//! The C interface of `xlayout-relayout`: `xlayout_relayout.h` describes it.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_void};
use std::slice;

use xlayout_relayout::{End, RelayoutError, copy_strided_unchecked, strided_extent};

/// The texts for the numbers of `enum xlayout_status`.
const STATUS: [&std::ffi::CStr; 5] = [
    c"the array was copied",
    c"a pointer is null, and there are elements or dimensions",
    c"strides lead further than a ptrdiff_t counts: copy the array by parts",
    c"elements of the destination overlap: give each dimension a stride of at least what the \
      smaller ones span",
    c"the source and the destination have bytes in common: copy to another buffer",
];
const OK: c_int = 0;
const NULL: c_int = 1;
const TOO_LARGE: c_int = 2;
const OVERLAPPING: c_int = 3;
const ALIASED: c_int = 4;

/// Copies an array between strides in bytes: see `xlayout_relayout.h`.
///
/// # Safety
/// The lists have `rank` entries, and all elements can be read at `src` and written at `dst`.
/// Nothing else uses those of the destination, or writes those of the source, during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xlayout_copy_strided(
    dst: *mut c_void,
    dst_strides: *const isize,
    src: *const c_void,
    src_strides: *const isize,
    sizes: *const usize,
    rank: usize,
    width: usize,
) -> c_int {
    if rank > 0 && (dst_strides.is_null() || src_strides.is_null() || sizes.is_null()) {
        return NULL;
    }
    // SAFETY: the caller's promise; without dimensions no list is read.
    let (dst_strides, src_strides, sizes) = unsafe {
        (
            list(dst_strides, rank),
            list(src_strides, rank),
            list(sizes, rank),
        )
    };
    let extent = |strides, end, at: usize| {
        let (before, behind) = strided_extent(sizes, strides, width, end)?;
        Ok::<_, RelayoutError>((at.wrapping_sub(before), at.wrapping_add(behind)))
    };
    let extents = (
        extent(src_strides, End::Source, src.addr()),
        extent(dst_strides, End::Destination, dst.addr()),
    );
    let (Ok((src_begin, src_end)), Ok((dst_begin, dst_end))) = extents else {
        return TOO_LARGE;
    };
    if dst_begin == dst_end {
        return OK;
    }
    if dst.is_null() || src.is_null() {
        return NULL;
    }
    if src_begin < dst_end && dst_begin < src_end {
        return ALIASED;
    }
    // SAFETY: the caller's promise; the extents have no byte in common.
    let result = unsafe {
        copy_strided_unchecked(
            dst.cast(),
            dst_strides,
            src.cast(),
            src_strides,
            sizes,
            width,
        )
    };
    match result {
        Ok(()) => OK,
        Err(RelayoutError::Overlapping) => OVERLAPPING,
        Err(error) => unreachable!("the extents were asked for above: {error}"),
    }
}

/// Returns the text for a result of [`xlayout_copy_strided`].
#[unsafe(no_mangle)]
pub extern "C" fn xlayout_status_text(status: c_int) -> *const c_char {
    let known = usize::try_from(status)
        .ok()
        .and_then(|status| STATUS.get(status));
    known.unwrap_or(&c"there is no such status").as_ptr()
}

/// A list of C.
///
/// # Safety
/// There are `len` entries, unless it is 0, and they do not change.
unsafe fn list<'a, T>(entries: *const T, len: usize) -> &'a [T] {
    if len == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { slice::from_raw_parts(entries, len) }
}
