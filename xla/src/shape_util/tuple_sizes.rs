//! Sizes of shapes that may hold other shapes.

use super::elements_in;
use xlayout_shape::Shape;

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
#[doc(alias = "ByteSizeOf")]
#[must_use]
pub fn byte_size_with_pointers(shape: &Shape, pointer_size: i64) -> Option<i64> {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => super::byte_size_of(array),
        Shape::Tuple(_) => byte_size_of_tuple_index_table(shape, pointer_size),
        Shape::Opaque => Some(pointer_size),
        Shape::Token => Some(0),
        _ => unreachable!("XLA has no other shapes"),
    }
}

/// The bytes of a tuple's table of pointers (XLA: `ShapeUtil::ByteSizeOfTupleIndexTable`);
/// `None` for a shape that is not a tuple.
#[doc(alias = "ByteSizeOfTupleIndexTable")]
#[must_use]
pub fn byte_size_of_tuple_index_table(shape: &Shape, pointer_size: i64) -> Option<i64> {
    match shape {
        Shape::Tuple(members) => pointer_size.checked_mul(i64::try_from(members.len()).ok()?),
        _ => None,
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
/// assert_eq!(shape_util::byte_size_of_tuple_index_table(&shape, 8), Some(16));
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
