//! What `layout!` asks before it writes the type of a layout.

use super::{LowerError, Lowered, Source, Table};
use crate::layout::Layout;
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

/// Whether index arithmetic works for a shape, whatever its `?` will be.
pub fn check_addressable(shape: &ArrayShape, layout: &Layout) -> Result<(), LowerError> {
    Lowered::new(&Source::of(shape, layout)).map(|_| ())
}
