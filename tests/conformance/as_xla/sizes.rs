//! `ShapeUtil`'s and `LayoutUtil`'s sizes: only the first level of tiles counts, there are no `*`
//! in a tile and no padding, and numbers wrap. `?` and `*` count as `INT64_MIN`.
//!
//! Sources: `shape_util.cc` (`ElementsIn`, `ByteSizeOf`, `ArraySize`, `ArrayDataSize`),
//! `layout_util.cc` (`LinearIndex`, `MaxSplitSize`).

use xlayout::shape::{Dim, Shape, TileDim};
use xlayout::{ArrayShape, Layout};

use super::wrapping::Wrapping;

/// A number as XLA computes it, and whether anything wrapped on the way to it.
type Number = (i64, bool);

/// `ShapeUtil::ByteSizeOf`.
pub(crate) fn byte_size_of(shape: &Shape, pointer_size: i64) -> Number {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => bytes(array, elements(array)).overflowing(),
        Shape::Tuple(members) => pointer_size.overflowing_mul(members.len() as i64),
        Shape::Opaque => (pointer_size, false),
        Shape::Token => (0, false),
        _ => unreachable!("XLA has no other shapes"),
    }
}

/// `ShapeUtil::ElementsInRecursive`; `None` where XLA aborts.
pub(crate) fn elements_in_recursive(shape: &Shape) -> Option<Number> {
    let mut leaves = shape.leaves();
    let sum = leaves.try_fold(Wrapping::new(0), |sum, leaf| {
        Some(sum.plus(elements(leaf.as_array_or_buffer()?)))
    });
    Some(sum?.overflowing())
}

/// `ShapeUtil::ArraySize`; `None` where XLA aborts.
pub(crate) fn array_size(shape: &ArrayShape) -> Option<Number> {
    Some(allocated(shape)?.overflowing())
}

/// `ShapeUtil::ArrayDataSize`, which is negative for some empty arrays; `None` where XLA aborts.
pub(crate) fn array_data_size(shape: &ArrayShape) -> Option<Number> {
    Some(used(shape)?.overflowing())
}

/// `LayoutUtil::LinearIndex`; `None` where it wraps, and for an index that is out of bounds.
pub(crate) fn linear_index(shape: &ArrayShape, index: &[i64]) -> Option<i64> {
    if !holds(shape, index) {
        return None;
    }
    linear(shape, |dimension| Wrapping::new(index[dimension]))?.exact()
}

fn extent(dim: Dim) -> Wrapping {
    dim.bound().map_or(Wrapping::MARKER, Wrapping::new)
}

fn entry(entry: TileDim) -> Wrapping {
    match entry {
        TileDim::Size(n) => Wrapping::new(n),
        TileDim::Combine => Wrapping::MARKER,
    }
}

/// The layout, if its minor_to_major lists each dimension once.
fn fitting_layout(shape: &ArrayShape) -> Option<&Layout> {
    let layout = shape.layout.as_ref()?;
    let order = &layout.minor_to_major;
    (order.len() == shape.rank() && order.is_permutation()).then_some(layout)
}

/// Whether the index is one of an element.
fn holds(shape: &ArrayShape, index: &[i64]) -> bool {
    index.len() == shape.rank()
        && index
            .iter()
            .zip(&shape.dims)
            .all(|(&i, dim)| 0 <= i && dim.bound().is_some_and(|n| i < n))
}

fn elements(shape: &ArrayShape) -> Wrapping {
    shape
        .dims
        .iter()
        .map(|&dim| extent(dim))
        .fold(Wrapping::ONE, Wrapping::times)
}

fn bytes(shape: &ArrayShape, elements: Wrapping) -> Wrapping {
    match shape
        .layout
        .as_ref()
        .map_or(0, |layout| layout.element_size_in_bits)
    {
        0 => elements.times(Wrapping::new(
            shape.element_type.bytes().unwrap_or(0).into(),
        )),
        bits => elements
            .times(Wrapping::new(bits))
            .ceiling_of(Wrapping::new(8)),
    }
}

fn largest_part(layout: &Layout, dimension: usize, dim: Dim) -> Wrapping {
    let size = extent(dim);
    let major = |physical: i64| {
        usize::try_from(physical)
            .ok()
            .and_then(|k| layout.minor_to_major.iter().nth_back(k).copied())
    };
    let cut = layout
        .split_configs
        .iter()
        .find(|s| major(s.dimension) == Some(dimension as i64));
    let Some(indices) = cut
        .map(|split| split.split_indices)
        .filter(|at| !at.is_empty())
    else {
        return size;
    };
    let mut largest = Wrapping::new(0);
    let mut last = Wrapping::new(0);
    for &at in indices {
        largest = largest.or_larger(Wrapping::new(at).minus(last));
        last = Wrapping::new(at);
    }
    largest.or_larger(size.minus(last))
}

fn allocated(shape: &ArrayShape) -> Option<Wrapping> {
    let layout = shape.layout.as_ref()?;
    let Some(tile) = layout.tiles.get(0) else {
        return Some(bytes(shape, elements(shape)));
    };
    if tile.contains(&TileDim::Size(0)) {
        return None;
    }
    let order = &fitting_layout(shape)?.minor_to_major;
    let mut elements = Wrapping::ONE;
    for k in 0..order.len().max(tile.len()) {
        let size = match order.get(k).map(|&d| d as usize) {
            Some(d) => largest_part(layout, d, shape.dims[d]),
            None => Wrapping::ONE,
        };
        // The last entry of the tile belongs to the most minor dimension.
        elements = elements.times(match tile.len().checked_sub(k + 1) {
            Some(at) => size.round_up_to(entry(tile[at])),
            None => size,
        });
    }
    let alignment = layout.tail_padding_alignment_in_elements;
    if alignment != 1 {
        if alignment <= 0 {
            return None;
        }
        elements = elements.round_up_to(Wrapping::new(alignment));
    }
    Some(bytes(shape, elements))
}

fn used(shape: &ArrayShape) -> Option<Wrapping> {
    let last = linear(shape, |dimension| {
        extent(shape.dims[dimension]).minus(Wrapping::ONE)
    })?;
    Some(bytes(shape, last.plus(Wrapping::ONE)))
}

fn linear(shape: &ArrayShape, index: impl Fn(usize) -> Wrapping) -> Option<Wrapping> {
    let layout = fitting_layout(shape)?;
    match shape.rank() {
        0 => return Some(Wrapping::new(0)),
        1 => return Some(index(0)),
        _ => {}
    }
    let tile = layout.tiles.get(0).unwrap_or(&[]);
    if tile.contains(&TileDim::Size(0)) {
        return None;
    }
    let mut sum = Wrapping::new(0);
    let mut outside = tile
        .iter()
        .map(|&e| entry(e))
        .fold(Wrapping::ONE, Wrapping::times);
    let mut inside = Wrapping::ONE;
    for (k, &dimension) in layout.minor_to_major.iter().enumerate() {
        let i = index(dimension as usize);
        let size = extent(shape.dims[dimension as usize]);
        if k < tile.len() {
            let width = entry(tile[tile.len() - 1 - k]);
            sum = sum
                .plus(outside.times(i.over(width)))
                .plus(inside.times(i.modulo(width)));
            outside = outside.times(size.ceiling_of(width));
            inside = inside.times(width);
        } else {
            sum = sum.plus(i.times(outside));
            outside = outside.times(size);
        }
    }
    Some(sum)
}
