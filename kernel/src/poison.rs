//! Results that hold no plausible numbers before the kernel writes them.
//!
//! XLA lends the memory of a result as its allocator left it, which may be an older array of the same sizes:
//! then a kernel that does not write all of it seems to be right.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

/// Each byte. As a float of any width it is NaN, as an integer -1 or the largest.
const POISON: u8 = 0xff;

/// Fills a result, in builds with debug assertions or where the environment asks for it.
#[inline(always)]
pub(crate) fn poison(bytes: &mut [u8]) {
    /// Known to be off: what a call looks at takes two instructions.
    static IS_OFF: AtomicBool = AtomicBool::new(false);

    #[cold]
    #[inline(never)]
    fn fill(bytes: &mut [u8]) {
        static IS_ON: OnceLock<bool> = OnceLock::new();
        if *IS_ON.get_or_init(is_on) {
            bytes.fill(POISON);
        } else {
            IS_OFF.store(true, Ordering::Relaxed);
        }
    }

    if !IS_OFF.load(Ordering::Relaxed) {
        fill(bytes);
    }
}

/// `XLAYOUT_POISON=0` turns it off, any other text on.
fn is_on() -> bool {
    match std::env::var_os("XLAYOUT_POISON") {
        Some(text) => text != "0",
        None => cfg!(debug_assertions),
    }
}
