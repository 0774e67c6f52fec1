//! Tiles: an array is cut into small blocks, and each block is stored whole.

use crate::error::ParseError;
use crate::list::List;

/// One entry of a tile.
///
/// ```
/// use xlayout_shape::{Layout, TileDim};
/// let layout: Layout = "{2,1,0:T(*,8,128)}".parse().unwrap();
/// let tile = layout.tiles.get(0).unwrap();
/// assert_eq!(tile, [TileDim::Combine, TileDim::Size(8), TileDim::Size(128)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileDim {
    /// The tile is so long along its dimension.
    Size(i64),
    /// `*`: this dimension is first merged with the next more minor one
    /// (XLA: `Tile::kCombineDimension`).
    #[doc(alias = "kCombineDimension")]
    Combine,
}

impl TileDim {
    /// What XLA keeps in place of `*` (XLA: `Tile::kCombineDimension`). Its document says -1, which
    /// is out of date.
    const COMBINE_DIMENSION: i64 = i64::MIN;

    /// An entry as XLA keeps it; `i64::MIN` is `*`. `None` for other negative numbers, where XLA
    /// aborts.
    ///
    /// ```
    /// use xlayout_shape::TileDim;
    /// assert_eq!(TileDim::from_xla(8), Some(TileDim::Size(8)));
    /// assert_eq!(TileDim::from_xla(i64::MIN), Some(TileDim::Combine));
    /// assert_eq!(TileDim::from_xla(-1), None);
    /// ```
    #[must_use]
    #[inline]
    pub const fn from_xla(entry: i64) -> Option<Self> {
        match entry {
            Self::COMBINE_DIMENSION => Some(Self::Combine),
            size if size < 0 => None,
            size => Some(Self::Size(size)),
        }
    }

    /// The entry as XLA keeps it (XLA: `Tile::dimension`).
    ///
    /// ```
    /// use xlayout_shape::TileDim;
    /// assert_eq!(TileDim::Combine.to_xla(), i64::MIN);
    /// assert_eq!(TileDim::Size(8).to_xla(), 8);
    /// ```
    #[must_use]
    #[inline]
    pub const fn to_xla(self) -> i64 {
        match self {
            Self::Size(size) => size,
            Self::Combine => Self::COMBINE_DIMENSION,
        }
    }
}

impl Default for TileDim {
    #[inline]
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
/// use xlayout_shape::Tiles;
/// use xlayout_shape::TileDim::*;
/// let tiles = Tiles::from_tiles(&[&[Size(8), Size(128)], &[Size(2), Size(1)]]).unwrap();
/// assert_eq!(tiles.len(), 2);
/// assert_eq!(tiles.get(1).unwrap(), [Size(2), Size(1)]);
/// ```
#[doc(alias("ToString", "Print", "Tile"))]
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
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// These tiles, the first applied first.
    ///
    /// ```
    /// use xlayout_shape::Tiles;
    /// use xlayout_shape::TileDim::Size;
    /// let tiles = Tiles::from_tiles(&[&[Size(8), Size(128)], &[Size(2), Size(1)]]).unwrap();
    /// assert_eq!(tiles.iter().map(<[_]>::len).sum::<usize>(), 4);
    /// assert!(!tiles.is_empty());
    /// // One tile of no entries, which XLA's validation refuses:
    /// let empty = Tiles::from_tiles(&[&[]]).unwrap();
    /// assert!(!empty.is_empty());
    /// assert!(Tiles::new().is_empty());
    /// ```
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for more than 4 tiles or 12 entries without the
    /// feature `alloc`.
    #[inline]
    pub fn from_tiles(tiles: &[&[TileDim]]) -> Result<Self, ParseError> {
        let mut all = Self::new();
        for tile in tiles {
            all.push(tile)?;
        }
        Ok(all)
    }

    #[doc(hidden)]
    pub const fn from_lists(entries: List<TileDim, 12>, ends: List<usize, 4>) -> Self {
        Self { entries, ends }
    }

    /// Adds an entry to the tile that is being written; [`end_tile`](Self::end_tile) ends it.
    #[doc(hidden)]
    #[inline]
    pub fn push_entry(&mut self, entry: TileDim) -> Result<(), ParseError> {
        self.entries.try_push(entry)
    }

    #[doc(hidden)]
    #[inline]
    pub fn end_tile(&mut self) -> Result<(), ParseError> {
        self.ends.try_push(self.entries.len())
    }

    /// Adds a tile behind the others (XLA: `Layout::add_tiles`).
    ///
    /// ```
    /// use xlayout_shape::Tiles;
    /// use xlayout_shape::TileDim::{Combine, Size};
    /// let mut tiles = Tiles::new();
    /// tiles.push(&[Combine, Size(8)]).unwrap();
    /// assert_eq!(tiles.to_string(), "(*,8)");
    /// ```
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for more than 4 tiles or 12 entries without the
    /// feature `alloc`.
    #[doc(alias("add_tiles", "mutable_tiles"))]
    #[inline]
    pub fn push(&mut self, tile: &[TileDim]) -> Result<(), ParseError> {
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
    pub(crate) fn is_fully_empty(&self) -> bool {
        self.entries.is_empty()
    }

    #[doc(hidden)]
    pub const fn as_tiles(&self) -> TilesRef<'_> {
        TilesRef {
            entries: self.entries.as_slice(),
            ends: self.ends.as_slice(),
        }
    }
}

/// Borrowed tiles, as lowering reads them.
#[derive(Clone, Copy, Debug)]
pub struct TilesRef<'a> {
    pub entries: &'a [TileDim],
    pub ends: &'a [usize],
}

impl<'a> TilesRef<'a> {
    #[doc(hidden)]
    pub const fn get(self, k: usize) -> Option<&'a [TileDim]> {
        if k >= self.ends.len() {
            return None;
        }
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        Some(self.entries.split_at(self.ends[k]).0.split_at(start).1)
    }
}
