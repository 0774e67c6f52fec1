//! Tuples.

use super::set_dynamic_dimension;
use crate::walk::subshape_mut;
use alloc::vec::Vec;
use core::ops::Range;

use crate::error::ShapeError;
use xlayout_shape::{ArrayShape, Shape};

/// A tuple, checked (XLA: `ShapeUtil::MakeValidatedTupleShape`, and `MakeTupleShape`, which
/// aborts on mistakes). Unchecked, it is the variant [`Shape::Tuple`].
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let array: Shape = "f32[2]".parse().unwrap();
/// let tuple = shape_util::validated_tuple(vec![array, Shape::Token])?;
/// assert_eq!(tuple.to_string(), "(f32[2]{0}, token[])");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// The first rule that a member breaks; layouts may be missing.
#[doc(alias("MakeTupleShape", "MakeValidatedTupleShape", "MakeTupleShapeWithPtrs"))]
pub fn validated_tuple(members: Vec<Shape>) -> Result<Shape, ShapeError> {
    let tuple = Shape::Tuple(members);
    check_arrays(&tuple)?;
    Ok(tuple)
}

/// A tuple, checked, or the only member itself
/// (XLA: `ShapeUtil::MakeValidatedMaybeTupleShape`, `MakeMaybeTupleShape`). Like XLA, it does
/// not check the only member.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert_eq!(shape_util::maybe_tuple(vec![Shape::Token])?, Shape::Token);
/// assert_eq!(shape_util::maybe_tuple(vec![])?, Shape::Tuple(vec![]));
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// The first rule that a member breaks.
#[doc(alias("MakeMaybeTupleShape", "MakeValidatedMaybeTupleShape"))]
pub fn maybe_tuple(members: Vec<Shape>) -> Result<Shape, ShapeError> {
    match <[Shape; 1]>::try_from(members) {
        Ok([only]) => Ok(only),
        Err(members) => validated_tuple(members),
    }
}

/// The members of a tuple, or the error that the shape is not a tuple.
pub(crate) fn members_mut(shape: &mut Shape) -> Result<&mut Vec<Shape>, ShapeError> {
    let found = shape.element_type_including_buffer();
    let members = shape.tuple_shapes_mut();
    members.ok_or(ShapeError::NotATuple { found })
}

/// The tuple of these members of a tuple (XLA: `ShapeUtil::SliceTuple`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[], s32[], u32[])".parse().unwrap();
/// assert_eq!(shape_util::slice_tuple(&shape, 1..3)?.to_string(), "(s32[], u32[])");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a shape that is not a tuple, and for a range that it does not have; XLA aborts there.
#[doc(alias = "SliceTuple")]
pub fn slice_tuple(shape: &Shape, members: Range<usize>) -> Result<Shape, ShapeError> {
    let found = shape.element_type_including_buffer();
    let all = shape.tuple_shapes();
    let all = all.ok_or(ShapeError::NotATuple { found })?;
    let slice = all.get(members.clone());
    let slice = slice.ok_or(ShapeError::Members {
        start: members.start,
        limit: members.end,
        members: all.len(),
    })?;
    Ok(Shape::Tuple(slice.to_vec()))
}

/// Adds a member to a tuple (XLA: `ShapeUtil::AppendShapeToTuple`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape = Shape::Tuple(vec![]);
/// shape_util::append_shape_to_tuple(&mut shape, Shape::Token)?;
/// assert_eq!(shape.to_string(), "(token[])");
/// assert_eq!(
///     shape_util::append_shape_to_tuple(&mut Shape::Token, Shape::Token)
///         .unwrap_err()
///         .to_string(),
///     "expected a tuple, found a token; give a tuple such as `(f32[2,3], s32[])`",
/// );
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a shape that is not a tuple; XLA aborts there.
#[doc(alias = "AppendShapeToTuple")]
pub fn append_shape_to_tuple(array: &mut Shape, shape: Shape) -> Result<(), ShapeError> {
    members_mut(array)?.push(shape);
    Ok(())
}

/// Makes a dimension of the array at a path dynamic or static (XLA:
/// `ShapeUtil::UpdateDynamicDimension`); see [`shape_util::set_dynamic_dimension`].
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape: Shape = "(token[], (f32[2,3]))".parse().unwrap();
/// shape_util::update_dynamic_dimension(&mut shape, &[1, 0], 0, true)?;
/// assert_eq!(shape.to_string(), "(token[], (f32[<=2,3]{1,0}))");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Where the path does not lead to an array, for a dimension that it does not have, and for one
/// without a bound that is to become static; XLA aborts there.
///
/// [`shape_util::set_dynamic_dimension`]: crate::shape_util::set_dynamic_dimension
#[doc(alias = "UpdateDynamicDimension")]
pub fn update_dynamic_dimension(
    shape: &mut Shape,
    index: &[i64],
    dimension: usize,
    is_dynamic: bool,
) -> Result<(), ShapeError> {
    let array = array_mut(subshape_mut(shape, index)?)?;
    set_dynamic_dimension(array, dimension, is_dynamic)
}

/// The array, also one in a buffer, or the error that the shape is not an array.
pub(crate) fn array_mut(shape: &mut Shape) -> Result<&mut ArrayShape, ShapeError> {
    let found = shape.element_type();
    let array = shape.as_array_or_buffer_mut();
    array.ok_or(ShapeError::NotAnArray { found })
}

/// Every array is valid, up to missing layouts.
pub(crate) fn check_arrays(shape: &Shape) -> Result<(), ShapeError> {
    for array in shape.leaves().filter_map(Shape::as_array_or_buffer) {
        array.validate_with_optional_layout()?;
    }
    Ok(())
}
