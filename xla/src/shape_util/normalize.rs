//! A transpose with as few dimensions as it can be written with.
//!
//! Source: `GetNormalizedLogicalTransposeShape` and, in 2024, `GetNormalizedTransposeShape` of
//! `shape_util.cc`.

use super::DimensionNumbers;
use super::permutation::{compose, layout_of, list, product, sizes};
use crate::layout_util::order::inverse;
use xlayout_core::bitcast::is_permutation;
use xlayout_shape::{ArrayShape, INLINE_RANK, List};

/// A transpose with as few dimensions as possible.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::get_normalized_logical_transpose_shape;
/// let a: ArrayShape = "f32[10,11,12,13]".parse().unwrap();
/// let b: ArrayShape = "f32[13,12,10,11]".parse().unwrap();
/// let normalized = get_normalized_logical_transpose_shape(&a, &b, &[3, 2, 0, 1]).unwrap();
/// assert_eq!(normalized.dims[..], [13, 12, 110]);
/// assert_eq!(normalized.permutation[..], [2, 1, 0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NormalizedTranspose {
    /// The sizes of the output.
    pub dims: List<i64, INLINE_RANK>,
    /// The output's dimension `i` is the input's dimension `permutation[i]`.
    pub permutation: List<i64, INLINE_RANK>,
}

/// Merges dimensions that stay next to each other in their sequence. `sizes` are those of the
/// output, whose dimension `i` is the input's `permutation[i]`. `None` where a product exceeds 63
/// bits.
fn merged(sizes: &[i64], permutation: &[i64]) -> Option<NormalizedTranspose> {
    let mut dims = DimensionNumbers::new();
    let mut firsts = DimensionNumbers::new();
    let mut start = 0;
    for end in 1..=sizes.len() {
        if end == sizes.len() || permutation[end] != permutation[end - 1] + 1 {
            dims.push(product(&sizes[start..end])?);
            firsts.push(permutation[start]);
            start = end;
        }
    }
    // How many of them are smaller: the number of the merged dimension.
    let place = |first: &i64| firsts.iter().filter(|other| *other < first).count() as i64;
    let permutation = list(firsts.iter().map(place));
    Some(NormalizedTranspose { dims, permutation })
}

/// The transpose of this array to `output` by `dimensions`, with as few dimensions as possible
/// (XLA: `ShapeUtil::GetNormalizedLogicalTransposeShape`). `output.dims[i]` is
/// `array.dims[dimensions[i]]`. Dimensions of size 1 are left out, and dimensions that stay next to
/// each other are merged. If the permutation is the identity, XLA's result is empty; here it is
/// that of one dimension. A scalar is one dimension of size 1.
///
/// `None` where a layout is missing or not row-major, which XLA refuses, where `output` is no such
/// transpose, and where a product exceeds 63 bits.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::get_normalized_logical_transpose_shape;
/// let a: ArrayShape = "f32[10,1,11,32]".parse().unwrap();
/// let b: ArrayShape = "f32[32,1,10,11]".parse().unwrap();
/// let normalized = get_normalized_logical_transpose_shape(&a, &b, &[3, 1, 0, 2]).unwrap();
/// assert_eq!(normalized.dims[..], [32, 110]);
/// assert_eq!(normalized.permutation[..], [1, 0]);
/// ```
#[doc(alias = "GetNormalizedLogicalTransposeShape")]
#[must_use]
pub fn get_normalized_logical_transpose_shape(
    array: &ArrayShape,
    output: &ArrayShape,
    dimensions: &[i64],
) -> Option<NormalizedTranspose> {
    let row_major =
        |shape| layout_of(shape).is_some_and(crate::layout_util::is_monotonic_with_dim0_major);
    if !row_major(array) || !row_major(output) || !is_permutation(dimensions, array.rank()) {
        return None;
    }
    let from = sizes(array);
    let to = sizes(output);
    if compose(&from, dimensions) != to {
        return None;
    }
    let kept_dimensions = dimensions.iter().zip(&to).filter(|(_, size)| **size != 1);
    let dims: DimensionNumbers = list(kept_dimensions.clone().map(|(_, &size)| size));
    // The number of each dimension among those of the input that are kept.
    let place = |d: i64| from[..d as usize].iter().filter(|&&size| size != 1).count() as i64;
    let permutation: DimensionNumbers = list(kept_dimensions.map(|(&d, _)| place(d)));
    if dims.is_empty() {
        return Some(NormalizedTranspose {
            dims: list([1]),
            permutation: list([0]),
        });
    }
    merged(&dims, &permutation)
}

/// The change of layout from this shape to `output`, of the same sizes, as a transpose of three
/// physical dimensions by `permutation`, if it is one: the sizes of the output
/// (XLA in 2024: `ShapeUtil::GetNormalizedTransposeShape`). A transpose of two dimensions is one of
/// three by `[0, 2, 1]` or `[2, 1, 0]`.
///
/// `None` where it is not, where sizes differ, and where XLA aborts for want of a layout.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::get_normalized_transpose_shape;
/// let a: ArrayShape = "f32[8,31,31,65]{3,2,1,0}".parse().unwrap();
/// let b: ArrayShape = "f32[8,31,31,65]{2,1,3,0}".parse().unwrap();
/// assert_eq!(get_normalized_transpose_shape(&a, &b, [0, 2, 1]), Some([8, 65, 961]));
/// assert_eq!(get_normalized_transpose_shape(&a, &b, [2, 1, 0]), None);
/// ```
#[doc(alias = "GetNormalizedTransposeShape")]
#[must_use]
pub fn get_normalized_transpose_shape(
    shape: &ArrayShape,
    output: &ArrayShape,
    permutation: [i64; 3],
) -> Option<[i64; 3]> {
    let layout = layout_of(shape)?;
    let output_layout = layout_of(output)?;
    let dims = sizes(output);
    if sizes(shape) != dims {
        return None;
    }
    // Physical dimension `k` of the output, counted from the most major one, is dimension
    // `places[k]` of the input.
    let from: DimensionNumbers = list(layout.minor_to_major.iter().rev().copied());
    let to: DimensionNumbers = list(output_layout.minor_to_major.iter().rev().copied());
    let places = compose(&inverse(&from, from.len()).ok()?, &to);
    let normalized = merged(&compose(&dims, &to), &places)?;
    match (&normalized.dims[..], permutation) {
        (&[x, y, z], _) if normalized.permutation[..] == permutation => Some([x, y, z]),
        (&[y, z], [0, 2, 1]) => Some([1, y, z]),
        (&[x, z], [2, 1, 0]) => Some([x, 1, z]),
        _ => None,
    }
}
