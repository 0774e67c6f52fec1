//! Adding and taking out dimensions.
//!
//! A layout goes along: minor_to_major and padded widths get or lose the entries, and a split keeps
//! cutting the dimension that it cut (XLA leaves the numbers of splits as they were). Tiles stay;
//! they cover the most minor dimensions that there then are.

use super::dynamic::not_negative;
use super::permutation::checked_layout;
use crate::error::ShapeError;
use xlayout_shape::{ArrayShape, Dim, INLINE_RANK, List, MinorToMajor, ParseError};

/// Adds a last dimension and leaves the layout alone, which then does not fit
/// (XLA: `Shape::add_dimensions`). To have it fit, use
/// [`append_minor_dimension`] or
/// [`append_major_dimension`].
///
/// ```
/// use xlayout_shape::{ArrayShape, Dim};
/// use xlayout_xla::shape_util;
/// let mut shape: ArrayShape = "f32[2]".parse().unwrap();
/// shape.layout = None;
/// shape_util::add_dimension(&mut shape, 3)?;
/// shape_util::add_dimension(&mut shape, Dim::Bounded(4))?;
/// assert_eq!(shape.to_string(), "f32[2,3,<=4]");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a negative size, where XLA aborts, and [`TooMany`](xlayout_shape::ErrorKind::TooMany) for a
/// rank above 16 without the feature `alloc`.
#[doc(alias("add_dimensions", "clear_dimensions"))]
pub fn add_dimension(shape: &mut ArrayShape, size: impl Into<Dim>) -> Result<(), ShapeError> {
    shape.dims.try_push(not_negative(size.into())?)?;
    Ok(())
}

/// The shape with one more dimension, the last one and the most major one
/// (XLA: `ShapeUtil::AppendMajorDimension`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[2,3]{1,0:T(8,128)}".parse().unwrap();
/// assert_eq!(
///     shape_util::append_major_dimension(&shape, 4)?.to_string(),
///     "f32[2,3,4]{1,0,2:T(8,128)}"
/// );
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a negative size and for a layout that does not fit the shape; XLA aborts there.
#[doc(alias = "AppendMajorDimension")]
pub fn append_major_dimension(
    shape: &ArrayShape,
    size: impl Into<Dim>,
) -> Result<ArrayShape, ShapeError> {
    insert(shape, shape.rank(), &[size.into()], shape.rank())
}

/// The shape with one more dimension, the first one and the most major one
/// (XLA: `ShapeUtil::PrependMajorDimension`).
///
/// Dynamic dimensions stay dynamic, and of the layout everything stays. XLA makes all
/// dimensions static and keeps minor_to_major only, which is
/// `with_minor_to_major_only(&to_static(&shape)?)`.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[<=2,3]{0,1:T(8,128)}".parse().unwrap();
/// let longer = shape_util::prepend_major_dimension(&shape, 4)?;
/// assert_eq!(longer.to_string(), "f32[4,<=2,3]{1,2,0:T(8,128)}");
/// let as_xla = shape_util::with_minor_to_major_only(&shape_util::to_static(&longer)?);
/// assert_eq!(as_xla.to_string(), "f32[4,2,3]{1,2,0}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a negative size and for a layout that does not fit the shape; XLA aborts there.
#[doc(alias = "PrependMajorDimension")]
pub fn prepend_major_dimension(
    shape: &ArrayShape,
    size: impl Into<Dim>,
) -> Result<ArrayShape, ShapeError> {
    insert(shape, 0, &[size.into()], shape.rank())
}

/// The shape with one more dimension, the last one and the most minor one
/// (XLA: `ShapeUtil::AppendMinorDimension`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[10,20,30]{2,0,1}".parse().unwrap();
/// assert_eq!(
///     shape_util::append_minor_dimension(&shape, 40)?.to_string(),
///     "f32[10,20,30,40]{3,2,0,1}"
/// );
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a negative size and for a layout that does not fit the shape; XLA aborts there.
#[doc(alias = "AppendMinorDimension")]
pub fn append_minor_dimension(
    shape: &ArrayShape,
    size: impl Into<Dim>,
) -> Result<ArrayShape, ShapeError> {
    insert(shape, shape.rank(), &[size.into()], 0)
}

/// The shape with new dimensions side by side, the first of which has this number. In memory they
/// come just above the dimension that had the number, the last one of them the most minor one;
/// behind the last dimension they are the most minor ones (XLA:
/// `ShapeUtil::InsertDimensionAtIndex`, `InsertDimensionsAtIndex`).
///
/// Dynamic dimensions stay dynamic, and of the layout everything stays. XLA makes all
/// dimensions static and keeps minor_to_major only, which is
/// `with_minor_to_major_only(&to_static(&shape)?)`.
///
/// ```
/// use xlayout_shape::{ArrayShape, Dim};
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// let more = shape_util::insert_dimensions(&shape, 1, &[Dim::Static(7), Dim::Bounded(8)])?;
/// assert_eq!(more.to_string(), "f32[2,7,<=8,3]{3,2,1,0}");
/// let shape: ArrayShape = "f32[2,3]{0,1}".parse().unwrap();
/// let seven = [Dim::Static(7)];
/// assert_eq!(shape_util::insert_dimensions(&shape, 0, &seven)?.to_string(), "f32[7,2,3]{1,0,2}");
/// assert_eq!(shape_util::insert_dimensions(&shape, 2, &seven)?.to_string(), "f32[2,3,7]{2,0,1}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a number above the rank, a negative size, and a layout that does not fit the shape; XLA
/// aborts there.
#[doc(alias("InsertDimensionAtIndex", "InsertDimensionsAtIndex"))]
pub fn insert_dimensions(
    shape: &ArrayShape,
    dimension: usize,
    sizes: &[Dim],
) -> Result<ArrayShape, ShapeError> {
    let rank = shape.rank();
    if dimension > rank {
        return Err(ShapeError::no_such_dimension(dimension, rank));
    }
    let below = checked_layout(shape)?.and_then(|layout| {
        let mut order = layout.minor_to_major.iter();
        order.position(|&d| d == dimension as i64)
    });
    insert(shape, dimension, sizes, below.map_or(0, |at| at + 1))
}

/// The shape with `sizes` from dimension `at` on, in memory above the `below` most minor ones.
pub(crate) fn insert(
    array: &ArrayShape,
    at: usize,
    sizes: &[Dim],
    below: usize,
) -> Result<ArrayShape, ShapeError> {
    for &size in sizes {
        not_negative(size)?;
    }
    let mut shape = array.clone();
    shape.dims = spliced(&array.dims, at, sizes.iter().copied())?;
    let Some(layout) = checked_layout(array)? else {
        return Ok(shape);
    };
    let first = at as i64;
    let more = sizes.len() as i64;
    let renumbered = layout.minor_to_major.iter();
    let renumbered = renumbered.map(|&d| if d >= first { d + more } else { d });
    let renumbered: List<i64, INLINE_RANK> = List::try_from_iter(renumbered)?;
    let order = spliced(&renumbered, below, (first..first + more).rev())?;
    // Physical dimensions count from the most major one.
    let above = (array.rank() - below) as i64;
    let moved = |d: i64| d.saturating_add(if d >= above { more } else { 0 });
    let mut layout = layout.clone();
    layout.minor_to_major = MinorToMajor::from_list(order);
    layout.split_configs = layout.split_configs.renumbered(|d| Some(moved(d)));
    if !layout.padded_dimensions.is_empty() {
        let mut widths: List<i64, INLINE_RANK> = List::new();
        for (k, size) in sizes.iter().enumerate() {
            // Only the caller knows how wide a `?` is to be padded.
            let dimension = at + k;
            let width = size.bound().ok_or(ShapeError::Unbounded { dimension })?;
            widths.try_push(width)?;
        }
        let widths = widths.iter().copied();
        layout.padded_dimensions = spliced(&layout.padded_dimensions, at, widths)?;
    }
    shape.layout = Some(layout);
    Ok(shape)
}

/// The shape without these dimensions, named in any sequence
/// (XLA: `Shape::DeleteDimensions`, `ShapeUtil::DeleteDimensions`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[5,3,2,7,9]{2,0,1,4,3}".parse().unwrap();
/// assert_eq!(shape_util::delete_dimensions(&shape, &[3, 2, 1])?.to_string(), "f32[5,9]{0,1}");
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a dimension that the shape does not have or that is named again, and for a layout that
/// does not fit the shape.
#[doc(alias("DeleteDimension", "DeleteDimensions"))]
pub fn delete_dimensions(
    shape: &ArrayShape,
    dimensions: &[usize],
) -> Result<ArrayShape, ShapeError> {
    let rank = shape.rank();
    let mut keep: List<bool, INLINE_RANK> = List::try_from_iter(core::iter::repeat_n(true, rank))?;
    for &dimension in dimensions {
        let is_kept = keep.get_mut(dimension);
        let is_kept = is_kept.ok_or(ShapeError::no_such_dimension(dimension, rank))?;
        if !core::mem::replace(is_kept, false) {
            let dimension = dimension as i64;
            return Err(ShapeError::DimensionTwice { dimension });
        }
    }
    filter_dimensions(shape, |dimension| keep[dimension])
}

/// The shape with those dimensions of which `keep` answers true
/// (XLA: `ShapeUtil::FilterDimensions`).
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[5,3,2]".parse().unwrap();
/// assert_eq!(
///     shape_util::filter_dimensions(&shape, |d| d % 2 == 0)?.to_string(),
///     "f32[5,2]{1,0}"
/// );
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a layout that does not fit the shape.
#[doc(alias = "FilterDimensions")]
pub fn filter_dimensions(
    array: &ArrayShape,
    mut keep: impl FnMut(usize) -> bool,
) -> Result<ArrayShape, ShapeError> {
    checked_layout(array)?;
    let mut dims = List::new();
    let mut gone: List<usize, INLINE_RANK> = List::new();
    for (dimension, &dim) in array.dims.iter().enumerate() {
        if keep(dimension) {
            dims.try_push(dim)?;
        } else {
            gone.try_push(dimension)?;
        }
    }
    let mut shape = array.clone();
    shape.dims = dims;
    if let Some(layout) = &mut shape.layout {
        // From the last one on, so that numbers stay right.
        for &dimension in gone.iter().rev() {
            crate::layout_util::delete_dimension(layout, dimension)?;
        }
    }
    Ok(shape)
}

/// The shape without the dimensions of size 1, or of 1 at most
/// (XLA: `ShapeUtil::DropDegenerateDimensions`). Tiles stay, as in XLA: where they covered such
/// a dimension, elements then lie elsewhere.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[1,7,1,4]{0,3,1,2:S(1)}".parse().unwrap();
/// assert_eq!(
///     shape_util::drop_degenerate_dimensions(&shape)?.to_string(),
///     "f32[7,4]{1,0:S(1)}"
/// );
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a layout that does not fit the shape.
#[doc(alias("DropDegenerateDimensions", "HasDegenerateDimensions"))]
pub fn drop_degenerate_dimensions(shape: &ArrayShape) -> Result<ArrayShape, ShapeError> {
    filter_dimensions(shape, |d| shape.dims[d].bound() != Some(1))
}

/// The list with these items put in at `at`, which is no more than its length.
fn spliced<T: Copy + Default>(
    list: &List<T, INLINE_RANK>,
    at: usize,
    new: impl Iterator<Item = T>,
) -> Result<List<T, INLINE_RANK>, ParseError> {
    let (before, behind) = list.split_at(at.min(list.len()));
    let before = before.iter().copied().chain(new);
    List::try_from_iter(before.chain(behind.iter().copied()))
}
