//! Shapes inside shapes: by their path, and how many there are.

use crate::error::ShapeError;
use crate::walk::subshape;
use xlayout_shape::Shape;
use xlayout_shape::shape::Step;

/// Whether the path leads to a shape inside this one (XLA: `ShapeUtil::IndexIsValid`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
/// assert!(shape_util::index_is_valid(&shape, &[]));
/// assert!(shape_util::index_is_valid(&shape, &[1, 0]));
/// assert!(!shape_util::index_is_valid(&shape, &[0, 0]));
/// assert!(!shape_util::index_is_valid(&shape, &[-1]));
/// ```
#[doc(alias = "IndexIsValid")]
#[must_use]
pub fn index_is_valid(shape: &Shape, index: &[i64]) -> bool {
    subshape(shape, index).is_ok()
}

/// Whether the path leads to something other than a tuple (XLA: `ShapeUtil::IsLeafIndex`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
/// assert!(shape_util::is_leaf_index(&shape, &[0])?);
/// assert!(!shape_util::is_leaf_index(&shape, &[1])?);
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Where the path leads nowhere; XLA aborts there.
#[doc(alias = "IsLeafIndex")]
pub fn is_leaf_index(array: &Shape, index: &[i64]) -> Result<bool, ShapeError> {
    subshape(array, index).map(|shape| !shape.is_tuple())
}

/// How many shapes there are in the tree: this one, and in a tuple those of its members
/// (XLA: `ShapeUtil::SubshapeCount`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
/// assert_eq!(shape_util::subshape_count(&shape), 5);
/// assert_eq!(shape.leaf_count(), 3);
/// ```
#[doc(alias = "SubshapeCount")]
#[must_use]
pub fn subshape_count(shape: &Shape) -> usize {
    let shapes = shape.walk().filter(|step| !matches!(step, Step::Close(_)));
    shapes.count()
}
