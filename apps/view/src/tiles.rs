//! The tiles of an array: where they begin, and where padding comes from, level by level.
//!
//! The library computes the number of allocated elements. This module computes the share of each
//! level, by the rule of "Tiled layout" in XLA's documentation. A test compares the product with
//! the library's number.

use serde::Serialize;
use xlayout::shape::TileDim;
use xlayout::{ArrayLayout, DynLayout};

use crate::json::{of_field, of_field_if_any};
use crate::words::{self, grouped, listed};

/// The kind of a line: the frame of an array, the border of an inner tile, that of an outer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Line {
    #[default]
    None,
    Thin,
    Thick,
}

/// The tiles of one dimension.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cuts {
    /// For each level, the outermost first.
    levels: Vec<Cut>,
}

/// The tiles of one level along a dimension.
#[derive(Clone, Debug)]
struct Cut {
    /// The indices of the range that the tiles divide; `u128::MAX` of the outermost level.
    whole: u128,
    /// The indices of a tile.
    tile: u128,
    line: Line,
}

impl Cuts {
    /// The line before this index, which is inside of the array.
    pub(crate) fn before(&self, index: usize) -> Line {
        let index = index as u128;
        let begins = |cut: &&Cut| (index % cut.whole).is_multiple_of(cut.tile);
        let lines = self.levels.iter().filter(begins).map(|cut| cut.line);
        lines.max().unwrap_or_default()
    }

    /// The length of an outer tile, if it is longer than one index.
    pub(crate) fn tile(&self) -> Option<usize> {
        let tile = self.levels.first()?.tile;
        Some(usize::try_from(tile).unwrap_or(usize::MAX))
    }
}

/// One cause of padding: a part of an array that is wider in memory than its indices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Cause {
    /// `dimension 0`, `the tiles along dimension 1`, …
    pub(crate) what: String,
    /// The logical dimension, if the width is that of exactly one.
    pub(crate) dimension: Option<usize>,
    #[serde(serialize_with = "of_field")]
    pub(crate) from: u128,
    #[serde(serialize_with = "of_field")]
    pub(crate) to: u128,
    /// The width is rounded up to a multiple of this; `None` if `padded_dimensions` states the
    /// width.
    #[serde(serialize_with = "of_field_if_any")]
    pub(crate) multiple_of: Option<u128>,
    /// `T(8,128)`, `L(64)`, `padded_dimensions`
    pub(crate) by: String,
}

/// One level of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// `T(8,128)`
    pub(crate) text: String,
    /// `8x128`
    pub(crate) sizes: String,
    /// `8 along dimension 0, 128 along dimension 1`
    pub(crate) extents: String,
    /// Whether the level divides only the inside of the tile of the level before.
    pub(crate) inside: bool,
}

/// The tiles of a layout, its allocated elements and the causes of padding.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiles {
    /// Those of each dimension.
    pub(crate) cuts: Vec<Cuts>,
    /// The sizes with the padding of tiles.
    pub(crate) sizes: Vec<u128>,
    pub(crate) levels: Vec<Level>,
    pub(crate) causes: Vec<Cause>,
    /// The elements that are allocated.
    pub(crate) places: u128,
}

/// A piece that tiles divide: at first the dimensions, the most major first, then tile counts and
/// positions in tiles.
#[derive(Clone, Debug)]
struct Piece {
    dims: Vec<usize>,
    part: TileFactor,
    /// The dimension that is divided, if all others have width 1.
    dim: Option<usize>,
    /// The number of indices of one step of it.
    unit: u128,
    width: u128,
    /// Whether it is the most major piece of its dimension.
    top: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TileFactor {
    Whole,
    /// The number of tiles of the level.
    Count(usize),
    /// The position in a tile of the level.
    Inside(usize),
}

impl Piece {
    /// A dimension, or one that a tile has before those of the array.
    fn whole(dim: Option<usize>, width: u128) -> Self {
        Self {
            dims: dim.into_iter().collect(),
            part: TileFactor::Whole,
            dim,
            unit: 1,
            width,
            top: true,
        }
    }

    /// One piece of several that `*` merges.
    fn merged(run: &[Self]) -> Self {
        let mut wide = run.iter().filter(|piece| piece.width != 1);
        let width = product(run.iter().map(|piece| piece.width));
        let mut merged = match (wide.next(), wide.next()) {
            (Some(_), Some(_)) => Self::whole(None, width),
            (one, _) => one.unwrap_or(&run[run.len() - 1]).clone(),
        };
        merged.dims = run.iter().flat_map(|piece| &piece.dims).copied().collect();
        merged.dims.dedup();
        merged
    }

    fn span(&self) -> u128 {
        self.unit.saturating_mul(self.width)
    }
}

impl Tiles {
    pub(crate) fn new(array: &DynLayout) -> Self {
        let sizes = array.dims().iter().map(|&size| size as u128);
        let mut tiles = Self {
            cuts: vec![Cuts::default(); array.rank()],
            sizes: sizes.collect(),
            ..Self::default()
        };
        let Some(layout) = &array.array_shape().layout else {
            return tiles;
        };
        let mut pieces = Vec::new();
        for &dim in layout.minor_to_major.iter().rev() {
            let dim = usize::try_from(dim)
                .unwrap_or_else(|_| unreachable!("a valid minor_to_major has no negative number"));
            let from = tiles.sizes[dim];
            let padded = layout.padded_dimensions.get(dim);
            let to = padded.map_or(from, |&size| size.max(0) as u128);
            tiles.causes.push(Cause {
                what: format!("dimension {dim}"),
                dimension: Some(dim),
                from,
                to,
                multiple_of: None,
                by: "padded_dimensions".to_owned(),
            });
            tiles.sizes[dim] = to;
            pieces.push(Piece::whole(Some(dim), to));
        }
        for (k, tile) in layout.tiles.iter().enumerate() {
            tiles.divide(k, tile, &mut pieces);
        }
        tiles.places = product(pieces.iter().map(|piece| piece.width));
        let multiple = layout.tail_padding_alignment_in_elements.max(1) as u128;
        let to = round_up(tiles.places, multiple);
        tiles.causes.push(Cause {
            what: "the end".to_owned(),
            dimension: None,
            from: tiles.places,
            to,
            multiple_of: Some(multiple),
            by: format!("L({multiple})"),
        });
        tiles.places = to;
        tiles.causes.retain(|cause| cause.from != cause.to);
        tiles
    }

    /// The allocated widths of the logical dimensions, if only dimensions are padded.
    pub(crate) fn widths(&self, dims: &[usize]) -> Option<Vec<u128>> {
        let mut widths: Vec<_> = dims.iter().map(|&size| size as u128).collect();
        for cause in self.causes.iter().filter(|cause| cause.what != "the end") {
            widths[cause.dimension?] = cause.to;
        }
        Some(widths)
    }

    /// Divides the last pieces by a tile, as lowering does. Each size of the tile divides a run of
    /// pieces, which `*` merges, into two: the number of the tile, and what is inside of it.
    fn divide(&mut self, level: usize, tile: &[TileDim], pieces: &mut Vec<Piece>) {
        let text = format!("({})", words::joined(tile, ","));
        let line = if level == 0 { Line::Thick } else { Line::Thin };
        let missing = tile.len().saturating_sub(pieces.len());
        pieces.splice(0..0, std::iter::repeat_n(Piece::whole(None, 1), missing));
        let divided = pieces.split_off(pieces.len() - tile.len());
        // A tile is one index long in the dimensions that it does not name.
        let unnamed = pieces.iter().filter(|_| level == 0);
        for dim in unnamed.filter_map(|piece| piece.dim) {
            self.cuts[dim].levels.push(Cut {
                whole: u128::MAX,
                tile: 1,
                line,
            });
        }
        let mut extents = Vec::new();
        let mut insides = Vec::new();
        let mut begin = 0;
        for (k, entry) in tile.iter().enumerate() {
            let TileDim::Size(size) = *entry else {
                continue;
            };
            let run = &divided[begin..=k];
            begin = k + 1;
            let size = u128::from(size.unsigned_abs().max(1));
            let piece = Piece::merged(run);
            let part = match run {
                [only] => Some(only.part),
                _ => None,
            };
            let tiles = match part {
                Some(TileFactor::Count(k)) => format!(" tiles {}", &self.levels[k].text[1..]),
                _ => String::new(),
            };
            let dims = dimensions(&piece.dims);
            extents.push(format!("{}{tiles} along {dims}", grouped(size)));
            let alone = part == Some(TileFactor::Whole) && piece.dims.len() == 1;
            self.causes.push(Cause {
                what: name(run, self),
                dimension: piece.dim.filter(|_| alone),
                from: piece.width,
                to: round_up(piece.width, size),
                multiple_of: Some(size),
                by: format!("T{text}"),
            });
            let count = Piece {
                part: TileFactor::Count(level),
                unit: piece.unit.saturating_mul(size),
                width: piece.width.div_ceil(size),
                ..piece.clone()
            };
            if let Some(dim) = piece.dim {
                let whole = if piece.top { u128::MAX } else { piece.span() };
                self.cuts[dim].levels.push(Cut {
                    whole,
                    tile: count.unit,
                    line,
                });
                if piece.top {
                    self.sizes[dim] = count.span();
                }
            }
            pieces.push(count);
            insides.push(Piece {
                part: TileFactor::Inside(level),
                width: size,
                top: false,
                ..piece
            });
        }
        pieces.extend(insides);
        let before = level.checked_sub(1).map(TileFactor::Inside);
        self.levels.push(Level {
            sizes: if tile.contains(&TileDim::Combine) {
                text.clone()
            } else {
                words::joined(tile, " × ")
            },
            extents: extents.join(", "),
            inside: divided.iter().all(|piece| Some(piece.part) == before),
            text: format!("T{text}"),
        });
    }
}

/// The product of widths. If one width is 0, the others may be of any size, and the product is 0.
fn product(widths: impl Iterator<Item = u128> + Clone) -> u128 {
    if widths.clone().any(|width| width == 0) {
        0
    } else {
        widths.fold(1, u128::saturating_mul)
    }
}

fn round_up(width: u128, multiple: u128) -> u128 {
    width
        .checked_next_multiple_of(multiple)
        .unwrap_or(u128::MAX)
}

/// `dimension 0`, `dimensions 0 and 1`
pub(crate) fn dimensions(dims: &[usize]) -> String {
    match dims {
        [] => "nothing".to_owned(),
        [dim] => format!("dimension {dim}"),
        _ => format!("dimensions {}", listed(dims)),
    }
}

/// The name of a run of pieces. `*` merges them if there are several.
fn name(run: &[Piece], tiles: &Tiles) -> String {
    let tile = |k: usize| format!("tiles {}", &tiles.levels[k].text[1..]);
    let name = |piece: &Piece| {
        let dims = dimensions(&piece.dims);
        match piece.part {
            TileFactor::Whole => dims,
            TileFactor::Count(k) => format!("{} along {dims}", tile(k)),
            TileFactor::Inside(k) => format!("{dims} in {}", tile(k)),
        }
    };
    let merged = if run.len() > 1 { ", merged" } else { "" };
    listed(&run.iter().map(name).collect::<Vec<_>>()) + merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str) -> Tiles {
        Tiles::new(&text.parse().unwrap())
    }

    #[test]
    fn causes_name_what_is_padded_and_by_what() {
        let causes = |text: &str| {
            let line = |c: &Cause| format!("{}: {} -> {} by {}", c.what, c.from, c.to, c.by);
            of(text).causes.iter().map(line).collect::<Vec<_>>()
        };
        assert_eq!(
            causes("bf16[100,3]{1,0:T(8,128)(2,1)}"),
            [
                "dimension 0: 100 -> 104 by T(8,128)",
                "dimension 1: 3 -> 128 by T(8,128)"
            ],
        );
        assert_eq!(
            causes("f32[100,3]{0,1:T(8,128)(3,1)L(1000)}"),
            [
                "dimension 1: 3 -> 8 by T(8,128)",
                "dimension 0: 100 -> 128 by T(8,128)",
                "dimension 1 in tiles (8,128): 8 -> 9 by T(3,1)",
                "the end: 1152 -> 2000 by L(1000)",
            ],
        );
        assert_eq!(
            causes("f32[2,3]{1,0}, padded_dimensions = [2, 5]"),
            ["dimension 1: 3 -> 5 by padded_dimensions"],
        );
        assert_eq!(
            causes("f32[2,3,5]{2,1,0:T(*,4,4)}"),
            [
                "dimension 0 and dimension 1, merged: 6 -> 8 by T(*,4,4)",
                "dimension 2: 5 -> 8 by T(*,4,4)",
            ],
        );
        assert!(causes("f32[2,3]").is_empty());
    }

    proptest! {
        /// The places that the causes explain are those that the library allocates.
        #[test]
        fn causes_explain_all_places(
            dims in prop::collection::vec(0..20_i64, 0..4),
            tiles in prop::collection::vec(prop::collection::vec(1..9_i64, 1..5), 0..4),
            combine in any::<bool>(),
            tail in 1..40_i64,
        ) {
            let dims = words::joined(&dims, ",");
            let mut text = String::new();
            for (k, tile) in tiles.iter().enumerate() {
                text += if k == 0 { ":T(" } else { "(" };
                if combine && tile.len() > 1 {
                    text += "*,";
                }
                text += &format!("{})", words::joined(&tile[usize::from(combine && tile.len() > 1)..], ","));
            }
            let rank = if dims.is_empty() { 0 } else { dims.matches(',').count() + 1 };
            let order = words::joined((0..rank).rev(), ",");
            let text = format!("f32[{dims}]{{{order}{text}{}L({tail})}}", if tiles.is_empty() { ":" } else { "" });
            let array: Result<DynLayout, _> = text.parse();
            prop_assume!(array.is_ok());
            let array = array.unwrap();
            prop_assert_eq!(Tiles::new(&array).places, array.buffer_len() as u128, "{}", text);
        }
    }
}
