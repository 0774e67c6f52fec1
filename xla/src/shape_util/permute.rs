//! Dimensions in another sequence.

use super::permutation::checked_layout;
use crate::any_shape::{AnyShape, changed};
use crate::error::ShapeError;
use crate::layout_util::order::inverse;
use xlayout_shape::{ArrayShape, Layout, List, MinorToMajor};

/// The shape whose dimension `i` is dimension `permutation[i]` of this one, with the layout
/// that leaves every element where it is: a transpose that moves nothing
/// (XLA: `ShapeUtil::PermuteDimensions`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[10,100,<=1000]{2,1,0}".parse().unwrap();
/// let permuted = shape_util::permute_dimensions(&shape, &[1, 2, 0])?;
/// assert_eq!(permuted.to_string(), "f32[100,<=1000,10]{1,0,2}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For what is no permutation of the dimensions and for a layout that does not fit the shape;
/// XLA aborts there.
#[doc(alias("PermuteDimensions", "ReorderLogicalDimensions"))]
pub fn permute_dimensions(
    shape: &ArrayShape,
    permutation: &[i64],
) -> Result<ArrayShape, ShapeError> {
    let inverse = inverse(permutation, shape.rank())?;
    permuted(shape, permutation, &inverse)
}

/// The shape whose dimension `i` is dimension `permutation[i]` of this one, with the same
/// minor_to_major, so that elements lie elsewhere
/// (XLA: `ShapeUtil::PermuteDimensionsIgnoringLayout`). Padded widths go with their dimensions.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[10,100,1000]{2,1,0}".parse().unwrap();
/// let permuted = shape_util::permute_dimensions_ignoring_layout(&shape, &[1, 2, 0])?;
/// assert_eq!(permuted.to_string(), "f32[100,1000,10]{2,1,0}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For what is no permutation of the dimensions.
#[doc(alias = "PermuteDimensionsIgnoringLayout")]
pub fn permute_dimensions_ignoring_layout(
    shape: &ArrayShape,
    permutation: &[i64],
) -> Result<ArrayShape, ShapeError> {
    inverse(permutation, shape.rank())?;
    with_dims_of(shape, permutation, shape.layout.clone())
}

/// The shape with this dimension as the most major one in memory of every array inside
/// (XLA: `ShapeUtil::MoveDimToMajor`). Without a layout it begins with the default one.
///
/// The rest of the layout stays, as `LayoutUtil::MoveDimToMajor` has it.
/// `ShapeUtil::MoveDimToMajor` forgets all but minor_to_major, which is
/// `.with_minor_to_major_only()`.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[10,10,10]{2,1,0:S(1)}".parse().unwrap();
/// let moved = shape_util::move_dim_to_major(&shape, 1)?;
/// assert_eq!(moved.to_string(), "f32[10,10,10]{2,0,1:S(1)}");
/// assert_eq!(
///     shape_util::with_minor_to_major_only(&moved).to_string(),
///     "f32[10,10,10]{2,0,1}"
/// );
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a dimension that an array does not have, which XLA would list all the same, for a
/// layout that does not fit, and for a token or an opaque value inside, where XLA aborts.
#[doc(alias = "MoveDimToMajor")]
pub fn move_dim_to_major<S: AnyShape>(shape: &S, dimension: usize) -> Result<S, ShapeError> {
    shape.leaf_arrays().try_for_each(|leaf| leaf.map(drop))?;
    changed(shape, |array| {
        let layout = match checked_layout(array)? {
            Some(layout) => crate::layout_util::move_dim_to_major(layout, dimension)?,
            None => {
                let default = crate::layout_util::of_array::default_layout(array);
                crate::layout_util::move_dim_to_major(&default, dimension)?
            }
        };
        array.layout = Some(layout);
        Ok(())
    })
}

/// The shape with a layout of which only minor_to_major is left: no tiles, no element size, no
/// memory space, … Several functions of XLA answer that, where ours keep the rest.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "s4[2,3]{0,1:T(8,128)E(4)S(1)}".parse().unwrap();
/// assert_eq!(shape_util::with_minor_to_major_only(&shape).to_string(), "s4[2,3]{0,1}");
/// ```
#[must_use]
pub fn with_minor_to_major_only(shape: &ArrayShape) -> ArrayShape {
    let layout = shape.layout.as_ref();
    let layout = layout.map(|layout| Layout::new(layout.minor_to_major.clone()));
    ArrayShape::from_parts(shape.element_type, shape.dims.clone(), layout)
}

/// The permuted dimensions with a layout whose entry `d` becomes `entries[d]`.
pub(crate) fn permuted(
    shape: &ArrayShape,
    permutation: &[i64],
    entries: &[i64],
) -> Result<ArrayShape, ShapeError> {
    let mut layout = None;
    if let Some(old) = checked_layout(shape)? {
        let minor_to_major = old.minor_to_major.iter().map(|&d| entries[d as usize]);
        let mut new = old.clone();
        new.minor_to_major = MinorToMajor::from_list(List::try_from_iter(minor_to_major)?);
        layout = Some(new);
    }
    with_dims_of(shape, permutation, layout)
}

/// The permuted dimensions with this layout, in which padded widths go with their dimensions.
/// The permutation is one.
pub(crate) fn with_dims_of(
    shape: &ArrayShape,
    permutation: &[i64],
    mut layout: Option<Layout>,
) -> Result<ArrayShape, ShapeError> {
    let from = permutation.iter().map(|&d| d as usize);
    if let Some(layout) = &mut layout
        && layout.padded_dimensions.len() == shape.rank()
    {
        let widths = from.clone().map(|d| layout.padded_dimensions[d]);
        layout.padded_dimensions = List::try_from_iter(widths)?;
    }
    let dims = List::try_from_iter(from.map(|d| shape.dims[d]))?;
    Ok(ArrayShape::from_parts(shape.element_type, dims, layout))
}
