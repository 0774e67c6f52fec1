//! Rewriting of digits, so that few merged coordinates remain.
//!
//! ```text
//! add scale * (floor(S / d) % m), without % where m is 0. A rule that writes the digit in another
//! way begins again at the top:
//!
//!   weights and the constant modulo d*m
//!   the same value for all of S: a constant, and the end
//!   the values stay below m: no %
//!   no %: multiples of d leave the constant
//!   no % and d == 1: S itself, and the end
//!   all weights < 0: -1 - floor((-S - 1) / d), or m - 1 - floor((-S - 1) / d) % m
//!   all weights > 0, by weight; L the lower terms, G = gcd(d or m, weights of the others):
//!     d > 1:  max(L) < G: drop L, which never carries
//!     d == 1: max(L) < G: L + G * (others / G % (m / G))
//!   G = gcd(d, weights) > 1: divide all by G
//!   no %: terms whose weight d divides leave the floor
//!   one term of weight 1: a digit of a digit is one digit, if the sizes divide; the end
//!   once: fewer terms of the same value
//!   else: S is a merged coordinate, and the end
//! ```

use crate::number::{floor, gcd, modulo, mul};
use crate::term::{Digit, Source, Sum, Term};
use crate::{Map, Result};

impl<const T: usize> Map<T> {
    /// Adds `scale * (floor(sum / divisor) % modulus)` to `out`.
    pub(crate) const fn add_digit(
        &mut self,
        sum: &Sum<T>,
        divisor: u64,
        modulus: u64,
        mut scale: i64,
        out: &mut Sum<T>,
    ) -> Result<()> {
        let mut s = *sum;
        let mut d = divisor;
        let mut m = modulus;
        ensure!(d != 0, ZeroDivisor);
        let mut collected = false;
        loop {
            if m != 0 {
                tri!(reduce(&mut s, d as u128 * m as u128));
            }
            let (low, high) = tri!(self.bounds(&s));
            let first = floor(low, d);
            let last = floor(high, d);
            if first == last {
                let value = if m == 0 { first } else { modulo(first, m) };
                return out.shift(value, scale);
            }
            if low >= 0 && (last as u64) < m {
                m = 0;
            }
            ensure!(d <= i64::MAX as u64 && m <= i64::MAX as u64, Overflow);
            if m == 0 {
                tri!(out.shift(floor(s.constant, d), scale));
                s.constant = modulo(s.constant, d);
                if d == 1 {
                    return out.add(&s, scale);
                }
            }
            if all_weights_have_sign(&s, -1) {
                tri!(turn(&mut s, m, &mut scale, out));
                continue;
            }
            if all_weights_have_sign(&s, 1) {
                s.sort(true);
                let factor = tri!(self.cut(&mut s, d, m, scale, out));
                if factor > 0 {
                    if d == 1 {
                        scale = tri!(mul(scale, factor as i64));
                        m /= factor;
                    }
                    continue;
                }
            }
            if divide_by_common(&mut s, &mut d)
                || m == 0 && tri!(take_multiples(&mut s, d, scale, out))
            {
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

    /// `floor(sum / divisor) % size` as a sum.
    pub(crate) const fn digit_of(
        &mut self,
        sum: &Sum<T>,
        divisor: u64,
        size: u64,
    ) -> Result<Sum<T>> {
        let mut digit = Sum::new(0);
        tri!(self.add_digit(sum, divisor, size, 1, &mut digit));
        tri!(self.collect(&mut digit));
        Ok(digit)
    }

    /// Drops the lower terms that never carry, or, if `d` is 1, adds them to `out` and divides the
    /// others. Returns the divisor of the others, 0 if nothing was dropped or divided.
    const fn cut(
        &self,
        s: &mut Sum<T>,
        d: u64,
        m: u64,
        scale: i64,
        out: &mut Sum<T>,
    ) -> Result<u64> {
        let whole = d == 1;
        // The number of lower terms. There is one to drop, or one of the others to divide.
        let fewest = if whole { 0 } else { 1 };
        let mut lower = fewest + s.terms.len;
        while lower > fewest {
            lower -= 1;
            let unit = common(s, lower, if whole { m } else { d });
            let rest = modulo(s.constant, unit);
            let (low, high) = self.range_of(s, lower);
            if unit > 1 && low >= 0 && high.saturating_add(rest as i128) < unit as i128 {
                let old = *s;
                s.terms.len = 0;
                each!(i, 0..old.terms.len, {
                    let term = old.terms.list[i];
                    if i >= lower {
                        tri!(s.terms.push(term));
                    } else if whole {
                        tri!(out.push(tri!(mul(scale, term.weight)), term.digit));
                    }
                });
                tri!(s.shift(rest, -1));
                if whole {
                    tri!(out.shift(rest, scale));
                    divide(s, unit);
                }
                return Ok(unit);
            }
        }
        Ok(0)
    }

    /// Writes the sum with fewer terms: constant digits and digits of whole sums are replaced,
    /// neighbours become one digit.
    pub(crate) const fn collect(&self, sum: &mut Sum<T>) -> Result<()> {
        let mut again = true;
        while again {
            again = false;
            let old = *sum;
            *sum = Sum::new(old.constant);
            each!(term, &old.terms(), {
                let Term { weight, mut digit } = *term;
                let (low, high) = self.digit_range(&digit);
                if low == high {
                    tri!(sum.shift(low, weight));
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
            });
            each!(i, 0..sum.terms.len, {
                if let Some(j) = continuation(sum, i) {
                    let low = sum.terms.list[i];
                    let high = sum.terms.list[j].digit;
                    let size = low.digit.modulus() * high.modulus();
                    sum.terms.remove(if i > j { i } else { j });
                    sum.terms.remove(if i > j { j } else { i });
                    let digit = Digit::new(high.source, low.digit.divisor, size);
                    tri!(sum.push(low.weight, digit));
                    again = true;
                    break;
                }
            });
        }
        sum.sort(false);
        Ok(())
    }
}

/// The term that continues term `i`: its digit begins where that of term `i` ends, and its weight
/// is that of the steps there.
const fn continuation<const T: usize>(sum: &Sum<T>, i: usize) -> Option<usize> {
    let Term { weight, digit } = sum.terms.list[i];
    let size = digit.modulus();
    if size == 0 || size > i64::MAX as u64 {
        return None;
    }
    let end = digit.divisor.checked_mul(size);
    let next = weight.checked_mul(size as i64);
    if let (Some(end), Some(next)) = (end, next) {
        each!(j, 0..sum.terms.len, {
            let candidate = sum.terms.list[j];
            if j != i
                && candidate.digit.same_source(&digit)
                && candidate.digit.divisor == end
                && candidate.weight == next
                && candidate.digit.modulus() <= i64::MAX as u64 / size
            {
                return Some(j);
            }
        });
    }
    None
}

/// Whether all weights have a sign, which is -1 or 1.
const fn all_weights_have_sign<const T: usize>(s: &Sum<T>, sign: i64) -> bool {
    each!(term, &s.terms(), {
        if term.weight.signum() != sign {
            return false;
        }
    });
    true
}

/// Writes a digit of negative weights as one of `-S - 1`.
const fn turn<const T: usize>(
    s: &mut Sum<T>,
    m: u64,
    scale: &mut i64,
    out: &mut Sum<T>,
) -> Result<()> {
    tri!(out.shift(if m == 0 { -1 } else { (m - 1) as i64 }, *scale));
    *scale = tri!(mul(*scale, -1));
    let mut turned = Sum::new(-1);
    tri!(turned.add(s, -1));
    *s = turned;
    Ok(())
}

/// Divides S and `d` by what divides `d` and all weights. Returns whether that is more than 1.
const fn divide_by_common<const T: usize>(s: &mut Sum<T>, d: &mut u64) -> bool {
    let common = common(s, 0, *d);
    if common > 1 {
        divide(s, common);
        *d /= common;
    }
    common > 1
}

/// The sum modulo `period`. Negative weights stay, unless `period` divides them.
const fn reduce<const T: usize>(s: &mut Sum<T>, period: u128) -> Result<()> {
    if period > i64::MAX as u128 {
        return Ok(());
    }
    let old = *s;
    let period = period as i64;
    *s = Sum::new(old.constant.rem_euclid(period));
    each!(term, &old.terms(), {
        let rest = term.weight % period;
        let weight = if rest < 0 { term.weight } else { rest };
        if weight != 0 {
            tri!(s.terms.push(Term { weight, ..*term }));
        }
    });
    Ok(())
}

/// The greatest common divisor of a number and the weights from term `first` on.
const fn common<const T: usize>(s: &Sum<T>, first: usize, number: u64) -> u64 {
    let mut common = number;
    each!(i, first..s.terms.len, {
        common = gcd(common, s.terms.list[i].weight.unsigned_abs());
    });
    common
}

/// Divides the weights, which are multiples, and the constant, which loses its rest.
const fn divide<const T: usize>(s: &mut Sum<T>, divisor: u64) {
    each!(i, 0..s.terms.len, {
        let weight = &mut s.terms.list[i].weight;
        *weight = floor(*weight, divisor);
    });
    s.constant = floor(s.constant, divisor);
}

/// Moves the terms whose weight is a multiple of `d` out of the floor.
const fn take_multiples<const T: usize>(
    s: &mut Sum<T>,
    d: u64,
    scale: i64,
    out: &mut Sum<T>,
) -> Result<bool> {
    let old = *s;
    *s = Sum::new(old.constant);
    each!(term, &old.terms(), {
        if modulo(term.weight, d) == 0 {
            let weight = tri!(mul(scale, floor(term.weight, d)));
            tri!(out.push(weight, term.digit));
        } else {
            tri!(s.terms.push(*term));
        }
    });
    Ok(s.terms.len < old.terms.len)
}

/// `floor(S / d) % m` as one digit, if S is one digit and the sizes divide.
const fn digit_of_digit<const T: usize>(s: &Sum<T>, d: u64, m: u64) -> Option<Digit> {
    let Term { weight, digit } = s.terms.list[0];
    if s.terms.len != 1 || weight != 1 || s.constant != 0 {
        return None;
    }
    let size = digit.modulus();
    let steps = digit.modulus() / d;
    let modulus = match size {
        0 => m,
        _ if !size.is_multiple_of(d) => return None,
        _ if m == 0 || m >= steps => steps,
        _ if steps.is_multiple_of(m) => m,
        _ => return None,
    };
    match digit.divisor.checked_mul(d) {
        Some(divisor) => Some(Digit::new(digit.source, divisor, modulus)),
        None => None,
    }
}
