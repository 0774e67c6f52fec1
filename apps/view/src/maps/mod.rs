//! Texts that say by a map where elements lie: swizzles, paddings of rows, bits. No layout of XLA's
//! says this.
//!
//! ```text
//! map = swizzle of (base of the index + offset)
//! ```

mod atoms;
mod brackets;
pub(crate) mod cute;
mod explain;
pub(crate) mod map_text;
mod names;
#[cfg(test)]
mod tests;
mod triton;

use xlayout::interop::Given;

use crate::error::Error;

pub(crate) use cute::layout_of;
pub use explain::swizzle_words;
pub use map_text::MapText;
pub(crate) use names::{candidates, resolved};

impl MapText {
    /// Reads the text of a map; `None` if the text is none. `origin` is the argument that has it.
    ///
    /// # Errors
    /// What is not understood, and sizes that are neither in the text nor given.
    pub fn read(origin: &str, text: &str, given: &Given<'_>) -> Option<Result<Self, Error>> {
        let resolved = resolved(text);
        triton::read(origin, &resolved, given).or_else(|| cute::read(origin, &resolved, given))
    }
}
