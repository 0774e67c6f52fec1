//! Linear indices taken apart at run time: one multiplication for each mode, no division.
//!
//! A linear index `n` divided by the stride `S` of the most major mode is that mode's digit and a
//! fraction. The fraction times the number of steps of the next mode in one of this mode is the
//! next digit and a fraction, and so on down. Numbers are kept in units of 2^-64, so that the high
//! word of a product is the digit and the low word the fraction; the first factor is
//! `ceil(2^64 / S)`. (Lemire, Kaser, Kurz: "Faster remainder by direct computation", 2019, for one
//! division; here the fraction that it leaves is used up.)
//!
//! It is exact for `n < 2^32` and `1 < S < 2^32`: with `ceil(2^64 / S) = (2^64 + e) / S`, `e < S`,
//! a fraction `r / s` (`r = n mod s`) is kept as `r / s × 2^64 + n e / s`, the products multiply
//! both summands alike, and the second stays below `2^64 / s`, the distance to the next fraction,
//! since `n e < 2^64`.

use super::Mode;

/// Whether the linear indices of a layout can be taken apart by [`factor`]s: they need 32 bits at
/// most, each stride divides the next (not so after a `*` over padding), and there is something to
/// divide by.
#[inline]
pub(crate) fn has_factors(modes: &[Mode], buffer_len: usize) -> bool {
    buffer_len as u64 <= u64::from(u32::MAX)
        && modes
            .windows(2)
            .all(|pair| pair[1].stride.is_multiple_of(pair[0].stride))
        && modes.last().is_none_or(|mode| mode.stride > 1)
}

/// The factor of the `k`-th mode, the most minor being the first.
#[inline]
pub(crate) fn factor(modes: &[Mode], k: usize) -> u64 {
    let stride = modes[k].stride as u64;
    match modes.get(k + 1) {
        Some(above) => above.stride as u64 / stride,
        None => u64::MAX / stride + 1,
    }
}

/// The factor that gives no digit and leaves the rest as it is.
pub(crate) const NO_DIGIT: u64 = 1;

/// Takes one digit: the digit, and what is left for the next factor. The first rest is the linear
/// index.
#[inline(always)]
pub(crate) const fn take_digit(rest: u64, factor: u64) -> (usize, u64) {
    let product = rest as u128 * factor as u128;
    ((product >> 64) as usize, product as u64)
}

#[cfg(test)]
mod tests {
    use super::{NO_DIGIT, factor, has_factors, take_digit};
    use crate::Mode;

    /// The digits by division, and by factors.
    fn compare(modes: &[Mode], linear: u32) {
        let mut rest = linear as usize;
        let mut fraction = take_digit(u64::from(linear), NO_DIGIT).1;
        for k in (0..modes.len()).rev() {
            let digit;
            (digit, fraction) = take_digit(fraction, factor(modes, k));
            assert_eq!(digit, rest / modes[k].stride, "{linear} {modes:?}");
            rest %= modes[k].stride;
        }
    }

    #[test]
    fn takes_the_digits_that_division_takes() {
        let edges = |n: u32| [n.wrapping_sub(1), n, n.wrapping_add(1)];
        let sizes = [1, 2, 3, 5, 7, 10, 641, 65_535, 65_536, 65_537];
        for (a, b, c) in sizes.into_iter().flat_map(|a| {
            sizes
                .into_iter()
                .flat_map(move |b| sizes.into_iter().map(move |c| (a, b, c)))
        }) {
            let Some(stride) = u32::checked_mul(a, b).and_then(|ab| ab.checked_mul(c)) else {
                continue;
            };
            let strides = [a, a * b, stride];
            let modes = strides.map(|stride| Mode::new(0, 1, 1, stride as usize));
            if !has_factors(&modes, u32::MAX as usize) {
                continue;
            }
            let multiples = strides.into_iter().flat_map(|stride| {
                [1, 2, 3, 1000, u32::MAX / stride].map(|k| k.wrapping_mul(stride))
            });
            for linear in multiples.flat_map(edges).chain([0, u32::MAX]) {
                compare(&modes, linear);
            }
        }
    }

    #[test]
    fn says_when_32_bits_are_not_enough() {
        let modes = [Mode::new(0, 1, 2, 1), Mode::new(1, 1, 3, 2)];
        assert!(has_factors(&modes, u32::MAX as usize));
        // A 32-bit target has no larger number.
        if let Some(beyond) = (u32::MAX as usize).checked_add(1) {
            assert!(!has_factors(&modes, beyond));
        }
        assert!(!has_factors(&modes[..1], 2));
        assert!(!has_factors(
            &[Mode::new(0, 1, 2, 2), Mode::new(1, 1, 3, 5)],
            15
        ));
    }
}
