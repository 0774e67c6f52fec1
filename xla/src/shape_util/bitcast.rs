//! Whether a reshape or a transpose is a bitcast, by what is in memory. XLA's answers depend on
//! dimensions and minor_to_major only.
//!
//! Source: `shape_util.cc`.

use xlayout_core::bitcast::{
    deduce_transpose_dimensions_for_bitcast, reshape_obstacle, transpose_obstacle,
};
use xlayout_core::{ElementTypes, LayoutError};
use xlayout_shape::ArrayShape;

/// Whether a reshape to `output` is a bitcast: every element, by its row-major index, stays
/// where it is in memory, and as much memory is allocated. All levels of tiles, padding,
/// element size and memory space count. A shape without a layout has the default one.
///
/// XLA's `ShapeUtil::ReshapeIsBitcast` looks at sizes and minor_to_major only. It counts the first
/// of these reshapes and the third one as bitcasts, and the second one not:
///
/// ```
/// use xlayout_xla::shape_util::reshape_is_bitcast;
/// use xlayout_core::{ArrayShape, ElementTypes::*};
/// let a: ArrayShape = "f32[16,256]{1,0:T(8,128)}".parse().unwrap();
///
/// // A row of `a` is cut by tiles: reading it as one row gives other elements.
/// let flat: ArrayShape = "f32[4096]".parse().unwrap();
/// assert!(!reshape_is_bitcast(&a, &flat, Compared)?);
///
/// // The tiles of `a`, as dimensions.
/// let tiles: ArrayShape = "f32[2,8,2,128]{3,1,2,0}".parse().unwrap();
/// assert!(reshape_is_bitcast(&a, &tiles, Compared)?);
///
/// // Elements of another width are no bitcast, even where types are ignored.
/// let f16: ArrayShape = "f16[6]".parse().unwrap();
/// let f32: ArrayShape = "f32[2,3]".parse().unwrap();
/// assert!(!reshape_is_bitcast(&f32, &f16, Ignored)?);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// A bounded dynamic dimension may be part of a reshape where the answer is the same for all of
/// its run-time sizes (XLA counts the bound only):
///
/// ```
/// use xlayout_xla::shape_util::reshape_is_bitcast;
/// # use xlayout_core::{ArrayShape, ElementTypes::*};
/// let rows: ArrayShape = "f32[<=4,3]".parse().unwrap();
/// let columns: ArrayShape = "f32[3,<=4]".parse().unwrap();
/// let flat: ArrayShape = "f32[<=12]".parse().unwrap();
/// assert!(reshape_is_bitcast(&rows, &flat, Compared)?);
/// assert!(!reshape_is_bitcast(&columns, &flat, Compared)?); // two columns are no six elements
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[doc(alias = "ReshapeIsBitcast")]
pub fn reshape_is_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    element_types: ElementTypes,
) -> Result<bool, LayoutError> {
    let obstacle = reshape_obstacle(shape, output, element_types)?;
    Ok(obstacle.is_none())
}

/// Whether a transpose to `output`, `output.dims[i]` being `shape.dims[dimension_mapping[i]]`, is
/// a bitcast: every element stays where it is in memory, and as much memory is allocated. A
/// mapping to other sizes is not a transpose, so that the answer is no.
///
/// XLA's `ShapeUtil::TransposeIsBitcast` looks at minor_to_major alone: it counts a change of tiles
/// as a bitcast, and does not see that dimensions of size 1 lie anywhere.
///
/// ```
/// use xlayout_xla::shape_util::transpose_is_bitcast;
/// use xlayout_core::{ArrayShape, ElementTypes::*};
/// let a: ArrayShape = "f32[8,3]{1,0:T(8,128)}".parse().unwrap();
/// let b: ArrayShape = "f32[3,8]{0,1:T(8,128)}".parse().unwrap();
/// let dense: ArrayShape = "f32[3,8]{0,1}".parse().unwrap();
/// assert!(transpose_is_bitcast(&a, &b, &[1, 0], Compared)?);
/// assert!(!transpose_is_bitcast(&a, &dense, &[1, 0], Compared)?);
///
/// let row: ArrayShape = "f32[1,5]{1,0}".parse().unwrap();
/// let column: ArrayShape = "f32[5,1]{1,0}".parse().unwrap();
/// assert!(transpose_is_bitcast(&row, &column, &[1, 0], Compared)?);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[doc(alias = "TransposeIsBitcast")]
pub fn transpose_is_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    dimension_mapping: &[i64],
    element_types: ElementTypes,
) -> Result<bool, LayoutError> {
    let obstacle = transpose_obstacle(shape, output, dimension_mapping, element_types)?;
    Ok(obstacle.is_none())
}

/// Whether `output` is a bitcast of this shape by a reshape or by some transpose
/// (XLA: `ShapeUtil::IsReshapeOrTransposeBitcast`, which ignores tiles and misses transposes that
/// are not their own inverse).
///
/// ```
/// use xlayout_xla::shape_util::is_reshape_or_transpose_bitcast;
/// use xlayout_core::{ArrayShape, ElementTypes::*};
/// let a: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
/// let transposed: ArrayShape = "f32[3,2]{0,1}".parse().unwrap();
/// let flat: ArrayShape = "f32[6]".parse().unwrap();
/// let copied: ArrayShape = "f32[2,3]{0,1}".parse().unwrap();
/// assert!(is_reshape_or_transpose_bitcast(&a, &transposed, Compared)?);
/// assert!(is_reshape_or_transpose_bitcast(&a, &flat, Compared)?);
/// assert!(!is_reshape_or_transpose_bitcast(&a, &copied, Compared)?);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[doc(alias = "IsReshapeOrTransposeBitcast")]
pub fn is_reshape_or_transpose_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    element_types: ElementTypes,
) -> Result<bool, LayoutError> {
    if reshape_is_bitcast(shape, output, element_types)? {
        return Ok(true);
    }
    let transpose = deduce_transpose_dimensions_for_bitcast(shape, output)?;
    let types_fit =
        element_types == ElementTypes::Ignored || shape.element_type == output.element_type;
    Ok(transpose.is_some() && types_fit)
}
