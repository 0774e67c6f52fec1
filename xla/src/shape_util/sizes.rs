//! Sizes in elements and bytes by dimensions and minor_to_major, without tiles and padding.
//!
//! XLA computes in 64 bits and wraps; it counts `?` as `INT64_MIN`. Here the answer is `None` then.
//!
//! Sources: `shape_util.cc` (`ElementsIn`, `ByteSizeOf`, `ByteStrides`), `layout_util.cc`
//! (`MaxSplitSize`).

use super::permutation::layout_of;
use xlayout_shape::{ArrayShape, Dim, INLINE_RANK, Layout, List};

/// Bytes or elements, one for each dimension.
type Strides = List<i64, INLINE_RANK>;

/// How many elements there are; a bounded dimension counts as its bound
/// (XLA: `ShapeUtil::ElementsIn`). `None` when a dimension has no bound, or on overflow.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[<=2,3]{1,0:T(8,128)}".parse().unwrap();
/// assert_eq!(shape_util::elements_in(&shape), Some(6));
/// assert_eq!(shape_util::byte_size_of(&shape), Some(24));
/// ```
#[doc(alias = "ElementsIn")]
#[must_use]
pub fn elements_in(shape: &ArrayShape) -> Option<i64> {
    let mut sizes = shape.dims.iter().map(|dim| dim.bound());
    sizes.try_fold(1_i64, |product, size| product.checked_mul(size?))
}

/// The bytes of the elements, without tiles or padding (XLA: `ShapeUtil::ByteSizeOf`,
/// `ByteSizeOfElements`). `None` when a dimension has no bound, or on overflow.
#[doc(alias("ByteSizeOf", "ByteSizeOfElements"))]
#[must_use]
pub fn byte_size_of(shape: &ArrayShape) -> Option<i64> {
    let elements = elements_in(shape)?;
    let layout = shape.layout.as_ref();
    match layout.map_or(0, |layout| layout.element_size_in_bits) {
        0 => elements.checked_mul(shape.element_type.bytes().unwrap_or(0).into()),
        bits => {
            let bits = elements.checked_mul(bits)?;
            Some(bits / 8 + i64::from(bits % 8 > 0))
        }
    }
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
    (bits % 8 == 0).then(|| strides(shape, bits / 8)).flatten()
}

/// How far apart neighbours along each dimension would lie in bytes if nothing were packed
/// (XLA: `ShapeUtil::UnpackedByteStrides`). Tiles and the element size are ignored. `None`
/// without a layout that fits the shape, or on overflow.
#[doc(alias = "UnpackedByteStrides")]
#[must_use]
pub fn unpacked_byte_strides(shape: &ArrayShape) -> Option<Strides> {
    strides(shape, shape.element_type.bytes()?.into())
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
    largest_part(layout_of(shape)?, dimension, dim)
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
    let layout = layout_of(shape)?;
    let mut parts = (shape.dims.iter().enumerate()).map(|(d, &dim)| largest_part(layout, d, dim));
    parts.try_fold(1_i64, |product, part| product.checked_mul(part?))
}

/// Whether the index is one of an element.
pub(crate) fn holds(shape: &ArrayShape, index: &[i64]) -> bool {
    let mut pairs = index.iter().zip(&shape.dims);
    index.len() == shape.rank() && pairs.all(|(&i, dim)| 0 <= i && dim.bound() > Some(i))
}

/// The size of the largest part of a dimension. `None` without a bound.
fn largest_part(layout: &Layout, dimension: usize, dim: Dim) -> Option<i64> {
    let size = dim.bound()?;
    let major = |physical: i64| {
        let mut major_to_minor = layout.minor_to_major.iter().rev();
        major_to_minor.nth(usize::try_from(physical).ok()?)
    };
    let mut splits = layout.split_configs.iter();
    let cut = splits.find(|split| major(split.dimension) == Some(&(dimension as i64)));
    let indices = cut.map_or(&[][..], |split| split.split_indices);
    let mut largest = 0;
    let mut last = 0_i64;
    for &at in indices.iter().chain([&size]) {
        largest = at.checked_sub(last)?.max(largest);
        last = at;
    }
    Some(largest)
}

/// `unit` times the product of the sizes that are more minor.
fn strides(shape: &ArrayShape, unit: i64) -> Option<Strides> {
    let minor_to_major = &layout_of(shape)?.minor_to_major;
    let mut strides = List::try_from_iter(core::iter::repeat_n(0, shape.rank())).ok()?;
    // `None` behind a size that is not known, and on overflow: the most major size does not count.
    let mut next = Some(unit);
    for &dimension in minor_to_major.iter() {
        let stride = next?;
        strides[dimension as usize] = stride;
        let size = shape.dims[dimension as usize].bound();
        next = size.and_then(|size| stride.checked_mul(size));
    }
    Some(strides)
}
