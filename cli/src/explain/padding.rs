//! Where padding comes from, tile level by tile level.
//!
//! The library computes the number of allocated elements. This module computes the share of each tile level, by the
//! rule of "Tiled layout" in XLA's documentation. A test compares the product with the library's number.

use xlayout::shape::TileDim;
use xlayout::{ArrayLayout, DynLayout, Layout};

use crate::picture::tiles::divide;
use crate::words::{self, grouped, listed};

/// One cause of padding: a part of an array that is wider in memory than its indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cause {
    /// `dimension 0`, `the tiles along dimension 1`, …
    pub(super) what: String,
    /// The logical dimension, if the width is that of exactly one.
    pub(super) dimension: Option<usize>,
    pub(super) from: u128,
    pub(super) to: u128,
    /// The width is rounded up to a multiple of this; `None` if `padded_dimensions` states the width.
    pub(super) multiple_of: Option<u128>,
    /// `T(8,128)`, `L(64)`, `padded_dimensions`
    pub(super) by: String,
}

/// One level of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// `T(8,128)`
    pub(super) text: String,
    /// `8x128`
    pub(super) sizes: String,
    /// `8 along dimension 0, 128 along dimension 1`
    pub(super) along: String,
    /// Whether the level divides only the inside of the tile of the level before.
    pub(super) inside: bool,
}

/// The allocated elements of a layout and the causes of padding.
#[derive(Clone, Debug, Default)]
pub(super) struct Padding {
    pub(super) levels: Vec<Level>,
    pub(super) causes: Vec<Cause>,
    /// The elements that are allocated.
    pub(super) places: u128,
}

/// A piece that tiles divide: at first the dimensions, the most major first, then tile counts and positions in tiles.
#[derive(Clone, Debug)]
struct Piece {
    dims: Vec<usize>,
    part: TileFactor,
    width: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TileFactor {
    Whole,
    /// The number of tiles of the level.
    Count(usize),
    /// The position in a tile of the level.
    Inside(usize),
}

impl TileFactor {
    /// ` tiles (8,128)` for a tile count, else empty.
    fn tiles(self, levels: &[Level]) -> String {
        match self {
            Self::Count(k) => format!(" tiles {}", &levels[k].text[1..]),
            Self::Whole | Self::Inside(_) => String::new(),
        }
    }
}

impl Padding {
    pub(super) fn new(array: &DynLayout) -> Self {
        let mut padding = Self::default();
        let shape = array.shape();
        let Some(layout) = shape.layout else {
            return padding;
        };
        let mut pieces = padding.dimensions(array.dims(), &layout);
        for (k, tile) in layout.tiles.iter().enumerate() {
            padding.cut(k, tile, &mut pieces);
        }
        padding.places = product(pieces.iter().map(|piece| piece.width));
        let multiple = layout.tail_padding_alignment_in_elements.max(1) as u128;
        let to = round_up(padding.places, multiple);
        padding.causes.push(Cause {
            what: "the end".to_owned(),
            dimension: None,
            from: padding.places,
            to,
            multiple_of: Some(multiple),
            by: format!("L({multiple})"),
        });
        padding.places = to;
        padding.causes.retain(|cause| cause.from != cause.to);
        padding
    }

    /// The allocated widths of the logical dimensions, if only dimensions are padded.
    pub(super) fn widths(&self, dims: &[usize]) -> Option<Vec<u128>> {
        let mut widths: Vec<_> = dims.iter().map(|&size| size as u128).collect();
        for cause in self.causes.iter().filter(|cause| cause.what != "the end") {
            widths[cause.dimension?] = cause.to;
        }
        Some(widths)
    }

    fn dimensions(&mut self, dims: &[usize], layout: &Layout) -> Vec<Piece> {
        let minor_to_major = layout.minor_to_major.iter().rev();
        let piece = |&d: &i64| {
            let dim = usize::try_from(d)
                .unwrap_or_else(|_| unreachable!("a valid minor_to_major has no negative number"));
            let from = dims[dim] as u128;
            let padded = layout.padded_dimensions.get(dim);
            let width = padded.map_or(from, |&width| width.max(0) as u128);
            self.causes.push(Cause {
                what: format!("dimension {dim}"),
                dimension: Some(dim),
                from,
                to: width,
                multiple_of: None,
                by: "padded_dimensions".to_owned(),
            });
            Piece {
                dims: vec![dim],
                part: TileFactor::Whole,
                width,
            }
        };
        minor_to_major.map(piece).collect()
    }

    fn cut(&mut self, level: usize, tile: &[TileDim], pieces: &mut Vec<Piece>) {
        let text = tile_text(tile);
        let none = Piece {
            dims: Vec::new(),
            part: TileFactor::Whole,
            width: 1,
        };
        let mut along = Vec::new();
        let cut = divide(pieces, tile, none, |run, size| {
            let size = u128::from(size);
            let width = product(run.iter().map(|piece| piece.width));
            let what = name(run, self);
            let mut dims: Vec<usize> = run.iter().flat_map(|p| p.dims.iter().copied()).collect();
            dims.dedup();
            let tiles = match run {
                [piece] => piece.part.tiles(&self.levels),
                _ => String::new(),
            };
            along.push(format!(
                "{}{tiles} along {}",
                grouped(size),
                dimensions(&dims)
            ));
            let alone = run.len() == 1 && run[0].part == TileFactor::Whole && dims.len() == 1;
            self.causes.push(Cause {
                what,
                dimension: dims.first().copied().filter(|_| alone),
                from: width,
                to: round_up(width, size),
                multiple_of: Some(size),
                by: format!("T{text}"),
            });
            let part = |part, width| Piece {
                dims: dims.clone(),
                part,
                width,
            };
            [
                part(TileFactor::Count(level), width.div_ceil(size)),
                part(TileFactor::Inside(level), size),
            ]
        });
        let before = level.checked_sub(1).map(TileFactor::Inside);
        self.levels.push(Level {
            sizes: match tile.contains(&TileDim::Combine) {
                true => text.clone(),
                false => words::joined(tile, " × "),
            },
            along: along.join(", "),
            inside: cut.iter().all(|piece| Some(piece.part) == before),
            text: format!("T{text}"),
        });
    }
}

/// The product of widths. If one width is 0, the others may be of any size, and the product is 0.
fn product(widths: impl Iterator<Item = u128> + Clone) -> u128 {
    match widths.clone().any(|width| width == 0) {
        true => 0,
        false => widths.fold(1, u128::saturating_mul),
    }
}

fn round_up(width: u128, multiple: u128) -> u128 {
    width
        .checked_next_multiple_of(multiple)
        .unwrap_or(u128::MAX)
}

/// `dimension 0`, `dimensions 0 and 1`
pub(super) fn dimensions(dims: &[usize]) -> String {
    match dims {
        [] => "nothing".to_owned(),
        [dim] => format!("dimension {dim}"),
        _ => format!("dimensions {}", listed(dims)),
    }
}

/// The name of a run of pieces. `*` merges them if there are several.
fn name(run: &[Piece], padding: &Padding) -> String {
    let tiles = |k: usize| format!("tiles {}", &padding.levels[k].text[1..]);
    let name = |piece: &Piece| {
        let dims = dimensions(&piece.dims);
        match piece.part {
            TileFactor::Whole => dims,
            TileFactor::Count(k) => format!("{} along {dims}", tiles(k)),
            TileFactor::Inside(k) => format!("{dims} in {}", tiles(k)),
        }
    };
    let merged = if run.len() > 1 { ", merged" } else { "" };
    listed(&run.iter().map(name).collect::<Vec<_>>()) + merged
}

fn tile_text(tile: &[TileDim]) -> String {
    format!("({})", words::joined(tile, ","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str) -> Padding {
        Padding::new(&text.parse().unwrap())
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
            let order = words::joined(&(0..rank).rev().collect::<Vec<_>>(), ",");
            let text = format!("f32[{dims}]{{{order}{text}{}L({tail})}}", if tiles.is_empty() { ":" } else { "" });
            let array: Result<DynLayout, _> = text.parse();
            prop_assume!(array.is_ok());
            let array = array.unwrap();
            prop_assert_eq!(Padding::new(&array).places, array.buffer_len() as u128, "{}", text);
        }
    }
}
