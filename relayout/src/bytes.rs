//! Elements as bytes. The bytes of a slice of elements are initialised, since an element has no
//! padding bytes. Callers that write bytes keep to whole elements.
#![allow(unsafe_code)]

use xlayout_core::Element;

/// The bytes of elements.
pub(crate) fn of<T: Element>(elements: &[T]) -> &[u8] {
    // SAFETY: the trait is sealed: its types are numbers, which have no padding bytes; a byte
    // needs no alignment; length, lifetime and sharing are those of `elements`.
    unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

/// The bytes of elements, to write.
///
/// # Safety
/// What is written must leave every element a value of `T`: any bytes where `T::ANY_BITS`, whole
/// elements of a slice of `T` elsewhere.
pub(crate) unsafe fn of_mut<T: Element>(elements: &mut [T]) -> &mut [u8] {
    let len = size_of_val(elements);
    // SAFETY: as above, the borrow being unique; that the elements stay values is the caller's
    // promise.
    unsafe { core::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), len) }
}
