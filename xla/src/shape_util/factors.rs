//! What a reshape leaves as it was. Only sizes count here, no layouts.
//!
//! Sources: `shape_util.cc` (`DimensionsUnmodifiedByReshape`, `ReshapeLeavesDimensionsUnmodified`,
//! `InsertedOrDeleted1SizedDimensions`), `util.cc` (`CommonFactors`).

use super::DimensionNumbers;
use super::permutation::{list, product, sizes};
use xlayout_shape::{ArrayShape, INLINE_RANK, List};

/// A dimension of the input and one of the output.
type Pair = (i64, i64);

/// As many boundaries as two shapes of rank 16 can have.
pub(super) type Boundaries = List<Pair, { 2 * INLINE_RANK + 1 }>;

/// Where both lists of sizes can be cut so that the products between two cuts are equal, from (0,
/// 0) to both ends (XLA: `CommonFactors`). `None` where the products of all differ, or cannot be
/// known.
pub(super) fn common_factors(a: &[i64], b: &[i64]) -> Option<Boundaries> {
    let ends = (a.len() as i64, b.len() as i64);
    if a == b {
        return Some(list((0..=ends.0).map(|i| (i, i))));
    }
    let equal = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rest_a = product(&a[equal..])?;
    let rest_b = product(&b[equal..])?;
    if rest_a != rest_b {
        // Equal products only because of a 0 in front: one factor holds all.
        return a[..equal].contains(&0).then(|| list([(0, 0), ends]));
    }
    let mut bounds: Boundaries = list((0..equal as i64).map(|i| (i, i)));
    if rest_a == 0 {
        bounds.push((equal as i64, equal as i64));
        bounds.push(ends);
        return Some(bounds);
    }
    // The more major products on both sides grow until they meet.
    let mut i = equal;
    let mut j = equal;
    let mut so_far_a = 1_i64;
    let mut so_far_b = 1_i64;
    loop {
        let here = (i as i64, j as i64);
        if so_far_a == so_far_b && bounds.last() != Some(&here) {
            bounds.push(here);
        }
        let next_a = a.get(i);
        let next_b = b.get(j);
        let (step_a, step_b) = match (next_a, next_b) {
            (None, None) => return Some(bounds),
            _ if so_far_a < so_far_b => (true, false),
            _ if so_far_b < so_far_a => (false, true),
            (Some(a), Some(b)) => (a <= b, b <= a),
            (next_a, next_b) => (next_a.is_some(), next_b.is_some()),
        };
        // No overflow: both are factors of the whole product.
        if step_a {
            so_far_a *= next_a?;
            i += 1;
        }
        if step_b {
            so_far_b *= next_b?;
            j += 1;
        }
    }
}

/// The dimensions of size 1 that a reshape deletes and inserts; others stay as they are, in their
/// sequence (XLA: `ShapeUtil::ShapeEqualityDescriptor`).
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::inserted_or_deleted_1_sized_dimensions;
/// let a: ArrayShape = "f32[2,1,3]".parse().unwrap();
/// let b: ArrayShape = "f32[2,3,1]".parse().unwrap();
/// let ones = inserted_or_deleted_1_sized_dimensions(&a, &b).unwrap();
/// assert_eq!((&ones.deleted[..], &ones.inserted[..]), (&[1][..], &[2][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(alias = "ShapeEqualityDescriptor")]
#[non_exhaustive]
pub struct InsertedOrDeleted1SizedDimensions {
    /// Dimensions of the input that the output does not have, ascending.
    pub deleted: List<i64, INLINE_RANK>,
    /// Dimensions of the output that the input does not have, ascending.
    pub inserted: List<i64, INLINE_RANK>,
}

/// The dimensions that a reshape to `output` leaves as they are: pairs of one of this shape and
/// one of `output`, of equal size, with equal products of sizes before and behind them
/// (XLA: `ShapeUtil::DimensionsUnmodifiedByReshape`).
///
/// `None` where XLA aborts: the numbers of elements differ. Also where they exceed 63 bits, or
/// depend on a `?`.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::dimensions_unmodified_by_reshape;
/// let a: ArrayShape = "f32[2,3,4]".parse().unwrap();
/// let b: ArrayShape = "f32[6,4]".parse().unwrap();
/// assert_eq!(dimensions_unmodified_by_reshape(&a, &b).unwrap()[..], [(2, 1)]);
/// let other: ArrayShape = "f32[5,4]".parse().unwrap();
/// assert_eq!(dimensions_unmodified_by_reshape(&a, &other), None);
/// ```
#[doc(alias = "DimensionsUnmodifiedByReshape")]
#[must_use]
pub fn dimensions_unmodified_by_reshape(
    shape: &ArrayShape,
    output: &ArrayShape,
) -> Option<List<Pair, INLINE_RANK>> {
    let bounds = common_factors(&sizes(shape), &sizes(output))?;
    let single = |pair: &&[Pair]| pair[1].0 - pair[0].0 == 1 && pair[1].1 - pair[0].1 == 1;
    Some(list(bounds.windows(2).filter(single).map(|pair| pair[0])))
}

/// The dimensions of `output` that these dimensions of this shape become, when a reshape to
/// `output` leaves all of them as they are (XLA: `ShapeUtil::ReshapeLeavesDimensionsUnmodified`).
/// `None` when it does not, when `dimensions` do not ascend, and where XLA aborts (see
/// [`dimensions_unmodified_by_reshape`]).
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::reshape_leaves_dimensions_unmodified;
/// let a: ArrayShape = "f32[2,3,4]".parse().unwrap();
/// let b: ArrayShape = "f32[6,4]".parse().unwrap();
/// assert_eq!(reshape_leaves_dimensions_unmodified(&a, &b, &[2]).unwrap()[..], [1]);
/// assert_eq!(reshape_leaves_dimensions_unmodified(&a, &b, &[1, 2]), None);
/// ```
#[doc(alias = "ReshapeLeavesDimensionsUnmodified")]
#[must_use]
pub fn reshape_leaves_dimensions_unmodified(
    shape: &ArrayShape,
    output: &ArrayShape,
    dimensions: &[i64],
) -> Option<List<i64, INLINE_RANK>> {
    if !dimensions.is_sorted() {
        return None;
    }
    let unmodified = dimensions_unmodified_by_reshape(shape, output)?;
    let mut found = DimensionNumbers::new();
    for dimension in dimensions {
        let pair = unmodified.iter().find(|pair| pair.0 == *dimension)?;
        found.push(pair.1);
    }
    Some(found)
}

/// When a reshape to `output` does no more than delete and insert dimensions of size 1, which
/// these are (XLA: `ShapeUtil::InsertedOrDeleted1SizedDimensions`). A dimension of size 0
/// counts as one of size 1 here, as it does for XLA.
///
/// `None` when it does more, and where XLA aborts (see
/// [`dimensions_unmodified_by_reshape`]).
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::inserted_or_deleted_1_sized_dimensions;
/// let a: ArrayShape = "f32[9,1,4]".parse().unwrap();
/// let b: ArrayShape = "f32[1,9,4,1]".parse().unwrap();
/// let ones = inserted_or_deleted_1_sized_dimensions(&a, &b).unwrap();
/// assert_eq!((&ones.deleted[..], &ones.inserted[..]), (&[1][..], &[0, 3][..]));
/// let other: ArrayShape = "f32[3,1,12]".parse().unwrap();
/// assert_eq!(inserted_or_deleted_1_sized_dimensions(&a, &other), None);
/// ```
#[doc(alias = "InsertedOrDeleted1SizedDimensions")]
#[must_use]
pub fn inserted_or_deleted_1_sized_dimensions(
    array: &ArrayShape,
    output: &ArrayShape,
) -> Option<InsertedOrDeleted1SizedDimensions> {
    let unmodified = dimensions_unmodified_by_reshape(array, output)?;
    let others = |shape: &ArrayShape, is_kept: &dyn Fn(i64) -> bool| {
        let others: DimensionNumbers = list((0..shape.rank() as i64).filter(|&d| !is_kept(d)));
        let sizes = sizes(shape);
        let small = |&d: &i64| (0..=1).contains(&sizes[d as usize]);
        others.iter().all(small).then_some(others)
    };
    Some(InsertedOrDeleted1SizedDimensions {
        deleted: others(array, &|d| unmodified.iter().any(|pair| pair.0 == d))?,
        inserted: others(output, &|d| unmodified.iter().any(|pair| pair.1 == d))?,
    })
}
