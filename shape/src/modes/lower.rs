//! From a layout to its modes, at compile time or at run time: one `const fn`.
//!
//! Dimensions become pieces (`pieces.rs`), which each tile splits; the coordinates that a tile
//! merges become terms (`terms.rs`); then strides are read off from the back. Unchecked access
//! relies on the result: see the invariant `INSIDE` (`inside.rs`).

use super::combine::{expand, merge_neighbours};
use super::inside::assert_inside;
use super::pieces::{Piece, apply_tile, physical};
use super::source::Source;
use super::terms::keep_used_terms;
use super::{Count, Mode, NotLowered, RunTimeExtent, Term};

/// How many terms there may be after each tile: rewriting them takes time that grows with the cube
/// of their number, and no layout that anybody uses has ten.
const MAX_TERMS: usize = 256;

/// The memory that lowering works in, from a constant table or from the heap. Every slice holds at
/// least `capacity(…)` items.
pub struct Buffers<'w> {
    pub pieces: &'w mut [Piece],
    pub spare: &'w mut [Piece],
    pub modes: &'w mut [Mode],
    pub terms: &'w mut [Term],
    pub run_time: &'w mut [RunTimeExtent],
    /// The element stride of each dimension, where it has one.
    pub strides: &'w mut [usize],
}

/// How much of [`Buffers`] was filled, and the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilledLengths {
    pub modes: usize,
    pub terms: usize,
    pub run_time: usize,
    /// Elements that memory is allocated for, before the tail alignment; where there are run-time
    /// extents, their product multiplies it.
    pub buffer_len: Count,
}

/// How many items [`Buffers`] may need: each dimension and each tile entry makes a piece, and the
/// digits of merged coordinates may be cut once more where a coordinate ends.
pub const fn capacity(rank: usize, tile_entries: usize) -> usize {
    2 * (rank + tile_entries) + 1
}

/// Lowers a layout into `work`. Unbounded dimensions become run-time extents.
pub const fn lower(
    source: &Source<'_>,
    work: &mut Buffers<'_>,
) -> Result<FilledLengths, NotLowered> {
    let rank = source.dims.len();
    let mut terms = 0;
    tri!(source.check());
    let (mut len, empty) = tri!(physical(source, work.pieces, work.spare));
    let mut k = 0;
    while let Some(tile) = source.tiles.get(k) {
        // Only what the tile cuts is written again: the time is linear in the tiles' entries.
        let mut p;
        (p, len) = tri!(apply_tile(tile, source.dims, len, &mut terms, work));
        while p < len {
            work.pieces[p] = work.spare[p];
            p += 1;
        }
        if terms > MAX_TERMS {
            return Err(NotLowered::TooManyTerms);
        }
        k += 1;
    }

    // Strides, from the most minor piece on.
    let mut filled = FilledLengths {
        modes: 0,
        terms,
        run_time: 0,
        buffer_len: Count::ONE,
    };
    let mut p = len;
    while p > 0 {
        p -= 1;
        let piece = work.pieces[p];
        if piece.top && piece.dim < rank {
            work.strides[piece.dim] = filled.buffer_len.value();
        }
        if piece.range != 1 && !empty {
            work.modes[filled.modes] = piece.as_mode(filled.buffer_len.value(), filled.run_time);
            filled.modes += 1;
        }
        match piece.run_time {
            Some(extent) => {
                work.run_time[filled.run_time] = extent;
                filled.run_time += 1;
            }
            None => filled.buffer_len = filled.buffer_len.times(piece.width),
        }
    }
    // From here on no stride and no size of a digit overflows.
    tri!(filled.buffer_len.checked());
    let mut changed = terms > 0;
    loop {
        filled.modes = tri!(merge_neighbours(
            source.dims,
            work.terms,
            work.modes,
            filled.modes,
            terms
        ));
        if !changed {
            break;
        }
        (filled.modes, changed) = tri!(expand(
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
    assert_inside(source.dims, work.modes, work.terms, &filled);
    Ok(filled)
}
