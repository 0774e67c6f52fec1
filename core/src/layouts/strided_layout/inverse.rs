//! The index at a linear index of a strided layout.
//!
//! The digits of the linear index come the largest stride first. Where the strides allow it,
//! `modes/reciprocal.rs` takes each by one multiplication; else a digit is a quotient and a
//! remainder.

use crate::coordinates::Coordinates;
use crate::modes::{NO_DIGIT, Resolved, factor, has_factors, take_digit};

/// How linear indices are taken apart.
#[derive(Clone, Copy)]
pub(super) struct Inverse<C> {
    /// Whether there are factors, and the digits come in the sequence of the dimensions.
    row_major: bool,
    /// Whether there are no factors.
    divided: bool,
    /// Which of the digits is the coordinate of a dimension.
    digit_of: C,
    /// The factor that takes each digit.
    factors: C,
}

impl<const N: usize> Inverse<[u32; N]> {
    /// No way back.
    pub(super) const fn none() -> Self {
        Self {
            row_major: false,
            divided: true,
            digit_of: [0; N],
            factors: [0; N],
        }
    }
}

impl<C: Coordinates> Inverse<C> {
    /// The dimensions sorted by their strides without signs. Those with fewer than 2 coordinates
    /// are last, or where they are if the others are in row-major sequence.
    pub(super) fn of(sizes: &C, widths: &C) -> Self {
        let rank = sizes.as_ref().len();
        let mut major_to_minor = C::origin(rank);
        let mut len = 0;
        for dim in (0..rank).filter(|&dim| sizes.coordinate(dim) > 1) {
            let mut at = len;
            while at > 0
                && widths.coordinate(major_to_minor.coordinate(at - 1)) < widths.coordinate(dim)
            {
                major_to_minor.set(at, major_to_minor.coordinate(at - 1));
                at -= 1;
            }
            major_to_minor.set(at, dim);
            len += 1;
        }
        let row_major = major_to_minor.as_ref()[..len].is_sorted();
        let mut digit_of = C::origin(rank);
        for k in 0..len {
            digit_of.set(major_to_minor.coordinate(k), k);
        }
        for dim in 0..rank {
            if row_major {
                digit_of.set(dim, dim);
            } else if sizes.coordinate(dim) < 2 {
                digit_of.set(dim, len);
                len += 1;
            }
        }
        Self {
            row_major: false,
            divided: true,
            digit_of,
            factors: C::origin(rank),
        }
    }

    /// The dimensions, that of the first digit first.
    pub(super) fn major_to_minor(&self) -> C {
        let rank = self.digit_of.as_ref().len();
        let mut major_to_minor = C::origin(rank);
        for dim in 0..rank {
            major_to_minor.set(self.digit_of.coordinate(dim), dim);
        }
        major_to_minor
    }

    /// Finds the factors, if the strides have them. They do not depend on the sizes.
    pub(super) fn find_factors(&mut self, resolved: &Resolved<'_>) {
        // A factor has 64 bits.
        if usize::BITS < 64 || !has_factors(resolved.modes, resolved.numbers.buffer_len) {
            return;
        }
        let rank = self.digit_of.as_ref().len();
        self.divided = false;
        self.row_major = (0..rank).all(|dim| self.digit_of.coordinate(dim) == dim);
        self.factors.as_mut().fill(NO_DIGIT as usize);
        for (k, mode) in resolved.modes.iter().enumerate() {
            let factor = factor(resolved.modes, k) as usize;
            self.factors.set(self.digit_of.coordinate(mode.dim), factor);
        }
    }

    /// The coordinates at the linear index of an element, reversed dimensions counted from their
    /// other end. For other numbers the result has no meaning; nothing panics. `divide` gives them
    /// by division.
    #[inline(always)]
    pub(super) fn coordinates(&self, linear_index: usize, divide: impl FnOnce() -> C) -> C {
        let rank = self.digit_of.as_ref().len();
        let mut index = C::origin(rank);
        // One by one in each case: what is scattered in memory piece by piece is slow to read as a
        // whole.
        if self.row_major {
            return self.digits(linear_index);
        }
        if self.divided {
            let found = divide();
            for dim in 0..rank {
                index.set(dim, found.coordinate(dim));
            }
            return index;
        }
        let digits = self.digits(linear_index);
        for dim in 0..rank {
            let k = self.digit_of.coordinate(dim);
            // It is below the rank. The compiler learns it here, by what is the shorter for it.
            let k = if rank.is_power_of_two() {
                k % rank
            } else {
                k.min(rank - 1)
            };
            index.set(dim, digits.coordinate(k));
        }
        index
    }

    /// The digits of a linear index by factors, the most major first.
    #[inline(always)]
    fn digits(&self, linear_index: usize) -> C {
        let rank = self.digit_of.as_ref().len();
        let mut digits = C::origin(rank);
        let mut rest = linear_index as u64;
        for k in 0..rank {
            let digit;
            (digit, rest) = take_digit(rest, self.factors.coordinate(k) as u64);
            digits.set(k, digit);
        }
        digits
    }
}
