//! What a map consists of: digits with weights, and sums of them.

use core::num::NonZeroU64;

use crate::Result;
use crate::list::List;
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

    /// The numbers by which digits are sorted: first their source.
    const fn key(&self) -> (usize, u64, u64) {
        let source = match self.source {
            Source::Coordinate(number) => number as usize,
            Source::Sum(number) => 256 + number as usize,
        };
        (source, self.divisor, self.modulus())
    }

    pub(crate) const fn same_source(&self, other: &Self) -> bool {
        self.key().0 == other.key().0
    }

    pub(crate) const fn same(&self, other: &Self) -> bool {
        let a = self.key();
        let b = other.key();
        a.0 == b.0 && a.1 == b.1 && a.2 == b.2
    }

    const fn before(&self, other: &Self) -> bool {
        let a = self.key();
        let b = other.key();
        a.0 < b.0 || a.0 == b.0 && (a.1 < b.1 || a.1 == b.1 && a.2 < b.2)
    }
}

/// A constant and terms: a sum that is being made.
#[derive(Clone, Copy)]
pub(crate) struct Sum<const T: usize> {
    pub(crate) constant: i64,
    pub(crate) terms: List<Term, T>,
}

impl<const T: usize> Sum<T> {
    pub(crate) const NO_TERM: Term = Term {
        weight: 0,
        digit: Digit::new(Source::Coordinate(0), 1, 0),
    };

    pub(crate) const fn new(constant: i64) -> Self {
        let terms = List::new(Self::NO_TERM);
        Self { constant, terms }
    }

    /// The coordinate of this number. A map has room for a term.
    pub(crate) const fn coordinate(number: usize) -> Self {
        let mut sum = Self::new(0);
        let mut term = Self::NO_TERM;
        term.weight = 1;
        term.digit.source = Source::Coordinate(number as u8);
        sum.terms.list[0] = term;
        sum.terms.len = 1;
        sum
    }

    pub(crate) const fn terms(&self) -> &[Term] {
        self.terms.as_slice()
    }

    /// Adds `weight` times a digit.
    pub(crate) const fn push(&mut self, weight: i64, digit: Digit) -> Result<()> {
        if weight == 0 {
            return Ok(());
        }
        each!(i, 0..self.terms.len, {
            let term = &mut self.terms.list[i];
            if term.digit.same(&digit) {
                term.weight = tri!(add(term.weight, weight));
                if term.weight == 0 {
                    self.terms.remove(i);
                }
                return Ok(());
            }
        });
        self.terms.push(Term { weight, digit })
    }

    /// Adds `factor` times a number.
    pub(crate) const fn shift(&mut self, number: i64, factor: i64) -> Result<()> {
        self.constant = tri!(add(self.constant, tri!(mul(number, factor))));
        Ok(())
    }

    /// Adds `factor` times another sum.
    pub(crate) const fn add(&mut self, other: &Self, factor: i64) -> Result<()> {
        tri!(self.shift(other.constant, factor));
        each!(term, &other.terms(), {
            tri!(self.push(tri!(mul(term.weight, factor)), term.digit));
        });
        Ok(())
    }

    /// Gives the sums that the terms refer to other numbers.
    pub(crate) const fn renumber(&mut self, numbers: &[u8]) {
        each!(i, 0..self.terms.len, {
            if let Source::Sum(number) = &mut self.terms.list[i].digit.source {
                *number = numbers[*number as usize];
            }
        });
    }

    /// Sorts the terms: by weight, or by digit.
    pub(crate) const fn sort(&mut self, by_weight: bool) {
        each!(i, 1..self.terms.len, {
            let mut j = i;
            while j > 0 {
                let a = self.terms.list[j - 1];
                let b = self.terms.list[j];
                let sorted = if by_weight {
                    a.weight <= b.weight
                } else {
                    !b.digit.before(&a.digit)
                };
                if sorted {
                    break;
                }
                self.terms.list[j - 1] = b;
                self.terms.list[j] = a;
                j -= 1;
            }
        });
    }
}
