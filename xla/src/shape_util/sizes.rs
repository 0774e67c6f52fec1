//! XLA's own helpers, with XLA's own limits.
//!
//! They answer exactly what `ShapeUtil`, `LayoutUtil` and `IndexUtil` answer, to compare with XLA
//! or to fill in what XLA asks for. XLA's own helpers look at the first tile level only, know no
//! `*` in a tile and no padding; the full answers are those of a lowered layout.
//!
//! XLA computes in 64 bits and wraps; it counts `?` and `*` as `INT64_MIN`. The functions called
//! `overflowing_…` return the number that comes out, and whether that happened on the way. The
//! others return `None` then.
//!
//! Sources: `shape_util.cc` (`ElementsIn`, `ByteSizeOf`, `ArraySize`, `ArrayDataSize`,
//! `ByteStrides`), `layout_util.cc` (`LinearIndex`, `MaxSplitSize`), `index_util.cc`.

use super::wrapping::Wrapping;
use xlayout_shape::{ArrayShape, Dim, INLINE_RANK, Layout, List, TileDim};

/// Bytes or elements, one for each dimension.
type Strides = List<i64, INLINE_RANK>;

fn extent(dim: Dim) -> Wrapping {
    dim.bound().map_or(Wrapping::MARKER, Wrapping::new)
}

fn entry(entry: TileDim) -> Wrapping {
    match entry {
        TileDim::Size(n) => Wrapping::new(n),
        TileDim::Combine => Wrapping::MARKER,
    }
}

/// How many elements there are; a bounded dimension counts as its bound
/// (XLA: `ShapeUtil::ElementsIn`). `None` when a dimension has no bound, or on overflow.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[<=2,3]{1,0:T(8,128)}".parse().unwrap();
/// assert_eq!(shape_util::elements_in(&shape), Some(6));
/// assert_eq!(shape_util::byte_size_of(&shape), Some(24));
/// assert_eq!(shape_util::xla_array_size(&shape), Some(4096));
/// assert_eq!(shape_util::xla_array_data_size(&shape), Some((128 + 2 + 1) * 4));
/// ```
#[doc(alias = "ElementsIn")]
#[must_use]
pub fn elements_in(shape: &ArrayShape) -> Option<i64> {
    elements(shape).exact()
}

/// [`elements_in`] as XLA computes it, and whether it wrapped.
///
/// ```
/// use xlayout_shape::{ArrayShape, PrimitiveType};
/// use xlayout_xla::shape_util;
/// // What wraps in XLA, and is `None` here, in numbers:
/// let shape = ArrayShape::new(PrimitiveType::F32, &[1 << 62, 2]).unwrap();
/// assert_eq!(
///     (shape_util::elements_in(&shape), shape_util::overflowing_elements_in(&shape)),
///     (None, (i64::MIN, true))
/// );
/// assert_eq!(
///     (shape_util::byte_size_of(&shape), shape_util::overflowing_byte_size_of(&shape)),
///     (None, (0, true))
/// );
/// assert_eq!(shape_util::overflowing_xla_array_size(&shape), Some((0, true)));
/// assert_eq!(shape_util::overflowing_xla_array_data_size(&shape), Some((0, true)));
/// ```
#[must_use]
pub fn overflowing_elements_in(shape: &ArrayShape) -> (i64, bool) {
    elements(shape).overflowing()
}

/// The bytes of the elements, without tiles or padding (XLA: `ShapeUtil::ByteSizeOf`,
/// `ByteSizeOfElements`). `None` when a dimension has no bound, or on overflow.
#[doc(alias = "ByteSizeOf")]
#[doc(alias = "ByteSizeOfElements")]
#[must_use]
pub fn byte_size_of(shape: &ArrayShape) -> Option<i64> {
    bytes(shape, elements(shape)).exact()
}

/// [`byte_size_of`] as XLA computes it, and whether it wrapped.
#[must_use]
pub fn overflowing_byte_size_of(shape: &ArrayShape) -> (i64, bool) {
    bytes(shape, elements(shape)).overflowing()
}

/// The bytes that the array takes, as far as XLA's own helper knows
/// (XLA: `ShapeUtil::ArraySize`): only the first tile pads, and the tail padding alignment
/// counts only in a tiled layout. Of a split dimension the largest part counts.
///
/// `None` without a layout that fits the shape, when a dimension has no bound, when a tile
/// holds `*`, or on overflow.
#[doc(alias = "ArraySize")]
#[must_use]
pub fn xla_array_size(shape: &ArrayShape) -> Option<i64> {
    allocated(shape)?.exact()
}

/// [`xla_array_size`] as XLA computes it, and whether it wrapped;
/// `None` where XLA aborts.
#[must_use]
pub fn overflowing_xla_array_size(shape: &ArrayShape) -> Option<(i64, bool)> {
    Some(allocated(shape)?.overflowing())
}

/// The bytes up to the end of the last element, as far as XLA's own helper knows
/// (XLA: `ShapeUtil::ArrayDataSize`): by the first tile only, and without regard to splits.
///
/// `None` without a layout that fits the shape, when a dimension has no bound, when a tile
/// holds `*`, on overflow, or where XLA answers a negative number, as for some empty arrays.
#[doc(alias = "ArrayDataSize")]
#[must_use]
pub fn xla_array_data_size(shape: &ArrayShape) -> Option<i64> {
    used(shape)?.exact().filter(|bytes| *bytes >= 0)
}

/// [`xla_array_data_size`] as XLA computes it, and whether it
/// wrapped; `None` where XLA aborts. The number is negative for some empty arrays.
#[must_use]
pub fn overflowing_xla_array_data_size(shape: &ArrayShape) -> Option<(i64, bool)> {
    Some(used(shape)?.overflowing())
}

/// How far apart neighbours along each dimension lie in bytes, when elements take whole bytes
/// (XLA: `ShapeUtil::ByteStrides`). Tiles are ignored. `None` when elements are packed,
/// without a layout that fits the shape, or on overflow.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[3,5,7]".parse().unwrap();
/// assert_eq!(shape_util::byte_strides(&shape).unwrap()[..], [140, 28, 4]);
/// let packed: ArrayShape = "s4[3,5]{1,0:E(4)}".parse().unwrap();
/// assert_eq!(shape_util::byte_strides(&packed), None);
/// assert_eq!(shape_util::unpacked_byte_strides(&packed).unwrap()[..], [5, 1]);
/// ```
#[doc(alias = "ByteStrides")]
#[must_use]
pub fn byte_strides(shape: &ArrayShape) -> Option<Strides> {
    let bits = shape.element_size_in_bits();
    if bits % 8 == 0 {
        strides(shape, bits / 8)
    } else {
        None
    }
}

/// How far apart neighbours along each dimension would lie in bytes if nothing were packed
/// (XLA: `ShapeUtil::UnpackedByteStrides`). Tiles and the element size are ignored. `None`
/// without a layout that fits the shape, or on overflow.
#[doc(alias = "UnpackedByteStrides")]
#[must_use]
pub fn unpacked_byte_strides(shape: &ArrayShape) -> Option<Strides> {
    strides(shape, shape.element_type.bytes()?.into())
}

/// The place of an element, as far as XLA's own helper knows (XLA: `LayoutUtil::LinearIndex`):
/// by the first tile only, and by none in a vector.
///
/// `None` when the index is out of bounds, without a layout that fits the shape, when the
/// first tile holds `*`, or on overflow.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "bf16[16,256]{1,0:T(8,128)(2,1)}".parse().unwrap();
/// // The second tile would make this 1.
/// assert_eq!(shape_util::xla_linear_index(&shape, &[1, 0]), Some(128));
/// ```
#[doc(alias = "LinearIndex")]
#[must_use]
pub fn xla_linear_index(shape: &ArrayShape, index: &[i64]) -> Option<i64> {
    if !holds(shape, index) {
        return None;
    }
    linear(shape, |dimension| Wrapping::new(index[dimension]))?.exact()
}

/// The size of the largest part of a dimension that splits cut
/// (XLA: `LayoutUtil::MaxSplitSize`); the size when none does, or without a layout. `None` for
/// a dimension that the shape does not have or that has no bound, and for a layout that does
/// not fit the shape.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}".parse().unwrap();
/// assert_eq!(shape_util::max_split_size(&shape, 1), Some(90));
/// assert_eq!(shape_util::max_elements_in_per_split(&shape), Some(150 * 90 * 70));
/// ```
#[doc(alias = "MaxSplitSize")]
#[must_use]
pub fn max_split_size(shape: &ArrayShape, dimension: usize) -> Option<i64> {
    let dim = *shape.dims.get(dimension)?;
    if shape.layout.is_none() {
        return dim.bound();
    }
    largest_part(fitting_layout(shape)?, dimension, dim).exact()
}

/// How many elements lie in the largest part (XLA: `LayoutUtil::MaxElementsInPerSplit`).
/// `None` when a dimension has no bound, on overflow, and for a layout that does not fit the
/// shape.
#[doc(alias = "MaxElementsInPerSplit")]
#[must_use]
pub fn max_elements_in_per_split(shape: &ArrayShape) -> Option<i64> {
    if shape.layout.is_none() {
        return elements_in(shape);
    }
    let layout = fitting_layout(shape)?;
    let parts = shape
        .dims
        .iter()
        .enumerate()
        .map(|(d, &dim)| largest_part(layout, d, dim));
    parts.fold(Wrapping::ONE, Wrapping::times).exact()
}

/// The layout, if its minor_to_major lists each dimension once.
pub(crate) fn fitting_layout(shape: &ArrayShape) -> Option<&Layout> {
    let layout = shape.layout.as_ref()?;
    let order = &layout.minor_to_major;
    (order.len() == shape.rank() && order.is_permutation()).then_some(layout)
}

/// Whether the index is one of an element.
pub(crate) fn holds(shape: &ArrayShape, index: &[i64]) -> bool {
    index.len() == shape.rank()
        && index
            .iter()
            .zip(&shape.dims)
            .all(|(&i, dim)| 0 <= i && dim.bound().is_some_and(|n| i < n))
}

pub(crate) fn elements(shape: &ArrayShape) -> Wrapping {
    shape
        .dims
        .iter()
        .map(|&dim| extent(dim))
        .fold(Wrapping::ONE, Wrapping::times)
}

pub(crate) fn bytes(shape: &ArrayShape, elements: Wrapping) -> Wrapping {
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

pub(crate) fn largest_part(layout: &Layout, dimension: usize, dim: Dim) -> Wrapping {
    let size = extent(dim);
    let major = |physical: i64| {
        usize::try_from(physical)
            .ok()
            .and_then(|k| crate::layout_util::major(layout, k))
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

pub(crate) fn allocated(shape: &ArrayShape) -> Option<Wrapping> {
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

pub(crate) fn used(shape: &ArrayShape) -> Option<Wrapping> {
    let last = linear(shape, |dimension| {
        extent(shape.dims[dimension]).minus(Wrapping::ONE)
    })?;
    Some(bytes(shape, last.plus(Wrapping::ONE)))
}

pub(crate) fn linear(shape: &ArrayShape, index: impl Fn(usize) -> Wrapping) -> Option<Wrapping> {
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

/// `unit` times the product of the sizes that are more minor.
pub(crate) fn strides(shape: &ArrayShape, unit: i64) -> Option<Strides> {
    let order = &fitting_layout(shape)?.minor_to_major;
    let mut strides = List::try_from_iter(core::iter::repeat_n(0, shape.rank())).ok()?;
    let mut stride = Wrapping::new(unit);
    for &dimension in order.iter() {
        strides[dimension as usize] = stride.exact()?;
        stride = stride.times(extent(shape.dims[dimension as usize]));
    }
    Some(strides)
}
