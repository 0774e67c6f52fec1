//! Shapes that may hold other shapes: what they are, how many are inside, and how large they are.

use super::{byte_size_of, dynamic_array_shape_is_compatible, elements_in};
use crate::walk::{pairs, subshapes};
use xlayout_shape::element_type::Kind;
use xlayout_shape::{ElementType, Shape};

/// Whether every leaf is an array of integers; not `pred`, tokens and opaque values
/// (XLA: `Shape::AreAllLeavesIntegers`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::are_all_leaves_integers(&"(s32[], (u8[2]))".parse::<Shape>().unwrap()));
/// assert!(!shape_util::are_all_leaves_integers(&"(s32[], pred[])".parse::<Shape>().unwrap()));
/// ```
#[doc(alias("AreAllLeavesIntegers", "IsInteger"))]
#[must_use]
pub fn are_all_leaves_integers(shape: &Shape) -> bool {
    let mut leaves = shape.leaves();
    leaves.all(|leaf| leaf.element_type().is_integral())
}

/// Whether this shape or one inside is of this kind or has elements of this type
/// (XLA: `ShapeUtil::HasPrimitiveType`).
///
/// ```
/// use xlayout_shape::{ElementType, Shape};
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(s32[], (s16[]))".parse().unwrap();
/// assert!(shape_util::has_primitive_type(&shape, ElementType::S16));
/// assert!(shape_util::has_primitive_type(&shape, ElementType::Tuple));
/// assert!(!shape_util::has_primitive_type(&shape, ElementType::F32));
/// ```
#[doc(alias = "HasPrimitiveType")]
#[must_use]
pub fn has_primitive_type(shape: &Shape, primitive_type: ElementType) -> bool {
    subshapes(shape).any(|(_, shape)| shape.element_type() == primitive_type)
}

/// Whether the elements of an array are signed integers or floating-point numbers
/// (XLA: `ShapeUtil::ElementIsSigned`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::element_is_signed(&"f32[2]".parse::<Shape>().unwrap()));
/// assert!(!shape_util::element_is_signed(&"u8[2]".parse::<Shape>().unwrap()));
/// ```
#[doc(alias = "ElementIsSigned")]
#[must_use]
pub fn element_is_signed(shape: &Shape) -> bool {
    let kind = shape.element_type().kind();
    matches!(kind, Some(Kind::Float | Kind::Signed))
}

/// Whether a value of this shape always fits where `bounded` is expected: the same tree, the same
/// kinds, and arrays that fit one by one; see [`shape_util::dynamic_array_shape_is_compatible`]
/// (XLA: `ShapeUtil::DynamicShapeIsCompatible`).
///
/// XLA compares only arrays that are dynamic: a static one fits everything but a tuple. There `?`
/// fits everything, and nothing else fits a `?`. A tuple may have fewer members than the other.
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
/// [`shape_util::dynamic_array_shape_is_compatible`]:
/// crate::shape_util::dynamic_array_shape_is_compatible
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

/// The bytes of the top buffer (XLA: `ShapeUtil::ByteSizeOf`): of a tuple, only its table of
/// pointers; of an opaque value, one pointer; of a token, nothing. Tiles and padding are
/// ignored. `None` when a dimension has no bound, or on overflow.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2,3], (s32[], token[]))".parse().unwrap();
/// assert_eq!(shape_util::byte_size_with_pointers(&shape, 8), Some(16));
/// ```
#[doc(alias("ByteSizeOf", "ByteSizeOfTupleIndexTable"))]
#[must_use]
pub fn byte_size_with_pointers(shape: &Shape, pointer_size: i64) -> Option<i64> {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => byte_size_of(array),
        Shape::Tuple(members) => pointer_size.checked_mul(i64::try_from(members.len()).ok()?),
        Shape::Opaque => Some(pointer_size),
        Shape::Token => Some(0),
        _ => unreachable!("XLA has no other shapes"),
    }
}

/// How many elements the arrays inside have together (XLA: `ShapeUtil::ElementsInRecursive`).
/// `None` with a token or an opaque value inside, when a dimension has no bound, or on
/// overflow.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2,3], (s32[], s8[4]))".parse().unwrap();
/// assert_eq!(shape_util::elements_in_recursive(&shape), Some(11));
/// assert_eq!(shape_util::byte_size_with_pointers(&shape, 8), Some(16));
/// // XLA's numbers wrap; here there is no answer:
/// assert_eq!(shape_util::byte_size_with_pointers(&shape, i64::MAX), None);
/// assert_eq!(shape_util::elements_in_recursive(&Shape::Token), None);
/// ```
#[doc(alias = "ElementsInRecursive")]
#[must_use]
pub fn elements_in_recursive(shape: &Shape) -> Option<i64> {
    let mut leaves = shape.leaves();
    leaves.try_fold(0_i64, |sum, leaf| {
        sum.checked_add(elements_in(leaf.as_array_or_buffer()?)?)
    })
}
