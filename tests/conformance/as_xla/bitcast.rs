//! `ShapeUtil`'s bitcasts: sizes and minor_to_major decide alone.
//!
//! Source: `shape_util.cc`.

use xlayout::bitcast::ElementTypes;
use xlayout::shape::Dim;
use xlayout::{ArrayShape, ElementType, Layout};
use xlayout_xla::Compare;
use xlayout_xla::shape_util::{self, BitcastDecomposition, BitcastDecompositionTrt};

/// The shape that XLA sees: bytes, bounds as sizes, and minor_to_major. `None` where XLA aborts,
/// and where the elements cannot be counted.
fn dense(shape: &ArrayShape) -> Option<ArrayShape> {
    let order = &shape.layout.as_ref()?.minor_to_major;
    if order.len() != shape.rank() || !order.is_permutation() {
        return None;
    }
    let mut dense = without_layout(shape)?;
    dense.layout = Some(Layout::new(order.clone()));
    elements(&dense)?;
    Some(dense)
}

/// The same without the layout.
fn without_layout(shape: &ArrayShape) -> Option<ArrayShape> {
    let sizes: Option<Vec<i64>> = shape.dims.iter().map(|dim| dim.bound()).collect();
    let mut shape = ArrayShape::new(ElementType::U8, &sizes?).ok()?;
    shape.layout = None;
    Some(shape)
}

/// The number of elements: 0 where a size is 0, whatever the others are.
fn elements(shape: &ArrayShape) -> Option<i64> {
    match shape_util::is_zero_element_array(shape) {
        true => Some(0),
        false => shape_util::elements_in(shape),
    }
}

fn types_fit(a: &ArrayShape, b: &ArrayShape, types: ElementTypes) -> bool {
    types == ElementTypes::Ignored || a.element_type == b.element_type
}

/// `ReshapeIsBitcast`; `None` where XLA aborts.
pub(crate) fn reshape_is_bitcast(
    a: &ArrayShape,
    b: &ArrayShape,
    types: ElementTypes,
) -> Option<bool> {
    if !types_fit(a, b, types) {
        return Some(false);
    }
    shape_util::reshape_is_bitcast(&dense(a)?, &dense(b)?, ElementTypes::Compared).ok()
}

/// `TransposeIsBitcast`, which does not look at sizes; `None` where XLA aborts.
pub(crate) fn transpose_is_bitcast(
    a: &ArrayShape,
    b: &ArrayShape,
    mapping: &[i64],
    types: ElementTypes,
) -> Option<bool> {
    let from = order(a)?;
    let to = order(b)?;
    if !types_fit(a, b, types) {
        return Some(false);
    }
    let mapped: Option<Vec<i64>> = to
        .iter()
        .map(|&d| mapping.get(d as usize).copied())
        .collect();
    let distinct = (0..b.rank() as i64).all(|d| mapping.contains(&d));
    (distinct && mapping.len() == b.rank()).then(|| mapped.as_deref() == Some(from))
}

fn order(shape: &ArrayShape) -> Option<&[i64]> {
    let order = &shape.layout.as_ref()?.minor_to_major;
    (order.len() == shape.rank() && order.is_permutation()).then_some(&order[..])
}

/// `IsReshapeOrTransposeBitcast`, which asks whether the deduced transpose leads from `b` back;
/// `None` where XLA aborts.
pub(crate) fn is_reshape_or_transpose_bitcast(
    a: &ArrayShape,
    b: &ArrayShape,
    types: ElementTypes,
) -> Option<bool> {
    if !types_fit(a, b, types) {
        return Some(false);
    }
    if Compare::new().ignore_element_type().equal(a, b)
        || reshape_is_bitcast(a, b, ElementTypes::Ignored)?
    {
        return Some(true);
    }
    match deduce_transpose_dimensions_for_bitcast(a, b) {
        Some(dims) => transpose_is_bitcast(b, a, &dims, ElementTypes::Ignored),
        None => Some(false),
    }
}

/// `DeduceTransposeDimensionsForBitcast`: the `k`-th most minor dimension becomes the `k`-th most
/// minor one, if the sizes agree.
pub(crate) fn deduce_transpose_dimensions_for_bitcast(
    a: &ArrayShape,
    b: &ArrayShape,
) -> Option<Vec<i64>> {
    let from = order(a)?;
    let to = order(b)?;
    let mut permutation = vec![0; b.rank()];
    for (from, to) in from.iter().zip(to) {
        permutation[*to as usize] = *from;
    }
    let size = |shape: &ArrayShape, d: usize| shape.dims[d].bound();
    let fits = a.rank() == b.rank()
        && (0..b.rank()).all(|d| size(a, permutation[d] as usize) == size(b, d));
    fits.then_some(permutation)
}

/// `DecomposeBitcast`; `None` if the bitcast cannot be decomposed.
pub(crate) fn decompose_bitcast(a: &ArrayShape, b: &ArrayShape) -> Option<BitcastDecomposition> {
    if elements(&dense(a)?)? != elements(&dense(b)?)? {
        return None;
    }
    if reshape_is_bitcast(a, b, ElementTypes::Ignored)? {
        return Some(BitcastDecomposition::Reshape);
    }
    match deduce_transpose_dimensions_for_bitcast(a, b) {
        Some(dims) => Some(BitcastDecomposition::Transpose {
            transpose_dims: xlayout::shape::List::try_from_iter(dims).ok()?,
        }),
        None => decompose_bitcast_to_trt(a, b).map(BitcastDecomposition::Trt),
    }
}

/// `DecomposeBitcastToTrt`. The shapes in between keep the tiles, which are not looked at, but
/// neither splits nor the metadata prefix.
pub(crate) fn decompose_bitcast_to_trt(
    a: &ArrayShape,
    b: &ArrayShape,
) -> Option<BitcastDecompositionTrt> {
    let mut trt = shape_util::decompose_bitcast_to_trt(&dense(a)?, &dense(b)?).ok()??;
    for (between, end) in [(&mut trt.transpose1_shape, a), (&mut trt.reshape_shape, b)] {
        *between = shape_util::with_descending_layout_and_same_physical_layout(end).ok()?;
        let layout = between.layout.as_mut()?;
        layout.split_configs = xlayout::shape::SplitConfigs::new();
        layout.dynamic_shape_metadata_prefix_bytes = 0;
    }
    Some(trt)
}

/// `AlignLayouts`; the layout of `b` does not matter. Bounded dimensions become static if neither
/// shape has a dimension of size 1. `None` if no layout aligns them, and where XLA aborts.
pub(crate) fn align_layouts(a: &ArrayShape, b: &ArrayShape) -> Option<ArrayShape> {
    if a.element_type != b.element_type {
        return None;
    }
    let found = shape_util::align_layouts(&dense(a)?, &without_layout(b)?).ok()??;
    let mut aligned = b.clone();
    aligned.layout = found.layout;
    let has_ones = |shape: &ArrayShape| shape.dims.iter().any(|dim| dim.bound() == Some(1));
    if !has_ones(a) && !has_ones(b) {
        for dim in aligned.dims.iter_mut() {
            if let Dim::Bounded(size) = *dim {
                *dim = Dim::Static(size);
            }
        }
    }
    Some(aligned)
}
