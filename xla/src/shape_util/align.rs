//! A layout for the output of a reshape, so that the reshape is a bitcast.
//!
//! Source: `shape_util.cc` (`AlignLayouts`).

use super::DimensionNumbers;
use super::bitcast::reshape_is_bitcast;
use super::factors::common_factors;
use super::permutation::{compose, layout_of, list, sizes};
use xlayout_core::{DynLayout, ElementTypes, LayoutError};
use xlayout_shape::{ArrayShape, List, MinorToMajor, Tiles};

/// `output` with a layout such that a reshape to it is a bitcast in memory. The layout of `output`
/// itself is not used. minor_to_major is that of XLA's `ShapeUtil::AlignLayouts`, which does not
/// look at tiles. The layout is dense, if that is a bitcast; otherwise it has the tiles of this
/// shape. Element size, memory space and tail alignment are those of this shape.
///
/// `None` where neither is a bitcast. (A layout with other tiles may still be.)
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::align_layouts;
/// let a: ArrayShape = "bf16[4,16,256]{2,1,0:T(8,128)(2,1)}".parse().unwrap();
/// let b: ArrayShape = "bf16[64,256]".parse().unwrap();
/// let aligned = align_layouts(&a, &b)?.unwrap();
/// assert_eq!(aligned.to_string(), "bf16[64,256]{1,0:T(8,128)(2,1)}");
/// let c: ArrayShape = "bf16[4,4096]".parse().unwrap();
/// assert_eq!(align_layouts(&a, &c)?, None);
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
    let from = sizes(input);
    let to = sizes(output);
    let input_dims: DimensionNumbers =
        list((0..from.len() as i64).filter(|&d| from[d as usize] != 1));
    let output_dims: DimensionNumbers = list((0..to.len() as i64).filter(|&d| to[d as usize] != 1));
    let place = |d: &i64| input_dims.iter().position(|dim| dim == d);
    let places = layout.minor_to_major.iter().filter_map(place);
    let minor_to_major: DimensionNumbers = list(places.map(|place| place as i64));
    let found = aligned_without_ones(
        &compose(&from, &input_dims),
        &minor_to_major,
        &compose(&to, &output_dims),
    )?;
    // … and put them on top. XLA has them in descending sequence, which avoids copies.
    let ones = (0..to.len() as i64).rev().filter(|&d| to[d as usize] == 1);
    let all = found.iter().map(|&d| output_dims[d as usize]).chain(ones);
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
        let mut cuts = factors.windows(2);
        let factor = cuts.find(|cut| minor >= cut[0].0 && minor < cut[1].0)?;
        let (input_start, output_start) = factor[0];
        let (input_end, output_end) = factor[1];
        let neighbours = minor_to_major.get(at..at + (input_end - input_start) as usize)?;
        if !neighbours
            .iter()
            .copied()
            .eq((input_start..input_end).rev())
        {
            return None;
        }
        at += neighbours.len();
        for dim in (output_start..output_end).rev() {
            aligned.push(dim);
        }
    }
    Some(aligned)
}
