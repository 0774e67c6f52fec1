//! Tiles: an array is cut into small blocks, and each block is stored whole.

use crate::List;
use crate::list::Full;

/// One entry of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileDim {
    /// The tile is so long along its dimension.
    Size(i64),
    /// `*`: this dimension is first merged with the next more minor one
    /// (XLA: `Tile::kCombineDimension`).
    Combine,
}

impl Default for TileDim {
    fn default() -> Self {
        Self::Size(1)
    }
}

/// The tiles of a layout, the one that is applied first first: `T(8,128)(2,1)` is two tiles.
///
/// The entries of a tile go from major to minor and match the last entries of the *physical*
/// dimensions, which are the logical ones after the minor-to-major list has sorted them. A tile
/// after the first one cuts what the tile before it left: its inside, and when it is longer, the
/// counts of tiles before that.
///
/// Source: "Tiled layout" in XLA's documentation.
///
/// ```
/// use xlayout_core::{TileDim::*, Tiles};
/// let tiles = Tiles::from_tiles(&[&[Size(8), Size(128)], &[Size(2), Size(1)]]).unwrap();
/// assert_eq!(tiles.len(), 2);
/// assert_eq!(tiles.get(1).unwrap(), [Size(2), Size(1)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tiles {
    /// The entries of all tiles, one after the other, …
    entries: List<TileDim, 12>,
    /// … and for each tile, where its entries end.
    ends: List<usize, 4>,
}

impl Tiles {
    /// No tiles.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// These tiles, the first applied first.
    ///
    /// # Errors
    /// [`Full`] for more than 4 tiles or 12 entries without the feature `alloc`.
    pub fn from_tiles(tiles: &[&[TileDim]]) -> Result<Self, Full> {
        let mut all = Self::new();
        for tile in tiles {
            for &entry in *tile {
                all.push_entry(entry)?;
            }
            all.end_tile()?;
        }
        Ok(all)
    }

    pub(crate) const fn from_lists(entries: List<TileDim, 12>, ends: List<usize, 4>) -> Self {
        Self { entries, ends }
    }

    /// Adds an entry to the tile that is being written; [`end_tile`](Self::end_tile) ends it.
    pub(crate) fn push_entry(&mut self, entry: TileDim) -> Result<(), Full> {
        self.entries.try_push(entry)
    }

    pub(crate) fn end_tile(&mut self) -> Result<(), Full> {
        self.ends.try_push(self.entries.len())
    }

    /// Adds a tile behind the others.
    ///
    /// # Errors
    /// [`Full`] for more than 4 tiles or 12 entries without the feature `alloc`.
    pub fn push(&mut self, tile: &[TileDim]) -> Result<(), Full> {
        for &entry in tile {
            self.push_entry(entry)?;
        }
        self.end_tile()
    }

    /// How many tiles there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.as_slice().len()
    }

    /// Whether the layout is not tiled.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of the `k`-th tile, major to minor.
    #[must_use]
    pub fn get(&self, k: usize) -> Option<&[TileDim]> {
        self.as_tiles().get(k)
    }

    /// All tiles, the first applied first.
    pub fn iter(&self) -> impl Iterator<Item = &[TileDim]> + '_ {
        (0..self.len()).filter_map(|k| self.get(k))
    }

    /// Whether no tile has an entry.
    #[must_use]
    pub fn is_fully_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) const fn as_tiles(&self) -> TilesRef<'_> {
        TilesRef {
            entries: self.entries.as_slice(),
            ends: self.ends.as_slice(),
        }
    }
}

/// Borrowed tiles, as lowering reads them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TilesRef<'a> {
    pub(crate) entries: &'a [TileDim],
    pub(crate) ends: &'a [usize],
}

impl<'a> TilesRef<'a> {
    pub(crate) const fn get(self, k: usize) -> Option<&'a [TileDim]> {
        if k >= self.ends.len() {
            return None;
        }
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        Some(self.entries.split_at(self.ends[k]).0.split_at(start).1)
    }
}
