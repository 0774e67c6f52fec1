//! Lowering of a shape: its layout as a source of modes, and whether it can be lowered.

use crate::layout::Layout;
use crate::modes::{LowerError, Lowered, Source, type_bits, typed};
use crate::shape::ArrayShape;

impl<'a> Source<'a> {
    /// What a shape and its layout say. A `?` stays one.
    pub fn of(shape: &'a ArrayShape, layout: &'a Layout) -> Self {
        let (split_indices, splits) = layout.split_configs.as_slices();
        Self {
            dims: &shape.dims,
            minor_to_major: &layout.minor_to_major,
            tiles: layout.tiles.as_tiles(),
            padded_dimensions: &layout.padded_dimensions,
            tail_alignment: layout.tail_padding_alignment_in_elements,
            element_bits: shape.element_size_in_bits(),
            type_bits: type_bits(shape.element_type),
            metadata_prefix: layout.dynamic_shape_metadata_prefix_bytes,
            splits,
            split_indices,
        }
    }
}

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

/// Whether index arithmetic works for a shape with every value of its `?`.
pub fn check_addressable(shape: &ArrayShape, layout: &Layout) -> Result<(), LowerError> {
    Lowered::new(&Source::of(shape, layout)).map(|_| ())
}
