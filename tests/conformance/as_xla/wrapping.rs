//! C++'s `int64_t` as XLA uses it: it wraps, and here it remembers that it did.

/// A number, and whether anything wrapped on the way to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrapping {
    value: i64,
    wrapped: bool,
}

impl Wrapping {
    pub(super) const ONE: Self = Self::new(1);

    /// What XLA keeps in place of a size without a bound, and of `*` in a tile. Counting with it
    /// is a mistake that XLA does not notice.
    pub(super) const MARKER: Self = Self {
        value: i64::MIN,
        wrapped: true,
    };

    pub(super) const fn new(value: i64) -> Self {
        Self {
            value,
            wrapped: false,
        }
    }

    /// The number, if it is right.
    pub(super) const fn exact(self) -> Option<i64> {
        if self.wrapped { None } else { Some(self.value) }
    }

    pub(super) const fn overflowing(self) -> (i64, bool) {
        (self.value, self.wrapped)
    }

    const fn join(self, other: Self, (value, wrapped): (i64, bool)) -> Self {
        Self {
            value,
            wrapped: self.wrapped | other.wrapped | wrapped,
        }
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        self.join(other, self.value.overflowing_add(other.value))
    }

    pub(super) const fn minus(self, other: Self) -> Self {
        self.join(other, self.value.overflowing_sub(other.value))
    }

    pub(super) const fn times(self, other: Self) -> Self {
        self.join(other, self.value.overflowing_mul(other.value))
    }

    /// Division towards zero; callers have ruled out 0.
    pub(super) fn over(self, other: Self) -> Self {
        debug_assert!(other.value != 0, "checked by the callers");
        self.join(other, (self.value.wrapping_div(other.value), false))
    }

    /// The remainder of [`over`](Self::over).
    pub(super) fn modulo(self, other: Self) -> Self {
        debug_assert!(other.value != 0, "checked by the callers");
        self.join(other, (self.value.wrapping_rem(other.value), false))
    }

    /// XLA's `CeilOfRatio`, which adjusts the quotient only when it is not negative.
    pub(super) fn ceiling_of(self, other: Self) -> Self {
        let quotient = self.over(other);
        let back = quotient.value.wrapping_mul(other.value);
        let short = if other.value > 0 {
            self.value > back
        } else {
            self.value < back
        };
        if quotient.value >= 0 && short {
            quotient.plus(Self::ONE)
        } else {
            quotient
        }
    }

    /// XLA's `RoundUpTo`.
    pub(super) fn round_up_to(self, multiple: Self) -> Self {
        self.ceiling_of(multiple).times(multiple)
    }

    pub(super) const fn or_larger(self, other: Self) -> Self {
        let value = if other.value > self.value {
            other.value
        } else {
            self.value
        };
        Self {
            value,
            wrapped: self.wrapped | other.wrapped,
        }
    }
}
