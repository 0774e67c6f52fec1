//! XLA's own answers: dimensions and minor_to_major decide, nothing else.
//!
//! Source: `shape_util.cc`.

use super::DimensionNumbers;
use super::permutation::{compose, inverse, layout_of, product, sizes};
use crate::compare::Compare;
use xlayout_core::ElementTypes;
use xlayout_core::bitcast::is_permutation;
use xlayout_shape::{ArrayShape, INLINE_RANK, Layout, List};

/// Whether the types of two shapes may be together.
fn types_fit(element_types: ElementTypes, a: &ArrayShape, b: &ArrayShape) -> bool {
    element_types == ElementTypes::Ignored || a.element_type == b.element_type
}

/// The numbers that XLA's `IndexUtil` computes with. There is no overflow: the number of elements
/// fits 63 bits and is not 0, so that no product of sizes is larger.
struct Dense {
    sizes: DimensionNumbers,
    /// By how much a step along each dimension moves in memory.
    strides: DimensionNumbers,
}

impl Dense {
    fn new(shape: &ArrayShape, layout: &Layout) -> Self {
        let sizes = sizes(shape);
        let mut strides = sizes.clone();
        let mut stride = 1;
        for &d in layout.minor_to_major.iter() {
            strides.as_mut_slice()[d as usize] = stride;
            stride *= sizes[d as usize];
        }
        Self { sizes, strides }
    }

    /// The linear index of the element with this row-major index.
    fn linear_index(&self, row_major: i64) -> i64 {
        let mut rest = row_major;
        let digits = self
            .sizes
            .iter()
            .zip(&self.strides)
            .rev()
            .map(|(size, stride)| {
                let digit = rest % size;
                rest /= size;
                digit * stride
            });
        digits.sum()
    }

    /// Whether the elements next to the origin, one along each dimension, lie where `other` has
    /// the elements of the same row-major index.
    fn neighbours_lie_as_in(&self, other: &Self) -> bool {
        let mut row_major = 1;
        self.sizes
            .iter()
            .zip(&self.strides)
            .rev()
            .all(|(&size, &stride)| {
                let neighbour = row_major;
                row_major *= size;
                size == 1 || stride == other.linear_index(neighbour)
            })
    }
}

/// Whether XLA counts a reshape to `output` as a bitcast (XLA: `ShapeUtil::ReshapeIsBitcast`):
/// every element keeps its place *if both arrays are dense*. Tiles, padding and element sizes are
/// ignored; [`bitcast::reshape_is_bitcast`] counts them.
///
/// `None` where XLA aborts: a shape has no layout, or one that does not list every dimension
/// once. Also where the number of elements exceeds 63 bits or depends on a `?`.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_core::ElementTypes::*;
/// use xlayout_core::bitcast::reshape_is_bitcast;
/// use xlayout_xla::shape_util::xla_reshape_is_bitcast;
/// let a: ArrayShape = "f32[16,256]{1,0:T(8,128)}".parse().unwrap();
/// let b: ArrayShape = "f32[4096]{0}".parse().unwrap();
/// assert_eq!(xla_reshape_is_bitcast(&a, &b, Compared), Some(true));
/// assert!(!reshape_is_bitcast(&a, &b, Compared).unwrap()); // a tile lies between two rows
/// ```
///
/// [`bitcast::reshape_is_bitcast`]: xlayout_core::bitcast::reshape_is_bitcast
#[doc(alias = "ReshapeIsBitcast")]
#[must_use]
pub fn xla_reshape_is_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    element_types: ElementTypes,
) -> Option<bool> {
    let (of_self, of_output) = (layout_of(shape)?, layout_of(output)?);
    if !types_fit(element_types, shape, output) {
        return Some(false);
    }
    let (elements, others) = (product(&sizes(shape))?, product(&sizes(output))?);
    if elements != others || elements == 0 {
        return Some(elements == others);
    }
    let (a, b) = (Dense::new(shape, of_self), Dense::new(output, of_output));
    Some(a.neighbours_lie_as_in(&b) && b.neighbours_lie_as_in(&a))
}

/// Whether XLA counts a transpose to `output` as a bitcast (XLA: `ShapeUtil::TransposeIsBitcast`).
/// `output.dims[i]` is to be `self.dims[dimension_mapping[i]]`, but XLA does not look at the sizes:
/// minor_to_major alone decides. [`bitcast::transpose_is_bitcast`] counts sizes, tiles, padding and
/// element sizes.
///
/// `None` where XLA aborts: a shape has no layout, or the lists are no permutations of one
/// length.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_core::ElementTypes::*;
/// use xlayout_core::bitcast::transpose_is_bitcast;
/// use xlayout_xla::shape_util::xla_transpose_is_bitcast;
/// let a: ArrayShape = "f32[10,5]{1,0}".parse().unwrap();
/// let b: ArrayShape = "f32[5,10]{0,1}".parse().unwrap();
/// assert_eq!(xla_transpose_is_bitcast(&a, &b, &[1, 0], Compared), Some(true));
/// let padded: ArrayShape = "f32[5,10]{0,1:T(8,128)}".parse().unwrap();
/// assert_eq!(xla_transpose_is_bitcast(&a, &padded, &[1, 0], Compared), Some(true));
/// assert!(!transpose_is_bitcast(&a, &padded, &[1, 0], Compared).unwrap());
/// ```
///
/// [`bitcast::transpose_is_bitcast`]: xlayout_core::bitcast::transpose_is_bitcast
#[doc(alias = "TransposeIsBitcast")]
#[must_use]
pub fn xla_transpose_is_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    dimension_mapping: &[i64],
    element_types: ElementTypes,
) -> Option<bool> {
    let (of_self, of_output) = (layout_of(shape)?, layout_of(output)?);
    if !types_fit(element_types, shape, output) {
        return Some(false);
    }
    if !is_permutation(dimension_mapping, output.rank()) {
        return None;
    }
    Some(compose(dimension_mapping, &of_output.minor_to_major)[..] == of_self.minor_to_major[..])
}

/// Whether XLA counts `output` as a bitcast of this shape by a reshape or by a transpose (XLA:
/// `ShapeUtil::IsReshapeOrTransposeBitcast`). The transpose is the deduced one, but XLA asks
/// whether it leads from `output` back, which it does only where it is its own inverse: a transpose
/// that turns three dimensions around does not count. [`bitcast::is_reshape_or_transpose_bitcast`]
/// counts it.
///
/// `None` where XLA aborts: see [`xla_reshape_is_bitcast`]. Two
/// equal shapes are a bitcast even without layouts.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_core::ElementTypes::*;
/// use xlayout_core::bitcast::is_reshape_or_transpose_bitcast;
/// use xlayout_xla::shape_util::xla_is_reshape_or_transpose_bitcast;
/// let a: ArrayShape = "f32[2,3,5]{2,1,0}".parse().unwrap();
/// let swapped: ArrayShape = "f32[3,2,5]{2,0,1}".parse().unwrap();
/// assert_eq!(xla_is_reshape_or_transpose_bitcast(&a, &swapped, Compared), Some(true));
/// let turned: ArrayShape = "f32[3,5,2]{1,0,2}".parse().unwrap();
/// assert_eq!(xla_is_reshape_or_transpose_bitcast(&a, &turned, Compared), Some(false));
/// assert!(is_reshape_or_transpose_bitcast(&a, &turned, Compared).unwrap());
/// ```
///
/// [`bitcast::is_reshape_or_transpose_bitcast`]: xlayout_core::bitcast::is_reshape_or_transpose_bitcast
#[doc(alias = "IsReshapeOrTransposeBitcast")]
#[must_use]
pub fn xla_is_reshape_or_transpose_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    element_types: ElementTypes,
) -> Option<bool> {
    if !types_fit(element_types, shape, output) {
        return Some(false);
    }
    if Compare::new().ignore_element_type().equal(shape, output) {
        return Some(true);
    }
    if xla_reshape_is_bitcast(shape, output, ElementTypes::Ignored)? {
        return Some(true);
    }
    match xla_deduce_transpose_dimensions_for_bitcast(shape, output) {
        Some(dims) => xla_transpose_is_bitcast(output, shape, &dims, ElementTypes::Ignored),
        None => Some(false),
    }
}

/// The permutation with which XLA counts a transpose to `output` as a bitcast, `output.dims[i]`
/// being `self.dims[permutation[i]]` (XLA: `ShapeUtil::DeduceTransposeDimensionsForBitcast`): the
/// `k`-th most minor dimension becomes the `k`-th most minor one, if the sizes agree. Dimensions of
/// size 1 must agree, too, and tiles are ignored;
/// [`bitcast::deduce_transpose_dimensions_for_bitcast`] goes by what lies in memory.
///
/// `None` where there is none, and where XLA aborts for want of a layout.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::xla_deduce_transpose_dimensions_for_bitcast;
/// let a: ArrayShape = "f32[5,3]{1,0}".parse().unwrap();
/// let b: ArrayShape = "f32[3,5]{0,1}".parse().unwrap();
/// assert_eq!(xla_deduce_transpose_dimensions_for_bitcast(&a, &b).unwrap()[..], [1, 0]);
/// let c: ArrayShape = "f32[3,5]{1,0}".parse().unwrap();
/// assert_eq!(xla_deduce_transpose_dimensions_for_bitcast(&a, &c), None);
/// ```
///
/// [`bitcast::deduce_transpose_dimensions_for_bitcast`]: xlayout_core::bitcast::deduce_transpose_dimensions_for_bitcast
#[doc(alias = "DeduceTransposeDimensionsForBitcast")]
#[must_use]
pub fn xla_deduce_transpose_dimensions_for_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
) -> Option<List<i64, INLINE_RANK>> {
    if shape.rank() != output.rank() {
        return None;
    }
    let (of_self, of_output) = (layout_of(shape)?, layout_of(output)?);
    let permutation = compose(&of_self.minor_to_major, &inverse(&of_output.minor_to_major));
    let (from, to) = (sizes(shape), sizes(output));
    permutation
        .iter()
        .zip(&to)
        .all(|(&d, n)| from[d as usize] == *n)
        .then_some(permutation)
}
