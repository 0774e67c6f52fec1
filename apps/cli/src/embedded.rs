//! The functions of the program that the Python package calls. Errors are texts of one line.

use std::ffi::OsString;
use std::path::Path;

pub use crate::callers::{Caller, in_words_of};
pub use crate::hlo::audit::Audit;

use crate::hlo;

/// Runs the program with these words, of which the first is its name. Returns the exit code.
#[must_use]
pub fn run(words: Vec<OsString>) -> u8 {
    crate::main_with(words)
}

/// Copies, memory and padding of the modules of an input, as text or as a proto, compressed or not. `shown` is its name.
///
/// # Errors
/// The error of `xlayout hlo` for an input that is not HLO.
pub fn audit(input: &[u8], shown: &Path) -> Result<Audit, String> {
    hlo::audit::audit(input, shown).map_err(|failure| failure.in_one_line())
}

/// The page that `xlayout hlo --html` writes.
///
/// # Errors
/// As [`audit`].
pub fn page(input: &[u8], shown: &Path) -> Result<String, String> {
    hlo::audit::page(input, shown).map_err(|failure| failure.in_one_line())
}
