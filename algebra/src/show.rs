//! Maps as text.

use core::fmt::{Debug, Display, Formatter, Result};

use crate::Map;
use crate::term::{Source, Term};

/// `[4, 8] -> 8 * i0 + i1`; a merged coordinate is written in brackets.
impl<const T: usize> Display for Map<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{:?} -> ", self.extents())?;
        self.write_sum(self.count - 1, f)
    }
}

/// The same as `Display`.
impl<const T: usize> Debug for Map<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(self, f)
    }
}

impl<const T: usize> Map<T> {
    fn write_sum(&self, number: usize, f: &mut Formatter<'_>) -> Result {
        let constant = self.sum_constant(number);
        let terms = self.sum_terms(number);
        for (i, Term { weight, digit }) in terms.iter().enumerate() {
            let sign = match (i, *weight < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            f.write_str(sign)?;
            if weight.unsigned_abs() != 1 {
                write!(f, "{} * ", weight.unsigned_abs())?;
            }
            let whole = digit.divisor == 1 && digit.size.is_none();
            if !whole {
                f.write_str("(")?;
            }
            match digit.source {
                Source::Coordinate(dim) => write!(f, "i{dim}")?,
                Source::Sum(sum) => {
                    let sum = sum as usize;
                    // A digit alone is in brackets already.
                    let alone = self.sum_constant(sum) == 0
                        && matches!(self.sum_terms(sum), [Term { weight: 1, .. }]);
                    f.write_str(if alone { "" } else { "(" })?;
                    self.write_sum(sum, f)?;
                    f.write_str(if alone { "" } else { ")" })?;
                }
            }
            if digit.divisor != 1 {
                write!(f, " / {}", digit.divisor)?;
            }
            if let Some(size) = digit.size {
                write!(f, " % {size}")?;
            }
            if !whole {
                f.write_str(")")?;
            }
        }
        match (terms.is_empty(), constant) {
            (true, _) => write!(f, "{constant}"),
            (false, 0) => Ok(()),
            (false, _) if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
            (false, _) => write!(f, " + {constant}"),
        }
    }
}
