//! What `LayoutUtil` asks of a shape, and does to it.

use crate::any_shape::{AnyShape, arrays, change};
use crate::error::ShapeError;
use xlayout_shape::modes::{Lowered, Source};
use xlayout_shape::{ArrayShape, ElementType, Layout, MinorToMajor, Tiles};

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
/// For a shape that is not an array, and without a layout; XLA aborts.
#[doc(alias("MinorToMajor", "Minor", "Major", "dimensions_minor"))]
pub fn minor_to_major<S: AnyShape>(shape: &S) -> Result<&MinorToMajor, ShapeError> {
    let layout = shape.one_array()?.layout.as_ref();
    Ok(&layout.ok_or(ShapeError::MissingLayout)?.minor_to_major)
}

/// The memory that the array lies in; the default one without a layout, and for everything else
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
pub fn memory_space<S: AnyShape>(shape: &S) -> i8 {
    let array = shape.one_array().ok();
    let layout = array.and_then(|array| array.layout.as_ref());
    layout.map_or(super::DEFAULT_MEMORY_SPACE, |layout| layout.memory_space)
}

/// Whether the layout of some array inside says how many bits an element takes
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
pub fn has_custom_element_size_in_bits<S: AnyShape>(shape: &S) -> bool {
    let mut layouts = arrays(shape).filter_map(|array| array.layout.as_ref());
    layouts.any(|layout| layout.element_size_in_bits != 0)
}

/// The default layout of a shape like this: row-major and dense for an array, as in XLA an empty
/// one for tokens and opaque values (XLA: `LayoutUtil::GetDefaultLayoutForShape`).
///
/// ```
/// use xlayout_shape::{ArrayShape, Shape};
/// use xlayout_xla::layout_util;
/// let shape: ArrayShape = "f32[2,3]{0,1}".parse().unwrap();
/// assert_eq!(layout_util::get_default_layout_for_shape(&shape)?.to_string(), "{1,0}");
/// assert_eq!(layout_util::get_default_layout_for_shape(&Shape::Token)?.to_string(), "{}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a tuple; XLA aborts.
#[doc(alias = "GetDefaultLayoutForShape")]
pub fn get_default_layout_for_shape<S: AnyShape>(shape: &S) -> Result<Layout, ShapeError> {
    match shape.one_array() {
        Ok(array) => Ok(default_layout(array)),
        Err(ShapeError::NotAnArray {
            found: ElementType::Token | ElementType::OpaqueType,
        }) => Ok(Layout::default()),
        Err(error) => Err(error),
    }
}

/// Row-major, as long as the dimensions are.
pub(crate) fn default_layout(array: &ArrayShape) -> Layout {
    match Layout::row_major(array.rank()) {
        Ok(layout) => layout,
        Err(full) => unreachable!("the dimensions fit into such a list: {full}"),
    }
}

/// Makes minor_to_major of every array inside the default one, row-major
/// (XLA: `LayoutUtil::SetToDefaultLayout`; of a clone it is `GetWithDefaultLayout`). As in XLA, the
/// rest of the layout stays: the tiles, the memory space, …
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let mut shape: ArrayShape = "f32[2,3]{0,1:S(1)}".parse().unwrap();
/// layout_util::set_to_default_layout(&mut shape);
/// assert_eq!(shape.to_string(), "f32[2,3]{1,0:S(1)}");
/// ```
#[doc(alias("SetToDefaultLayout", "GetWithDefaultLayout"))]
pub fn set_to_default_layout<S: AnyShape>(shape: &mut S) {
    change(shape, |array| {
        let default = default_layout(array);
        match &mut array.layout {
            Some(layout) => layout.minor_to_major = default.minor_to_major,
            missing => *missing = Some(default),
        }
    });
}

/// Takes out the layout of every array inside (XLA: `LayoutUtil::ClearLayout`,
/// `Shape::clear_layout`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let mut shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// layout_util::clear_layout(&mut shape);
/// assert_eq!(shape.layout, None);
/// ```
#[doc(alias("Clear", "ClearLayout"))]
pub fn clear_layout<S: AnyShape>(shape: &mut S) {
    change(shape, |array| array.layout = None);
}

/// Takes out the tiles of every array inside (XLA: `LayoutUtil::ClearTiles`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::layout_util;
/// let mut shape: ArrayShape = "f32[2,3]{0,1:T(8,128)S(1)}".parse().unwrap();
/// layout_util::clear_tiles(&mut shape);
/// assert_eq!(shape.to_string(), "f32[2,3]{0,1:S(1)}");
/// ```
#[doc(alias = "ClearTiles")]
pub fn clear_tiles<S: AnyShape>(shape: &mut S) {
    change(shape, |array| {
        if let Some(layout) = &mut array.layout {
            layout.tiles = Tiles::new();
        }
    });
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
pub fn validate_layout_in_shape<S: AnyShape>(
    shape: &S,
    allow_missing_layouts: bool,
) -> Result<(), ShapeError> {
    arrays(shape).try_for_each(|array| match &array.layout {
        Some(layout) => Ok(layout.validate_for(array.element_type, &array.dims)?),
        None if allow_missing_layouts => Ok(()),
        None => Err(ShapeError::MissingLayout),
    })
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
    let list = "the list of byte strides";
    ShapeError::check_length(list, byte_strides.len(), shape.rank())?;
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
    let shape = ArrayShape::new(ElementType::U8, physical_dimensions);
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
