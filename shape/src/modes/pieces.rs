//! The physical dimensions while a layout is lowered: *pieces*, most major first. Each tile splits
//! the last ones into how many tiles there are and where inside the tile one is, as in "Tiled
//! layout" of XLA's documentation.

use super::count::{mul, to_usize};
use super::terms::{merge_run, next_coordinate, simplify};
use super::work::UNKNOWN;
use super::{Buffers, Piece, RunTimeExtent, Source, Term};
use crate::dims::Dim;
use crate::error::NotLowered;
use crate::tile::TileDim;

/// The dimensions as pieces, most major first; also whether the array has no elements. `listed` is
/// room for as many.
pub(super) const fn physical(
    source: &Source<'_>,
    pieces: &mut [Piece],
    listed: &mut [Piece],
) -> Result<(usize, bool), NotLowered> {
    let rank = source.dims.len();
    if source.minor_to_major.len() != rank {
        return Err(NotLowered::NotAPermutation);
    }
    let padded = source.padded_dimensions.len();
    if padded != 0 && padded != rank {
        return Err(NotLowered::BadPadding);
    }
    let mut empty = false;
    each!(k, 0..rank, {
        listed[k] = Piece::NONE;
    });
    each!(k, 0..rank, {
        let number = source.minor_to_major[rank - 1 - k];
        if number < 0 || number as u64 >= rank as u64 {
            return Err(NotLowered::NotAPermutation);
        }
        let dim = number as usize;
        // The number of a dimension at its own place says that it was listed.
        if listed[dim].dim == dim {
            return Err(NotLowered::NotAPermutation);
        }
        listed[dim].dim = dim;
        let (range, extent) = match source.dims[dim] {
            Dim::Static(n) | Dim::Bounded(n) => (tri!(source.size(n)), None),
            Dim::Unbounded => (UNKNOWN, Some(RunTimeExtent { dim, divisor: 1 })),
        };
        empty |= range == 0;
        let mut piece = Piece {
            dim,
            divisor: 1,
            range,
            top: true,
            width: range,
            run_time: extent,
        };
        if padded != 0 {
            piece.width = tri!(to_usize(source.padded_dimensions[dim]));
            piece.run_time = None;
            if range != UNKNOWN && piece.width < range {
                return Err(NotLowered::BadPadding);
            }
        }
        pieces[k] = piece;
    });
    each!(k, 0..rank, {
        // Nothing is looked for, so that no digit counts. (A product of widths that is 0 says
        // nothing about the others: digits of those could overflow.)
        if empty && pieces[k].range != UNKNOWN {
            pieces[k].range = 1;
        }
    });
    Ok((rank, empty))
}

/// Applies one tile to the last pieces. Answers how many pieces in front of them it leaves as they
/// are, and how many there are in all; the others are in `work.spare`, at their places.
pub(super) const fn apply_tile(
    tile: &[TileDim],
    dims: &[Dim],
    mut len: usize,
    terms: &mut usize,
    work: &mut Buffers<'_>,
) -> Result<(usize, usize), NotLowered> {
    let entries = tile.len();
    if entries == 0 {
        return Err(NotLowered::BadTile);
    }
    // A tile that is longer than what it cuts: pieces of one place are in front.
    if len < entries {
        let missing = entries - len;
        let mut p = len;
        while p > 0 {
            p -= 1;
            work.pieces[p + missing] = work.pieces[p];
        }
        each!(p, 0..missing, {
            work.pieces[p] = Piece::NONE;
        });
        len = entries;
    }
    let untouched = len - entries;
    let mut sizes = 0;
    each!(entry, tile, {
        sizes += matches!(entry, TileDim::Size(_)) as usize;
    });
    let mut out = 0;
    let mut run_start = 0;
    each!(e, 0..entries, {
        if let TileDim::Size(size) = tile[e] {
            if size < 1 {
                return Err(NotLowered::BadTile);
            }
            let size = tri!(to_usize(size));
            let run = (untouched + run_start, untouched + e + 1);
            let whole = tri!(merge_run(run, dims, terms, work.pieces, work.terms));
            let (count, inside) = tri!(split(whole, size, dims.len(), terms, work.terms));
            work.spare[untouched + out] = tri!(simplify(count, dims, work.terms, *terms));
            work.spare[untouched + sizes + out] = tri!(simplify(inside, dims, work.terms, *terms));
            out += 1;
            run_start = e + 1;
        }
    });
    if run_start != entries {
        return Err(NotLowered::TrailingCombine);
    }
    Ok((untouched, untouched + 2 * sizes))
}

/// Splits a piece by a tile's size: how many tiles, and where inside the tile.
pub(super) const fn split(
    piece: Piece,
    size: usize,
    rank: usize,
    terms: &mut usize,
    table: &mut [Term],
) -> Result<(Piece, Piece), NotLowered> {
    let mut whole = piece;
    let mut count = Piece {
        width: piece.width.div_ceil(size),
        ..Piece::NONE
    };
    if let Some(extent) = piece.run_time {
        let divisor = tri!(mul(extent.divisor, size));
        count.run_time = Some(RunTimeExtent {
            dim: extent.dim,
            divisor,
        });
    }
    if piece.range <= size {
        // One tile holds all: the digit stays as it is.
        whole.width = size;
        whole.run_time = None;
        return Ok((count, whole));
    }
    if !piece.top && !piece.range.is_multiple_of(size) {
        // A tile that does not divide the tile before it: the digit becomes a coordinate.
        let coordinate = next_coordinate(rank, table, *terms);
        table[*terms] = Term {
            coordinate,
            digit: piece.as_mode(1, 0),
        };
        *terms += 1;
        whole = Piece {
            dim: coordinate,
            divisor: 1,
            top: true,
            ..piece
        };
    }
    count.dim = whole.dim;
    count.divisor = tri!(mul(whole.divisor, size));
    count.range = if piece.range == UNKNOWN {
        UNKNOWN
    } else {
        piece.range.div_ceil(size)
    };
    count.top = whole.top;
    let inside = Piece {
        range: size,
        top: false,
        width: size,
        run_time: None,
        ..whole
    };
    Ok((count, if size == 1 { Piece::NONE } else { inside }))
}
