//! Whether a reshape or a transpose is a bitcast: by what is in memory, and XLA's own answers, which
//! dimensions and minor_to_major decide alone.
//!
//! Source: `shape_util.cc`.

use super::DimensionNumbers;
use super::permutation::{compose, inverse, layout_of, product, sizes};
use crate::compare::Compare;
use xlayout_core::bitcast::{
    deduce_transpose_dimensions_for_bitcast, is_permutation, reshape_obstacle, transpose_obstacle,
};
use xlayout_core::{ElementTypes, LayoutError};
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
            strides[d as usize] = stride;
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

/// Whether a reshape to `output` is a bitcast: every element, by its row-major index, stays
/// where it is in memory, and as much memory is allocated. All levels of tiles, padding,
/// element size and memory space count. A shape without a layout has the default one.
///
/// XLA's `ShapeUtil::ReshapeIsBitcast` knows dense arrays only, and errs in both directions:
///
/// ```
/// use xlayout_xla::shape_util::xla_reshape_is_bitcast;
/// use xlayout_xla::shape_util::reshape_is_bitcast;
/// use xlayout_core::{ArrayShape, ElementTypes::*};
/// let a: ArrayShape = "f32[16,256]{1,0:T(8,128)}".parse().unwrap();
///
/// // A row of `a` is cut by tiles: reading it as one row gives other elements.
/// let flat: ArrayShape = "f32[4096]".parse().unwrap();
/// assert!(!reshape_is_bitcast(&a, &flat, Compared)?);
/// assert_eq!(xla_reshape_is_bitcast(&a, &flat, Compared), Some(true));
///
/// // The tiles of `a`, as dimensions.
/// let tiles: ArrayShape = "f32[2,8,2,128]{3,1,2,0}".parse().unwrap();
/// assert!(reshape_is_bitcast(&a, &tiles, Compared)?);
/// assert_eq!(xla_reshape_is_bitcast(&a, &tiles, Compared), Some(false));
///
/// // Elements of another width are no bitcast, even where types are ignored.
/// let f16: ArrayShape = "f16[6]".parse().unwrap();
/// let f32: ArrayShape = "f32[2,3]".parse().unwrap();
/// assert!(!reshape_is_bitcast(&f32, &f16, Ignored)?);
/// assert_eq!(xla_reshape_is_bitcast(&f32, &f16, Ignored), Some(true));
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// A bounded dynamic dimension may be part of a reshape where the answer is the same for all of
/// its run-time sizes (XLA counts the bound only):
///
/// ```
/// use xlayout_xla::shape_util::reshape_is_bitcast;
/// # use xlayout_core::{ArrayShape, ElementTypes::*};
/// let rows: ArrayShape = "f32[<=4,3]".parse().unwrap();
/// let columns: ArrayShape = "f32[3,<=4]".parse().unwrap();
/// let flat: ArrayShape = "f32[<=12]".parse().unwrap();
/// assert!(reshape_is_bitcast(&rows, &flat, Compared)?);
/// assert!(!reshape_is_bitcast(&columns, &flat, Compared)?); // two columns are no six elements
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[doc(alias = "ReshapeIsBitcast")]
pub fn reshape_is_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    element_types: ElementTypes,
) -> Result<bool, LayoutError> {
    let obstacle = reshape_obstacle(shape, output, element_types)?;
    Ok(obstacle.is_none())
}

/// Whether a transpose to `output`, `output.dims[i]` being `shape.dims[dimension_mapping[i]]`, is
/// a bitcast: every element stays where it is in memory, and as much memory is allocated. A
/// mapping to other sizes is no transpose, so that the answer is no.
///
/// XLA's `ShapeUtil::TransposeIsBitcast` looks at minor_to_major alone: it counts a change of tiles
/// as a bitcast, and does not see that dimensions of size 1 lie anywhere.
///
/// ```
/// use xlayout_xla::shape_util::xla_transpose_is_bitcast;
/// use xlayout_xla::shape_util::transpose_is_bitcast;
/// use xlayout_core::{ArrayShape, ElementTypes::*};
/// let a: ArrayShape = "f32[8,3]{1,0:T(8,128)}".parse().unwrap();
/// let b: ArrayShape = "f32[3,8]{0,1:T(8,128)}".parse().unwrap();
/// let dense: ArrayShape = "f32[3,8]{0,1}".parse().unwrap();
/// assert!(transpose_is_bitcast(&a, &b, &[1, 0], Compared)?);
/// assert!(!transpose_is_bitcast(&a, &dense, &[1, 0], Compared)?);
/// assert_eq!(xla_transpose_is_bitcast(&a, &dense, &[1, 0], Compared), Some(true));
///
/// let row: ArrayShape = "f32[1,5]{1,0}".parse().unwrap();
/// let column: ArrayShape = "f32[5,1]{1,0}".parse().unwrap();
/// assert!(transpose_is_bitcast(&row, &column, &[1, 0], Compared)?);
/// assert_eq!(xla_transpose_is_bitcast(&row, &column, &[1, 0], Compared), Some(false));
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[doc(alias = "TransposeIsBitcast")]
pub fn transpose_is_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    dimension_mapping: &[i64],
    element_types: ElementTypes,
) -> Result<bool, LayoutError> {
    let obstacle = transpose_obstacle(shape, output, dimension_mapping, element_types)?;
    Ok(obstacle.is_none())
}

/// Whether `output` is a bitcast of this shape by a reshape or by some transpose
/// (XLA: `ShapeUtil::IsReshapeOrTransposeBitcast`, which ignores tiles and misses transposes that
/// are not their own inverse; see [`xla_is_reshape_or_transpose_bitcast`]).
///
/// ```
/// use xlayout_xla::shape_util::is_reshape_or_transpose_bitcast;
/// use xlayout_core::{ArrayShape, ElementTypes::*};
/// let a: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
/// let transposed: ArrayShape = "f32[3,2]{0,1}".parse().unwrap();
/// let flat: ArrayShape = "f32[6]".parse().unwrap();
/// let copied: ArrayShape = "f32[2,3]{0,1}".parse().unwrap();
/// assert!(is_reshape_or_transpose_bitcast(&a, &transposed, Compared)?);
/// assert!(is_reshape_or_transpose_bitcast(&a, &flat, Compared)?);
/// assert!(!is_reshape_or_transpose_bitcast(&a, &copied, Compared)?);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[doc(alias = "IsReshapeOrTransposeBitcast")]
pub fn is_reshape_or_transpose_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    element_types: ElementTypes,
) -> Result<bool, LayoutError> {
    if reshape_is_bitcast(shape, output, element_types)? {
        return Ok(true);
    }
    let transpose = deduce_transpose_dimensions_for_bitcast(shape, output)?;
    Ok(transpose.is_some() && types_fit(element_types, shape, output))
}

/// Whether XLA counts a reshape to `output` as a bitcast (XLA: `ShapeUtil::ReshapeIsBitcast`):
/// every element keeps its place *if both arrays are dense*. Tiles, padding and element sizes are
/// ignored; [`reshape_is_bitcast`] counts them.
///
/// `None` where XLA aborts: a shape has no layout, or one that does not list every dimension
/// once. Also where the number of elements exceeds 63 bits or depends on a `?`.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_core::ElementTypes::*;
/// use xlayout_xla::shape_util::{reshape_is_bitcast, xla_reshape_is_bitcast};
/// let a: ArrayShape = "f32[16,256]{1,0:T(8,128)}".parse().unwrap();
/// let b: ArrayShape = "f32[4096]{0}".parse().unwrap();
/// assert_eq!(xla_reshape_is_bitcast(&a, &b, Compared), Some(true));
/// assert!(!reshape_is_bitcast(&a, &b, Compared).unwrap()); // a tile lies between two rows
/// ```
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
/// minor_to_major alone decides. [`transpose_is_bitcast`] counts sizes, tiles, padding and
/// element sizes.
///
/// `None` where XLA aborts: a shape has no layout, or the lists are no permutations of one
/// length.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_core::ElementTypes::*;
/// use xlayout_xla::shape_util::{transpose_is_bitcast, xla_transpose_is_bitcast};
/// let a: ArrayShape = "f32[10,5]{1,0}".parse().unwrap();
/// let b: ArrayShape = "f32[5,10]{0,1}".parse().unwrap();
/// assert_eq!(xla_transpose_is_bitcast(&a, &b, &[1, 0], Compared), Some(true));
/// let padded: ArrayShape = "f32[5,10]{0,1:T(8,128)}".parse().unwrap();
/// assert_eq!(xla_transpose_is_bitcast(&a, &padded, &[1, 0], Compared), Some(true));
/// assert!(!transpose_is_bitcast(&a, &padded, &[1, 0], Compared).unwrap());
/// ```
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
/// that turns three dimensions around does not count. [`is_reshape_or_transpose_bitcast`]
/// counts it.
///
/// `None` where XLA aborts: see [`xla_reshape_is_bitcast`]. Two
/// equal shapes are a bitcast even without layouts.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_core::ElementTypes::*;
/// use xlayout_xla::shape_util::{
///     is_reshape_or_transpose_bitcast, xla_is_reshape_or_transpose_bitcast,
/// };
/// let a: ArrayShape = "f32[2,3,5]{2,1,0}".parse().unwrap();
/// let swapped: ArrayShape = "f32[3,2,5]{2,0,1}".parse().unwrap();
/// assert_eq!(xla_is_reshape_or_transpose_bitcast(&a, &swapped, Compared), Some(true));
/// let turned: ArrayShape = "f32[3,5,2]{1,0,2}".parse().unwrap();
/// assert_eq!(xla_is_reshape_or_transpose_bitcast(&a, &turned, Compared), Some(false));
/// assert!(is_reshape_or_transpose_bitcast(&a, &turned, Compared).unwrap());
/// ```
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
