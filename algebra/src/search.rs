//! An exact search: is there a digit for each stride so that the sum of the products is a target?
//!
//! ```text
//! solve(strides ascending, ranges of digits, target):
//!   from the greatest stride down, with the rest t:
//!     for digits e for which t - e * stride is within the reach of the smaller strides, and a multiple of their gcd:
//!       go down with t - e * stride
//!   a state (stride, t) that failed is not tried again
//! ```
//!
//! The question is NP-complete, also for digits of -1, 0 and 1 (Equal Subset Sum; Woeginger and Yu, 1992). If each stride is greater than
//! the reach of the smaller ones, each state has at most two digits.

use crate::Budget;
use crate::atoms::Atoms;
use crate::number::gcd;
use crate::{MAX_DIMENSIONS, Map, MapError};

/// How many strides there is room for.
const MAX_STRIDES: usize = 192;

/// How many failed states are remembered. A state that is forgotten is tried again.
const REMEMBERED: usize = 256;

/// A stride above 0, and the digits that it may have.
#[derive(Clone, Copy)]
pub(crate) struct Stride {
    pub(crate) stride: u64,
    pub(crate) low: i64,
    pub(crate) high: i64,
    /// The atom, and whether it is one of the second map.
    pub(crate) atom: usize,
    pub(crate) second: bool,
    /// Whether the digit counts from the end: the map's weight is negative.
    pub(crate) turned: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Search {
    pub(crate) list: [Stride; MAX_STRIDES],
    pub(crate) len: usize,
    /// The chosen digits.
    pub(crate) digits: [i64; MAX_STRIDES],
    rests: [i128; MAX_STRIDES],
    nonzero: [bool; MAX_STRIDES],
    lows: [i128; MAX_STRIDES],
    highs: [i128; MAX_STRIDES],
    divisors: [u64; MAX_STRIDES],
    failed: [(u16, bool, i128); REMEMBERED],
}

impl Search {
    pub(crate) const fn new() -> Self {
        let none = Stride {
            stride: 1,
            low: 0,
            high: 0,
            atom: 0,
            second: false,
            turned: false,
        };
        Self {
            list: [none; MAX_STRIDES],
            len: 0,
            digits: [0; MAX_STRIDES],
            rests: [0; MAX_STRIDES],
            nonzero: [false; MAX_STRIDES],
            lows: [0; MAX_STRIDES],
            highs: [0; MAX_STRIDES],
            divisors: [0; MAX_STRIDES],
            failed: [(u16::MAX, false, 0); REMEMBERED],
        }
    }

    /// Adds a stride in its place.
    pub(crate) const fn add(&mut self, stride: Stride) -> Result<(), MapError> {
        if self.len == MAX_STRIDES {
            return Err(MapError::TooManyTerms { limit: MAX_STRIDES });
        }
        let mut i = self.len;
        while i > 0 && self.list[i - 1].stride > stride.stride {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[i] = stride;
        self.len += 1;
        Ok(())
    }

    /// Adds the strides of a map that is linear over atoms. With `differences` the digits are differences of two; otherwise those of the second map count
    /// down. Returns the constant that turned digits add. Strides of 0 are left out.
    pub(crate) const fn add_map<const T: usize>(
        &mut self,
        map: &Map<T>,
        atoms: &Atoms,
        differences: bool,
        second: bool,
    ) -> Result<i128, MapError> {
        let (mut i, mut shift) = (0, 0);
        while i < atoms.len {
            let (weight, last) = (atoms.weight(map, i), (atoms.list[i].size - 1) as i64);
            let turned = weight < 0;
            if turned {
                shift += weight as i128 * last as i128;
            }
            let (low, high) = match (differences, second) {
                (true, _) => (-last, last),
                (false, false) => (0, last),
                (false, true) => (-last, 0),
            };
            if weight != 0 {
                tri!(self.add(Stride {
                    stride: weight.unsigned_abs(),
                    low,
                    high,
                    atom: i,
                    second,
                    turned,
                }));
            }
            i += 1;
        }
        Ok(shift)
    }

    /// Whether each stride is greater than the reach of the smaller ones.
    pub(crate) const fn is_superincreasing(&self) -> bool {
        let (mut i, mut reach) = (0, 0_i128);
        while i < self.len {
            if self.list[i].stride as i128 <= reach {
                return false;
            }
            reach += self.list[i].stride as i128 * self.list[i].high as i128;
            i += 1;
        }
        true
    }

    /// Prepares the search; a target is tried by [`next`](Self::next).
    pub(crate) const fn begin(&mut self, target: i128) {
        let (mut i, mut low, mut high, mut divisor) = (0, 0, 0, 0);
        while i < self.len {
            let stride = self.list[i];
            self.lows[i] = low;
            self.highs[i] = high;
            self.divisors[i] = divisor;
            low += stride.stride as i128 * stride.low as i128;
            high += stride.stride as i128 * stride.high as i128;
            divisor = gcd(divisor, stride.stride);
            i += 1;
        }
        if self.len > 0 {
            self.enter(self.len - 1, target, false);
        }
    }

    /// The coordinates that the digits are in both maps, and the row-major indices. A difference below 0 is one of the second map.
    pub(crate) const fn indices(
        &self,
        differences: bool,
        atoms: [&Atoms; 2],
    ) -> ([[u64; MAX_DIMENSIONS]; 2], (u64, u64)) {
        let (mut coordinates, mut indices, mut i) = ([[0; MAX_DIMENSIONS]; 2], [0, 0], 0);
        while i < self.len {
            let (stride, digit) = (self.list[i], self.digits[i]);
            let second = match differences {
                true => (digit > 0) == stride.turned,
                false => stride.second,
            } as usize;
            let atom = &atoms[second].list[stride.atom];
            let mut steps = digit.unsigned_abs();
            if stride.turned && !differences {
                steps = atom.size - 1 - steps;
            }
            coordinates[second][atom.dim] += steps * atom.unit;
            indices[second] += steps * atom.place;
            i += 1;
        }
        (coordinates, (indices[0], indices[1]))
    }

    const fn enter(&mut self, level: usize, rest: i128, nonzero: bool) {
        let stride = self.list[level];
        // The least digit whose rest the smaller strides may reach.
        let least = div_ceil(rest - self.highs[level], stride.stride as i128);
        let low = stride.low as i128;
        let (first, end) = (
            if least > low { least } else { low },
            stride.high as i128 + 1,
        );
        // The search counts up before it looks.
        self.digits[level] = (if first < end { first } else { end } - 1) as i64;
        self.rests[level] = rest;
        self.nonzero[level] = nonzero;
    }

    /// The next solution, in `digits`; `false` if there is none. With `different` the digits are differences, not all 0, the first one
    /// above 0. `forget`: a solution that was found may be refused, so states below it have not failed.
    pub(crate) const fn next(
        &mut self,
        mut level: usize,
        different: bool,
        forget: bool,
        left: &mut Budget,
        budget: Budget,
    ) -> Result<bool, MapError> {
        loop {
            tri!(left.step(budget));
            let stride = self.list[level];
            self.digits[level] += 1;
            let digit = self.digits[level];
            let rest = self.rests[level] - digit as i128 * stride.stride as i128;
            if digit > stride.high || rest < self.lows[level] {
                if !forget {
                    let slot = slot(level, self.rests[level]);
                    self.failed[slot] = (level as u16, self.nonzero[level], self.rests[level]);
                }
                level += 1;
                if level == self.len {
                    return Ok(false);
                }
                continue;
            }
            let nonzero = self.nonzero[level] || digit != 0;
            if different && !self.nonzero[level] && digit < 0 {
                continue;
            }
            if rest > self.highs[level] {
                continue;
            }
            if level == 0 {
                if rest == 0 && (nonzero || !different) {
                    return Ok(true);
                }
                continue;
            }
            if rest % self.divisors[level] as i128 != 0 {
                continue;
            }
            let known = self.failed[slot(level - 1, rest)];
            if known.0 as usize == level - 1 && known.1 == nonzero && known.2 == rest {
                continue;
            }
            level -= 1;
            self.enter(level, rest, nonzero);
        }
    }
}

const fn slot(level: usize, rest: i128) -> usize {
    let mixed = (rest as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (level as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
    (mixed >> 40) as usize % REMEMBERED
}

const fn div_ceil(a: i128, b: i128) -> i128 {
    -((-a).div_euclid(b))
}
