//! Rewriting of digits, so that few merged coordinates remain.
//!
//! ```text
//! add scale * (floor(S / d) % m), without % where m is 0:
//!   weights and the constant modulo d*m
//!   the same value for all of S: a constant                     the values stay below m: no %
//!   no %: multiples of d leave the constant                     d == 1 and no %: S itself
//!   all weights < 0: -1 - floor((-S - 1) / d), or m - 1 - floor((-S - 1) / d) % m
//!   weights > 0, by weight; L the lower ones, G = gcd(d or m, weights of the others):
//!     d > 1:  max(L) < G: drop L, which never carries
//!     d == 1: max(L) < G: L + G * (others / G % (m / G))
//!   G = gcd(d, weights) > 1: divide all by G
//!   no %: terms whose weight d divides leave the floor
//!   one term of weight 1: a digit of a digit is one digit, if the sizes divide
//!   else: S is a merged coordinate
//! ```

use crate::number::{add, floor, gcd, modulo, mul, narrow};
use crate::term::{Digit, Source, Sum};
use crate::{Map, MapError};

impl<const T: usize> Map<T> {
    /// Adds `scale * (floor(sum / divisor) % modulus)` to `out`.
    pub(crate) const fn add_digit(
        &mut self,
        sum: &Sum<T>,
        divisor: u64,
        modulus: u64,
        scale: i64,
        out: &mut Sum<T>,
    ) -> Result<(), MapError> {
        let (mut s, mut d, mut m, mut scale) = (*sum, divisor, modulus, scale);
        if d == 0 {
            return Err(MapError::ZeroDivisor);
        }
        let mut collected = false;
        loop {
            if m != 0 {
                s = reduce(s, d as u128 * m as u128);
            }
            let (low, high) = self.range_of(&s, s.len);
            let low = tri!(narrow(low.saturating_add(s.constant as i128)));
            let high = tri!(narrow(high.saturating_add(s.constant as i128)));
            if floor(low, d) == floor(high, d) {
                let value = floor(low, d);
                let value = if m == 0 { value } else { modulo(value, m) };
                out.constant = tri!(add(out.constant, tri!(mul(scale, value))));
                return Ok(());
            }
            if low >= 0 && (high as u64) / d < m {
                m = 0;
            }
            if d > i64::MAX as u64 || m > i64::MAX as u64 {
                return Err(MapError::Overflow);
            }
            if m == 0 {
                let steps = floor(s.constant, d);
                out.constant = tri!(add(out.constant, tri!(mul(scale, steps))));
                s.constant = modulo(s.constant, d);
                if d == 1 {
                    return out.add(&s, scale);
                }
            }
            let (negative, positive) = signs(&s);
            if negative {
                let mut turned = Sum::new(-1);
                tri!(turned.add(&s, -1));
                let shift = if m == 0 { -1 } else { (m - 1) as i64 };
                out.constant = tri!(add(out.constant, tri!(mul(scale, shift))));
                scale = tri!(mul(scale, -1));
                s = turned;
                continue;
            }
            if positive {
                s.sort(true);
                match tri!(self.cut(&mut s, d, m, scale, out)) {
                    0 => {}
                    by => {
                        if d == 1 {
                            scale = tri!(mul(scale, by as i64));
                            m /= by;
                        }
                        continue;
                    }
                }
            }
            if d > 1 {
                let common = common(&s, 0, d);
                if common > 1 {
                    divide(&mut s, common);
                    d /= common;
                    continue;
                }
            }
            if m == 0 && tri!(take_multiples(&mut s, d, scale, out)) {
                continue;
            }
            if let Some(digit) = digit_of_digit(&s, d, m) {
                return out.push(scale, digit);
            }
            if !collected {
                tri!(self.collect(&mut s));
                collected = true;
                continue;
            }
            s.sort(false);
            let number = tri!(self.share(&s));
            return out.push(scale, Digit::new(Source::Sum(number), d, m));
        }
    }

    /// Drops the lower terms that never carry, or, if `d` is 1, adds them to `out` and divides the others. Returns 0 if there
    /// are none, otherwise the divisor.
    const fn cut(
        &self,
        s: &mut Sum<T>,
        d: u64,
        m: u64,
        scale: i64,
        out: &mut Sum<T>,
    ) -> Result<u64, MapError> {
        let mut lower = if d > 1 { s.len } else { s.len - 1 };
        loop {
            if d > 1 && lower == 0 {
                return Ok(0);
            }
            let unit = common(s, lower, if d > 1 { d } else { m });
            let rest = modulo(s.constant, unit);
            let (low, high) = self.range_of(s, lower);
            if unit > 1 && low >= 0 && high.saturating_add(rest as i128) < unit as i128 {
                let mut i = 0;
                while i < lower {
                    if d == 1 {
                        let weight = tri!(mul(scale, s.terms[0].weight));
                        tri!(out.push(weight, s.terms[0].digit));
                    }
                    s.remove(0);
                    i += 1;
                }
                s.constant = tri!(add(s.constant, -rest));
                if d == 1 {
                    out.constant = tri!(add(out.constant, tri!(mul(scale, rest))));
                    divide(s, unit);
                }
                return Ok(unit);
            }
            if lower == 0 {
                return Ok(0);
            }
            lower -= 1;
        }
    }

    /// Writes the sum with fewer terms: constant digits and digits of whole sums are replaced, neighbours become one digit.
    pub(crate) const fn collect(&self, sum: &mut Sum<T>) -> Result<(), MapError> {
        let mut again = true;
        while again {
            again = false;
            let old = *sum;
            *sum = Sum::new(old.constant);
            let mut i = 0;
            while i < old.len {
                let weight = old.terms[i].weight;
                let mut digit = old.terms[i].digit;
                let (low, high) = self.digit_range(&digit);
                if low == high {
                    sum.constant = tri!(add(sum.constant, tri!(mul(weight, low))));
                    i += 1;
                    continue;
                }
                let whole = Digit::new(digit.source, digit.divisor, 0);
                let (least, most) = self.digit_range(&whole);
                if least == low && most == high {
                    digit = whole;
                }
                match digit.source {
                    Source::Sum(number) if digit.divisor == 1 && digit.modulus() == 0 => {
                        tri!(sum.add(&self.sum(number as usize), weight));
                        again = true;
                    }
                    _ => tri!(sum.push(weight, digit)),
                }
                i += 1;
            }
            let mut i = 0;
            while i < sum.len {
                if let Some(j) = continuation(sum, i) {
                    let (low, high) = (sum.terms[i].digit, sum.terms[j].digit);
                    let size = low.modulus() * high.modulus();
                    let weight = sum.terms[i].weight;
                    sum.remove(if i > j { i } else { j });
                    sum.remove(if i > j { j } else { i });
                    tri!(sum.push(weight, Digit::new(low.source, low.divisor, size)));
                    again = true;
                    break;
                }
                i += 1;
            }
        }
        sum.sort(false);
        Ok(())
    }
}

/// The term that continues term `i`: its digit begins where the other one ends, and so do its steps.
const fn continuation<const T: usize>(sum: &Sum<T>, i: usize) -> Option<usize> {
    let (weight, digit) = (sum.terms[i].weight, sum.terms[i].digit);
    let size = digit.modulus();
    if size == 0 || size > i64::MAX as u64 {
        return None;
    }
    let (Some(end), Some(next)) = (
        digit.divisor.checked_mul(size),
        weight.checked_mul(size as i64),
    ) else {
        return None;
    };
    let mut j = 0;
    while j < sum.len {
        let other = sum.terms[j];
        if j != i
            && other.digit.same_source(&digit)
            && other.digit.divisor == end
            && other.weight == next
            && other.digit.modulus() <= i64::MAX as u64 / size
        {
            return Some(j);
        }
        j += 1;
    }
    None
}

/// The sum modulo `period`. Negative weights stay, unless `period` divides them.
const fn reduce<const T: usize>(mut s: Sum<T>, period: u128) -> Sum<T> {
    if period > i64::MAX as u128 {
        return s;
    }
    let period = period as i64;
    s.constant = s.constant.rem_euclid(period);
    let mut i = 0;
    while i < s.len {
        if s.terms[i].weight > 0 || s.terms[i].weight % period == 0 {
            s.terms[i].weight %= period;
        }
        if s.terms[i].weight == 0 {
            s.remove(i);
        } else {
            i += 1;
        }
    }
    s
}

/// Whether all weights are negative, and whether all are positive.
const fn signs<const T: usize>(s: &Sum<T>) -> (bool, bool) {
    let (mut negative, mut positive) = (true, true);
    let mut i = 0;
    while i < s.len {
        if s.terms[i].weight < 0 {
            positive = false;
        } else {
            negative = false;
        }
        i += 1;
    }
    (negative, positive)
}

/// The greatest common divisor of a number and the weights from term `first` on.
const fn common<const T: usize>(s: &Sum<T>, first: usize, of: u64) -> u64 {
    let (mut i, mut common) = (first, of);
    while i < s.len {
        common = gcd(common, s.terms[i].weight.unsigned_abs());
        i += 1;
    }
    common
}

/// Divides the weights, which are multiples, and the constant, which loses its rest.
const fn divide<const T: usize>(s: &mut Sum<T>, by: u64) {
    let mut i = 0;
    while i < s.len {
        s.terms[i].weight = floor(s.terms[i].weight, by);
        i += 1;
    }
    s.constant = floor(s.constant, by);
}

/// Moves the terms whose weight is a multiple of `d` out of the floor.
const fn take_multiples<const T: usize>(
    s: &mut Sum<T>,
    d: u64,
    scale: i64,
    out: &mut Sum<T>,
) -> Result<bool, MapError> {
    let (mut i, mut taken) = (0, false);
    while i < s.len {
        let weight = s.terms[i].weight;
        if modulo(weight, d) == 0 {
            tri!(out.push(tri!(mul(scale, floor(weight, d))), s.terms[i].digit));
            s.remove(i);
            taken = true;
        } else {
            i += 1;
        }
    }
    Ok(taken)
}

/// `floor(S / d) % m` as one digit, if S is one digit and the sizes divide.
const fn digit_of_digit<const T: usize>(s: &Sum<T>, d: u64, m: u64) -> Option<Digit> {
    if s.len != 1 || s.terms[0].weight != 1 || s.constant != 0 {
        return None;
    }
    let digit = s.terms[0].digit;
    let Some(divisor) = digit.divisor.checked_mul(d) else {
        return None;
    };
    let size = match digit.modulus() {
        0 => m,
        size if size.is_multiple_of(d) => {
            let steps = size / d;
            if m == 0 || m >= steps {
                steps
            } else if steps.is_multiple_of(m) {
                m
            } else {
                return None;
            }
        }
        _ => return None,
    };
    Some(Digit::new(digit.source, divisor, size))
}
