//! Shapes inside shapes: by their path, and how many there are.

use super::{for_each_leaf_shape, subshape};
use alloc::vec::Vec;

use crate::error::ShapeError;
use crate::walk::nowhere;
use xlayout_shape::shape::Step;
use xlayout_shape::{Shape, ShapeIndex};

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

/// The shape that the path leads to, to change (XLA: `ShapeUtil::GetMutableSubshape`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape: Shape = "(f32[2], token[])".parse().unwrap();
/// *shape_util::subshape_mut(&mut shape, &[1])? = Shape::Opaque;
/// assert_eq!(shape.to_string(), "(f32[2]{0}, opaque[])");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Where the path leads nowhere; XLA aborts there.
#[doc(alias = "GetMutableSubshape")]
pub fn subshape_mut<'a>(array: &'a mut Shape, index: &[i64]) -> Result<&'a mut Shape, ShapeError> {
    let mut shape = array;
    for (depth, &entry) in index.iter().enumerate() {
        let members = match shape {
            Shape::Tuple(members) => members,
            _ => return Err(nowhere(index, depth, None)),
        };
        let count = members.len();
        let member = usize::try_from(entry).ok();
        let member = member.and_then(|at| members.get_mut(at));
        shape = member.ok_or_else(|| nowhere(index, depth, Some(count)))?;
    }
    Ok(shape)
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

/// The shapes in the tree that are no tuples, with their paths, in the sequence of
/// [`for_each_subshape`] (XLA: `ShapeUtil::GetLeafShapes`, whose entries are `IndexedShape`s).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
/// let paths: Vec<String> = shape_util::leaf_shapes(&shape)
///     .iter()
///     .map(|(index, leaf)| format!("{index} {leaf}"))
///     .collect();
/// assert_eq!(paths, ["{0} f32[2]{0}", "{1,0} s32[]", "{1,1} token[]"]);
/// ```
///
/// [`for_each_subshape`]: crate::shape_util::for_each_subshape
#[doc(alias = "GetLeafShapes")]
#[doc(alias = "IndexedShape")]
#[must_use]
pub fn leaf_shapes(array: &Shape) -> Vec<(ShapeIndex, &Shape)> {
    let mut leaves = Vec::new();
    for_each_leaf_shape(array, |shape, index| leaves.push((index.clone(), shape)));
    leaves
}
