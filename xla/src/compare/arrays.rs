//! Comparing layouts, and arrays.

use crate::compare::{Compare, Difference, Different};
use crate::primitive_util::is_floating_point_type;
use xlayout_shape::{ArrayShape, Dim, Layout, error::Attribute};

mod sealed {
    pub trait Sealed {}
    impl Sealed for xlayout_shape::Layout {}
    impl Sealed for xlayout_shape::ArrayShape {}
    #[cfg(feature = "alloc")]
    impl Sealed for xlayout_shape::Shape {}
}

/// What [`Compare`] compares: a [`Layout`], an [`ArrayShape`], a `Shape`.
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::{Comparable, Compare};
/// fn all_equal<T: Comparable>(items: &[T]) -> bool {
///     items.windows(2).all(|two| Compare::new().equal(&two[0], &two[1]))
/// }
/// assert!(all_equal::<Layout>(&["{1,0}".parse().unwrap(), "{1,0:M(4)}".parse().unwrap()]));
/// ```
pub trait Comparable: sealed::Sealed {
    #[doc(hidden)]
    fn difference_to(&self, other: &Self, by: Compare) -> Option<Difference>;
}

impl Comparable for Layout {
    fn difference_to(&self, other: &Self, by: Compare) -> Option<Difference> {
        layouts(self, other, by).map(Difference::new)
    }
}

impl Comparable for ArrayShape {
    fn difference_to(&self, other: &Self, by: Compare) -> Option<Difference> {
        arrays(self, other, by).map(Difference::new)
    }
}

/// In XLA's sequence (`Layout::Equal::operator()`), padding last.
fn layouts(left: &Layout, right: &Layout, by: Compare) -> Option<Different> {
    if left.minor_to_major != right.minor_to_major {
        return Some(Different::MinorToMajorList);
    }
    let parts = [
        (by.tiles || left.tiles == right.tiles, Attribute::Tiles),
        (
            by.tail_padding_alignment
                || left.tail_padding_alignment_in_elements
                    == right.tail_padding_alignment_in_elements,
            Attribute::TailAlignment,
        ),
        (
            by.index_primitive_type || left.index_primitive_type == right.index_primitive_type,
            Attribute::IndexType,
        ),
        (
            by.pointer_primitive_type
                || left.pointer_primitive_type == right.pointer_primitive_type,
            Attribute::PointerType,
        ),
        (
            by.element_size || left.element_size_in_bits == right.element_size_in_bits,
            Attribute::ElementSize,
        ),
        (
            by.memory_space || left.memory_space == right.memory_space,
            Attribute::MemorySpace,
        ),
        (
            by.split_configs || left.split_configs == right.split_configs,
            Attribute::Splits,
        ),
    ];
    if let Some((_, attribute)) = parts.into_iter().find(|(same, _)| !same) {
        return Some(Different::Attribute(attribute));
    }
    let padding = by.padding
        || (left.padded_dimensions == right.padded_dimensions
            && left.padding_value == right.padding_value);
    (!padding).then_some(Different::Padding)
}

/// In XLA's sequence (`Shape::Equal::operator()`).
pub(super) fn arrays(left: &ArrayShape, right: &ArrayShape, by: Compare) -> Option<Different> {
    let same_type = by.element_type
        || if by.fp_precision {
            same_element_type_ignoring_fp_precision(left, right)
        } else {
            same_element_type(left, right)
        };
    if !same_type {
        return Some(Different::ElementType {
            left: left.element_type,
            right: right.element_type,
        });
    }
    if !same_rank(left, right) {
        return Some(Different::Rank {
            left: left.rank(),
            right: right.rank(),
        });
    }
    let mut dims = left.dims.iter().zip(&right.dims).enumerate();
    let other = dims.find(|&(_, (&left, &right))| !same_dim(left, right, by));
    if let Some((dimension, (&left, &right))) = other {
        return Some(Different::Dimension {
            dimension,
            left,
            right,
        });
    }
    match (&left.layout, &right.layout) {
        _ if by.layout => None,
        (Some(left), Some(right)) => layouts(left, right, by),
        (None, None) => None,
        (left, _) => Some(Different::MissingLayout {
            left: left.is_none(),
        }),
    }
}

/// Sizes and whether they are dynamic are two things that can be ignored each alone.
fn same_dim(left: Dim, right: Dim, by: Compare) -> bool {
    let any = by.dynamic_dimensions && [left, right].contains(&Dim::Unbounded);
    (by.dimensions || any || left.bound() == right.bound())
        && (by.dynamic_dimensions || left.is_dynamic() == right.is_dynamic())
}

/// Whether the dimensions have the same sizes (XLA: `ShapeUtil::SameDimensions`): `<=3` is 3,
/// and `?` is any size.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let a: ArrayShape = "f32[<=2,?]".parse().unwrap();
/// assert!(shape_util::same_dimensions(&a, &"s8[2,5]".parse().unwrap()));
/// assert!(!shape_util::same_dimensions(&a, &"f32[3,5]".parse().unwrap()));
/// assert!(!shape_util::same_dimensions(&a, &"f32[2]".parse().unwrap()));
/// ```
#[doc(alias = "SameDimensions")]
#[must_use]
pub fn same_dimensions(shape: &ArrayShape, other: &ArrayShape) -> bool {
    let sizes = Compare::compatible();
    let mut dims = shape.dims.iter().zip(&other.dims);
    same_rank(shape, other) && dims.all(|(&left, &right)| same_dim(left, right, sizes))
}

/// Whether there are as many dimensions (XLA: `ShapeUtil::SameRank`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let a: ArrayShape = "f32[2,3]".parse().unwrap();
/// assert!(shape_util::same_rank(&a, &"s8[7,1]".parse().unwrap()));
/// ```
#[doc(alias = "SameRank")]
#[must_use]
pub fn same_rank(shape: &ArrayShape, other: &ArrayShape) -> bool {
    shape.rank() == other.rank()
}

/// Whether the elements are of one type (XLA: `ShapeUtil::SameElementType`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let a: ArrayShape = "f32[2,3]".parse().unwrap();
/// assert!(shape_util::same_element_type(&a, &"f32[]".parse().unwrap()));
/// ```
#[doc(alias = "SameElementType")]
#[must_use]
pub fn same_element_type(shape: &ArrayShape, other: &ArrayShape) -> bool {
    shape.element_type == other.element_type
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
pub fn same_element_type_ignoring_fp_precision(shape: &ArrayShape, other: &ArrayShape) -> bool {
    same_element_type(shape, other)
        || (is_floating_point_type(shape.element_type)
            && is_floating_point_type(other.element_type))
}
