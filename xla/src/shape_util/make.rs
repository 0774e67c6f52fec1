//! New shapes of arrays, checked as XLA checks them.

use super::DimensionNumbers;
use super::permutation::{list, needed_layout};
use super::permute::permute_dimensions;
use crate::error::ShapeError;
use xlayout_shape::{ArrayShape, Dim, ElementType, ErrorKind, Layout, List, ParseError};

/// A shape with the default layout, checked (XLA: `ShapeUtil::MakeValidatedShape`, and
/// `MakeShape`, which aborts on mistakes). Like XLA, it reads a size of
/// [`Dim::UNBOUNDED_SIZE`] as a dimension without a bound.
///
/// ```
/// use xlayout_shape::{ArrayShape, Dim, ElementType};
/// use xlayout_xla::shape_util;
/// let shape = shape_util::validated(ElementType::F32, &[2, Dim::UNBOUNDED_SIZE])?;
/// assert_eq!(shape.to_string(), "f32[2,?]{1,0}");
/// let error = shape_util::validated(ElementType::F32, &[2, -3]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "dimension 1 has the negative size -3; write 0 or more; `<=8` for a size that is known at \
///      run time and at most 8, `?` for one without a bound",
/// );
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a type that has no elements, a negative size, and bytes beyond 64 bits. Like XLA, it
/// refuses a product that overflows before a size of 0 makes it 0.
#[doc(alias("MakeValidatedShape", "MakeShapeWithDescendingLayout"))]
#[doc(alias("MakeValidatedShapeWithDescendingLayout", "MakeShape"))]
#[doc(alias("MakeShapeWithType", "MakeValidatedShapeWithType"))]
pub fn validated(element_type: ElementType, sizes: &[i64]) -> Result<ArrayShape, ShapeError> {
    let dynamic = |&size: &i64| size == Dim::UNBOUNDED_SIZE;
    checked(element_type, sizes, sizes.iter().map(dynamic))
}

/// Like [`validated`], with a flag for each dimension: the size of a dynamic
/// one is its bound (XLA: `ShapeUtil::MakeValidatedShape` with `dynamic_dimensions`).
///
/// ```
/// use xlayout_shape::{ArrayShape, ElementType};
/// use xlayout_xla::shape_util;
/// let shape = shape_util::validated_dynamic(ElementType::S8, &[2, 3], &[true, false])?;
/// assert_eq!(shape.to_string(), "s8[<=2,3]{1,0}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// As [`validated`], and for more or fewer flags than sizes.
pub fn validated_dynamic(
    element_type: ElementType,
    sizes: &[i64],
    dynamic: &[bool],
) -> Result<ArrayShape, ShapeError> {
    let list = "the list of dynamic dimensions";
    ShapeError::check_length(list, dynamic.len(), sizes.len())?;
    checked(element_type, sizes, dynamic.iter().copied())
}

pub(crate) fn checked(
    element_type: ElementType,
    sizes: &[i64],
    dynamic: impl Iterator<Item = bool>,
) -> Result<ArrayShape, ShapeError> {
    let mut dims = List::new();
    for (dimension, (&size, is_dynamic)) in sizes.iter().zip(dynamic).enumerate() {
        let dim = Dim::from_xla(size, is_dynamic);
        dims.try_push(dim.ok_or(ParseError::new(
            ErrorKind::NegativeDimension { dimension, size },
            None,
        ))?)?;
    }
    let layout = Layout::row_major(sizes.len())?;
    let shape = ArrayShape::from_parts(element_type, dims, Some(layout));
    shape.validate()?;
    // XLA multiplies from the bytes of an element on, and what once overflowed stays so.
    let mut bytes = i64::from(element_type.bytes().unwrap_or(0));
    for (k, size) in shape.dims.iter().map(|dim| dim.bound()).enumerate() {
        let product = bytes.checked_mul(size.unwrap_or(1));
        bytes = product.ok_or(ShapeError::Overflow { prefix: k + 1 })?;
    }
    Ok(shape)
}

/// A shape with this layout, checked (XLA: `ShapeUtil::MakeValidatedShapeWithDenseLayout`, and
/// `MakeShapeWithDenseLayout`, which aborts on mistakes). An element size that is the natural
/// one of the type becomes 0, which says the same.
///
/// ```
/// use xlayout_shape::{ArrayShape, ElementType};
/// use xlayout_xla::shape_util;
/// let layout = "{0,1:T(8,128)E(32)}".parse().unwrap();
/// let shape = shape_util::with_dense_layout(ElementType::F32, &[2, 3], layout)?;
/// assert_eq!(shape.to_string(), "f32[2,3]{0,1:T(8,128)}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// As [`validated`], and for a layout that is not valid for the shape.
#[doc(alias("MakeValidatedShapeWithDenseLayout", "MakeShapeWithDenseLayout"))]
pub fn with_dense_layout(
    element_type: ElementType,
    sizes: &[i64],
    mut layout: Layout,
) -> Result<ArrayShape, ShapeError> {
    let mut shape = validated(element_type, sizes)?;
    let natural = i64::from(element_type.bytes().unwrap_or(0)) * 8;
    if layout.element_size_in_bits == natural {
        layout.element_size_in_bits = 0;
    }
    shape.layout = Some(layout);
    shape.validate()?;
    Ok(shape)
}

/// The shape with its dimensions in the sequence of memory, so that it is row-major and
/// describes the same bytes
/// (XLA: `ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout`).
///
/// The rest of the layout stays as it is. XLA forgets the splits and the header of the dynamic
/// sizes; then the bytes are not the same.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[128,24,4,48,<=49]{2,4,3,1,0:T(8,128)}".parse().unwrap();
/// let descending = shape_util::with_descending_layout_and_same_physical_layout(&shape)?;
/// assert_eq!(descending.to_string(), "f32[128,24,48,<=49,4]{4,3,2,1,0:T(8,128)}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Without a layout, where XLA aborts, and as [`validated`].
#[doc(alias = "MakeShapeWithDescendingLayoutAndSamePhysicalLayout")]
#[doc(alias = "MakeValidatedShapeWithDescendingLayoutAndSamePhysicalLayout")]
pub fn with_descending_layout_and_same_physical_layout(
    array: &ArrayShape,
) -> Result<ArrayShape, ShapeError> {
    let layout = needed_layout(array)?;
    let order = layout.minor_to_major.to_major_to_minor();
    let shape = permute_dimensions(array, &order)?;
    let sizes: DimensionNumbers = list(shape.dims.iter().map(|dim| dim.to_xla()));
    let dynamic = shape.dims.iter().map(|dim| dim.is_dynamic());
    checked(array.element_type, &sizes, dynamic)?;
    let padded = &layout.padded_dimensions;
    if !padded.is_empty() {
        ShapeError::check_length("padded_dimensions", padded.len(), shape.rank())?;
    }
    Ok(shape)
}
