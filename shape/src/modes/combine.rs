//! What makes the table of modes canonical (law 6): digits that continue each other become one,
//! and digits of merged coordinates become digits of dimensions wherever that is exact.

use super::{Mode, Term};
use crate::dims::Dim;
use crate::error::NotLowered;

/// How many values a coordinate takes; `None` when only the run time knows.
pub(super) const fn range_of(
    dims: &[Dim],
    terms: &[Term],
    len: usize,
    coordinate: usize,
) -> Option<usize> {
    if coordinate < dims.len() {
        return match dims[coordinate] {
            Dim::Static(n) | Dim::Bounded(n) => Some(n as usize),
            Dim::Unbounded => None,
        };
    }
    let mut largest = 0;
    each!(t, 0..len, {
        if terms[t].coordinate == coordinate {
            // No overflow: the sum is below the width of the merged dimensions.
            largest += (terms[t].digit.size - 1) * terms[t].digit.stride;
        }
    });
    Some(largest + 1)
}

/// Merges each mode with the one behind it that continues it; drops modes of one value.
pub const fn merge_neighbours(
    dims: &[Dim],
    terms: &[Term],
    modes: &mut [Mode],
    len: usize,
    terms_len: usize,
) -> Result<usize, NotLowered> {
    let mut new_len = 0;
    each!(m, 0..len, {
        let mut mode = modes[m];
        let range = range_of(dims, terms, terms_len, mode.dim);
        if let Some(n) = range {
            let values = n.div_ceil(mode.divisor);
            if mode.top || values <= mode.size {
                mode.top = true;
                mode.size = values;
            }
            if mode.size <= 1 {
                continue;
            }
        }
        if new_len > 0 {
            let before = modes[new_len - 1];
            let continues = before.dim == mode.dim
                && !before.top
                && before.run_time == mode.run_time
                && match (
                    before.divisor.checked_mul(before.size),
                    before.stride.checked_mul(before.size),
                ) {
                    (Some(divisor), Some(stride)) => {
                        divisor == mode.divisor && stride == mode.stride
                    }
                    _ => false,
                };
            if continues {
                let size = match range {
                    Some(n) if mode.top => n.div_ceil(before.divisor),
                    None if mode.top => 0,
                    _ => match before.size.checked_mul(mode.size) {
                        Some(size) => size,
                        None => return Err(NotLowered::TooLarge),
                    },
                };
                modes[new_len - 1] = Mode {
                    size,
                    top: mode.top,
                    ..before
                };
                continue;
            }
        }
        modes[new_len] = mode;
        new_len += 1;
    });
    Ok(new_len)
}

/// Replaces digits of merged coordinates by digits of what was merged. Answers the new number of
/// modes, and whether anything changed.
pub(super) const fn expand(
    dims: &[Dim],
    terms: &[Term],
    modes: &mut [Mode],
    mut len: usize,
    terms_len: usize,
) -> Result<(usize, bool), NotLowered> {
    let mut changed = false;
    let mut m = 0;
    while m < len {
        let mode = modes[m];
        if mode.dim < dims.len() {
            m += 1;
            continue;
        }
        let Some(parts) = parts_of(mode, terms, terms_len) else {
            m += 1;
            continue;
        };
        changed = true;
        // Make room: `parts` modes in place of one.
        let new_len = len - 1 + parts;
        if new_len > modes.len() {
            return Err(NotLowered::TooManyModes);
        }
        if parts == 0 {
            each!(k, m..(len - 1), {
                modes[k] = modes[k + 1];
            });
        } else {
            let mut k = len;
            while k > m + 1 {
                k -= 1;
                modes[k + parts - 1] = modes[k];
            }
        }
        len = new_len;
        each!(t, 0..terms_len, {
            if terms[t].coordinate == mode.dim
                && let Contribution::Digit(part) = contribution(mode, terms[t].digit)
            {
                modes[m] = part;
                m += 1;
            }
        });
    }
    Ok((len, changed))
}

/// How many digits the digit of a merged coordinate falls apart into; `None` when it does not.
const fn parts_of(mode: Mode, terms: &[Term], len: usize) -> Option<usize> {
    let mut parts = 0;
    // The largest sum of what was looked at so far, minor terms first: of the coordinate …
    let mut below = 0;
    // … and of the digit.
    let mut sum = 0;
    each!(t, 0..len, {
        let term = terms[t].digit;
        if terms[t].coordinate == mode.dim {
            below += (term.size - 1) * term.stride;
            match contribution(mode, term) {
                Contribution::Digit(part) => {
                    // A term that is cut must not be followed by a sum that wraps.
                    sum += (part.size - 1) * (part.stride / mode.stride);
                    parts += 1;
                }
                Contribution::Nothing => {}
                // Too small to reach the digit, whatever its weight.
                Contribution::Mixed if below < mode.divisor => {}
                Contribution::Mixed => return None,
            }
        }
    });
    if mode.top || sum < mode.size {
        Some(parts)
    } else {
        None
    }
}

/// What one term of a merged coordinate contributes to a digit of it.
enum Contribution {
    Nothing,
    /// A digit of its own.
    Digit(Mode),
    /// No digit of its own: the digit falls apart only where the term is too small to reach it.
    Mixed,
}

/// What one term contributes to `(coordinate / divisor) % size × stride`.
const fn contribution(mode: Mode, term: Mode) -> Contribution {
    let weight = term.stride;
    if !mode.top
        && let Some(period) = mode.divisor.checked_mul(mode.size)
        && weight.is_multiple_of(period)
    {
        return Contribution::Nothing;
    }
    // The term's own digit counts in steps of `unit` from its value divided by `cut`.
    let (cut, unit) = if weight.is_multiple_of(mode.divisor) {
        (1, weight / mode.divisor)
    } else if mode.divisor.is_multiple_of(weight) {
        (mode.divisor / weight, 1)
    } else {
        return Contribution::Mixed;
    };
    if term.size <= cut {
        return Contribution::Nothing;
    }
    let mut size = term.size.div_ceil(cut);
    let mut top = true;
    if !mode.top && mode.size.is_multiple_of(unit) && mode.size / unit < size {
        size = mode.size / unit;
        top = false;
    }
    // Cutting `value % term.size` further is exact only where the sizes divide.
    if !term.top {
        let exact = if top {
            term.size.is_multiple_of(cut)
        } else {
            term.size.is_multiple_of(cut * size)
        };
        if !exact {
            return Contribution::Mixed;
        }
        top = false;
    }
    match (term.divisor.checked_mul(cut), mode.stride.checked_mul(unit)) {
        (Some(divisor), Some(stride)) => Contribution::Digit(Mode {
            dim: term.dim,
            divisor,
            size,
            stride,
            top,
            run_time: mode.run_time,
        }),
        // Too large.
        _ => Contribution::Mixed,
    }
}

#[cfg(test)]
mod tests;
