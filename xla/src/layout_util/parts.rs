//! The parts of a layout.

use crate::error::ShapeError;
use xlayout_shape::Layout;

/// The default memory of a device (XLA: `Layout::kDefaultMemorySpace`).
#[doc(alias = "kDefaultMemorySpace")]
pub const DEFAULT_MEMORY_SPACE: i8 = 0;

/// A fast memory of a device (XLA: `Layout::kGenericFastMemorySpace`).
#[doc(alias = "kGenericFastMemorySpace")]
pub const GENERIC_FAST_MEMORY_SPACE: i8 = 1;

/// The memory of the host (XLA: `Layout::kHostMemorySpace`).
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::layout_util;
/// let layout: Layout = "{1,0:S(5)}".parse().unwrap();
/// assert_eq!(layout.memory_space, layout_util::HOST_MEMORY_SPACE);
/// ```
#[doc(alias = "kHostMemorySpace")]
pub const HOST_MEMORY_SPACE: i8 = 5;

/// Takes out a dimension; those with higher numbers move down by one
/// (XLA: `Layout::DeleteDimension`).
///
/// Tiles stay, as in XLA: they cover the most minor dimensions that there then are. A split of
/// the dimension goes, and other splits keep cutting the dimension that they cut; XLA leaves
/// the numbers of splits as they were.
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::layout_util;
/// let mut layout: Layout = "{0,2,1:SC(2:8)}".parse().unwrap();
/// layout_util::delete_dimension(&mut layout, 1).unwrap();
/// assert_eq!(layout.to_string(), "{0,1:SC(1:8)}");
/// assert!(layout_util::delete_dimension(&mut layout, 2).is_err());
/// ```
///
/// # Errors
/// For a dimension that the layout does not list, where XLA aborts; the layout is then as it
/// was.
#[doc(alias = "DeleteDimension")]
pub fn delete_dimension(layout: &mut Layout, dimension: usize) -> Result<(), ShapeError> {
    let rank = layout.minor_to_major.len();
    let number = i64::try_from(dimension).ok();
    let at = number.and_then(|number| layout.minor_to_major.remove(number));
    let at = at.ok_or(ShapeError::no_such_dimension(dimension, rank))?;
    let gone = (rank - 1 - at) as i64;
    layout.split_configs = layout
        .split_configs
        .renumbered(|physical| (physical != gone).then_some(physical - i64::from(physical > gone)));
    layout.padded_dimensions.remove(dimension);
    Ok(())
}
