//! The shapes inside a shape, without recursion: an input controls how deeply tuples are nested.
//!
//! ```text
//! path = {}
//! for each step of a walk through the shape:
//!     a tuple begins: it is at `path`; append 0 to `path`
//!     a leaf:         it is at `path`; add 1 to the last entry of `path`
//!     a tuple ends:   remove the last entry of `path`; the tuple is at `path`;
//!                     add 1 to the last entry of `path`
//! ```

use alloc::vec::Vec;
use core::slice::IterMut;

use crate::error::ShapeError;
use xlayout_shape::walk::Step;
use xlayout_shape::{Shape, ShapeIndex};

/// The steps of a walk, each with the path of its shape.
fn steps(shape: &Shape) -> impl Iterator<Item = (ShapeIndex, Step<'_>)> {
    let mut path = ShapeIndex::new();
    shape.walk().map(move |step| {
        if let Step::Close(_) = step {
            path.pop_back();
        }
        let here = path.clone();
        match step {
            Step::Open(..) => path.push_back(0),
            Step::Leaf(..) | Step::Close(_) => next_member(&mut path),
        }
        (here, step)
    })
}

/// Makes the path of a member that of the next one.
fn next_member(path: &mut ShapeIndex) {
    if let Some(member) = path.pop_back() {
        path.push_back(member + 1);
    }
}

/// This shape and, in tuples, those inside, each with its path: a tuple first, then its members
/// (XLA: `ShapeUtil::ForEachSubshape`).
///
/// To change the shapes, collect the paths, and use [`subshape_mut`].
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[]))".parse().unwrap();
/// let paths: Vec<_> = shape_util::subshapes(&shape).map(|(path, _)| path.to_string()).collect();
/// assert_eq!(paths, ["{}", "{0}", "{1}", "{1,0}"]);
/// ```
#[doc(alias("ForEachSubshape", "ForEachSubshapeWithStatus"))]
#[doc(alias("ForEachMutableSubshape", "ForEachMutableSubshapeWithStatus"))]
#[doc(alias = "SubshapeCount")]
pub fn subshapes(shape: &Shape) -> impl Iterator<Item = (ShapeIndex, &Shape)> {
    steps(shape).filter_map(|(path, step)| match step {
        Step::Open(shape, _) | Step::Leaf(shape, _) => Some((path, shape)),
        Step::Close(_) => None,
    })
}

/// The same shapes as those of [`subshapes`], but a tuple comes after its members
/// (XLA: `ShapeUtil::ForEachSubshapePostOrder`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape: Shape = "(((f32[2])))".parse().unwrap();
/// let paths: Vec<_> = shape_util::subshapes_post_order(&shape).map(|(path, _)| path).collect();
/// assert_eq!(paths[0][..], [0, 0, 0]);
/// for path in paths {
///     let shape = shape_util::subshape_mut(&mut shape, &path)?;
///     if let Shape::Tuple(members) = shape {
///         *shape = members.remove(0);
///     }
/// }
/// assert_eq!(shape.to_string(), "f32[2]{0}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
#[doc(alias = "ForEachSubshapePostOrder")]
#[doc(alias = "ForEachSubshapePostOrderWithStatus")]
#[doc(alias = "ForEachMutableSubshapePostOrder")]
#[doc(alias = "ForEachMutableSubshapePostOrderWithStatus")]
pub fn subshapes_post_order(shape: &Shape) -> impl Iterator<Item = (ShapeIndex, &Shape)> {
    steps(shape).filter_map(|(path, step)| match step {
        Step::Close(shape) | Step::Leaf(shape, _) => Some((path, shape)),
        Step::Open(..) => None,
    })
}

/// The shapes that are not tuples, each with its path
/// (XLA: `ShapeUtil::ForEachLeafShape`, and `GetLeafShapes`, whose entries are `IndexedShape`s).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
/// let leaves: Vec<String> = shape_util::leaf_shapes(&shape)
///     .map(|(path, leaf)| format!("{path} {leaf}"))
///     .collect();
/// assert_eq!(leaves, ["{0} f32[2]{0}", "{1,0} s32[]", "{1,1} token[]"]);
/// ```
#[doc(alias("ForEachLeafShape", "ForEachLeafShapeWithStatus"))]
#[doc(alias("GetLeafShapes", "IndexedShape"))]
pub fn leaf_shapes(shape: &Shape) -> impl Iterator<Item = (ShapeIndex, &Shape)> {
    subshapes(shape).filter(|(_, shape)| !shape.is_tuple())
}

/// The shapes that are not tuples, each with its path, to change them
/// (XLA: `ShapeUtil::ForEachMutableLeafShape`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::{ShapeError, shape_util};
/// let mut shape: Shape = "(f32[2], (s32[]))".parse().unwrap();
/// for (_, leaf) in shape_util::leaf_shapes_mut(&mut shape) {
///     *leaf = Shape::Token;
/// }
/// assert_eq!(shape.to_string(), "(token[], (token[]))");
/// ```
#[doc(alias("ForEachMutableLeafShape", "ForEachMutableLeafShapeWithStatus"))]
pub fn leaf_shapes_mut(shape: &mut Shape) -> impl Iterator<Item = (ShapeIndex, &mut Shape)> {
    LeafShapesMut {
        whole: Some(shape),
        open: Vec::new(),
        path: ShapeIndex::new(),
    }
}

struct LeafShapesMut<'a> {
    whole: Option<&'a mut Shape>,
    /// The remaining members of the tuples around the next leaf.
    open: Vec<IterMut<'a, Shape>>,
    /// The path of the next shape.
    path: ShapeIndex,
}

impl<'a> Iterator for LeafShapesMut<'a> {
    type Item = (ShapeIndex, &'a mut Shape);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let shape = match self.whole.take() {
                Some(whole) => Some(whole),
                None => self.open.last_mut()?.next(),
            };
            match shape {
                Some(Shape::Tuple(members)) => {
                    self.open.push(members.iter_mut());
                    self.path.push_back(0);
                }
                Some(leaf) => {
                    let path = self.path.clone();
                    next_member(&mut self.path);
                    return Some((path, leaf));
                }
                None => {
                    self.open.pop();
                    self.path.pop_back();
                    next_member(&mut self.path);
                }
            }
        }
    }
}

/// Each shape of `left` before its members, together with the shape at the same path in `right`.
/// That one is `None` where the tuple around it has fewer members, or is not a tuple.
pub(crate) fn pairs<'a>(
    left: &'a Shape,
    right: &'a Shape,
) -> impl Iterator<Item = (ShapeIndex, &'a Shape, Option<&'a Shape>)> {
    subshapes(left).map(|(path, shape)| {
        let right_shape = subshape(right, &path).ok();
        (path, shape, right_shape)
    })
}

/// The shape that the path leads to (XLA: `ShapeUtil::TryGetSubshape`, and `GetSubshape`, which
/// aborts where there is none).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
/// assert_eq!(shape_util::subshape(&shape, &[1])?.to_string(), "(s32[], token[])");
/// assert_eq!(
///     shape_util::subshape(&shape, &[1, 2]).unwrap_err().to_string(),
///     "there is no subshape {1,2}: at {1} is a tuple with 2 members; members count from 0",
/// );
/// assert_eq!(
///     shape_util::subshape(&shape, &[0, 2]).unwrap_err().to_string(),
///     "there is no subshape {0,2}: at {0} is no tuple; end the path there",
/// );
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Where the path leads nowhere.
#[doc(alias("GetSubshape", "TryGetSubshape", "GetSubshapeOneIndex"))]
#[doc(alias("IsLeafIndex", "IndexIsValid"))]
pub fn subshape<'a>(mut shape: &'a Shape, index: &[i64]) -> Result<&'a Shape, ShapeError> {
    for (depth, &entry) in index.iter().enumerate() {
        let members = shape.tuple_shapes();
        let member = usize::try_from(entry).ok();
        shape = member
            .and_then(|at| members?.get(at))
            .ok_or_else(|| nowhere(index, depth, members.map(<[Shape]>::len)))?;
    }
    Ok(shape)
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
#[doc(alias("GetMutableSubshape", "UpdateTupleShape"))]
pub fn subshape_mut<'a>(shape: &'a mut Shape, index: &[i64]) -> Result<&'a mut Shape, ShapeError> {
    subshape(shape, index)?;
    Ok(index.iter().fold(shape, |shape, &entry| match shape {
        Shape::Tuple(members) => &mut members[entry as usize],
        _ => unreachable!("`subshape` went this way"),
    }))
}

/// The path leads nowhere behind its first `depth` entries.
fn nowhere(index: &[i64], depth: usize, members: Option<usize>) -> ShapeError {
    ShapeError::NoSuchSubshape {
        index: ShapeIndex::from(index),
        depth,
        members,
    }
}
