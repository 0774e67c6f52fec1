//! From a layout to its modes, at compile time or at run time: one `const fn`.
//!
//! Dimensions become pieces (`pieces.rs`), which each tile splits; the coordinates that a tile
//! merges become terms (`terms.rs`); then strides are read off from the back. Unchecked access relies
//! on the result: see the invariant `INSIDE` (`inside.rs`).

use super::combine::{expand, merge_neighbours};
use super::inside::assert_inside;
use super::pieces::{Piece, apply_tile, physical};
use super::source::Source;
use super::terms::keep_used_terms;
use super::{LowerError, Mode, RunTimeExtent, Term};

/// How many terms there may be after each tile: rewriting them takes time that grows with the cube of
/// their number, and no layout that anybody uses has ten.
const MAX_TERMS: usize = 256;

/// The memory that lowering works in, from a constant table or from the heap. Every slice holds at
/// least `capacity(…)` items.
pub(crate) struct Work<'w> {
    pub(crate) pieces: &'w mut [Piece],
    pub(crate) spare: &'w mut [Piece],
    pub(crate) modes: &'w mut [Mode],
    pub(crate) terms: &'w mut [Term],
    pub(crate) run_time: &'w mut [RunTimeExtent],
    /// The element stride of each dimension, where it has one.
    pub(crate) strides: &'w mut [usize],
}

/// How much of [`Work`] was filled, and the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    pub(crate) modes: usize,
    pub(crate) terms: usize,
    pub(crate) run_time: usize,
    /// Elements that memory is allocated for, before the tail alignment; where there are run-time
    /// extents, their product multiplies it.
    pub(crate) places: usize,
}

/// How many items [`Work`] may need: each dimension and each tile entry makes a piece, and the
/// digits of merged coordinates may be cut once more where a coordinate ends.
pub(crate) const fn capacity(rank: usize, tile_entries: usize) -> usize {
    2 * (rank + tile_entries) + 1
}

pub(super) const fn mul(a: usize, b: usize) -> Result<usize, LowerError> {
    match a.checked_mul(b) {
        Some(n) if n as u64 <= i64::MAX as u64 => Ok(n),
        _ => Err(LowerError::TooLarge),
    }
}

pub(super) const fn to_usize(n: i64) -> Result<usize, LowerError> {
    if n < 0 || n as u64 > usize::MAX as u64 {
        Err(LowerError::TooLarge)
    } else {
        Ok(n as usize)
    }
}

/// `?` is what `const fn` cannot have.
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(super) use ok;

/// Lowers a layout into `work`. Unbounded dimensions become run-time extents.
pub(crate) const fn lower(source: &Source<'_>, work: &mut Work<'_>) -> Result<Filled, LowerError> {
    let rank = source.dims.len();
    let mut terms = 0;
    ok!(source.check());
    let (mut len, empty) = ok!(physical(source, work.pieces, work.spare));
    let mut k = 0;
    while let Some(tile) = source.tiles.get(k) {
        // Only what the tile cuts is written again: the time is linear in the tiles' entries.
        let mut p;
        (p, len) = ok!(apply_tile(tile, source.dims, len, &mut terms, work));
        while p < len {
            work.pieces[p] = work.spare[p];
            p += 1;
        }
        if terms > MAX_TERMS {
            return Err(LowerError::TooManyTerms);
        }
        k += 1;
    }

    // Strides, from the most minor piece on.
    let mut filled = Filled {
        modes: 0,
        terms,
        run_time: 0,
        places: 1,
    };
    let mut p = len;
    while p > 0 {
        p -= 1;
        let piece = work.pieces[p];
        if piece.top && piece.dim < rank {
            work.strides[piece.dim] = filled.places;
        }
        if piece.range != 1 && !empty {
            work.modes[filled.modes] = piece.as_mode(filled.places, filled.run_time);
            filled.modes += 1;
        }
        match piece.run_time {
            Some(extent) => {
                work.run_time[filled.run_time] = extent;
                filled.run_time += 1;
            }
            None => filled.places = ok!(mul(filled.places, piece.width)),
        }
    }
    filled.modes = ok!(merge_neighbours(
        source.dims,
        work.terms,
        work.modes,
        filled.modes,
        terms
    ));
    let mut changed = terms > 0;
    while changed {
        (filled.modes, changed) = ok!(expand(
            source.dims,
            work.terms,
            work.modes,
            filled.modes,
            terms
        ));
        filled.modes = ok!(merge_neighbours(
            source.dims,
            work.terms,
            work.modes,
            filled.modes,
            terms
        ));
    }
    filled.terms = keep_used_terms(rank, work.terms, terms, work.modes, filled.modes);
    while filled.terms < terms {
        // A coordinate may have been used by a dropped one only.
        terms = filled.terms;
        filled.terms = keep_used_terms(rank, work.terms, terms, work.modes, filled.modes);
    }
    ok!(check_total(source, &filled));
    assert_inside(source.dims, work.modes, work.terms, &filled);
    Ok(filled)
}

/// Allocated bytes fit in 63 bits, tail alignment included.
const fn check_total(source: &Source<'_>, filled: &Filled) -> Result<(), LowerError> {
    let aligned = ok!(round_up(
        filled.places,
        ok!(to_usize(source.tail_alignment))
    ));
    let bytes = (aligned as u128 * source.element_bits as u128).div_ceil(8);
    if bytes > i64::MAX as u128 || bytes > usize::MAX as u128 {
        return Err(LowerError::TooLarge);
    }
    Ok(())
}

/// The next multiple of `alignment`, checked.
pub(crate) const fn round_up(n: usize, alignment: usize) -> Result<usize, LowerError> {
    match n.checked_next_multiple_of(alignment) {
        Some(n) if n as u64 <= i64::MAX as u64 => Ok(n),
        _ => Err(LowerError::TooLarge),
    }
}
