//! What `layout!` asks before it writes the type of a layout.

use super::{LowerError, Lowered, Source, Table};
use crate::layout::Layout;
use crate::primitive::PrimitiveType;
use crate::shape::ArrayShape;
use crate::validate::countable;

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

/// Whether index arithmetic works for a shape, whatever its `?` will be.
pub fn check_addressable(shape: &ArrayShape, layout: &Layout) -> Result<(), LowerError> {
    Lowered::new(&Source::of(shape, layout)).map(|_| ())
}

/// Lowers what a type says. `element_size` is what `E` says, or 0.
///
/// Law 3: it accepts what `DynLayout::new` accepts, as far as a constant table has room.
pub const fn typed(
    element_type: PrimitiveType,
    source: &Source<'_>,
    element_size: i64,
) -> Result<Table, LowerError> {
    let table = match Table::new(source) {
        Ok(table) => table,
        Err(error) => return Err(error),
    };
    match countable(
        element_type,
        source.dims,
        source.padded_dimensions,
        element_size,
    ) {
        Ok(()) => Ok(table),
        Err(error) => Err(error),
    }
}
