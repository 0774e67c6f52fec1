//! Maps from coordinates to offsets, and an algebra of them that decides: compositions, inverses,
//! divisions and swizzles; equality, injectivity, overlaps and conflicts of banks. The crate
//! [`xlayout_algebra`], and maps of layouts.

#[doc(inline)]
pub use xlayout_algebra::*;

use crate::{ArrayLayout, DynLayout};

/// The map from the coordinates of a layout to linear indices, in elements.
///
/// In a constant, `Map::of_modes(A::SIZES, A::MODES, &[])` is the map of a type `A` without merged
/// coordinates.
///
/// ```
/// use xlayout::algebra::{Budget, map_of};
/// use xlayout::{ArrayLayout, DynLayout};
///
/// let tiles: DynLayout = "f32[16,256]{1,0:T(8,128)}".parse()?;
/// let map = map_of(&tiles)?;
/// assert_eq!(map.at(&[9, 130]), Some(tiles.linear_index(&[9, 130].into()) as i64));
/// assert_eq!(map.collision(Budget::DEFAULT)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Too many dimensions, modes or terms for a map.
pub fn map_of(layout: &DynLayout) -> Result<Map, MapError> {
    Map::of_modes(&layout.shape(), layout.mode_table(), layout.terms())
}
