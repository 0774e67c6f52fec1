//! Maps as text.

use core::fmt::{Debug, Display, Formatter, Result};

use crate::Map;
use crate::term::{Digit, Source, Term};

/// `[4, 8] -> 8 * i0 + i1`: the sizes of the coordinates, then the sum of the digits. A merged
/// coordinate is a sum in brackets: `[4, 8] -> ((8 * i0 + i1) / 3)`.
impl<const T: usize> Display for Map<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{:?} -> ", self.extents())?;
        // The last sum is the map itself.
        let whole_map = self.count - 1;
        self.write_sum(whole_map, f)
    }
}

/// The same as `Display`.
impl<const T: usize> Debug for Map<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(self, f)
    }
}

impl<const T: usize> Map<T> {
    /// Writes the sum of this number.
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
            self.write_digit(digit, f)?;
        }
        match (terms.is_empty(), constant) {
            (true, _) => write!(f, "{constant}"),
            (false, 0) => Ok(()),
            (false, _) if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
            (false, _) => write!(f, " + {constant}"),
        }
    }

    /// Writes a digit in brackets; without them if it is all of its source.
    fn write_digit(&self, digit: &Digit, f: &mut Formatter<'_>) -> Result {
        let is_whole_source = digit.divisor == 1 && digit.size.is_none();
        if !is_whole_source {
            f.write_str("(")?;
        }
        match digit.source {
            Source::Coordinate(dim) => write!(f, "i{dim}")?,
            Source::Sum(number) => {
                let number = number as usize;
                // A sum that is one digit has the brackets of this digit.
                let is_one_digit = self.sum_constant(number) == 0
                    && matches!(self.sum_terms(number), [Term { weight: 1, .. }]);
                f.write_str(if is_one_digit { "" } else { "(" })?;
                self.write_sum(number, f)?;
                f.write_str(if is_one_digit { "" } else { ")" })?;
            }
        }
        if digit.divisor != 1 {
            write!(f, " / {}", digit.divisor)?;
        }
        if let Some(size) = digit.size {
            write!(f, " % {size}")?;
        }
        if !is_whole_source {
            f.write_str(")")?;
        }
        Ok(())
    }
}
