//! The minor_to_major list of a layout.

use crate::error::ShapeError;
use xlayout_shape::{INLINE_RANK, Layout, List, MinorToMajor};

type Numbers = List<i64, INLINE_RANK>;

/// Whether the layout is row-major: dimension 0 is the most major, then 1, and so on
/// (XLA: `LayoutUtil::IsMonotonicWithDim0Major`, `HasDescendingLayout`).
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::layout_util;
/// let row_major: Layout = "{2,1,0}".parse().unwrap();
/// assert!(layout_util::is_monotonic_with_dim0_major(&row_major));
/// assert!(!layout_util::is_monotonic_with_dim0_minor(&row_major));
/// ```
#[doc(alias("IsMonotonicWithDim0Major", "HasDescendingLayout"))]
#[must_use]
pub fn is_monotonic_with_dim0_major(layout: &Layout) -> bool {
    let order = &layout.minor_to_major;
    order.iter().rev().copied().eq(0..order.len() as i64)
}

/// Whether the layout is column-major: dimension 0 is the most minor, then 1, and so on
/// (XLA: `LayoutUtil::IsMonotonicWithDim0Minor`, `HasAscendingLayout`).
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::layout_util;
/// let column_major: Layout = "{0,1,2}".parse().unwrap();
/// assert!(layout_util::is_monotonic_with_dim0_minor(&column_major));
/// assert!(!layout_util::is_monotonic_with_dim0_major(&column_major));
/// ```
#[doc(alias("IsMonotonicWithDim0Minor", "HasAscendingLayout"))]
#[must_use]
pub fn is_monotonic_with_dim0_minor(layout: &Layout) -> bool {
    let order = &layout.minor_to_major;
    order.iter().copied().eq(0..order.len() as i64)
}

/// For each dimension its position in memory, counted from the most major dimension
/// (XLA: `LayoutUtil::MakeLogicalToPhysical`). `None` if the layout does not list each dimension
/// once; XLA then writes beyond its list.
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::layout_util;
/// let layout: Layout = "{1,0,2}".parse().unwrap();
/// assert_eq!(layout_util::make_logical_to_physical(&layout).unwrap()[..], [1, 2, 0]);
/// ```
#[doc(alias = "MakeLogicalToPhysical")]
#[must_use]
pub fn make_logical_to_physical(layout: &Layout) -> Option<List<i64, INLINE_RANK>> {
    let order = layout.minor_to_major.to_major_to_minor();
    inverse(&order, order.len()).ok()
}

/// The same layout with this dimension as the most major one
/// (XLA: `LayoutUtil::MoveDimToMajor`). Only minor_to_major changes.
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::layout_util;
/// let layout: Layout = "{2,0,3,1:S(1)}".parse().unwrap();
/// assert_eq!(
///     layout_util::move_dim_to_major(&layout, 0).unwrap().to_string(),
///     "{2,3,1,0:S(1)}"
/// );
/// ```
///
/// # Errors
/// If the layout does not list the dimension; XLA would add it.
#[doc(alias = "MoveDimToMajor")]
pub fn move_dim_to_major(layout: &Layout, dimension: usize) -> Result<Layout, ShapeError> {
    let mut moved = layout.clone();
    let at = position(layout, dimension)?;
    moved.minor_to_major[at..].rotate_left(1);
    Ok(moved)
}

/// The same layout with this dimension as the most minor one
/// (XLA: `LayoutUtil::MoveDimToMinor`). Only minor_to_major changes.
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::layout_util;
/// let layout: Layout = "{2,0,3,1}".parse().unwrap();
/// assert_eq!(layout_util::move_dim_to_minor(&layout, 3).unwrap().to_string(), "{3,2,0,1}");
/// assert!(layout_util::move_dim_to_minor(&layout, 4).is_err());
/// ```
///
/// # Errors
/// If the layout does not list the dimension; XLA would add it.
#[doc(alias = "MoveDimToMinor")]
pub fn move_dim_to_minor(layout: &Layout, dimension: usize) -> Result<Layout, ShapeError> {
    let mut moved = layout.clone();
    let at = position(layout, dimension)?;
    moved.minor_to_major[..=at].rotate_right(1);
    Ok(moved)
}

/// Where minor_to_major lists a dimension.
fn position(layout: &Layout, dimension: usize) -> Result<usize, ShapeError> {
    let order: &MinorToMajor = &layout.minor_to_major;
    let number = i64::try_from(dimension).ok();
    let at = number.and_then(|number| order.iter().position(|&d| d == number));
    at.ok_or(ShapeError::no_such_dimension(dimension, order.len()))
}

/// Whether these dimensions are adjacent in memory, in any sequence
/// (XLA: `LayoutUtil::AreDimensionsConsecutive`). `None` if the layout does not list one of them;
/// XLA takes such a dimension as one beyond the most major one. A dimension that is given twice is
/// not adjacent to itself.
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::layout_util;
/// let layout: Layout = "{2,0,3,1}".parse().unwrap();
/// assert_eq!(layout_util::are_dimensions_consecutive(&layout, &[3, 2, 0]), Some(true));
/// assert_eq!(layout_util::are_dimensions_consecutive(&layout, &[2, 3]), Some(false));
/// assert_eq!(layout_util::are_dimensions_consecutive(&layout, &[4]), None);
/// ```
#[doc(alias = "AreDimensionsConsecutive")]
#[must_use]
pub fn are_dimensions_consecutive(layout: &Layout, dimensions: &[i64]) -> Option<bool> {
    let position = |dimension| layout.minor_to_major.iter().position(|d| d == dimension);
    let mut first = usize::MAX;
    let mut last = 0;
    let mut repeated = false;
    for (k, dimension) in dimensions.iter().enumerate() {
        let at = position(dimension)?;
        (first, last) = (first.min(at), last.max(at));
        repeated |= dimensions[..k].contains(dimension);
    }
    Some(!repeated && (dimensions.is_empty() || last - first + 1 == dimensions.len()))
}

/// The inverse of a permutation of `rank` dimensions, or the error that it is not a permutation.
pub(crate) fn inverse(permutation: &[i64], rank: usize) -> Result<Numbers, ShapeError> {
    ShapeError::check_length("the permutation", permutation.len(), rank)?;
    let mut inverse = Numbers::try_from_iter(core::iter::repeat_n(-1, rank))?;
    for (i, &dimension) in permutation.iter().enumerate() {
        let at = usize::try_from(dimension).unwrap_or(usize::MAX);
        let place = inverse.get_mut(at);
        let place = place.ok_or(ShapeError::NoSuchDimension { dimension, rank })?;
        if core::mem::replace(place, i as i64) != -1 {
            return Err(ShapeError::DimensionTwice { dimension });
        }
    }
    Ok(inverse)
}
