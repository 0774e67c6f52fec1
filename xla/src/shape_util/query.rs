//! Questions about one array.

use super::permutation::needed_layout;
use crate::any_shape::AnyShape;
use crate::error::ShapeError;
use xlayout_shape::{ArrayShape, Dim, TileDim, dimension_number};

/// A dimension of the array, counted from the end where the number is negative: -1 is the last one
/// (XLA: `ShapeUtil::GetDimension`). `None` beyond the rank.
///
/// ```
/// use xlayout_core::{ArrayShape, Dim};
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[2,<=3]".parse().unwrap();
/// assert_eq!(shape_util::get_dimension(&shape, -1), Some(Dim::Bounded(3)));
/// assert_eq!(shape_util::get_dimension(&shape, -3), None);
/// ```
#[doc(alias = "GetDimension")]
#[must_use]
pub fn get_dimension(shape: &ArrayShape, number: i64) -> Option<Dim> {
    dimension_number(number, shape.rank()).map(|dimension| shape.dims[dimension])
}

/// Whether this is an array without dimensions (XLA: `ShapeUtil::IsScalar`).
///
/// ```
/// use xlayout_shape::{ArrayShape, ElementType};
/// use xlayout_xla::shape_util;
/// let scalar: ArrayShape = "f32[]".parse().unwrap();
/// assert!(shape_util::is_scalar(&scalar));
/// assert!(shape_util::is_scalar(&scalar) && scalar.element_type == ElementType::F32);
/// let one: ArrayShape = "f32[1,1]".parse().unwrap();
/// assert_eq!((shape_util::is_scalar(&one), shape_util::true_num_dimensions(&one)), (false, 0));
/// ```
#[doc(alias("IsScalar", "IsScalarWithElementType"))]
#[must_use]
pub fn is_scalar<S: AnyShape>(shape: &S) -> bool {
    shape.one_array().is_ok_and(|array| array.rank() == 0)
}

/// The number of dimensions whose size is not 1 (XLA: `ShapeUtil::TrueNumDimensions`). A dimension
/// with a bound above 1, or without a bound, counts.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[1,5,1,0]".parse().unwrap();
/// assert_eq!(shape_util::true_num_dimensions(&shape), 2);
/// ```
#[doc(alias("TrueNumDimensions", "IsEffectiveScalar"))]
#[must_use]
pub fn true_num_dimensions(shape: &ArrayShape) -> usize {
    shape.dims.iter().filter(|d| d.bound() != Some(1)).count()
}

/// Whether a dimension has size 0, or 0 at most, so the array has no elements
/// (XLA: `ShapeUtil::IsZeroElementArray`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::is_zero_element_array(&"f32[2,0]".parse::<ArrayShape>().unwrap()));
/// assert!(!shape_util::is_zero_element_array(&"f32[]".parse::<ArrayShape>().unwrap()));
/// ```
#[doc(alias = "IsZeroElementArray")]
#[must_use]
pub fn is_zero_element_array<S: AnyShape>(shape: &S) -> bool {
    let array = shape.one_array();
    array.is_ok_and(|array| array.dims.iter().any(|dim| dim.bound() == Some(0)))
}

/// The product of the sizes and bounds; dimensions without a bound do not count
/// (XLA: `ShapeUtil::StaticExtentProduct`, and `ExtentProduct`, which also says whether it
/// wrapped). `None` on overflow.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[2,?,<=3]".parse().unwrap();
/// assert_eq!(shape_util::static_extent_product(&shape), Some(6));
/// assert_eq!(shape_util::elements_in(&shape), None);
/// ```
#[doc(alias("StaticExtentProduct", "ExtentProduct"))]
#[must_use]
pub fn static_extent_product(shape: &ArrayShape) -> Option<i64> {
    let mut sizes = shape.dims.iter().filter_map(|dim| dim.bound());
    sizes.try_fold(1_i64, i64::checked_mul)
}

/// Whether a dimension is the most major one that matters: only ones of size 1 are more major
/// (XLA: `ShapeUtil::IsEffectivelyMostMajorDimension`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[1,1,16,1,279]{4,1,2,3,0}".parse().unwrap();
/// assert!(shape_util::is_effectively_most_major_dimension(&shape, 2)?);
/// assert!(!shape_util::is_effectively_most_major_dimension(&shape, 1)?);
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Without a layout that fits the shape, where XLA aborts, and for a dimension that the shape
/// does not have, where XLA answers false.
#[doc(alias = "IsEffectivelyMostMajorDimension")]
pub fn is_effectively_most_major_dimension(
    shape: &ArrayShape,
    dimension: usize,
) -> Result<bool, ShapeError> {
    let layout = needed_layout(shape)?;
    if dimension >= shape.rank() {
        return Err(ShapeError::no_such_dimension(dimension, shape.rank()));
    }
    let major_to_minor = layout.minor_to_major.iter().rev().map(|&d| d as usize);
    let first = major_to_minor
        .take_while(|&d| d != dimension)
        .find(|&d| shape.dims[d].bound() != Some(1));
    Ok(first.is_none())
}

/// Whether the last dimension is the most minor one (XLA: `ShapeUtil::LastDimIsMinorMost`).
/// Like XLA, true without a layout; and true without dimensions.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::last_dim_is_minor_most(
///     &"f32[2,3,4]{2,0,1}".parse::<ArrayShape>().unwrap()
/// ));
/// assert!(!shape_util::last_dim_is_minor_most(
///     &"f32[2,3,4]{0,1,2}".parse::<ArrayShape>().unwrap()
/// ));
/// ```
#[doc(alias = "LastDimIsMinorMost")]
#[must_use]
pub fn last_dim_is_minor_most(shape: &ArrayShape) -> bool {
    let layout = shape.layout.as_ref();
    let minor = layout.and_then(|layout| layout.minor_to_major.first());
    minor.is_none_or(|&dimension| dimension == shape.rank() as i64 - 1)
}

/// How many rows of a vector in tiles like `T(1024)(128)(2,1)` are interleaved: the first entry
/// of the third tile (XLA: `ShapeUtil::PackedFactorFor1DInterleavedArray`).
///
/// `None` for another rank, for other than three tiles, for a third tile of other than two
/// entries, where XLA returns an error, and for one that begins with `*`.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "bf16[1024]{0:T(1024)(128)(2,1)}".parse().unwrap();
/// assert_eq!(shape_util::packed_factor_for_1d_interleaved_array(&shape), Some(2));
/// let shape: ArrayShape = "bf16[1024]{0:T(1024)}".parse().unwrap();
/// assert_eq!(shape_util::packed_factor_for_1d_interleaved_array(&shape), None);
/// ```
#[doc(alias = "PackedFactorFor1DInterleavedArray")]
#[must_use]
pub fn packed_factor_for_1d_interleaved_array(shape: &ArrayShape) -> Option<i64> {
    let tiles = &shape.layout.as_ref()?.tiles;
    match tiles.get(2)? {
        [TileDim::Size(factor), _] if shape.rank() == 1 && tiles.len() == 3 => Some(*factor),
        _ => None,
    }
}
