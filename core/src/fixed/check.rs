//! What `layout!` asks before it writes the type of a layout.

use super::spec::typed;
use crate::modes::{LowerError, Source};
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
    let source = Source::of(shape, layout);
    typed(shape.element_type, &source, layout.element_size_in_bits).map(|_| ())
}

#[cfg(test)]
mod tests;
