//! The questions of run-time shapes, answered by what lies in memory.

use super::map::{self, find_transpose, with_map};
use super::{DimensionNumbers, ElementTypes, NotBitcast};
use crate::dims::INLINE_RANK;
use crate::layout_error::LayoutError;
use crate::modes::MemoryMap;
use crate::{ArrayShape, DynLayout, List};

/// Calls `use_` with the memory maps of two shapes.
fn with_maps<R>(
    input: &ArrayShape,
    output: &ArrayShape,
    use_: impl FnOnce(&MemoryMap<'_>, &MemoryMap<'_>) -> R,
) -> Result<R, LayoutError> {
    let (input, output) = (
        DynLayout::new(input.clone())?,
        DynLayout::new(output.clone())?,
    );
    Ok(with_map(&input, |input| {
        with_map(&output, |output| use_(input, output))
    }))
}

/// Whether a reshape to `output` is a bitcast: every element, by its row-major index, stays
/// where it is in memory, and as much memory is allocated. All levels of tiles, padding,
/// element size and memory space count. A shape without a layout has the default one.
///
/// XLA's `ShapeUtil::ReshapeIsBitcast` knows dense arrays only, and errs in both directions:
///
/// ```
/// use xlayout_xla::shape_util::xla_reshape_is_bitcast;
/// use xlayout_core::bitcast::reshape_is_bitcast;
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
/// use xlayout_core::bitcast::reshape_is_bitcast;
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
#[inline]
pub fn reshape_is_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    element_types: ElementTypes,
) -> Result<bool, LayoutError> {
    let obstacle = reshape_obstacle(shape, output, element_types)?;
    Ok(obstacle.is_none())
}

/// Whether a transpose to `output`, `output.dims[i]` being `self.dims[dimension_mapping[i]]`, is
/// a bitcast: every element stays where it is in memory, and as much memory is allocated. A
/// mapping to other sizes is no transpose, so that the answer is no.
///
/// XLA's `ShapeUtil::TransposeIsBitcast` looks at minor_to_major alone: it counts a change of tiles
/// as a bitcast, and does not see that dimensions of size 1 lie anywhere.
///
/// ```
/// use xlayout_xla::shape_util::xla_transpose_is_bitcast;
/// use xlayout_core::bitcast::transpose_is_bitcast;
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
#[inline]
pub fn transpose_is_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    dimension_mapping: &[i64],
    element_types: ElementTypes,
) -> Result<bool, LayoutError> {
    let obstacle = transpose_obstacle(shape, output, dimension_mapping, element_types)?;
    Ok(obstacle.is_none())
}

/// What keeps a reshape to `output` from being a bitcast, the first thing of several; `None` where
/// [`reshape_is_bitcast`](reshape_is_bitcast) says yes. XLA has no such function.
///
/// ```
/// use xlayout_core::bitcast::reshape_obstacle;
/// use xlayout_core::{ArrayShape, ElementTypes::*, NotBitcast};
/// let a: ArrayShape = "f32[6]{0}".parse().unwrap();
/// let padded: ArrayShape = "f32[2,3]{1,0:T(2,4)}".parse().unwrap();
/// assert_eq!(
///     reshape_obstacle(&a, &padded, Compared)?,
///     Some(NotBitcast::Places { input: 6, output: 8 }),
/// );
/// let turned: ArrayShape = "f32[2,3]{0,1}".parse().unwrap();
/// assert_eq!(reshape_obstacle(&a, &turned, Compared)?, Some(NotBitcast::MemoryMap));
/// let rows: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
/// assert_eq!(reshape_obstacle(&a, &rows, Compared)?, None);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[inline]
pub fn reshape_obstacle(
    shape: &ArrayShape,
    output: &ArrayShape,
    element_types: ElementTypes,
) -> Result<Option<NotBitcast>, LayoutError> {
    with_maps(shape, output, |a, b| {
        map::reshape_obstacle(a, b, element_types)
    })
}

/// What keeps a transpose to `output`, `output.dims[i]` being `self.dims[dimension_mapping[i]]`,
/// from being a bitcast, the first thing of several; `None` where
/// [`transpose_is_bitcast`](transpose_is_bitcast) says yes. XLA has no such function.
///
/// ```
/// use xlayout_core::bitcast::transpose_obstacle;
/// use xlayout_core::{ArrayShape, ElementTypes::*, NotBitcast};
/// let a: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
/// let b: ArrayShape = "f32[3,2]{1,0}".parse().unwrap();
/// assert_eq!(transpose_obstacle(&a, &b, &[1, 0], Compared)?, Some(NotBitcast::MemoryMap));
/// assert_eq!(transpose_obstacle(&a, &b, &[0, 1], Compared)?, Some(NotBitcast::Permutation));
/// let far: ArrayShape = "f32[3,2]{0,1:S(5)}".parse().unwrap();
/// assert_eq!(
///     transpose_obstacle(&a, &far, &[1, 0], Compared)?,
///     Some(NotBitcast::MemorySpace { input: 0, output: 5 }),
/// );
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[inline]
pub fn transpose_obstacle(
    shape: &ArrayShape,
    output: &ArrayShape,
    dimension_mapping: &[i64],
    element_types: ElementTypes,
) -> Result<Option<NotBitcast>, LayoutError> {
    with_maps(shape, output, |a, b| {
        map::transpose_obstacle(a, b, dimension_mapping, element_types)
    })
}

/// Whether `output` is a bitcast of this shape by a reshape or by some transpose
/// (XLA: `ShapeUtil::IsReshapeOrTransposeBitcast`, which ignores tiles and misses transposes that
/// are not their own inverse; see
/// `xlayout_xla::shape_util::xla_is_reshape_or_transpose_bitcast`).
///
/// ```
/// use xlayout_core::bitcast::is_reshape_or_transpose_bitcast;
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
#[inline]
pub fn is_reshape_or_transpose_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
    element_types: ElementTypes,
) -> Result<bool, LayoutError> {
    with_maps(shape, output, |a, b| {
        map::reshape_obstacle(a, b, element_types).is_none()
            || deduced(a, b, element_types).is_some()
    })
}

/// The permutation with which a transpose to `output` is a bitcast, `output.dims[i]` being
/// `self.dims[permutation[i]]`; `None` where there is none. Dimensions of size 1, which lie
/// anywhere, are matched in ascending sequence; all others can be matched in one way only.
///
/// XLA's `ShapeUtil::DeduceTransposeDimensionsForBitcast` ignores tiles, and finds nothing where
/// dimensions of size 1 are at different places in minor_to_major; element types are ignored, as
/// there.
///
/// ```
/// use xlayout_xla::shape_util::xla_deduce_transpose_dimensions_for_bitcast;
/// use xlayout_core::bitcast::deduce_transpose_dimensions_for_bitcast;
/// use xlayout_core::ArrayShape;
/// let a: ArrayShape = "f32[16,1,8]{2,1,0:T(1,8)}".parse().unwrap();
/// let b: ArrayShape = "f32[1,8,16]{1,0,2}".parse().unwrap();
/// assert_eq!(deduce_transpose_dimensions_for_bitcast(&a, &b)?.unwrap()[..], [1, 2, 0]);
/// let c: ArrayShape = "f32[8,1,16]{0,2,1}".parse().unwrap();
/// assert_eq!(deduce_transpose_dimensions_for_bitcast(&a, &c)?.unwrap()[..], [2, 1, 0]);
/// assert_eq!(xla_deduce_transpose_dimensions_for_bitcast(&a, &c), None);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[doc(alias = "DeduceTransposeDimensionsForBitcast")]
#[inline]
pub fn deduce_transpose_dimensions_for_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
) -> Result<Option<List<i64, INLINE_RANK>>, LayoutError> {
    with_maps(shape, output, |a, b| deduced(a, b, ElementTypes::Ignored))
}

/// The permutation with which a transpose is a bitcast.
#[inline]
pub(super) fn deduced(
    input: &MemoryMap<'_>,
    output: &MemoryMap<'_>,
    element_types: ElementTypes,
) -> Option<DimensionNumbers> {
    let mut permutation = DimensionNumbers::new();
    for dimension in (0..input.dims.len() as i64).rev() {
        if permutation.try_push(dimension).is_err() {
            unreachable!("a memory map has no more dimensions than such a list holds");
        }
    }
    match find_transpose(input, output, permutation.as_mut_slice(), element_types) {
        None => Some(permutation),
        Some(_) => None,
    }
}

/// What keeps a reshape from one layout to another from being a bitcast.
pub(crate) fn why_no_reshape(
    input: &impl crate::ArrayLayout,
    output: &impl crate::ArrayLayout,
) -> Option<NotBitcast> {
    if reverses(input) || reverses(output) {
        return Some(NotBitcast::MemoryMap);
    }
    with_map(input, |a| {
        with_map(output, |b| {
            map::reshape_obstacle(a, b, ElementTypes::Compared)
        })
    })
}

/// What keeps a transpose from one layout to another from being a bitcast.
pub(crate) fn why_no_transpose(
    input: &impl crate::ArrayLayout,
    output: &impl crate::ArrayLayout,
    permutation: &[i64],
) -> Option<NotBitcast> {
    if reverses(input) || reverses(output) {
        return Some(NotBitcast::MemoryMap);
    }
    with_map(input, |a| {
        with_map(output, |b| {
            map::transpose_obstacle(a, b, permutation, ElementTypes::Compared)
        })
    })
}

/// Whether a dimension is in memory in reversed sequence. No layout of XLA's has such a memory map.
fn reverses(layout: &impl crate::ArrayLayout) -> bool {
    (0..layout.rank()).any(|dim| layout.is_reversed(dim))
}
