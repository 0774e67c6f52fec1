//! Fills results with implausible numbers before the kernel writes them.
//!
//! The memory of a result may contain an older array of the same sizes. Then a kernel that does not
//! write all elements seems to be correct.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

/// The value of each byte. A float of any width is NaN, an integer is -1 or the largest.
const POISON: u8 = 0xff;

/// Fills a result, in builds with debug assertions or where the environment asks for it.
#[inline(always)]
pub(crate) fn poison(bytes: &mut [u8]) {
    /// Whether filling is known to be off. A call tests this with two instructions.
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
