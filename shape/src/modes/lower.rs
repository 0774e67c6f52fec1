//! From a layout to its modes, at compile time or at run time: one `const fn`.
//!
//! Dimensions become pieces (`pieces.rs`), which each tile splits; the coordinates that a tile
//! merges become terms (`terms.rs`); then strides are read off from the back. Unchecked access
//! relies on the result: see the invariant `INSIDE` (`inside.rs`).

use super::combine::{expand, merge_neighbours};
use super::inside::assert_inside;
use super::pieces::{apply_tile, physical};
use super::terms::keep_used_terms;
use super::{Buffers, Count, FilledLengths, Source};
use crate::error::NotLowered;

/// How many terms there may be after each tile: rewriting them takes time that grows with the cube
/// of their number, and no layout that anybody uses has ten.
const MAX_TERMS: usize = 256;

/// Lowers a layout into `work`. Unbounded dimensions become run-time extents.
pub const fn lower(
    source: &Source<'_>,
    work: &mut Buffers<'_>,
) -> Result<FilledLengths, NotLowered> {
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
    let mut filled = fill_modes(source, len, empty, work);
    // From here on no stride and no size of a digit overflows.
    tri!(filled.buffer_len.checked());
    filled.modes = tri!(rewrite_modes(source, filled.modes, terms, work));
    filled.terms = used_terms(source, filled.modes, terms, work);
    assert_inside(source.dims, work.modes, work.terms, &filled);
    Ok(filled)
}

/// Gives the pieces their strides, from the most minor one on. All of them become modes, except
/// those of one value, or of an array without elements.
const fn fill_modes(
    source: &Source<'_>,
    pieces: usize,
    empty: bool,
    work: &mut Buffers<'_>,
) -> FilledLengths {
    let mut filled = FilledLengths {
        modes: 0,
        terms: 0,
        run_time: 0,
        buffer_len: Count::ONE,
    };
    let mut p = pieces;
    while p > 0 {
        p -= 1;
        let piece = work.pieces[p];
        if piece.top && piece.dim < source.dims.len() {
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
    filled
}

/// Merges neighbours, and expands digits of merged coordinates, until none changes. Returns the
/// number of modes.
const fn rewrite_modes(
    source: &Source<'_>,
    modes: usize,
    terms: usize,
    work: &mut Buffers<'_>,
) -> Result<usize, NotLowered> {
    let mut len = modes;
    let mut changed = terms > 0;
    loop {
        len = tri!(merge_neighbours(
            source.dims,
            work.terms,
            work.modes,
            len,
            terms
        ));
        if !changed {
            return Ok(len);
        }
        (len, changed) = tri!(expand(source.dims, work.terms, work.modes, len, terms));
    }
}

/// Drops the terms of coordinates that nothing uses. Returns the number of the others.
const fn used_terms(
    source: &Source<'_>,
    modes: usize,
    terms: usize,
    work: &mut Buffers<'_>,
) -> usize {
    let rank = source.dims.len();
    let mut before = terms;
    let mut used = keep_used_terms(rank, work.terms, terms, work.modes, modes);
    while used < before {
        // A coordinate may have been used by a dropped one only.
        before = used;
        used = keep_used_terms(rank, work.terms, before, work.modes, modes);
    }
    used
}
