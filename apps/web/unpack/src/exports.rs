//! The functions that the browser calls: it puts what is packed into the memory that
//! `unpack_input` returns, and takes the result from the place that `unpack_run` returns.
#![allow(
    unsafe_code,
    reason = "names without mangling: no other code has names that begin so"
)]

use std::cell::RefCell;

thread_local! {
    static PACKED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static UNPACKED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The place for `length` packed bytes.
#[unsafe(no_mangle)]
extern "C" fn unpack_input(length: usize) -> *mut u8 {
    PACKED.with_borrow_mut(|packed| {
        packed.resize(length, 0);
        packed.as_mut_ptr()
    })
}

/// Unpacks the parts of a program, of `parts` bytes in all, and returns the place of the program,
/// which has `size` bytes.
#[unsafe(no_mangle)]
extern "C" fn unpack_run(parts: usize, size: usize) -> *const u8 {
    let parts = crate::parts(&PACKED.take(), parts);
    UNPACKED.set(crate::program(&parts, size));
    UNPACKED.with_borrow(|unpacked| unpacked.as_ptr())
}
