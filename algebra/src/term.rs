//! What a map consists of: digits with weights, and sums of them.

use core::num::NonZeroU64;

use crate::MapError;
use crate::number::{add, mul};

/// What a digit is taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The coordinate of this number.
    Coordinate(u8),
    /// The sum of this number: a merged coordinate. A sum refers to sums of smaller numbers only.
    Sum(u8),
}

/// `floor(source / divisor) % size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// What the digit is taken of.
    pub source: Source,
    /// How many steps of the source make a step of the digit. At least 1.
    pub divisor: u64,
    /// How many values the digit has; `None`: all that are left, so there is no `%`.
    pub size: Option<NonZeroU64>,
}

/// A digit that counts `weight` times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// How far a step of the digit moves, in elements.
    pub weight: i64,
    /// The digit.
    pub digit: Digit,
}

impl Digit {
    pub(crate) const fn new(source: Source, divisor: u64, modulus: u64) -> Self {
        let size = NonZeroU64::new(modulus);
        Self {
            source,
            divisor,
            size,
        }
    }

    /// The size; 0 stands for no size.
    pub(crate) const fn modulus(&self) -> u64 {
        match self.size {
            Some(size) => size.get(),
            None => 0,
        }
    }

    /// The numbers by which digits are sorted.
    const fn key(&self) -> (bool, u8, u64, u64) {
        match self.source {
            Source::Coordinate(number) => (false, number, self.divisor, self.modulus()),
            Source::Sum(number) => (true, number, self.divisor, self.modulus()),
        }
    }

    pub(crate) const fn same_source(&self, other: &Self) -> bool {
        let (a, b) = (self.key(), other.key());
        a.0 == b.0 && a.1 == b.1
    }

    pub(crate) const fn same(&self, other: &Self) -> bool {
        self.same_source(other)
            && self.divisor == other.divisor
            && self.modulus() == other.modulus()
    }

    const fn before(&self, other: &Self) -> bool {
        let (a, b) = (self.key(), other.key());
        if a.0 != b.0 {
            return b.0;
        }
        if a.1 != b.1 {
            return a.1 < b.1;
        }
        if a.2 != b.2 {
            return a.2 < b.2;
        }
        a.3 < b.3
    }
}

/// A constant and terms: a sum that is being made.
#[derive(Clone, Copy)]
pub(crate) struct Sum<const T: usize> {
    pub(crate) constant: i64,
    pub(crate) terms: [Term; T],
    pub(crate) len: usize,
}

impl<const T: usize> Sum<T> {
    pub(crate) const NO_TERM: Term = Term {
        weight: 0,
        digit: Digit::new(Source::Coordinate(0), 1, 0),
    };

    pub(crate) const fn new(constant: i64) -> Self {
        Self {
            constant,
            terms: [Self::NO_TERM; T],
            len: 0,
        }
    }

    /// The coordinate of this number.
    pub(crate) const fn coordinate(number: usize) -> Self {
        let mut sum = Self::new(0);
        if T > 0 {
            sum.terms[0] = Term {
                weight: 1,
                digit: Digit::new(Source::Coordinate(number as u8), 1, 0),
            };
            sum.len = 1;
        }
        sum
    }

    /// Adds `weight` times a digit.
    pub(crate) const fn push(&mut self, weight: i64, digit: Digit) -> Result<(), MapError> {
        if weight == 0 {
            return Ok(());
        }
        let mut i = 0;
        while i < self.len {
            if self.terms[i].digit.same(&digit) {
                self.terms[i].weight = tri!(add(self.terms[i].weight, weight));
                if self.terms[i].weight == 0 {
                    self.remove(i);
                }
                return Ok(());
            }
            i += 1;
        }
        if self.len == T {
            return Err(MapError::TooManyTerms { limit: T });
        }
        self.terms[self.len] = Term { weight, digit };
        self.len += 1;
        Ok(())
    }

    /// Adds `factor` times another sum.
    pub(crate) const fn add(&mut self, other: &Self, factor: i64) -> Result<(), MapError> {
        self.constant = tri!(add(self.constant, tri!(mul(other.constant, factor))));
        let mut i = 0;
        while i < other.len {
            let weight = tri!(mul(other.terms[i].weight, factor));
            tri!(self.push(weight, other.terms[i].digit));
            i += 1;
        }
        Ok(())
    }

    /// Removes a term. The sequence of the others stays.
    pub(crate) const fn remove(&mut self, at: usize) {
        let mut i = at + 1;
        while i < self.len {
            self.terms[i - 1] = self.terms[i];
            i += 1;
        }
        self.len -= 1;
    }

    /// Sorts the terms: by weight, or by digit.
    pub(crate) const fn sort(&mut self, by_weight: bool) {
        let mut i = 1;
        while i < self.len {
            let mut j = i;
            while j > 0 {
                let (a, b) = (self.terms[j - 1], self.terms[j]);
                let wrong = if by_weight {
                    b.weight < a.weight
                } else {
                    b.digit.before(&a.digit)
                };
                if !wrong {
                    break;
                }
                self.terms[j - 1] = b;
                self.terms[j] = a;
                j -= 1;
            }
            i += 1;
        }
    }
}
