//! Where slices lie that have a layout of their own.

use core::ops::Range;

use super::places::{DimensionRange, size_of_dimension};
use crate::array_layout::{ArrayLayout, bounds, sealed::Token};
use crate::layout_error::{LayoutError, NotSlice};
use crate::types::{SliceDimension, offset};

/// The coordinates of dimension `DIM` that a range has.
///
/// # Errors
/// When there is no such dimension, or the range is out of bounds.
pub(super) fn range_in<L: ArrayLayout, const DIM: usize>(
    layout: &L,
    range: impl DimensionRange,
) -> Result<Range<usize>, LayoutError> {
    let size = size_of_dimension(layout, DIM)?;
    let (start, end) = bounds(range, 0..size);
    NotSlice::check(DIM, start, end, size)?;
    Ok(start..end)
}

/// The first place of the slice of dimension `DIM` that begins at `start`, and its layout.
///
/// # Errors
/// When the slice is out of bounds or has no layout.
pub(super) fn sliced<L, const DIM: usize, Extent>(
    layout: &L,
    start: usize,
    len: usize,
) -> Result<(usize, L::Layout), LayoutError>
where
    L: SliceDimension<DIM, Extent>,
{
    // First: a layout of wrong sizes means nothing.
    let size = size_of_dimension(layout, DIM)?;
    NotSlice::end(DIM, start, len, size)?;
    let part = layout.with_len(len)?;
    let shape = layout.array_shape();
    let apart = shape.layout.as_ref().is_some_and(|of| {
        of.dynamic_shape_metadata_prefix_bytes > 0 || !of.split_configs.is_empty()
    });
    if apart {
        return Err(NotSlice::NoLayout { dimension: DIM }.into());
    }
    let first = layout.with_resolved(Token, |whole| {
        part.with_resolved(Token, |of| {
            offset(&whole, &of, DIM, start, len, L::Layout::OWNS_PADDING)
        })
    })?;
    Ok((first, part))
}
