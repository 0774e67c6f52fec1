//! The questions of run-time shapes, answered by what lies in memory.

use super::ElementTypes::Compared;
use super::map::{self, find_transpose, with_map};
use super::{DimensionNumbers, ElementTypes, NotBitcast};
use crate::array_layout::ArrayLayout;
use crate::coordinates::Coordinates;
use crate::dims::INLINE_RANK;
use crate::layout_error::LayoutError;
use crate::layouts::DynLayout;
use crate::list::List;
use crate::modes::MemoryMap;
use crate::shape::ArrayShape;

/// Calls `use_` with the memory maps of two shapes.
fn with_maps<R>(
    input: &ArrayShape,
    output: &ArrayShape,
    use_: impl FnOnce(&MemoryMap<'_>, &MemoryMap<'_>) -> R,
) -> Result<R, LayoutError> {
    let input = DynLayout::new(input.clone())?;
    let output = DynLayout::new(output.clone())?;
    Ok(with_map(&input, |input| {
        with_map(&output, |output| use_(input, output))
    }))
}

/// What keeps a reshape to `output` from being a bitcast, the first thing of several; `None` where
/// every element, by its row-major index, stays where it is in memory, and as much memory is
/// allocated. All levels of tiles, padding, element size and memory space count. A shape without a
/// layout has the default one.
///
/// A bounded dynamic dimension may be part of a reshape where the answer is the same for all of its
/// run-time sizes (XLA counts the bound only).
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

/// What keeps a transpose to `output`, `output.dims[i]` being `shape.dims[dimension_mapping[i]]`,
/// from being a bitcast, the first thing of several; `None` where every element stays where it is
/// in memory, and as much memory is allocated. A mapping to other sizes is not a transpose.
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

/// The permutation with which a transpose to `output` is a bitcast, `output.dims[i]` being
/// `shape.dims[permutation[i]]`; `None` where there is none. Dimensions of size 1, which lie
/// anywhere, are matched in ascending sequence; all others can be matched in one way only.
///
/// XLA's `ShapeUtil::DeduceTransposeDimensionsForBitcast` ignores tiles, and finds nothing where
/// dimensions of size 1 are at different places in minor_to_major; element types are ignored, as
/// there.
///
/// ```
/// use xlayout_core::bitcast::deduce_transpose_dimensions_for_bitcast;
/// use xlayout_core::ArrayShape;
/// let a: ArrayShape = "f32[16,1,8]{2,1,0:T(1,8)}".parse().unwrap();
/// let b: ArrayShape = "f32[1,8,16]{1,0,2}".parse().unwrap();
/// assert_eq!(deduce_transpose_dimensions_for_bitcast(&a, &b)?.unwrap()[..], [1, 2, 0]);
/// let c: ArrayShape = "f32[8,1,16]{0,2,1}".parse().unwrap();
/// assert_eq!(deduce_transpose_dimensions_for_bitcast(&a, &c)?.unwrap()[..], [2, 1, 0]);
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
    match find_transpose(input, output, &mut permutation, element_types) {
        None => Some(permutation),
        Some(_) => None,
    }
}

/// What keeps a reshape from one layout to another from being a bitcast.
pub(crate) fn why_no_reshape(
    input: &impl ArrayLayout,
    output: &impl ArrayLayout,
) -> Option<NotBitcast> {
    let obstacle = with_map(input, |a| {
        with_map(output, |b| map::reshape_obstacle(a, b, Compared))
    });
    obstacle.or_else(|| turned(input, same_directions(input, output)))
}

/// What keeps a transpose from one layout to another from being a bitcast.
pub(crate) fn why_no_transpose(
    input: &impl ArrayLayout,
    output: &impl ArrayLayout,
    permutation: &[i64],
) -> Option<NotBitcast> {
    let obstacle = with_map(input, |a| {
        with_map(output, |b| {
            map::transpose_obstacle(a, b, permutation, Compared)
        })
    });
    obstacle.or_else(|| {
        let mut pairs = permutation.iter().enumerate();
        let same =
            pairs.all(|(dim, &from)| output.is_reversed(dim) == input.is_reversed(from as usize));
        turned(input, same)
    })
}

/// A memory map counts a reversed dimension from its other end. So where two maps are equal, the
/// elements lie where they did if each dimension has the direction that it had. Without elements
/// there is none.
fn turned(input: &impl ArrayLayout, same_directions: bool) -> Option<NotBitcast> {
    (!same_directions && input.elements() > 0).then_some(NotBitcast::MemoryMap)
}

/// Whether the dimensions that a reshape makes of others have the direction of those. The maps are
/// equal: then the dimensions of a factor of the index have one stride together, and so all of them
/// have one direction.
fn same_directions(input: &impl ArrayLayout, output: &impl ArrayLayout) -> bool {
    let mut inputs = moving(input);
    let mut outputs = moving(output);
    while let (Some((size, direction)), Some((other_size, other))) = (inputs.next(), outputs.next())
    {
        let mut same = other == direction;
        let mut of_input = size;
        let mut of_output = other_size;
        // The factor ends where the products of both sides are equal.
        while of_input != of_output {
            let (product, more): (_, &mut dyn Iterator<Item = _>) = if of_input < of_output {
                (&mut of_input, &mut inputs)
            } else {
                (&mut of_output, &mut outputs)
            };
            let Some((size, reversed)) = more.next() else {
                return false;
            };
            *product *= size;
            same &= reversed == direction;
        }
        if !same {
            return false;
        }
    }
    true
}

/// The size of each dimension that has not one coordinate, and whether it is reversed; the last
/// dimension first.
fn moving<L: ArrayLayout>(layout: &L) -> impl Iterator<Item = (usize, bool)> {
    let dims = (0..layout.rank()).rev();
    let all = dims.map(|dim| (layout.shape().coordinate(dim), layout.is_reversed(dim)));
    all.filter(|(size, _)| *size != 1)
}
