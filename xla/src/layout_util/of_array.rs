//! What `LayoutUtil` asks of an array, and does to it.

use crate::error::ShapeError;
use xlayout_shape::modes::{Lowered, Source};
use xlayout_shape::{ArrayShape, Layout, MinorToMajor, PrimitiveType, Tiles};

/// The layout's minor_to_major (XLA: `LayoutUtil::MinorToMajor`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let mut shape: ArrayShape = "f32[2,3]{0,1}".parse().unwrap();
/// assert_eq!(layout_util::minor_to_major(&shape).unwrap()[..], [0, 1]);
/// layout_util::clear_layout(&mut shape);
/// assert!(layout_util::minor_to_major(&shape).is_err());
/// ```
///
/// # Errors
/// Without a layout, where XLA aborts.
#[doc(alias = "MinorToMajor")]
pub fn minor_to_major(shape: &ArrayShape) -> Result<&MinorToMajor, ShapeError> {
    let layout = shape.layout.as_ref().ok_or(ShapeError::MissingLayout)?;
    Ok(&layout.minor_to_major)
}

/// The memory that the array lies in; the default one without a layout
/// (XLA: `LayoutUtil::MemorySpace`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let shape: ArrayShape = "f32[2]{0:S(5)}".parse().unwrap();
/// assert_eq!(layout_util::memory_space(&shape), 5);
/// ```
#[doc(alias = "MemorySpace")]
#[must_use]
pub fn memory_space(shape: &ArrayShape) -> i8 {
    let layout = shape.layout.as_ref();
    layout.map_or(super::DEFAULT_MEMORY_SPACE, |layout| layout.memory_space)
}

/// Whether the layout says how many bits an element takes
/// (XLA: `LayoutUtil::HasCustomElementSizeInBits`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let shape: ArrayShape = "s4[2]{0:E(4)}".parse().unwrap();
/// assert!(layout_util::has_custom_element_size_in_bits(&shape));
/// ```
#[doc(alias = "HasCustomElementSizeInBits")]
#[must_use]
pub fn has_custom_element_size_in_bits(shape: &ArrayShape) -> bool {
    let layout = shape.layout.as_ref();
    layout.is_some_and(|layout| layout.element_size_in_bits != 0)
}

/// The default layout of an array like this: row-major and dense
/// (XLA: `LayoutUtil::GetDefaultLayoutForShape`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let shape: ArrayShape = "f32[2,3]{0,1}".parse().unwrap();
/// assert_eq!(layout_util::get_default_layout_for_shape(&shape).to_string(), "{1,0}");
/// ```
#[doc(alias = "GetDefaultLayoutForShape")]
#[must_use]
pub fn get_default_layout_for_shape(shape: &ArrayShape) -> Layout {
    match Layout::row_major(shape.rank()) {
        Ok(layout) => layout,
        Err(full) => unreachable!("the dimensions fit into such a list: {full}"),
    }
}

/// Makes minor_to_major the default one, row-major
/// (XLA: `LayoutUtil::SetToDefaultLayout`). As in XLA, the rest of the layout stays: the tiles,
/// the memory space, …
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let mut shape: ArrayShape = "f32[2,3]{0,1:S(1)}".parse().unwrap();
/// layout_util::set_to_default_layout(&mut shape);
/// assert_eq!(shape.to_string(), "f32[2,3]{1,0:S(1)}");
/// ```
#[doc(alias = "SetToDefaultLayout")]
pub fn set_to_default_layout(shape: &mut ArrayShape) {
    let default = crate::layout_util::get_default_layout_for_shape(shape);
    match &mut shape.layout {
        Some(layout) => layout.minor_to_major = default.minor_to_major,
        missing => *missing = Some(default),
    }
}

/// The same shape after [`set_to_default_layout`]
/// (XLA: `LayoutUtil::GetWithDefaultLayout`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let shape: ArrayShape = "f32[2,3]{0,1}".parse().unwrap();
/// assert_eq!(layout_util::get_with_default_layout(&shape).to_string(), "f32[2,3]{1,0}");
/// ```
#[doc(alias = "GetWithDefaultLayout")]
#[must_use]
pub fn get_with_default_layout(array: &ArrayShape) -> ArrayShape {
    let mut shape = array.clone();
    crate::layout_util::set_to_default_layout(&mut shape);
    shape
}

/// Takes out the layout (XLA: `LayoutUtil::ClearLayout`, `Shape::clear_layout`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let mut shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// layout_util::clear_layout(&mut shape);
/// assert_eq!(shape.layout, None);
/// ```
#[doc(alias = "ClearLayout")]
pub fn clear_layout(shape: &mut ArrayShape) {
    shape.layout = None;
}

/// Takes out the tiles (XLA: `LayoutUtil::ClearTiles`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let mut shape: ArrayShape = "f32[2,3]{0,1:T(8,128)S(1)}".parse().unwrap();
/// layout_util::clear_tiles(&mut shape);
/// assert_eq!(shape.to_string(), "f32[2,3]{0,1:S(1)}");
/// ```
#[doc(alias = "ClearTiles")]
pub fn clear_tiles(shape: &mut ArrayShape) {
    if let Some(layout) = &mut shape.layout {
        layout.tiles = Tiles::new();
    }
}

/// Checks the layout, but not the sizes (XLA: `LayoutUtil::ValidateLayoutInShape`); see
/// [`ArrayShape::validate`] for both.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let mut shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// assert!(layout_util::validate_layout_in_shape(&shape, false).is_ok());
/// layout_util::clear_layout(&mut shape);
/// assert!(layout_util::validate_layout_in_shape(&shape, true).is_ok());
/// assert!(layout_util::validate_layout_in_shape(&shape, false).is_err());
/// ```
///
/// # Errors
/// The first rule that the layout breaks; a missing one, unless `allow_missing_layouts`.
#[doc(alias = "ValidateLayoutInShape")]
pub fn validate_layout_in_shape(
    shape: &ArrayShape,
    allow_missing_layouts: bool,
) -> Result<(), ShapeError> {
    match &shape.layout {
        Some(layout) => Ok(layout.validate_for(shape.element_type, &shape.dims)?),
        None if allow_missing_layouts => Ok(()),
        None => Err(ShapeError::MissingLayout),
    }
}

/// Whether the strides are those of the default layout: row-major, dense, whole bytes
/// (XLA: `LayoutUtil::ByteStridesIsMajorToMinor`). The shape's own layout does not matter.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let shape: ArrayShape = "f32[8,9,10]".parse().unwrap();
/// assert_eq!(layout_util::byte_strides_is_major_to_minor(&shape, &[360, 40, 4]), Ok(true));
/// assert_eq!(layout_util::byte_strides_is_major_to_minor(&shape, &[4, 32, 288]), Ok(false));
/// assert_eq!(
///     layout_util::byte_strides_is_major_to_minor(&shape, &[40, 4]).unwrap_err().to_string(),
///     "the list of byte strides has 2 entries, but the shape has 3 dimensions; list one entry \
///      for each",
/// );
/// ```
///
/// # Errors
/// When there are not as many strides as dimensions, where XLA aborts, and for a `?` that a
/// stride depends on.
#[doc(alias = "ByteStridesIsMajorToMinor")]
pub fn byte_strides_is_major_to_minor(
    shape: &ArrayShape,
    byte_strides: &[i64],
) -> Result<bool, ShapeError> {
    let (listed, rank) = (byte_strides.len(), shape.rank());
    if listed != rank {
        return Err(ShapeError::Length {
            list: "the list of byte strides",
            listed,
            rank,
        });
    }
    // Once it is beyond 64 bits no stride equals it, unless a size of 0 takes it back.
    let mut stride = i128::from(shape.element_type.bytes().unwrap_or(0));
    for (dimension, &found) in byte_strides.iter().enumerate().rev() {
        if i128::from(found) != stride {
            return Ok(false);
        }
        match shape.dims[dimension].bound() {
            Some(size) => stride = stride.saturating_mul(size.into()),
            None if dimension == 0 => {}
            None => return Err(ShapeError::Unbounded { dimension }),
        }
    }
    Ok(true)
}

/// Whether the tiles change nothing; see [`is_untiled`]
/// (XLA: `LayoutUtil::IsUntiledLayout`). Padding and splits do not matter.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let untiled =
///     |text: &str| layout_util::is_untiled_layout(&text.parse::<ArrayShape>().unwrap());
/// assert_eq!(untiled("f32[4,256]{1,0:T(1,128)}"), Ok(true));
/// assert_eq!(untiled("f32[256,4]{0,1:T(1,128)}"), Ok(true));
/// assert_eq!(untiled("f32[4,256]{1,0:T(2,128)}"), Ok(false));
/// ```
///
/// # Errors
/// Without a layout that fits the shape, and for a dimension without a bound.
#[doc(alias = "IsUntiledLayout")]
pub fn is_untiled_layout(shape: &ArrayShape) -> Result<bool, ShapeError> {
    let layout = shape.layout.as_ref().ok_or(ShapeError::MissingLayout)?;
    layout.validate_for(shape.element_type, &shape.dims)?;
    if layout.tiles.is_empty() {
        return Ok(true);
    }
    let mut physical = xlayout_shape::List::<i64, { xlayout_shape::INLINE_RANK }>::new();
    for &dimension in layout.minor_to_major.iter().rev() {
        let dimension = dimension as usize;
        let size = shape.dims[dimension].bound();
        physical.try_push(size.ok_or(ShapeError::Unbounded { dimension })?)?;
    }
    Ok(is_untiled(&layout.tiles, &physical))
}

/// Whether tiles change nothing: each element of an array with these physical dimensions,
/// most major first, lies where it would lie without them, and no padding is added
/// (XLA: `LayoutUtil::IsUntiledLayout`).
///
/// All tile levels and `*` count. The result is exact, with two exceptions: it is `false` for some
/// stacks of tiles with `*` that do not divide each other and change nothing, and `false` if the
/// sizes cannot be counted.
///
/// ```
/// use xlayout_shape::Tiles;
/// use xlayout_xla::layout_util::is_untiled;
/// use xlayout_shape::TileDim::Size;
/// let tiles = Tiles::from_tiles(&[&[Size(8), Size(128)]]).unwrap();
/// assert!(is_untiled(&tiles, &[24, 128]));
/// assert!(!is_untiled(&tiles, &[24, 256]));
/// assert!(!is_untiled(&tiles, &[20, 128])); // four rows of padding
/// ```
#[doc(alias = "IsUntiledLayout")]
#[must_use]
pub fn is_untiled(tiles: &Tiles, physical_dimensions: &[i64]) -> bool {
    let shape = ArrayShape::new(PrimitiveType::U8, physical_dimensions);
    let layout = |tiles: &Tiles| {
        let mut shape = shape.clone().ok()?;
        shape.layout.as_mut()?.tiles = tiles.clone();
        shape.validate().ok()?;
        let layout = shape.layout.as_ref()?;
        Lowered::new(&Source::of(&shape, layout)).ok()
    };
    match (layout(tiles), layout(&Tiles::new())) {
        (Some(tiled), Some(dense)) => {
            let buffer_len = tiled.numbers.buffer_len;
            let same_map = || tiled.modes == dense.modes && tiled.terms == dense.terms;
            buffer_len == dense.numbers.buffer_len && (buffer_len == 0 || same_map())
        }
        _ => false,
    }
}
