//! Sizes that are computed from named ones: `2*?H`, `?H - ?K + 1`. `layout!` gives such a size the
//! name `2*H`.
//!
//! ```text
//! for each dimension whose name is a sum: find the first dimension with the size of each name
//! while sums are left: take the first with at most one name without a size; it tells that size
//! in a call, for each sum in this sequence
//!     if it tells a size: (the dimension's size - the other terms) / factor is whole and >= 0
//!     else: the dimension's size = the sum of numbers, and of factors times sizes
//! ```

use core::fmt;

use super::declared::compare;
use super::relation::{Dimension, MOST_TERMS, Multiplier, Term};
use super::{Computed, Kernel, MAX_RELATIONS, Relation, Size};
use crate::const_text::{ConstText, stop};

impl Computed {
    /// Whether a name is a sum.
    pub(crate) const fn is_sum(self) -> bool {
        each!(byte, self.0.as_bytes(), {
            if matches!(byte, b'+' | b'-' | b'*') {
                return true;
            }
        });
        false
    }

    /// Returns the first factor, its name (empty if the term is a number), and the rest of the sum.
    pub(crate) const fn term(self) -> Option<(i64, &'static str, Self)> {
        let bytes = self.0.as_bytes();
        if bytes.is_empty() {
            return None;
        }
        let mut at = matches!(bytes[0], b'+' | b'-') as usize;
        let mut number = 0;
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            number = 10 * number + (bytes[at] - b'0') as i64;
            at += 1;
        }
        let factor = if at == start { 1 } else { number };
        at += (at < bytes.len() && bytes[at] == b'*') as usize;
        let start = at;
        while at < bytes.len() && !matches!(bytes[at], b'+' | b'-') {
            at += 1;
        }
        let (before, rest) = self.0.split_at(at);
        let sign = if bytes[0] == b'-' { -1 } else { 1 };
        Some((sign * factor, before.split_at(start).1, Self(rest)))
    }
}

/// As `layout!` writes it.
impl fmt::Display for Computed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = *self;
        while let Some((_, name, behind)) = rest.term() {
            let term = &rest.0[..rest.0.len() - behind.0.len()];
            let mark = if name.is_empty() { "" } else { "?" };
            write!(f, "{}{mark}{name}", &term[..term.len() - name.len()])?;
            rest = behind;
        }
        Ok(())
    }
}

impl Relation {
    pub(crate) const NONE: Self = Self {
        dimension: (0, 0),
        sum: Computed(""),
        terms: [Term {
            factor: 0,
            name: "",
            multiplier: Multiplier::One,
        }; MOST_TERMS],
        len: 0,
        last: 0,
    };

    /// The relation of a dimension of this size, which is a sum. `sort` completes it.
    #[track_caller]
    pub(super) const fn new(kernel: &Kernel, dimension: Dimension, sum: Computed) -> Self {
        let mut this = Self {
            dimension,
            sum,
            last: dimension.0,
            ..Self::NONE
        };
        kernel.independent.check_whole(dimension);
        let mut rest = sum;
        while let Some((factor, name, behind)) = rest.term() {
            rest = behind;
            if this.grow(factor, name) {
                continue;
            }
            if this.len == MOST_TERMS {
                stop(
                    "the size of a dimension is a sum of more than 8 names and numbers: write `?`",
                );
            }
            let mut multiplier = Multiplier::One;
            if !name.is_empty() {
                multiplier = Multiplier::This;
                let count = kernel.source.parameters.len();
                if let Some(first) = kernel.first(Size::Named(name), count, 0) {
                    kernel.independent.check_whole(first);
                    this.is_behind(first.0);
                    multiplier = Multiplier::Dimension(first);
                }
            }
            this.terms[this.len] = Term {
                factor,
                name,
                multiplier,
            };
            this.len += 1;
        }
        this
    }

    /// Adds a factor to the term that has this name. Returns whether there is one.
    const fn grow(&mut self, factor: i64, name: &str) -> bool {
        each!(t, 0..self.len, {
            if compare(self.terms[t].name, name) == 0 {
                self.terms[t].factor += factor;
                return true;
            }
        });
        false
    }

    /// Notes that a parameter is needed.
    const fn is_behind(&mut self, parameter: usize) {
        if parameter > self.last {
            self.last = parameter;
        }
    }

    /// Puts all relations into a sequence in which each size that a relation tells is told before
    /// it is needed.
    #[track_caller]
    pub(super) const fn sort(all: &mut [Self; MAX_RELATIONS], len: usize) {
        each!(sorted, 0..len, {
            let mut next = sorted;
            while next < len && !all[next].is_told(all, sorted) {
                next += 1;
            }
            if next == len {
                let mut left = all[sorted];
                left.take_told(all, sorted);
                left.refuse();
            }
            let mut taken = all[next];
            while next > sorted {
                all[next] = all[next - 1];
                next -= 1;
            }
            taken.take_told(all, sorted);
            all[sorted] = taken;
        });
    }

    /// Whether the first `sorted` relations tell all sizes but one, which this relation tells.
    const fn is_told(&self, all: &[Self], sorted: usize) -> bool {
        let mut unknown = 0;
        each!(t, 0..self.len, {
            let Term {
                factor,
                name,
                multiplier,
            } = self.terms[t];
            if let Multiplier::This = multiplier
                && Self::telling(all, sorted, name).is_none()
            {
                // Any size, times 0, is the same: two sizes cannot be told either.
                unknown += if factor == 0 { 2 } else { 1 };
            }
        });
        unknown < 2
    }

    /// Notes which of the first `sorted` relations tell the sizes of names.
    const fn take_told(&mut self, all: &[Self], sorted: usize) {
        each!(t, 0..self.len, {
            if let Multiplier::This = self.terms[t].multiplier
                && let Some(number) = Self::telling(all, sorted, self.terms[t].name)
            {
                self.terms[t].multiplier = Multiplier::Relation(number);
                self.is_behind(all[number].last);
            }
        });
    }

    /// The number of the one of the first `sorted` relations that tells the size of a name.
    const fn telling(all: &[Self], sorted: usize, name: &str) -> Option<usize> {
        each!(number, 0..sorted, {
            if let Some((_, told_name)) = all[number].tells()
                && compare(told_name, name) == 0
            {
                return Some(number);
            }
        });
        None
    }

    /// The name whose size the relation tells, and its factor. `None` for one that only compares.
    pub(crate) const fn tells(&self) -> Option<(i64, &'static str)> {
        each!(t, 0..self.len, {
            if let Term {
                factor,
                name,
                multiplier: Multiplier::This,
            } = self.terms[t]
            {
                return Some((factor, name));
            }
        });
        None
    }

    /// Stops with an error that names a size which nothing tells.
    #[track_caller]
    const fn refuse(&self) -> ! {
        let Some((_, name)) = self.tells() else {
            stop("a relation that is left over has a name that nothing tells")
        };
        let message = ConstText::new("a size is computed from `?")
            .text(name)
            .text("`, which no array tells: write `?")
            .text(name)
            .text("` as a size of an array, or another name in `")
            .text(self.sum.0)
            .text("`");
        stop(message.as_str())
    }

    /// Returns the value of the sum, without the term of a size that the relation tells. `None` if
    /// a size is missing. Factors have 32 bits, so no sum of 8 overflows.
    #[inline(always)]
    pub(crate) fn sum(
        &self,
        all: &[Self],
        size: &impl Fn(Dimension) -> Option<i64>,
    ) -> Option<i128> {
        let mut sum = 0;
        for term in &self.terms[..self.len] {
            let number = match term.multiplier {
                Multiplier::One => 1,
                Multiplier::Dimension(at) => size(at)?,
                Multiplier::Relation(number) => all[number].told_size(all, size)?,
                Multiplier::This => continue,
            };
            sum += i128::from(term.factor) * i128::from(number);
        }
        Some(sum)
    }

    /// The size that the relation tells. `None` if no size makes the sum that of the dimension.
    fn told_size(&self, all: &[Self], size: &dyn Fn(Dimension) -> Option<i64>) -> Option<i64> {
        let (factor, _) = self.tells()?;
        let product = i128::from(size(self.dimension)?) - self.sum(all, &size)?;
        if product % i128::from(factor) != 0 {
            return None;
        }
        let number = i64::try_from(product / i128::from(factor)).ok()?;
        (number >= 0).then_some(number)
    }

    /// Whether the size of the dimension equals the sum, or tells the size of a name in it.
    #[inline(always)]
    pub(crate) fn holds(&self, all: &[Self], size: impl Fn(Dimension) -> Option<i64>) -> bool {
        if self.tells().is_some() {
            return self.told_size(all, &size).is_some();
        }
        let sum = self.sum(all, &size);
        sum.is_some() && size(self.dimension).map(i128::from) == sum
    }
}

#[cfg(test)]
mod tests;
