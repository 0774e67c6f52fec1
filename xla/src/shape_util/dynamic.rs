//! Sizes that are known at run time only: setting, clearing, copying and comparing them.

use crate::any_shape::{AnyShape, changed};
use crate::error::ShapeError;
use xlayout_shape::{ArrayShape, Dim};

/// Makes a dimension dynamic, with its size as the bound, or static, with its bound as the size
/// (XLA: `Shape::set_dynamic_dimension`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let mut shape: ArrayShape = "f32[2,<=3]".parse().unwrap();
/// shape_util::set_dynamic_dimension(&mut shape, 0, true)?;
/// shape_util::set_dynamic_dimension(&mut shape, 1, false)?;
/// assert_eq!(shape.to_string(), "f32[<=2,3]{1,0}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a dimension that the shape does not have, and for one without a bound that is to become
/// static; XLA aborts there.
#[doc(alias("dynamic_dimensions", "UpdateDynamicDimension"))]
pub fn set_dynamic_dimension(
    shape: &mut ArrayShape,
    dimension: usize,
    is_dynamic: bool,
) -> Result<(), ShapeError> {
    let dim = dim_mut(shape, dimension)?;
    *dim = with_dynamic(*dim, is_dynamic).ok_or(ShapeError::Unbounded { dimension })?;
    Ok(())
}

/// The same size, static or dynamic. `None` for a size without a bound that is to become static.
fn with_dynamic(dim: Dim, is_dynamic: bool) -> Option<Dim> {
    match dim.bound() {
        Some(size) if is_dynamic => Some(Dim::Bounded(size)),
        Some(size) => Some(Dim::Static(size)),
        None => is_dynamic.then_some(Dim::Unbounded),
    }
}

/// Makes every dimension of every array inside static, with its bound as the size
/// (XLA: `Shape::clear_dynamic_dimensions`). If one was dynamic, the header with the dynamic
/// sizes goes, too (`M(n)`).
///
/// An array without a layout stays without one; XLA gives it an empty one.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let mut shape: ArrayShape = "f32[<=2,3]{1,0:M(8)}".parse().unwrap();
/// shape_util::clear_dynamic_dimensions(&mut shape)?;
/// assert_eq!(shape.to_string(), "f32[2,3]{1,0}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a dimension without a bound, which XLA would leave static and of size `INT64_MIN`. The
/// shape is then as it was.
pub fn clear_dynamic_dimensions<S: AnyShape>(shape: &mut S) -> Result<(), ShapeError> {
    *shape = changed(shape, |array| {
        if array.is_dynamic() {
            make_static(array)
        } else {
            Ok(())
        }
    })?;
    Ok(())
}

/// The same shape with every dimension of every array inside static, and without the header of the
/// dynamic sizes (XLA: `ShapeUtil::MakeStaticShape`, `MakeShapeWithStaticDimensions`, which leave
/// that header to members of a tuple that are static already).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[<=2,3]{1,0:T(8,128)M(8)}".parse().unwrap();
/// assert_eq!(shape_util::to_static(&shape)?.to_string(), "f32[2,3]{1,0:T(8,128)}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a dimension without a bound, which XLA would leave static and of size `INT64_MIN`.
#[doc(alias("MakeStaticShape", "MakeShapeWithStaticDimensions"))]
pub fn to_static<S: AnyShape>(shape: &S) -> Result<S, ShapeError> {
    changed(shape, make_static)
}

fn make_static(array: &mut ArrayShape) -> Result<(), ShapeError> {
    for dimension in 0..array.rank() {
        set_dynamic_dimension(array, dimension, false)?;
    }
    if let Some(layout) = &mut array.layout {
        layout.dynamic_shape_metadata_prefix_bytes = 0;
    }
    Ok(())
}

/// Makes each dimension static or dynamic, as the same one of another shape is
/// (XLA: `ShapeUtil::CopyDynamicDimensions`). Sizes and bounds stay.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let mut shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// shape_util::copy_dynamic_dimensions(&mut shape, &"s8[<=9,?]".parse().unwrap())?;
/// assert_eq!(shape.to_string(), "f32[<=2,<=3]{1,0}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For shapes of different ranks, and for a dimension without a bound that would become static;
/// XLA aborts there. The shape is then as it was.
#[doc(alias = "CopyDynamicDimensions")]
pub fn copy_dynamic_dimensions(
    shape: &mut ArrayShape,
    from: &ArrayShape,
) -> Result<(), ShapeError> {
    if shape.rank() != from.rank() {
        return Err(ShapeError::Rank {
            rank: shape.rank(),
            other: from.rank(),
        });
    }
    let mut dims = shape.dims.clone();
    let pairs = dims.iter_mut().zip(&from.dims);
    for (dimension, (dim, other)) in pairs.enumerate() {
        *dim = with_dynamic(*dim, other.is_dynamic()).ok_or(ShapeError::Unbounded { dimension })?;
    }
    shape.dims = dims;
    Ok(())
}

/// Whether an array of this shape always fits where `bounded` is expected: equally many
/// dimensions, each of a size or bound that is not above the other's. Element types and layouts
/// do not matter (XLA: `ShapeUtil::DynamicArrayShapeIsCompatible`).
///
/// A dimension without a bound fits only one without a bound, and every size fits there. XLA
/// compares `INT64_MIN` instead and returns the reverse of both.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let fits = |shape: &str, bounded: &str| {
///     let [shape, bounded] = [shape, bounded].map(|text| text.parse::<ArrayShape>().unwrap());
///     shape_util::dynamic_array_shape_is_compatible(&shape, &bounded)
/// };
/// assert!(fits("f32[<=2,3]", "f32[<=4,3]"));
/// assert!(!fits("f32[<=4,3]", "f32[2,3]"));
/// assert!(fits("f32[4,3]", "f32[?,3]"));
/// assert!(!fits("f32[?,3]", "f32[<=4,3]"));
/// ```
#[doc(alias = "DynamicArrayShapeIsCompatible")]
#[must_use]
pub fn dynamic_array_shape_is_compatible(shape: &ArrayShape, bounded: &ArrayShape) -> bool {
    shape.rank() == bounded.rank()
        && shape.dims.iter().zip(&bounded.dims).all(|(dim, bound)| {
            match (dim.bound(), bound.bound()) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(size), Some(bound)) => size <= bound,
            }
        })
}

pub(crate) fn dim_mut(shape: &mut ArrayShape, dimension: usize) -> Result<&mut Dim, ShapeError> {
    let rank = shape.rank();
    let dim = shape.dims.get_mut(dimension);
    dim.ok_or(ShapeError::no_such_dimension(dimension, rank))
}

/// Gives a dimension another size (XLA: `Shape::set_dimensions`). A number is a static size;
/// see [`Dim`] for the others. The layout stays.
///
/// ```
/// use xlayout_shape::{ArrayShape, Dim};
/// use xlayout_xla::shape_util;
/// let mut shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// shape_util::set_dimension(&mut shape, 0, 5)?;
/// shape_util::set_dimension(&mut shape, 1, Dim::Bounded(7))?;
/// assert_eq!(shape.to_string(), "f32[5,<=7]{1,0}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a dimension that the shape does not have, and for a negative size; XLA aborts there.
#[doc(alias(
    "set_dimensions",
    "set_unbounded_dynamic_dimension",
    "set_dimensions_minor"
))]
pub fn set_dimension(
    shape: &mut ArrayShape,
    dimension: usize,
    size: impl Into<Dim>,
) -> Result<(), ShapeError> {
    let size = not_negative(size.into())?;
    *dim_mut(shape, dimension)? = size;
    Ok(())
}

/// The dimension, if its size can be one.
pub(super) fn not_negative(dim: Dim) -> Result<Dim, ShapeError> {
    match dim.bound() {
        Some(size @ ..0) => Err(ShapeError::NegativeSize { size }),
        _ => Ok(dim),
    }
}
