//! The invariant `INSIDE`, on which unchecked access relies:
//!
//! > The linear index of every index in bounds is below the number of allocated elements.
//!
//! It holds for each table that lowering gives:
//! 1. A digit takes at most `size` values: `% size` sees to it, and the most major digit of a
//!    coordinate below `n` is at most `(n - 1) / divisor`.
//! 2. The sum over the modes of `(size - 1) * stride` is below the number of allocated elements. A
//!    piece has at least as many places as its digit has values, and its stride is the product of
//!    the places of all more minor pieces. So the sum is at most the product of all places, less 1.
//!    What rewrites digits (`combine.rs`) does not raise the sum.
//! 3. Padding is added behind: it raises the number of allocated elements only.
//! 4. All sums and products are at most `isize::MAX`, which lowering checks (`count.rs`).
//!
//! Where every size is known, [`assert_inside`] computes 1 and 2 for the finished table. So a fault
//! in lowering stops the program, or the compiler, before memory is touched. Sizes that the run
//! time adds multiply the strides and the number of places alike.
//!
//! The table is made of the constants of the traits in `types/parts.rs` and `types/spec.rs`, of the
//! element type, and of run-time sizes. They must not change. So those traits are sealed, as are
//! `ArrayLayout`, `Coordinates`, `DType`, and the storages of views; a layout holds its sizes by
//! value.

use super::combine::range_of;
use super::{FilledLengths, Mode, Term};
use crate::const_text::stop;
use crate::dims::Dim;

/// Stops where a finished table breaks the invariant `INSIDE`, which cannot happen. (`unreachable!`
/// with a reason is not constant.)
pub const fn assert_inside(dims: &[Dim], modes: &[Mode], terms: &[Term], filled: &FilledLengths) {
    each!(dim, dims, {
        match dim {
            // Known when a value is made.
            Dim::Unbounded => return,
            // No index is in bounds.
            Dim::Static(0) | Dim::Bounded(0) => return,
            Dim::Static(_) | Dim::Bounded(_) => {}
        }
    });
    each!(t, 0..filled.terms, {
        let digit = &terms[t].digit;
        if largest(dims, terms, filled.terms, digit) >= digit.size {
            stop("a digit of a merged coordinate is below its size");
        }
    });
    let mut sum: usize = 0;
    each!(mode, modes.split_at(filled.modes).0, {
        let largest_digit = largest(dims, terms, filled.terms, mode);
        if largest_digit >= mode.size {
            stop("a digit is below its size");
        }
        sum = match largest_digit.checked_mul(mode.stride) {
            Some(product) => match sum.checked_add(product) {
                Some(sum) => sum,
                None => stop("the largest linear index fits in a `usize`"),
            },
            None => stop("the largest linear index fits in a `usize`"),
        };
    });
    if sum >= filled.buffer_len.value() {
        stop("the largest linear index is below the number of allocated elements");
    }
}

/// The largest value of a digit.
const fn largest(dims: &[Dim], terms: &[Term], len: usize, digit: &Mode) -> usize {
    match range_of(dims, terms, len, digit.dim) {
        Some(range) if digit.top => (range - 1) / digit.divisor,
        _ => digit.size - 1,
    }
}

#[cfg(test)]
mod tests;
