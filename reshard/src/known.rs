//! What is known of an array besides its file.

use xlayout::{DynLayout, PrimitiveType};

use crate::error::{Outcome, TextSpan};

/// What someone says of the arrays of a file: all of a raw file, the type where the file does not name it.
pub trait Known {
    /// The type, if one was named.
    fn element_type(&self) -> Option<PrimitiveType>;

    /// The layout of a file that says nothing itself.
    ///
    /// # Errors
    /// When this is no full shape.
    fn full(&self) -> Outcome<DynLayout>;

    /// Whether a file holds what is said.
    ///
    /// # Errors
    /// When it holds something else.
    fn check(&self, found: &DynLayout) -> Outcome;

    /// All of the text.
    fn whole(&self) -> TextSpan;
}
