//! The layout of a shape, as far as another library has a place for it.

use xlayout_shape::error::Attribute;
use xlayout_shape::{ArrayShape, Layout};

use crate::Library;
use crate::error::{self, Error, LayoutPart};

/// The layout of a shape; row-major where it has none. Fails where a part of it says more of where
/// elements lie than strides or tiles do.
pub(crate) fn layout_of(shape: &ArrayShape, library: Library) -> Result<Layout, Error> {
    let valid = shape.validate_with_optional_layout();
    valid.map_err(error::invalid)?;
    let layout = match &shape.layout {
        Some(layout) => layout.clone(),
        None => Layout::row_major(shape.rank()).map_err(error::full)?,
    };
    no_bytes_elsewhere(&layout, library).map(|()| layout)
}

/// Fails where bytes lie before the elements, or some of the elements in another memory, and for
/// each attribute of which no notation knows.
pub(crate) fn no_bytes_elsewhere(layout: &Layout, library: Library) -> Result<(), Error> {
    error::has_place(
        library,
        &[(!layout.split_configs.is_empty(), LayoutPart::Splits)],
    )?;
    error::has_no_number(library, layout, |attribute| {
        !matches!(
            attribute,
            Attribute::TailAlignment | Attribute::ElementSize | Attribute::MemorySpace
        )
    })
}

/// Fails where more is padded than tiles do.
pub(crate) fn no_padding(layout: &Layout, library: Library) -> Result<(), Error> {
    error::has_place(
        library,
        &[(!layout.padded_dimensions.is_empty(), LayoutPart::Padding)],
    )?;
    error::has_no_number(library, layout, |attribute| {
        attribute == Attribute::TailAlignment
    })
}
