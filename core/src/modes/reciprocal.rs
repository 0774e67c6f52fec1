//! Division by a number that is known only at run time, as one multiplication.

/// Divides `u32` numbers by a fixed divisor through the high half of a 64-bit product.
///
/// With `multiplier = ceil(2^64 / d)` the quotient `floor(n / d)` is the high word of
/// `n × multiplier`, for every `n` and `d` below 2^32 with `d > 1` (Lemire, Kaser, Kurz: "Faster
/// remainder by direct computation", 2019): the error of the multiplier is at most 1, so that of
/// the product is below 2^32 ≤ 2^64 / d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reciprocal {
    multiplier: u64,
}

impl Reciprocal {
    pub(crate) const NONE: Self = Self { multiplier: 0 };

    /// The reciprocal of a divisor above 1.
    pub(crate) const fn new(divisor: u32) -> Self {
        Self { multiplier: u64::MAX / divisor as u64 + 1 }
    }

    /// `n / divisor`.
    #[inline(always)]
    pub(crate) const fn divide(self, n: u32) -> u32 {
        ((self.multiplier as u128 * n as u128) >> 64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Reciprocal;

    #[test]
    fn divides_as_the_processor_does() {
        let edges = |n: u32| [n.wrapping_sub(1), n, n.wrapping_add(1)];
        for d in (0..32).flat_map(|k| edges(1 << k)).chain([3, 5, 7, 10, 641, 6_700_417, u32::MAX]) {
            if d < 2 {
                continue;
            }
            let reciprocal = Reciprocal::new(d);
            let multiples = [1, 2, 3, 1000, u32::MAX / d].map(|k| d.wrapping_mul(k));
            for n in multiples.into_iter().flat_map(edges).chain([0, u32::MAX]) {
                assert_eq!(reciprocal.divide(n), n / d, "{n} / {d}");
            }
        }
    }
}
