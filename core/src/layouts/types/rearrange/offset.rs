//! The place of a slice in the memory of an array.

use crate::layout_error::NotSlice;
use crate::modes::{Mode, Resolved};

/// The linear index of the first element of a slice in the whole array. `of` is the layout of the
/// slice, and `len` the size of its dimension. If `owns_padding`, the padding of the slice must be
/// padding of the whole, too. The rule is the same for layouts known at compile time and at run
/// time.
#[inline]
pub(crate) const fn offset(
    whole: &Resolved<'_>,
    slice: &Resolved<'_>,
    dimension: usize,
    start: usize,
    len: usize,
    owns_padding: bool,
) -> Result<usize, NotSlice> {
    let size = whole.sizes[dimension];
    let end = match NotSlice::end(dimension, start, len, size) {
        Ok(end) => end,
        Err(why) => return Err(why),
    };
    let no_layout = NotSlice::NoLayout { dimension };
    if slice.numbers.elements == 0 {
        return if slice.numbers.buffer_len <= whole.numbers.buffer_len {
            Ok(0)
        } else {
            Err(no_layout)
        };
    }
    if !whole.terms.is_empty() || !slice.terms.is_empty() {
        return Err(no_layout);
    }
    // The slice begins where the most major digit of the dimension does.
    let tile = most_major_divisor(whole.modes, dimension);
    if !start.is_multiple_of(tile) {
        let below = start - start % tile;
        return Err(NotSlice::BeginsInTile {
            dimension,
            start,
            below,
            above: smaller(below + tile, size),
        });
    }
    let first = place(whole.modes, dimension, start);
    // It ends where the dimension does, or where the memory does that its own layout allocates.
    if end < size && owns_padding {
        let allocated = slice.numbers.buffer_len;
        if place(whole.modes, dimension, end) - first != allocated {
            let mut above = end + 1;
            // A tile is never wider than what is allocated for it.
            while above < size && place(whole.modes, dimension, above) - first != allocated {
                above += 1;
            }
            return Err(NotSlice::EndsInTile {
                dimension,
                end,
                above,
            });
        }
    }
    if first + slice.numbers.buffer_len > whole.numbers.buffer_len
        || !same_digits(whole.modes, slice.modes, dimension, len)
    {
        return Err(no_layout);
    }
    Ok(first)
}

#[inline]
const fn smaller(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// How far a coordinate of one dimension moves, the others being 0.
#[inline]
const fn place(modes: &[Mode], dimension: usize, coordinate: usize) -> usize {
    let mut place = 0;
    each!(mode, modes, {
        if mode.dim == dimension {
            place += mode.digit(coordinate) * mode.stride;
        }
    });
    place
}

/// How many steps of the dimension the most major digit of it takes.
#[inline]
const fn most_major_divisor(modes: &[Mode], dimension: usize) -> usize {
    let mut divisor = 1;
    each!(mode, modes, {
        if mode.dim == dimension && mode.divisor > divisor {
            divisor = mode.divisor;
        }
    });
    divisor
}

/// Whether the coordinates of the slice move as they do in the whole.
#[inline]
const fn same_digits(whole: &[Mode], slice: &[Mode], dimension: usize, len: usize) -> bool {
    let mut j = 0;
    each!(a, whole, {
        let cut = a.dim == dimension;
        let same = j < slice.len() && slice[j].dim == a.dim && slice[j].divisor == a.divisor && {
            let b = &slice[j];
            a.stride == b.stride
                && if cut && b.top {
                    // Below `len` the digit is the same, whatever is above it.
                    b.size <= a.size
                } else {
                    a.size == b.size && a.top == b.top
                }
        };
        if same {
            j += 1;
        } else if !(cut && a.divisor >= len) {
            return false;
        }
    });
    j == slice.len()
}

#[cfg(test)]
mod tests;
