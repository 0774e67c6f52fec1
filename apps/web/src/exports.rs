//! The functions that the browser calls: it puts a request into the memory that
//! `xlayout_input` returns, calls `xlayout_run`, and takes the answer from `xlayout_output`.
//!
//! The code of the page reads and writes through these addresses; nothing in Rust does.
#![allow(
    unsafe_code,
    reason = "names without mangling: no other code has names that begin so"
)]

use std::cell::RefCell;
use std::ptr;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The place for a request of `length` bytes; null if there is no memory for it.
#[unsafe(no_mangle)]
extern "C" fn xlayout_input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = Vec::new();
        if input.try_reserve_exact(length).is_err() {
            return ptr::null_mut();
        }
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Answers the request. If this traps, the output is the message of the panic, or empty.
#[unsafe(no_mangle)]
extern "C" fn xlayout_run() {
    OUTPUT.take();
    if cfg!(target_arch = "wasm32") {
        std::panic::set_hook(Box::new(|panic| {
            let message = panic.to_string();
            // What holds the output is no part of what panics.
            OUTPUT.set(message);
        }));
    }
    let input = INPUT.take();
    OUTPUT.set(crate::answer(&input));
}

/// Where the output is.
#[unsafe(no_mangle)]
extern "C" fn xlayout_output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// The bytes of the output.
#[unsafe(no_mangle)]
extern "C" fn xlayout_length() -> usize {
    OUTPUT.with_borrow(String::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_without_memory_has_no_place() {
        assert!(xlayout_input(usize::MAX).is_null());
        assert!(!xlayout_input(1 << 10).is_null());
        // What is in the memory is no request, and is answered all the same.
        xlayout_run();
        let answer = OUTPUT.with_borrow(String::clone);
        assert!(answer.starts_with(r#"{"errors":["#), "{answer}");
        assert_eq!(xlayout_length(), answer.len());
        assert!(!xlayout_output().is_null());
    }
}
