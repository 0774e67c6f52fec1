//! What is made of layouts at the level of types, of a layout that only the run time knows.

use super::SliceDimension;
use crate::array_layout::ArrayLayout;
use crate::dims::Dim;
use crate::layout_error::{LayoutError, NotSlice};
use crate::layouts::DynLayout;
use crate::layouts::types::sealed::ChangedBy;
use crate::modes::NotLowered;
use crate::shape::ArrayShape;

/// A part of the most major dimension, at the edges of tiles. That there is such a dimension, and
/// that it is the most major one, is checked at run time.
#[diagnostic::do_not_recommend]
impl<const DIM: usize, Extent> SliceDimension<DIM, Extent> for DynLayout
where
    Self: ChangedBy<Extent>,
{
    type Layout = Self;

    fn with_len(&self, len: usize) -> Result<Self, LayoutError> {
        let mut shape = self.array_shape().clone();
        let rank = shape.rank();
        if DIM >= rank {
            let dimension = DIM;
            return Err(LayoutError::NoDimension { dimension, rank });
        }
        let whole = self.shape().as_ref().get(DIM) == Some(&len);
        // Other slices have gaps, and those belong to another array.
        if !whole && !is_most_major(&shape, DIM) {
            return Err(NotSlice::NoLayout { dimension: DIM }.into());
        }
        let size = i64::try_from(len).map_err(|_| NotLowered::TooLarge)?;
        if let Some(dim) = shape.dims.get_mut(DIM) {
            *dim = Dim::Static(size);
        }
        if let Some(layout) = &mut shape.layout
            && let Some(width) = layout.padded_dimensions.get_mut(DIM)
        {
            *width = size;
        }
        Self::new(shape)
    }
}

/// Whether all more major dimensions have size 1.
#[inline]
fn is_most_major(shape: &ArrayShape, dimension: usize) -> bool {
    let Some(layout) = &shape.layout else {
        return false;
    };
    let major_to_minor = layout.minor_to_major.iter().rev().map(|&d| d as usize);
    major_to_minor
        .take_while(|&d| d != dimension)
        .all(|d| shape.dims[d].bound() == Some(1))
}
