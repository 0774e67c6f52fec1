//! A layout for the output of a reshape, so that the reshape is a bitcast.
//!
//! Source: `shape_util.cc` (`AlignLayouts`).

use super::bitcast::reshape_is_bitcast;

use super::DimensionNumbers;
use super::factors::common_factors;
use super::permutation::{layout_of, list, sizes};
use xlayout_core::{DynLayout, ElementTypes, LayoutError};
use xlayout_shape::{ArrayShape, Dim, Layout, List, MinorToMajor, Tiles};

/// `output` with the dense layout with which XLA counts a reshape to it as a bitcast
/// (XLA: `ShapeUtil::AlignLayouts`); the layout that `output` has does not matter. Dimensions of
/// size 1 become the most major ones. Tiles, padding and element size of this shape are ignored;
/// [`align_layouts`] counts them.
///
/// Bounded dimensions become static if neither shape has a dimension of size 1, as XLA has it.
///
/// `None` where there is no such layout, and where XLA aborts: this shape has no layout, or
/// element types or the numbers of elements differ.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::xla_align_layouts;
/// let a: ArrayShape = "f32[3,8,5,7,11]{3,2,1,0,4}".parse().unwrap();
/// let b: ArrayShape = "f32[4,3,2,7,5,11]".parse().unwrap();
/// let aligned = xla_align_layouts(&a, &b).unwrap();
/// assert_eq!(aligned.to_string(), "f32[4,3,2,7,5,11]{4,3,2,1,0,5}");
/// let c: ArrayShape = "f32[4,3,2,5,77]".parse().unwrap();
/// assert_eq!(xla_align_layouts(&a, &c), None);
/// ```
#[doc(alias = "AlignLayouts")]
#[must_use]
pub fn xla_align_layouts(array: &ArrayShape, output: &ArrayShape) -> Option<ArrayShape> {
    if array.element_type != output.element_type {
        return None;
    }
    let layout = Layout::new(aligned(array, output)?);
    let mut aligned = output.clone();
    aligned.layout = Some(layout);
    let degenerate = |shape: &ArrayShape| shape.dims.iter().any(|dim| dim.bound() == Some(1));
    if !degenerate(array) && !degenerate(output) {
        for dim in aligned.dims.iter_mut() {
            if let Dim::Bounded(n) = *dim {
                *dim = Dim::Static(n);
            }
        }
    }
    Some(aligned)
}

/// `output` with a layout such that a reshape to it is a bitcast in memory. The layout of `output` itself is
/// not used. minor_to_major is that of XLA's `ShapeUtil::AlignLayouts`. The layout is dense, if that is a
/// bitcast; otherwise it has the tiles of this shape. Element size, memory space and tail alignment are those
/// of this shape.
///
/// `None` where neither is a bitcast. (A layout with other tiles may still be.)
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::{align_layouts, xla_align_layouts};
/// let a: ArrayShape = "bf16[4,16,256]{2,1,0:T(8,128)(2,1)}".parse().unwrap();
/// let b: ArrayShape = "bf16[64,256]".parse().unwrap();
/// let aligned = align_layouts(&a, &b)?.unwrap();
/// assert_eq!(aligned.to_string(), "bf16[64,256]{1,0:T(8,128)(2,1)}");
/// let c: ArrayShape = "bf16[4,4096]".parse().unwrap();
/// assert_eq!(align_layouts(&a, &c)?, None);
/// assert!(xla_align_layouts(&a, &c).is_some());
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When this shape has no memory map (it is not valid, or has a `?`), or `output` has sizes
/// without one.
#[doc(alias = "AlignLayouts")]
pub fn align_layouts(
    array: &ArrayShape,
    output: &ArrayShape,
) -> Result<Option<ArrayShape>, LayoutError> {
    let input = DynLayout::new(array.clone())?;
    let input = input.array_shape();
    let mut shape = output.clone();
    shape.layout = None;
    DynLayout::new(shape.clone())?;
    let (Some(layout), Some(minor_to_major)) = (&input.layout, aligned(input, output)) else {
        return Ok(None);
    };
    let mut candidate = layout.clone();
    candidate.minor_to_major = minor_to_major;
    candidate.padded_dimensions = List::new();
    candidate.padding_value = None;
    for tiles in [&Tiles::new(), &layout.tiles] {
        candidate.tiles = tiles.clone();
        shape.layout = Some(candidate.clone());
        // An error: the tiles would allocate too much.
        if reshape_is_bitcast(input, &shape, ElementTypes::Compared) == Ok(true) {
            return Ok(Some(shape));
        }
    }
    Ok(None)
}

/// The minor_to_major of the output.
fn aligned(input: &ArrayShape, output: &ArrayShape) -> Option<MinorToMajor> {
    let layout = layout_of(input)?;
    // Dimensions of size 1 lie anywhere: leave them out, …
    let (from, to) = (sizes(input), sizes(output));
    let kept_in: DimensionNumbers = list((0..from.len() as i64).filter(|&d| from[d as usize] != 1));
    let kept_out: DimensionNumbers = list((0..to.len() as i64).filter(|&d| to[d as usize] != 1));
    let simple = |kept: &DimensionNumbers, all: &DimensionNumbers| -> DimensionNumbers {
        list(kept.iter().map(|&d| all[d as usize]))
    };
    let minor_to_major: DimensionNumbers = list(
        layout
            .minor_to_major
            .iter()
            .filter_map(|d| kept_in.iter().position(|kept| kept == d))
            .map(|d| d as i64),
    );
    let found = aligned_without_ones(
        &simple(&kept_in, &from),
        &minor_to_major,
        &simple(&kept_out, &to),
    )?;
    // … and put them on top. XLA has them in descending sequence, which avoids copies.
    let ones = (0..to.len() as i64).rev().filter(|&d| to[d as usize] == 1);
    let all = found.iter().map(|&d| kept_out[d as usize]).chain(ones);
    Some(MinorToMajor::from_list(list(all)))
}

/// Dimensions that a common factor is made of must be neighbours in the input, in row-major
/// sequence; then they are so in the output, at the same place.
fn aligned_without_ones(
    input: &[i64],
    minor_to_major: &[i64],
    output: &[i64],
) -> Option<DimensionNumbers> {
    let factors = common_factors(input, output)?;
    let mut aligned = DimensionNumbers::new();
    let mut at = 0;
    while aligned.len() < output.len() {
        let minor = *minor_to_major.get(at)?;
        let factor = factors
            .windows(2)
            .find(|pair| minor >= pair[0].0 && minor < pair[1].0)?;
        let (start, end) = (factor[0], factor[1]);
        let neighbours = minor_to_major.get(at..at + (end.0 - start.0) as usize)?;
        if !neighbours.iter().copied().eq((start.0..end.0).rev()) {
            return None;
        }
        at += neighbours.len();
        for dim in (start.1..end.1).rev() {
            aligned.push(dim);
        }
    }
    Some(aligned)
}
