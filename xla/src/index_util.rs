//! XLA's `IndexUtil`: it knows dimensions and minor_to_major, and ignores all the rest.

use crate::shape_util::{permutation::layout_of, sizes::holds};
use xlayout_shape::{ArrayShape, INLINE_RANK, List};

/// The number of an element when counting in the sequence of minor_to_major, as if the layout
/// had no tiles (XLA: `IndexUtil::MultidimensionalIndexToLinearIndex`).
///
/// `None` when the index is out of bounds (XLA does not check), without a layout that fits
/// the shape, when a dimension has no bound, or on overflow. XLA's overload with a `minor_to_major`
/// is this one of a shape with such a layout.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::index_util;
/// let shape: ArrayShape = "f32[10,20]{0,1}".parse().unwrap();
/// assert_eq!(index_util::multidimensional_index_to_linear_index(&shape, &[3, 5]), Some(53));
/// assert_eq!(
///     index_util::linear_index_to_multidimensional_index(&shape, 53).unwrap()[..],
///     [3, 5]
/// );
/// ```
#[doc(alias = "MultidimensionalIndexToLinearIndex")]
#[must_use]
pub fn multidimensional_index_to_linear_index(shape: &ArrayShape, index: &[i64]) -> Option<i64> {
    let minor_to_major = &shape.layout.as_ref()?.minor_to_major;
    let fits = minor_to_major.len() == shape.rank() && minor_to_major.is_permutation();
    if !fits || !holds(shape, index) {
        return None;
    }
    let mut linear = 0i64;
    let mut scale = 1i64;
    for &dimension in minor_to_major.iter() {
        let dimension = dimension as usize;
        linear = linear.checked_add(index[dimension].checked_mul(scale)?)?;
        scale = scale.checked_mul(shape.dims[dimension].bound()?)?;
    }
    Some(linear)
}

/// The index of an element from its number; the inverse of
/// [`multidimensional_index_to_linear_index`]
/// (XLA: `IndexUtil::LinearIndexToMultidimensionalIndex`).
///
/// `None` when there is no such element, without a layout that fits the shape, when a
/// dimension has no bound, or on overflow.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::index_util;
/// let shape: ArrayShape = "f32[10,20]{0,1}".parse().unwrap();
/// let index = index_util::linear_index_to_multidimensional_index(&shape, 53).unwrap();
/// assert_eq!(index[..], [3, 5]);
/// assert_eq!(index_util::multidimensional_index_to_linear_index(&shape, &index), Some(53));
/// assert_eq!(index_util::linear_index_to_multidimensional_index(&shape, 200), None);
/// ```
#[doc(alias = "LinearIndexToMultidimensionalIndex")]
#[must_use]
pub fn linear_index_to_multidimensional_index(
    shape: &ArrayShape,
    linear: i64,
) -> Option<List<i64, INLINE_RANK>> {
    if linear < 0 || linear >= crate::shape_util::elements_in(shape)? {
        return None;
    }
    let mut index = List::try_from_iter(core::iter::repeat_n(0, shape.rank())).ok()?;
    let mut rest = linear;
    for &dimension in layout_of(shape)?.minor_to_major.iter() {
        // No size is 0, or there would be no elements.
        let size = shape.dims[dimension as usize].bound()?;
        index[dimension as usize] = rest % size;
        rest /= size;
    }
    Some(index)
}

/// Goes on to the next index in logical order, the last dimension first
/// (XLA: `IndexUtil::BumpIndices`). The layout does not matter. `Some(false)` at the last
/// index, which then stays as it is.
///
/// `None` when the index is out of bounds (XLA does not check).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::index_util;
/// let shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// let mut index = [0, 2];
/// assert_eq!(index_util::bump_indices(&shape, &mut index), Some(true));
/// assert_eq!(index, [1, 0]);
/// ```
#[doc(alias = "BumpIndices")]
pub fn bump_indices(shape: &ArrayShape, index: &mut [i64]) -> Option<bool> {
    if !holds(shape, index) {
        return None;
    }
    let grows = |d: &usize| shape.dims[*d].bound() > Some(index[*d] + 1);
    let Some(dimension) = (0..shape.rank()).rev().find(grows) else {
        return Some(false);
    };
    index[dimension] += 1;
    index[dimension + 1..].fill(0);
    Some(true)
}

/// How many elements apart neighbours along a dimension are, as if the layout had no tiles
/// (XLA: `IndexUtil::GetDimensionStride`).
///
/// `None` for a dimension that the shape does not have (XLA answers the number of elements),
/// without a layout that fits the shape, when a more minor dimension has no bound, or on
/// overflow.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::index_util;
/// let shape: ArrayShape = "f32[10,20]{0,1}".parse().unwrap();
/// assert_eq!(index_util::dimension_stride(&shape, 0), Some(1));
/// assert_eq!(index_util::dimension_stride(&shape, 1), Some(10));
/// assert_eq!(index_util::dimension_stride(&shape, 2), None);
/// ```
#[doc(alias = "GetDimensionStride")]
#[must_use]
pub fn dimension_stride(shape: &ArrayShape, dimension: usize) -> Option<i64> {
    if dimension >= shape.rank() {
        return None;
    }
    let order = layout_of(shape)?.minor_to_major.iter().map(|&d| d as usize);
    order
        .take_while(|d| *d != dimension)
        .try_fold(1i64, |stride, d| stride.checked_mul(shape.dims[d].bound()?))
}

/// Whether no entry of the index is too large (XLA: `IndexUtil::IndexInBounds`). Like XLA, it
/// accepts NEGATIVE entries. An entry for a dimension without a bound is never in bounds.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::index_util;
/// let shape: ArrayShape = "f32[10,20]".parse().unwrap();
/// assert!(
///     index_util::index_in_bounds(&shape, &[9, 19])
///         && index_util::index_in_bounds(&shape, &[-1, 0])
/// );
/// assert!(
///     !index_util::index_in_bounds(&shape, &[10, 0])
///         && !index_util::index_in_bounds(&shape, &[0])
/// );
/// ```
#[doc(alias = "IndexInBounds")]
#[must_use]
pub fn index_in_bounds(shape: &ArrayShape, index: &[i64]) -> bool {
    let mut pairs = index.iter().zip(&shape.dims);
    index.len() == shape.rank() && pairs.all(|(i, dim)| dim.bound().is_some_and(|n| *i < n))
}
