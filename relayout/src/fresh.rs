//! Copies into memory that the call allocates.
//!
//! ```text
//! allocate the buffer of the destination; zeros where it has padding
//! it has HUGE bytes or more: advise the system to use huge pages, which it may do or not
//! copy; so the thread that first writes to a page is the one that waits for the system to make it
//! ```
//!
//! These copies learn in a class of their own: their time includes that of making the pages.
#![allow(unsafe_code)]

use alloc::alloc::{Layout, alloc, alloc_zeroed};
use alloc::vec::Vec;

use xlayout_core::Element;

use crate::bytes;
use crate::error::RelayoutError;
use crate::kernels::Run;
use crate::plan::Plan;
#[cfg(feature = "std")]
use crate::{kernels::cost::threads::STARTED, learn, learn::Pages, machine::Machine};

impl Plan {
    /// As [`run`](Self::run), to a new vector of `buffers().1` bytes. Padding is zero, unless
    /// [`fill_padding`](Self::fill_padding) gave another value.
    ///
    /// The memory is not written to before the copy. From 4 MiB on the call advises Linux to use
    /// huge pages, which are made faster than many small ones. A program that copies again and
    /// again is faster if it keeps the memory.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    /// let a: DynLayout = "s32[2,3]{1,0}".parse()?;
    /// let b: DynLayout = "s32[2,3]{0,1}".parse()?;
    /// let columns = Plan::new(&a, &b)?.run_to_vec(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(columns, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run), and [`RelayoutError::NoMemory`].
    pub fn run_to_vec<T: Element>(&self, src: &[T]) -> Result<Vec<T>, RelayoutError> {
        self.to_fresh(src, |src, dst| {
            // SAFETY: the buffers are those of the plan, as `to_fresh` says.
            let copy = |run: &Run| unsafe { self.run_with(src, dst, run) };
            #[cfg(feature = "std")]
            return learn::run(
                &self.lessons_of(1, Pages::Fresh),
                dst,
                &self.current(),
                copy,
            );
            #[cfg(not(feature = "std"))]
            copy(&self.current());
        })
    }

    /// As [`run_to_vec`](Self::run_to_vec), on at most `threads` threads, as
    /// [`run_threads`](Self::run_threads) has them. Each thread makes the pages that it writes
    /// first.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    /// let a: DynLayout = "f32[1024,700]{1,0}".parse()?;
    /// let b: DynLayout = "f32[1024,700]{0,1}".parse()?;
    /// let columns = Plan::new(&a, &b)?.run_to_vec_threads(&vec![1.0_f32; 716_800], 2)?;
    /// assert_eq!(columns, vec![1.0; 716_800]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`run_to_vec`](Self::run_to_vec).
    #[cfg(feature = "std")]
    pub fn run_to_vec_threads<T: Element>(
        &self,
        src: &[T],
        threads: usize,
    ) -> Result<Vec<T>, RelayoutError> {
        match self.worth(Machine::here(), threads, STARTED) {
            1 => self.run_to_vec(src),
            threads => self.to_fresh(src, |src, dst| {
                // SAFETY: the buffers are those of the plan, as `to_fresh` says, and other threads
                // may use them: the source is borrowed, and no one else knows the destination.
                unsafe { self.run_on((src, dst), threads, Pages::Fresh) };
            }),
        }
    }

    /// Allocates the destination for a copy from `src`, and calls `copy` with pointers to both.
    /// `copy` must write all elements.
    fn to_fresh<T: Element>(
        &self,
        src: &[T],
        copy: impl FnOnce(*const u8, *mut u8),
    ) -> Result<Vec<T>, RelayoutError> {
        self.check_elements::<T>()?;
        let src = bytes::of(src);
        let size = self.buffers().1;
        self.check(src.len(), size)?;
        let len = size / size_of::<T>();
        if len == 0 {
            return Ok(Vec::new());
        }
        let error = RelayoutError::NoMemory {
            bytes: size,
            of: "the destination",
            instead: "allocate a buffer yourself, and copy to it with `run`",
        };
        let layout = Layout::array::<T>(len).map_err(|_| error.clone())?;
        // If elements have bytes of their own, and as many as the buffer has, there is no padding.
        let is_dense = self.bytes() == size;
        // SAFETY: the layout has at least one byte.
        let dst = unsafe {
            if is_dense {
                alloc(layout)
            } else {
                alloc_zeroed(layout)
            }
        };
        if dst.is_null() {
            return Err(error);
        }
        // SAFETY: this allocation is of `T`s, as many as its capacity. It owns them from here on.
        let mut vec = unsafe { Vec::from_raw_parts(dst.cast::<T>(), 0, len) };
        #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
        advise(dst, size);
        copy(src.as_ptr(), dst);
        // SAFETY: distinct indices have distinct offsets in the destination (`SIDE`, 3), so all
        // bytes of a dense one were written, as whole elements: `check_elements` has compared the
        // widths. Others are zero, which is a value of each `Element`, or padding that was filled
        // with a value.
        unsafe { vec.set_len(len) };
        Ok(vec)
    }
}

/// Advises Linux to use huge pages for the whole pages of an allocation that no one has written to.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
fn advise(begin: *mut u8, bytes: usize) {
    use core::ffi::{c_int, c_void};

    // The standard library is linked with the C library.
    unsafe extern "C" {
        fn madvise(begin: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }
    /// `MADV_HUGEPAGE`, on all architectures that have it.
    const HUGE_PAGES: c_int = 14;
    /// The largest page that is not a huge one.
    const PAGE: usize = 64 << 10;

    /// Huge pages of x86-64 and aarch64. Only a buffer of two of them is certain to hold a whole
    /// one.
    const HUGE: usize = 4 << 20;

    if bytes < HUGE {
        return;
    }
    let skipped = begin.addr().wrapping_neg() % PAGE;
    let whole = (bytes - skipped) / PAGE * PAGE;
    // SAFETY: these pages are in the allocation. The advice changes no byte; a system that has no
    // huge pages refuses it, which changes nothing.
    let _ = unsafe { madvise(begin.wrapping_add(skipped).cast(), whole, HUGE_PAGES) };
}
