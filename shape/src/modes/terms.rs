//! The coordinates that tiles merge (`*`) while a layout is lowered: what they are the sum of.

use super::combine::{expand, range_of};
use super::count::mul;
use super::work::UNKNOWN;
use super::{Mode, Piece, Term};
use crate::dims::Dim;
use crate::error::NotLowered;

/// Merges a run of pieces (`*,*,n`) into one, with a new coordinate where more than one counts.
pub(super) const fn merge_run(
    (start, end): (usize, usize),
    dims: &[Dim],
    terms: &mut usize,
    pieces: &[Piece],
    table: &mut [Term],
) -> Result<Piece, NotLowered> {
    if start + 1 == end {
        return Ok(pieces[start]);
    }
    let coordinate = next_coordinate(dims.len(), table, *terms);
    let first = *terms;
    let mut width = 1;
    let mut at = end;
    while at > start {
        at -= 1;
        let piece = pieces[at];
        if piece.run_time.is_some() || piece.range == UNKNOWN {
            return Err(NotLowered::CombinesRunTime);
        }
        if piece.range > 1 {
            let digit = piece.as_mode(width, 0);
            // A tile that is merged again: its count and its inside are one digit once more.
            let continued = match *terms {
                n if n > first => continued(dims, table, n, digit),
                _ => None,
            };
            match continued {
                Some(digit) => table[*terms - 1].digit = digit,
                None => {
                    table[*terms] = Term { coordinate, digit };
                    *terms += 1;
                }
            }
        }
        width = tri!(mul(width, piece.width));
    }
    if *terms == first {
        return Ok(Piece {
            width,
            ..Piece::NONE
        });
    }
    if *terms == first + 1 && table[first].digit.stride == 1 {
        // Only one piece counts: its own digit will do.
        *terms = first;
        return Ok(Piece::of_mode(table[first].digit, width));
    }
    let mut largest = 0;
    each!(t, first..*terms, {
        largest += (table[t].digit.size - 1) * table[t].digit.stride;
    });
    Ok(Piece {
        dim: coordinate,
        divisor: 1,
        range: largest + 1,
        top: true,
        width,
        run_time: None,
    })
}

/// A digit of a merged coordinate that is a digit of one of the merged ones, as that one.
pub(super) const fn simplify(
    mut piece: Piece,
    dims: &[Dim],
    table: &[Term],
    terms: usize,
) -> Result<Piece, NotLowered> {
    // Merged coordinates may be merged again, and again.
    while piece.dim >= dims.len() && piece.range != 1 {
        let mut digit = [piece.as_mode(1, 0), Mode::NONE];
        let expanded = expand(dims, table, &mut digit, 1, terms);
        if let Err(NotLowered::TooManyModes) = expanded {
            // Several parts: the digit stays what it is.
            return Ok(piece);
        }
        let (parts, changed) = tri!(expanded);
        if changed && parts == 0 {
            return Ok(Piece {
                width: piece.width,
                ..Piece::NONE
            });
        }
        if !changed || parts != 1 || digit[0].stride != 1 {
            return Ok(piece);
        }
        piece = Piece {
            run_time: piece.run_time,
            ..Piece::of_mode(digit[0], piece.width)
        };
    }
    Ok(piece)
}

/// The last term and a digit that continues it, as one digit.
pub(super) const fn continued(
    dims: &[Dim],
    table: &[Term],
    terms: usize,
    digit: Mode,
) -> Option<Mode> {
    let before = table[terms - 1].digit;
    // No overflow: both products are below the sizes of what was split.
    if before.dim != digit.dim
        || before.top
        || before.divisor * before.size != digit.divisor
        || before.stride * before.size != digit.stride
    {
        return None;
    }
    let size = match range_of(dims, table, terms, digit.dim) {
        Some(range) if digit.top => range.div_ceil(before.divisor),
        _ => before.size * digit.size,
    };
    Some(Mode {
        size,
        top: digit.top,
        ..before
    })
}

/// The number of the next merged coordinate.
pub(super) const fn next_coordinate(rank: usize, table: &[Term], terms: usize) -> usize {
    if terms == 0 {
        rank
    } else {
        table[terms - 1].coordinate + 1
    }
}

/// Drops the terms of coordinates that no mode takes a digit of any more, and renumbers the rest.
pub(super) const fn keep_used_terms(
    rank: usize,
    table: &mut [Term],
    terms: usize,
    modes: &mut [Mode],
    len: usize,
) -> usize {
    let mut new_len = 0;
    let mut next = rank;
    let mut t = 0;
    while t < terms {
        let old = table[t].coordinate;
        let mut end = t;
        while end < terms && table[end].coordinate == old {
            end += 1;
        }
        let mut used = false;
        each!(m, 0..len, {
            used |= modes[m].dim == old;
        });
        each!(later, end..terms, {
            used |= table[later].digit.dim == old;
        });
        if used {
            each!(m, 0..len, {
                if modes[m].dim == old {
                    modes[m].dim = next;
                }
            });
            each!(later, end..terms, {
                if table[later].digit.dim == old {
                    table[later].digit.dim = next;
                }
            });
            each!(term, t..end, {
                table[new_len] = table[term];
                table[new_len].coordinate = next;
                new_len += 1;
            });
            next += 1;
        }
        t = end;
    }
    new_len
}

#[cfg(test)]
mod tests;
