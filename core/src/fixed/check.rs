//! What `layout!` asks before it writes the type of a layout.

use crate::modes::{LowerError, Source, Table};
use crate::shape::ArrayShape;

/// Whether a valid shape can be lowered into the constant table of a type. A `?` is a size that
/// only the run time knows.
///
/// # Errors
/// Why it cannot.
#[doc(hidden)]
pub fn check(shape: &ArrayShape) -> Result<(), LowerError> {
    let Some(layout) = &shape.layout else {
        return Err(LowerError::NotAPermutation);
    };
    Table::new(&Source::of(shape, layout)).map(|_| ())
}
