//! What `LayoutUtil` asks of a shape that may hold other shapes, and does to it.

use crate::compare::{Compare, different};
use crate::difference::Difference;
use crate::error::ShapeError;
use crate::walk::{pairs, subshape_mut};
use xlayout_shape::{ElementType, ErrorKind, Layout, ParseError, Shape};

/// Checks this layout against any shape that it is for
/// (XLA: `LayoutUtil::ValidateLayoutForShape`). As in XLA, tokens and opaque values take any
/// layout. See [`Layout::validate_for`] for arrays.
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::layout_util;
/// let layout: Layout = "{1,0}".parse().unwrap();
/// assert!(layout_util::validate_for_shape(&layout, &"f32[2,3]".parse().unwrap()).is_ok());
/// assert!(layout_util::validate_for_shape(&layout, &"f32[6]".parse().unwrap()).is_err());
/// assert_eq!(
///     layout_util::validate_for_shape(&layout, &"(f32[2,3])".parse().unwrap())
///         .unwrap_err()
///         .to_string(),
///     "a tuple has no layout of its own; write layouts at the arrays inside: `(f32[2,3]{0,1}, \
///      s32[])`",
/// );
/// ```
///
/// # Errors
/// For a tuple, and the first rule that the layout breaks.
#[doc(alias = "ValidateLayoutForShape")]
pub fn validate_for_shape(layout: &Layout, shape: &Shape) -> Result<(), ParseError> {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => {
            layout.validate_for(array.element_type, &array.dims)
        }
        Shape::Tuple(_) => {
            let element_type = ElementType::Tuple;
            Err(ParseError::new(ErrorKind::NoLayout { element_type }, None))
        }
        Shape::Token | Shape::Opaque => Ok(()),
        _ => unreachable!("XLA has no other shapes"),
    }
}

/// Whether a leaf has a layout, or can have none.
fn layout_is_set(leaf: &Shape) -> bool {
    let array = leaf.as_array_or_buffer();
    array.is_none_or(|array| array.layout.is_some())
}

/// Whether every array inside has a layout (XLA: `LayoutUtil::HasLayout`). Tokens and opaque
/// values count as having one.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::layout_util;
/// let mut shape: Shape = "(f32[2], token[])".parse().unwrap();
/// assert!(layout_util::has_layout(&shape));
/// layout_util::clear_layout(&mut shape);
/// assert!(!layout_util::has_layout(&shape));
/// ```
#[doc(alias = "HasLayout")]
#[must_use]
pub fn has_layout(shape: &Shape) -> bool {
    shape.leaves().all(layout_is_set)
}

/// Whether some array inside has a layout (XLA: `LayoutUtil::HasAnyLayout`). As in XLA, tokens
/// and opaque values count as having one, and an empty tuple has none.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::layout_util;
/// let mut shape: Shape = "(f32[2], s8[])".parse().unwrap();
/// assert!(layout_util::has_any_layout(&shape));
/// layout_util::clear_layout(&mut shape);
/// assert!(!layout_util::has_any_layout(&shape));
/// ```
#[doc(alias = "HasAnyLayout")]
#[must_use]
pub fn has_any_layout(shape: &Shape) -> bool {
    shape.leaves().any(layout_is_set)
}

/// Gives the arrays in `destination` the layouts of the arrays in this shape; where this one
/// has none, they lose theirs (XLA: `LayoutUtil::CopyLayoutBetweenShapes`). Tuples must have
/// the same members and arrays the same rank; types and sizes need not be the same.
///
/// All or nothing: XLA has changed the arrays before the one that fails.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::layout_util;
/// let source: Shape = "(f32[2,3]{0,1}, token[])".parse().unwrap();
/// let mut destination: Shape = "(s8[7,7]{1,0}, token[])".parse().unwrap();
/// layout_util::copy_layout_between_shapes(&source, &mut destination).unwrap();
/// assert_eq!(destination.to_string(), "(s8[7,7]{0,1}, token[])");
///
/// let mut other: Shape = "(f32[2,3,4], token[])".parse().unwrap();
/// let error = layout_util::copy_layout_between_shapes(&source, &mut other).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "at {0} the first has 2 dimensions, the second 3; give equal ones, or leave out \
///      of the comparison what may differ"
/// );
/// ```
///
/// # Errors
/// Where the shapes differ in structure or rank, and when a layout does not fit the array that
/// is to get it.
#[doc(alias = "CopyLayoutBetweenShapes")]
pub fn copy_layout_between_shapes(
    shape: &Shape,
    destination: &mut Shape,
) -> Result<(), ShapeError> {
    let compare = Compare::compatible_kind().ignore_buffer();
    let mut copy = destination.clone();
    for (path, source, target) in pairs(shape, destination) {
        let Some(target) = target else {
            unreachable!("tuples with different numbers of members are an error");
        };
        let source_array = source.as_array_or_buffer();
        let what = match (source_array, target.as_array_or_buffer()) {
            // As in XLA, a token has nothing to give, and an array without a layout fits any rank.
            (None, _) if !source.is_tuple() && !target.is_tuple() => None,
            (Some(source), Some(_)) if source.layout.is_none() => None,
            _ => different(source, target, compare),
        };
        if let Some(what) = what {
            return Err(Difference::new(what).at(&path).into());
        }
        if let Some(source) = source_array
            && let Some(array) = subshape_mut(&mut copy, &path)?.as_array_or_buffer_mut()
        {
            if let Some(layout) = &source.layout {
                layout.validate_for(array.element_type, &array.dims)?;
            }
            array.layout.clone_from(&source.layout);
        }
    }
    *destination = copy;
    Ok(())
}
