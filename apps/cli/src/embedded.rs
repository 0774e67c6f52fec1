//! The functions of the program that the Python package calls.

use std::ffi::OsString;

pub use xlayout_words::callers::{Caller, in_words_of};

/// Runs the program with these words, of which the first is its name. Returns the exit code.
#[must_use]
pub fn run(words: Vec<OsString>) -> u8 {
    crate::main_with(words)
}
