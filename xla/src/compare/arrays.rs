//! Comparing layouts, and arrays. A field of [`Compare`] that is set is ignored.

use crate::any_shape::AnyShape;
use crate::compare::{Comparable, Compare};
use crate::difference::{Difference, Different};
use crate::error::ShapeError;
use crate::primitive_util::is_floating_point_type;
use xlayout_shape::{ArrayShape, Dim, Layout};

impl Comparable for Layout {
    fn difference_to(&self, other: &Self, compare: Compare) -> Option<Difference> {
        layouts(self, other, compare).map(Difference::new)
    }
}

impl Comparable for ArrayShape {
    fn difference_to(&self, other: &Self, compare: Compare) -> Option<Difference> {
        arrays(self, other, compare).map(Difference::new)
    }
}

/// In XLA's sequence (`Layout::Equal::operator()`), padding last.
fn layouts(left: &Layout, right: &Layout, compare: Compare) -> Option<Different> {
    if left.minor_to_major != right.minor_to_major {
        return Some(Different::MinorToMajorList);
    }
    if let Some(attribute) = compare.attribute(left, right) {
        return Some(Different::Attribute(attribute));
    }
    let same_padding = compare.padding
        || (left.padded_dimensions == right.padded_dimensions
            && left.padding_value == right.padding_value);
    (!same_padding).then_some(Different::Padding)
}

/// In XLA's sequence (`Shape::Equal::operator()`).
pub(super) fn arrays(left: &ArrayShape, right: &ArrayShape, compare: Compare) -> Option<Different> {
    let same_type = compare.element_type
        || left.element_type == right.element_type
        || compare.fp_precision && same_element_type_ignoring_fp_precision(left, right);
    if !same_type {
        return Some(Different::ElementType {
            left: left.element_type,
            right: right.element_type,
        });
    }
    if left.rank() != right.rank() {
        return Some(Different::Rank {
            left: left.rank(),
            right: right.rank(),
        });
    }
    let mut dims = left.dims.iter().zip(&right.dims).enumerate();
    let differing = dims.find(|&(_, (&left, &right))| !same_dim(left, right, compare));
    if let Some((dimension, (&left, &right))) = differing {
        return Some(Different::Dimension {
            dimension,
            left,
            right,
        });
    }
    match (&left.layout, &right.layout) {
        _ if compare.layout => None,
        (Some(left), Some(right)) => layouts(left, right, compare),
        (None, None) => None,
        (left, _) => Some(Different::MissingLayout {
            left: left.is_none(),
        }),
    }
}

/// Sizes and whether they are dynamic are two things that can be ignored each alone.
fn same_dim(left: Dim, right: Dim, compare: Compare) -> bool {
    let is_any_size = compare.dynamic_dimensions && [left, right].contains(&Dim::Unbounded);
    (compare.dimensions || is_any_size || left.bound() == right.bound())
        && (compare.dynamic_dimensions || left.is_dynamic() == right.is_dynamic())
}

/// Whether the dimensions of two arrays have the same sizes (XLA: `ShapeUtil::SameDimensions`):
/// `<=3` is 3, and `?` is any size.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let a: ArrayShape = "f32[<=2,?]".parse().unwrap();
/// assert_eq!(shape_util::same_dimensions(&a, &"s8[2,5]".parse().unwrap()), Ok(true));
/// assert_eq!(shape_util::same_dimensions(&a, &"f32[3,5]".parse().unwrap()), Ok(false));
/// assert_eq!(shape_util::same_dimensions(&a, &"f32[2]".parse().unwrap()), Ok(false));
/// ```
///
/// # Errors
/// When one of them is not an array; XLA aborts.
#[doc(alias = "SameDimensions")]
pub fn same_dimensions<S: AnyShape>(shape: &S, other: &S) -> Result<bool, ShapeError> {
    let array = shape.one_array()?;
    let other_array = other.one_array()?;
    let sizes = Compare::compatible();
    let mut dims = array.dims.iter().zip(&other_array.dims);
    Ok(array.rank() == other_array.rank()
        && dims.all(|(&left, &right)| same_dim(left, right, sizes)))
}

/// Whether there are as many dimensions (XLA: `ShapeUtil::SameRank`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let a: ArrayShape = "f32[2,3]".parse().unwrap();
/// assert_eq!(shape_util::same_rank(&a, &"s8[7,1]".parse().unwrap()), Ok(true));
/// ```
///
/// # Errors
/// When one of them is not an array; XLA aborts.
#[doc(alias = "SameRank")]
pub fn same_rank<S: AnyShape>(shape: &S, other: &S) -> Result<bool, ShapeError> {
    Ok(shape.one_array()?.rank() == other.one_array()?.rank())
}

/// Whether both have elements of one type, or are of one kind (XLA: `ShapeUtil::SameElementType`).
/// A buffer counts as the array that it holds.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let a: ArrayShape = "f32[2,3]".parse().unwrap();
/// assert!(shape_util::same_element_type(&a, &"f32[]".parse().unwrap()));
/// ```
#[doc(alias = "SameElementType")]
#[must_use]
pub fn same_element_type<S: AnyShape>(shape: &S, other: &S) -> bool {
    match (shape.one_array(), other.one_array()) {
        (Ok(array), Ok(other)) => array.element_type == other.element_type,
        (Err(kind), Err(other)) => kind == other,
        _ => false,
    }
}

/// Whether the elements are of one type, all real floating-point types being one
/// (XLA: `ShapeUtil::SameElementTypeIgnoringFpPrecision`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let a: ArrayShape = "f32[2,3]".parse().unwrap();
/// assert!(shape_util::same_element_type_ignoring_fp_precision(
///     &a,
///     &"bf16[]".parse().unwrap()
/// ));
/// assert!(!shape_util::same_element_type_ignoring_fp_precision(
///     &a,
///     &"c64[]".parse().unwrap()
/// ));
/// ```
#[doc(alias = "SameElementTypeIgnoringFpPrecision")]
#[must_use]
pub fn same_element_type_ignoring_fp_precision<S: AnyShape>(shape: &S, other: &S) -> bool {
    let float = |shape: &S| {
        let array = shape.one_array();
        array.is_ok_and(|array| is_floating_point_type(array.element_type))
    };
    same_element_type(shape, other) || float(shape) && float(other)
}
