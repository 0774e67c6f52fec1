//! What is asked of one array, asked of a shape with arrays inside.

use super::dynamic_array_shape_is_compatible;
use crate::error::ShapeError;
use crate::walk::{leaf_shapes_mut, pairs};
use xlayout_shape::{ArrayShape, PrimitiveType, Shape};

/// The same tree with every array changed; tokens and opaque values stay.
pub(crate) fn try_map_arrays(
    shape: &Shape,
    change: impl Fn(&ArrayShape) -> Result<ArrayShape, ShapeError>,
) -> Result<Shape, ShapeError> {
    let mut mapped = shape.clone();
    for (_, leaf) in leaf_shapes_mut(&mut mapped) {
        if let Some(array) = leaf.as_array_or_buffer_mut() {
            *array = change(array)?;
        }
    }
    Ok(mapped)
}

/// Makes every dimension of every array inside static (XLA: `Shape::clear_dynamic_dimensions`); see
/// [`shape_util::clear_dynamic_dimensions`].
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape: Shape = "(f32[<=2], token[])".parse().unwrap();
/// shape_util::any::clear_dynamic_dimensions(&mut shape)?;
/// assert_eq!(shape.to_string(), "(f32[2]{0}, token[])");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a dimension without a bound. The shape is then as it was.
///
/// [`shape_util::clear_dynamic_dimensions`]: crate::shape_util::clear_dynamic_dimensions
pub fn clear_dynamic_dimensions(shape: &mut Shape) -> Result<(), ShapeError> {
    *shape = try_map_arrays(shape, |array| {
        let mut array = array.clone();
        super::clear_dynamic_dimensions(&mut array)?;
        Ok(array)
    })?;
    Ok(())
}

/// The same shape with every dimension of every array inside static, and without headers of
/// dynamic sizes (XLA: `ShapeUtil::MakeStaticShape`, `MakeShapeWithStaticDimensions`, which
/// leave that header to members of a tuple that are static already).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[<=2]{0:M(8)}, token[])".parse().unwrap();
/// assert_eq!(shape_util::any::to_static(&shape)?.to_string(), "(f32[2]{0}, token[])");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a dimension without a bound.
#[doc(alias = "MakeStaticShape")]
#[doc(alias = "MakeShapeWithStaticDimensions")]
pub fn to_static(shape: &Shape) -> Result<Shape, ShapeError> {
    try_map_arrays(shape, super::to_static)
}

/// Whether a value of this shape always fits where `bounded` is expected: the same tree, the same
/// kinds, and arrays that fit one by one; see [`shape_util::dynamic_array_shape_is_compatible`]
/// (XLA: `ShapeUtil::DynamicShapeIsCompatible`).
///
/// XLA compares only arrays that are dynamic: a static one fits everything but a tuple. There `?` fits everything,
/// and nothing else fits a `?`. A tuple may have fewer members than the other.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let fits = |shape: &str, bounded: &str| {
///     let [shape, bounded] = [shape, bounded].map(|text| text.parse::<Shape>().unwrap());
///     shape_util::dynamic_shape_is_compatible(&shape, &bounded)
/// };
/// assert!(fits("(f32[<=2], token[])", "(f32[<=4], token[])"));
/// assert!(!fits("(f32[<=2])", "(f32[<=4], token[])"));
/// assert!(!fits("f32[5]", "f32[<=4]"));
/// ```
///
/// [`shape_util::dynamic_array_shape_is_compatible`]: crate::shape_util::dynamic_array_shape_is_compatible
#[doc(alias = "DynamicShapeIsCompatible")]
#[must_use]
pub fn dynamic_shape_is_compatible(shape: &Shape, bounded: &Shape) -> bool {
    pairs(shape, bounded).all(|(_, shape, bounded)| {
        bounded.is_some_and(|bounded| match (shape, bounded) {
            (Shape::Tuple(members), Shape::Tuple(others)) => members.len() == others.len(),
            _ => match (shape.as_array_or_buffer(), bounded.as_array_or_buffer()) {
                (Some(array), Some(other)) => dynamic_array_shape_is_compatible(array, other),
                (None, None) => shape.element_type() == bounded.element_type(),
                _ => false,
            },
        })
    })
}

/// The same shape with elements of another type in every array (XLA:
/// `ShapeUtil::ChangeElementType`); see [`shape_util::change_element_type`]. Tokens and opaque
/// values stay; XLA makes scalars of them.
///
/// ```
/// use xlayout_shape::{PrimitiveType, Shape};
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], token[])".parse().unwrap();
/// let changed = shape_util::any::change_element_type(&shape, PrimitiveType::S8)?;
/// assert_eq!(changed.to_string(), "(s8[2]{0}, token[])");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a type without elements, like a tuple; XLA aborts there.
///
/// [`shape_util::change_element_type`]: crate::shape_util::change_element_type
#[doc(alias = "ChangeElementType")]
pub fn change_element_type(
    shape: &Shape,
    element_type: PrimitiveType,
) -> Result<Shape, ShapeError> {
    try_map_arrays(shape, |array| {
        super::change_element_type(array, element_type)
    })
}

/// Packs the elements of every array inside or unpacks them (XLA:
/// `ShapeUtil::UpdateElementSizeInBits`); see [`shape_util::update_element_size_in_bits`].
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape: Shape = "(f32[2], s4[3])".parse().unwrap();
/// shape_util::any::update_element_size_in_bits(&mut shape, true);
/// assert_eq!(shape.to_string(), "(f32[2]{0}, s4[3]{0:E(4)})");
/// ```
///
/// [`shape_util::update_element_size_in_bits`]: crate::shape_util::update_element_size_in_bits
#[doc(alias = "UpdateElementSizeInBits")]
pub fn update_element_size_in_bits(shape: &mut Shape, pack_subbyte_types: bool) {
    for (_, leaf) in leaf_shapes_mut(shape) {
        if let Some(array) = leaf.as_array_or_buffer_mut() {
            super::update_element_size_in_bits(array, pack_subbyte_types);
        }
    }
}

/// The same shape as a host has it (XLA: `ShapeUtil::DeviceShapeToHostShape`); see
/// [`shape_util::device_shape_to_host_shape`].
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2,3]{0,1:T(8,128)S(1)}, token[])".parse().unwrap();
/// assert!(!shape_util::any::device_shape_is_host_shape(&shape));
/// assert_eq!(
///     shape_util::any::device_shape_to_host_shape(&shape).to_string(),
///     "(f32[2,3]{0,1}, token[])"
/// );
/// ```
///
/// [`shape_util::device_shape_to_host_shape`]: crate::shape_util::device_shape_to_host_shape
#[doc(alias = "DeviceShapeToHostShape")]
#[must_use]
pub fn device_shape_to_host_shape(given: &Shape) -> Shape {
    let mut shape = given.clone();
    for (_, leaf) in leaf_shapes_mut(&mut shape) {
        if let Some(array) = leaf.as_array_or_buffer_mut() {
            *array = super::device_shape_to_host_shape(array);
        }
    }
    shape
}

/// Whether no layout inside says anything that only a device's does
/// (XLA: `ShapeUtil::DeviceShapeIsHostShape`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::any::device_shape_is_host_shape(
///     &"(f32[2], token[])".parse::<Shape>().unwrap()
/// ));
/// assert!(!shape_util::any::device_shape_is_host_shape(
///     &"(f32[2]{0:T(8)})".parse::<Shape>().unwrap()
/// ));
/// ```
#[doc(alias = "DeviceShapeIsHostShape")]
#[must_use]
pub fn device_shape_is_host_shape(shape: &Shape) -> bool {
    shape
        .flatten_tuple_shape()
        .into_iter()
        .filter_map(Shape::as_array_or_buffer)
        .all(super::device_shape_is_host_shape)
}

/// The shape with this dimension as the most major one of every array inside (XLA:
/// `ShapeUtil::MoveDimToMajor`); see [`shape_util::move_dim_to_major`].
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2,3]{1,0}, f32[2,3]{0,1})".parse().unwrap();
/// let moved = shape_util::any::move_dim_to_major(&shape, 1)?;
/// assert_eq!(moved.to_string(), "(f32[2,3]{0,1}, f32[2,3]{0,1})");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a dimension that an array inside does not have, for a layout that does not fit, and for
/// a token or an opaque value inside; XLA aborts there.
///
/// [`shape_util::move_dim_to_major`]: crate::shape_util::move_dim_to_major
#[doc(alias = "MoveDimToMajor")]
pub fn move_dim_to_major(shape: &Shape, dimension: usize) -> Result<Shape, ShapeError> {
    if let Some(other) = shape
        .leaves()
        .find(|leaf| leaf.as_array_or_buffer().is_none())
    {
        return Err(ShapeError::NotAnArray {
            found: other.element_type(),
        });
    }
    try_map_arrays(shape, |array| super::move_dim_to_major(array, dimension))
}
