//! Comparing shapes that may hold other shapes.

use super::arrays::arrays;
use crate::any_shape::AnyShape;
use crate::compare::{Comparable, Compare};
use crate::difference::{Difference, Different};
use crate::error::ShapeError;
use crate::walk::pairs;
use xlayout_shape::Shape;

impl Comparable for Shape {
    fn difference_to(&self, other: &Self, compare: Compare) -> Option<Difference> {
        pairs(self, other).find_map(|(path, left, right)| {
            let Some(right) = right else {
                unreachable!("tuples with different numbers of members are a difference");
            };
            different(left, right, compare).map(|what| Difference::new(what).at(&path))
        })
    }
}

/// In what two shapes differ; of tuples, in the number of members.
pub(crate) fn different(left: &Shape, right: &Shape, compare: Compare) -> Option<Different> {
    let kind = Different::Kind {
        left: left.element_type_including_buffer(),
        right: right.element_type_including_buffer(),
    };
    match (left.as_array_or_buffer(), right.as_array_or_buffer()) {
        (Some(_), Some(_))
            if !compare.buffer && left.as_array().is_some() != right.as_array().is_some() =>
        {
            Some(kind)
        }
        (Some(left), Some(right)) => arrays(left, right, compare),
        (None, None) if left.element_type() == right.element_type() => {
            let [left, right] = [left, right].map(members);
            // All tokens are equal, and all opaque values.
            (left != right).then_some(Different::Members { left, right })
        }
        _ => Some(kind),
    }
}

/// How many members a tuple has; 0 for another shape.
fn members(shape: &Shape) -> usize {
    shape.tuple_shapes().map_or(0, <[Shape]>::len)
}

impl Compare {
    /// Whether the arrays in two shapes have equal layouts, whatever their types and sizes
    /// (XLA: `LayoutUtil::LayoutsInShapesEqual`). Ranks must be equal, and tuples must have as many
    /// members; a layout on one side only is a difference.
    ///
    /// Like XLA, it takes a token or an opaque value on the left as equal to anything. XLA drops
    /// the comparison that it was given inside tuples; here it holds there, too.
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// use xlayout_xla::Compare;
    /// let a: Shape = "(f32[2,3]{0,1:T(2,2)}, token[])".parse().unwrap();
    /// let b: Shape = "(s8[8,8]{0,1}, token[])".parse().unwrap();
    /// assert_eq!(Compare::new().layouts_in_shapes(&a, &b), Ok(false));
    /// assert_eq!(Compare::new().ignore_tiles().layouts_in_shapes(&a, &b), Ok(true));
    /// assert!(Compare::new().layouts_in_shapes(&"f32[]".parse().unwrap(), &a).is_err());
    /// ```
    ///
    /// # Errors
    /// Where an array is on the left and none on the right; XLA aborts.
    #[doc(alias = "LayoutsInShapesEqual")]
    pub fn layouts_in_shapes(self, left: &Shape, right: &Shape) -> Result<bool, ShapeError> {
        let compare = self
            .ignore_element_type()
            .ignore_dimensions()
            .ignore_dynamic_dimensions();
        // Like XLA's, the answer at the first difference is the answer for all.
        for (_, left, right) in pairs(left, right) {
            let Some(right) = right else {
                unreachable!("tuples with different numbers of members are a difference");
            };
            let same = match left.as_array_or_buffer() {
                Some(left) => arrays(left, right.one_array()?, compare).is_none(),
                None => !left.is_tuple() || right.is_tuple() && members(left) == members(right),
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether the trees of tuples are equal, whatever the leaves are
/// (XLA: `ShapeUtil::EqualStructure`). As in XLA, an empty tuple counts as a leaf.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let a: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
/// assert!(shape_util::equal_structure(&a, &"(token[], (f32[7,7], f32[]))".parse().unwrap()));
/// assert!(!shape_util::equal_structure(&a, &"(f32[2], s32[])".parse().unwrap()));
/// ```
#[doc(alias = "EqualStructure")]
#[must_use]
pub fn equal_structure(shape: &Shape, other: &Shape) -> bool {
    pairs(shape, other)
        .all(|(_, left, right)| right.is_some_and(|right| members(left) == members(right)))
}
