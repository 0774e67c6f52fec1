//! The memory of an array that owns it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr::{NonNull, slice_from_raw_parts_mut};

/// The memory that an [`Array`](crate::Array) owns. It is made of a vector, and becomes one again
/// by [`into_vec`](crate::Array::into_vec).
// Invariant: the address and the length of a boxed slice that nothing else owns.
#[repr(C)]
pub struct Owned<T> {
    first: NonNull<T>,
    len: usize,
    of: PhantomData<T>,
}

// SAFETY: it owns its items, as a boxed slice does.
unsafe impl<T: Send> Send for Owned<T> {}
// SAFETY: a shared reference gives `&T`.
unsafe impl<T: Sync> Sync for Owned<T> {}

impl<T> Owned<T> {
    /// The items, which are those of `self` alone.
    #[inline(always)]
    pub(super) fn as_ptr(&self) -> *mut [T] {
        slice_from_raw_parts_mut(self.first.as_ptr(), self.len)
    }
}

impl<T> From<Vec<T>> for Owned<T> {
    fn from(items: Vec<T>) -> Self {
        let mut items = ManuallyDrop::new(items.into_boxed_slice());
        Self {
            len: items.len(),
            first: NonNull::from(&mut **items).cast(),
            of: PhantomData,
        }
    }
}

impl<T> From<Owned<T>> for Vec<T> {
    fn from(memory: Owned<T>) -> Self {
        let memory = ManuallyDrop::new(memory);
        // SAFETY: the invariant, and `memory` is not dropped.
        unsafe { Box::from_raw(memory.as_ptr()) }.into_vec()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the invariant, and nothing uses `self` afterwards.
        drop(unsafe { Box::from_raw(self.as_ptr()) });
    }
}

impl<T: Clone> Clone for Owned<T> {
    fn clone(&self) -> Self {
        // SAFETY: the invariant.
        unsafe { &*self.as_ptr() }.to_vec().into()
    }
}
