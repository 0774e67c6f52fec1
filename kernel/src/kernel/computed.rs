//! Sizes that are computed from named ones: `2*?H`, `?H - ?K + 1`. `layout!` gives such a size the name `2*H`.
//!
//! ```text
//! for each dimension whose name is a sum: find the first dimension with the size of each name
//! in a call: its size = the sum of constants, and of factors times those sizes
//! ```

use core::fmt;

use super::{Dimension, Kernel, Size};
use xlayout_shape::const_text::{ConstText, stop};

/// The text of a sum, without `?` and spaces.
#[derive(Clone, Copy)]
pub(crate) struct Computed(pub(crate) &'static str);

/// The most names and numbers of a sum.
const MOST_TERMS: usize = 8;

/// A dimension, and the sum that its size must equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relation {
    pub(crate) of: Dimension,
    /// Factors, and the dimensions by which they are multiplied. A term that is a number has no dimension.
    terms: [(i64, Option<Dimension>); MOST_TERMS],
    len: usize,
    /// The last parameter that has one of these dimensions.
    pub(crate) last: usize,
}

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
        let (mut at, mut number) = (matches!(bytes[0], b'+' | b'-') as usize, 0);
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
        of: (0, 0),
        terms: [(0, None); MOST_TERMS],
        len: 0,
        last: 0,
    };

    /// The relation of a dimension of this size, which is a sum.
    #[track_caller]
    pub(super) const fn new(kernel: &Kernel, of: Dimension, sum: Computed) -> Self {
        let mut this = Self {
            of,
            last: of.0,
            ..Self::NONE
        };
        kernel.independent.check_whole(of);
        let mut rest = sum;
        while let Some((factor, name, behind)) = rest.term() {
            let mut place = None;
            if !name.is_empty() {
                let count = kernel.source.parameters.len();
                let Some(first) = kernel.first(Size::Named(name), count, 0) else {
                    let message = ConstText::new("a size is computed from `?", &[])
                        .text(name)
                        .text("`, which is the size of no dimension: write `?")
                        .text(name)
                        .text("` as a size of an array, or another name in `")
                        .text(sum.0)
                        .text("`");
                    stop(message.as_str())
                };
                kernel.independent.check_whole(first);
                if first.0 > this.last {
                    this.last = first.0;
                }
                place = Some(first);
            }
            if this.len == MOST_TERMS {
                stop(
                    "the size of a dimension is a sum of more than 8 names and numbers: write `?`",
                );
            }
            this.terms[this.len] = (factor, place);
            this.len += 1;
            rest = behind;
        }
        this
    }

    /// Returns the value of the sum, or `None` if a size is missing. Factors have 32 bits, so no sum overflows.
    #[inline(always)]
    pub(crate) fn sum(&self, size: impl Fn(Dimension) -> Option<i64>) -> Option<i128> {
        let mut sum = 0;
        for (factor, place) in &self.terms[..self.len] {
            let size = place.map_or(Some(1), &size)?;
            sum += i128::from(*factor) * i128::from(size);
        }
        Some(sum)
    }

    /// Whether the size of the dimension equals the sum.
    #[inline(always)]
    pub(crate) fn holds(&self, size: impl Fn(Dimension) -> Option<i64>) -> bool {
        let sum = self.sum(&size);
        sum.is_some() && size(self.of).map(i128::from) == sum
    }
}

#[cfg(test)]
mod tests {
    use super::Computed;

    #[test]
    fn a_sum_is_shown_as_it_is_written() {
        for (text, shown) in [
            ("2*H", "2*?H"),
            ("H-K+1", "?H-?K+1"),
            ("-3+höhe", "-3+?höhe"),
            ("-H+2*x1", "-?H+2*?x1"),
        ] {
            assert!(Computed(text).is_sum());
            assert_eq!(Computed(text).to_string(), shown);
        }
        assert!(!Computed("H").is_sum());
    }
}
