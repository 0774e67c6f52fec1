//! Visiting every shape inside a shape, without recursion: an input controls how deeply tuples are nested.

use core::convert::Infallible;

use crate::error::ShapeError;
use xlayout_shape::shape::Step;
use xlayout_shape::{Shape, ShapeIndex};

/// Runs a visitor that cannot fail.
fn never<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

/// Visits this shape and, in tuples, those inside, with their paths: a tuple first, then its
/// members (XLA: `ShapeUtil::ForEachSubshape`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[]))".parse().unwrap();
/// let mut paths = Vec::new();
/// shape_util::for_each_subshape(&shape, |_, index| paths.push(index.to_string()));
/// assert_eq!(paths, ["{}", "{0}", "{1}", "{1,0}"]);
/// ```
#[doc(alias = "ForEachSubshape")]
pub fn for_each_subshape<'a>(array: &'a Shape, mut visit: impl FnMut(&'a Shape, &ShapeIndex)) {
    never(try_for_each_subshape(array, |shape, index| {
        visit(shape, index);
        Ok(())
    }));
}

/// [`for_each_subshape`] until the visitor fails
/// (XLA: `ShapeUtil::ForEachSubshapeWithStatus`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], token[])".parse().unwrap();
/// let found = shape_util::try_for_each_subshape(&shape, |shape, index| match shape {
///     Shape::Token => Err(format!("a token at {index}")),
///     _ => Ok(()),
/// });
/// assert_eq!(found, Err("a token at {1}".to_string()));
/// ```
///
/// # Errors
/// What the visitor returns.
#[doc(alias = "ForEachSubshapeWithStatus")]
pub fn try_for_each_subshape<'a, E>(
    array: &'a Shape,
    mut visit: impl FnMut(&'a Shape, &ShapeIndex) -> Result<(), E>,
) -> Result<(), E> {
    walk(array, &mut |shape, index, before| {
        if before { visit(shape, index) } else { Ok(()) }
    })
}

/// Like [`for_each_subshape`], but a tuple comes after its members
/// (XLA: `ShapeUtil::ForEachSubshapePostOrder`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[]))".parse().unwrap();
/// let mut paths = Vec::new();
/// shape_util::for_each_subshape_post_order(&shape, |_, index| paths.push(index.to_string()));
/// assert_eq!(paths, ["{0}", "{1,0}", "{1}", "{}"]);
/// ```
#[doc(alias = "ForEachSubshapePostOrder")]
pub fn for_each_subshape_post_order<'a>(
    array: &'a Shape,
    mut visit: impl FnMut(&'a Shape, &ShapeIndex),
) {
    never(try_for_each_subshape_post_order(array, |shape, index| {
        visit(shape, index);
        Ok(())
    }));
}

/// [`for_each_subshape_post_order`] until the visitor fails
/// (XLA: `ShapeUtil::ForEachSubshapePostOrderWithStatus`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "((token[]), token[])".parse().unwrap();
/// let found =
///     shape_util::try_for_each_subshape_post_order(&shape, |shape, index| match shape {
///         Shape::Token => Err(index.clone()),
///         _ => Ok(()),
///     });
/// assert_eq!(found.unwrap_err()[..], [0, 0]);
/// ```
///
/// # Errors
/// What the visitor returns.
#[doc(alias = "ForEachSubshapePostOrderWithStatus")]
pub fn try_for_each_subshape_post_order<'a, E>(
    array: &'a Shape,
    mut visit: impl FnMut(&'a Shape, &ShapeIndex) -> Result<(), E>,
) -> Result<(), E> {
    walk(array, &mut |shape, index, before| {
        if before { Ok(()) } else { visit(shape, index) }
    })
}

/// Like [`for_each_subshape`], with shapes to change; the members of a
/// tuple are those that it has after its visit (XLA: `ShapeUtil::ForEachMutableSubshape`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape: Shape = "(f32[2], (token[]))".parse().unwrap();
/// shape_util::for_each_subshape_mut(&mut shape, |shape, _| {
///     if *shape == Shape::Token {
///         *shape = shape_util::nil();
///     }
/// });
/// assert_eq!(shape.to_string(), "(f32[2]{0}, (()))");
/// ```
#[doc(alias = "ForEachMutableSubshape")]
pub fn for_each_subshape_mut(array: &mut Shape, mut visit: impl FnMut(&mut Shape, &ShapeIndex)) {
    never(try_for_each_subshape_mut(array, |shape, index| {
        visit(shape, index);
        Ok(())
    }));
}

/// [`for_each_subshape_mut`] until the visitor fails
/// (XLA: `ShapeUtil::ForEachMutableSubshapeWithStatus`).
///
/// ```
/// use xlayout_shape::{PrimitiveType, Shape};
/// use xlayout_xla::{ShapeError, shape_util};
/// let mut shape: Shape = "(f32[2], f32[3])".parse().unwrap();
/// shape_util::try_for_each_subshape_mut(&mut shape, |shape, _| {
///     if let Some(array) = shape.as_array_or_buffer_mut() {
///         *array = shape_util::change_element_type(array, PrimitiveType::S8)?;
///     }
///     Ok::<(), ShapeError>(())
/// })?;
/// assert_eq!(shape.to_string(), "(s8[2]{0}, s8[3]{0})");
/// # Ok::<(), ShapeError>(())
/// ```
///
/// # Errors
/// What the visitor returns. What it changed until then stays changed.
#[doc(alias = "ForEachMutableSubshapeWithStatus")]
pub fn try_for_each_subshape_mut<E>(
    array: &mut Shape,
    mut visit: impl FnMut(&mut Shape, &ShapeIndex) -> Result<(), E>,
) -> Result<(), E> {
    walk_mut(array, &mut |shape, index, before| {
        if before { visit(shape, index) } else { Ok(()) }
    })
}

/// Like [`for_each_subshape_mut`], but a tuple comes after its
/// members (XLA: `ShapeUtil::ForEachMutableSubshapePostOrder`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape: Shape = "(((f32[2])))".parse().unwrap();
/// shape_util::for_each_subshape_mut_post_order(&mut shape, |shape, _| {
///     if let Shape::Tuple(members) = shape {
///         *shape = members.remove(0);
///     }
/// });
/// assert_eq!(shape.to_string(), "f32[2]{0}");
/// ```
#[doc(alias = "ForEachMutableSubshapePostOrder")]
pub fn for_each_subshape_mut_post_order(
    array: &mut Shape,
    mut visit: impl FnMut(&mut Shape, &ShapeIndex),
) {
    never(try_for_each_subshape_mut_post_order(
        array,
        |shape, index| {
            visit(shape, index);
            Ok(())
        },
    ));
}

/// [`for_each_subshape_mut_post_order`] until the
/// visitor fails (XLA: `ShapeUtil::ForEachMutableSubshapePostOrderWithStatus`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape: Shape = "((token[]))".parse().unwrap();
/// let result =
///     shape_util::try_for_each_subshape_mut_post_order(&mut shape, |shape, index| {
///         *shape = Shape::Opaque;
///         if index.len() == 1 { Err("enough") } else { Ok(()) }
///     });
/// assert_eq!(result, Err("enough"));
/// assert_eq!(shape.to_string(), "(opaque[])");
/// ```
///
/// # Errors
/// What the visitor returns. What it changed until then stays changed.
#[doc(alias = "ForEachMutableSubshapePostOrderWithStatus")]
pub fn try_for_each_subshape_mut_post_order<E>(
    array: &mut Shape,
    mut visit: impl FnMut(&mut Shape, &ShapeIndex) -> Result<(), E>,
) -> Result<(), E> {
    walk_mut(array, &mut |shape, index, before| {
        if before { Ok(()) } else { visit(shape, index) }
    })
}

/// Visits the shapes that are no tuples (XLA: `ShapeUtil::ForEachLeafShape`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (s32[]))".parse().unwrap();
/// let mut paths = Vec::new();
/// shape_util::for_each_leaf_shape(&shape, |_, index| paths.push(index.to_string()));
/// assert_eq!(paths, ["{0}", "{1,0}"]);
/// ```
#[doc(alias = "ForEachLeafShape")]
pub fn for_each_leaf_shape<'a>(array: &'a Shape, mut visit: impl FnMut(&'a Shape, &ShapeIndex)) {
    for_each_subshape(array, |shape, index| {
        if !shape.is_tuple() {
            visit(shape, index);
        }
    });
}

/// [`for_each_leaf_shape`] until the visitor fails
/// (XLA: `ShapeUtil::ForEachLeafShapeWithStatus`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(f32[2], (token[]))".parse().unwrap();
/// let arrays = shape_util::try_for_each_leaf_shape(&shape, |leaf, index| {
///     leaf.as_array().map(|_| ()).ok_or_else(|| index.clone())
/// });
/// assert_eq!(arrays.unwrap_err()[..], [1, 0]);
/// ```
///
/// # Errors
/// What the visitor returns.
#[doc(alias = "ForEachLeafShapeWithStatus")]
pub fn try_for_each_leaf_shape<'a, E>(
    array: &'a Shape,
    mut visit: impl FnMut(&'a Shape, &ShapeIndex) -> Result<(), E>,
) -> Result<(), E> {
    try_for_each_subshape(array, |shape, index| {
        if shape.is_tuple() {
            Ok(())
        } else {
            visit(shape, index)
        }
    })
}

/// Visits the shapes that are no tuples, to change them
/// (XLA: `ShapeUtil::ForEachMutableLeafShape`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let mut shape: Shape = "(f32[2], (s32[]))".parse().unwrap();
/// shape_util::for_each_leaf_shape_mut(&mut shape, |leaf, _| *leaf = Shape::Token);
/// assert_eq!(shape.to_string(), "(token[], (token[]))");
/// ```
#[doc(alias = "ForEachMutableLeafShape")]
pub fn for_each_leaf_shape_mut(array: &mut Shape, mut visit: impl FnMut(&mut Shape, &ShapeIndex)) {
    for_each_subshape_mut(array, |shape, index| {
        if !shape.is_tuple() {
            visit(shape, index);
        }
    });
}

/// [`for_each_leaf_shape_mut`] until the visitor fails
/// (XLA: `ShapeUtil::ForEachMutableLeafShapeWithStatus`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::{ShapeError, shape_util};
/// let mut shape: Shape = "(f32[<=2], f32[?])".parse().unwrap();
/// let result = shape_util::try_for_each_leaf_shape_mut(&mut shape, |leaf, _| {
///     shape_util::any::clear_dynamic_dimensions(leaf)
/// });
/// assert_eq!(result, Err(ShapeError::Unbounded { dimension: 0 }));
/// ```
///
/// # Errors
/// What the visitor returns. What it changed until then stays changed.
#[doc(alias = "ForEachMutableLeafShapeWithStatus")]
pub fn try_for_each_leaf_shape_mut<E>(
    array: &mut Shape,
    mut visit: impl FnMut(&mut Shape, &ShapeIndex) -> Result<(), E>,
) -> Result<(), E> {
    try_for_each_subshape_mut(array, |shape, index| {
        if shape.is_tuple() {
            Ok(())
        } else {
            visit(shape, index)
        }
    })
}

/// Visits each shape twice: before (true) and after (false) its members.
fn walk<'a, E>(
    array: &'a Shape,
    visit: &mut dyn FnMut(&'a Shape, &ShapeIndex, bool) -> Result<(), E>,
) -> Result<(), E> {
    let mut index = ShapeIndex::new();
    for step in array.walk() {
        match step {
            Step::Open(tuple, _) => {
                visit(tuple, &index, true)?;
                index.push_back(0);
                continue;
            }
            Step::Leaf(leaf, _) => {
                visit(leaf, &index, true)?;
                visit(leaf, &index, false)?;
            }
            Step::Close(tuple) => {
                index.pop_back();
                visit(tuple, &index, false)?;
            }
        }
        next_member(&mut index);
    }
    Ok(())
}

/// Makes the path of a member that of the next one.
fn next_member(index: &mut ShapeIndex) {
    if let Some(member) = index.pop_back() {
        index.push_back(member + 1);
    }
}

/// [`walk`] with shapes to change. The path is the stack: a visit may change anything inside of its shape, so
/// no reference to a shape is kept.
fn walk_mut<E>(
    array: &mut Shape,
    visit: &mut dyn FnMut(&mut Shape, &ShapeIndex, bool) -> Result<(), E>,
) -> Result<(), E> {
    let mut index = ShapeIndex::new();
    visit(array, &index, true)?;
    // The next member of the tuple at `index`.
    let mut member = 0;
    loop {
        let mut shape = &mut *array;
        for &entry in &index[..] {
            match shape {
                Shape::Tuple(members) => shape = &mut members[entry as usize],
                _ => unreachable!("a visit changes its own shape only, and that is not at `index`"),
            }
        }
        match shape {
            Shape::Tuple(members) if member < members.len() => {
                index.push_back(member as i64);
                visit(&mut members[member], &index, true)?;
                member = 0;
            }
            _ => {
                visit(shape, &index, false)?;
                match index.pop_back() {
                    Some(done) => member = done as usize + 1,
                    None => return Ok(()),
                }
            }
        }
    }
}

/// Visits each shape of `left` before its members, together with the shape at the same path in `right`. That one
/// is `None` where the tuple around it has fewer members, or is not a tuple.
pub(crate) fn for_each_pair<E>(
    left: &Shape,
    right: &Shape,
    mut visit: impl FnMut(&Shape, Option<&Shape>, &ShapeIndex) -> Result<(), E>,
) -> Result<(), E> {
    try_for_each_subshape(left, |shape, index| {
        visit(shape, subshape(right, index).ok(), index)
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
#[doc(alias = "GetSubshape")]
#[doc(alias = "TryGetSubshape")]
#[doc(alias = "GetSubshapeOneIndex")]
pub fn subshape<'a>(array: &'a Shape, index: &[i64]) -> Result<&'a Shape, ShapeError> {
    let mut shape = array;
    for (depth, &entry) in index.iter().enumerate() {
        let members = shape.tuple_shapes();
        let member = usize::try_from(entry).ok();
        shape = member
            .and_then(|at| members?.get(at))
            .ok_or_else(|| nowhere(index, depth, members.map(<[Shape]>::len)))?;
    }
    Ok(shape)
}

/// The path leads nowhere behind its first `depth` entries.
pub(crate) fn nowhere(index: &[i64], depth: usize, members: Option<usize>) -> ShapeError {
    ShapeError::NoSuchSubshape {
        index: ShapeIndex::from(index),
        depth,
        members,
    }
}
