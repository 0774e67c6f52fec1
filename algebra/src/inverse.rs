//! Inverses.
//!
//! ```text
//! inverse(map), of offsets v below an end: the first hole for right inverses, the greatest
//!     offset + 1 for left ones
//!   the strides below the end;
//!   until no digits are left:
//!     g = gcd(strides): divide v and the strides by g
//!     greatest stride > reach of the others: digit = floor(v / stride); v = v - digit * stride
//!     else some stride s with gcd(s, g) = 1 and size <= g = gcd(others): digit = (v * s^-1) % g;
//!         v = v - digit * s
//!     else: the inverse of a matrix over bits, if the map is one that all offsets occur in, as a
//!         swizzle
//!     else: the inverse of a table
//!   the sum of the digits times their places
//!
//! # a term for each offset, so at most as many as there is room for
//! inverse of a table, for offsets v > 0, ascending:
//!   weight of floor(offset / v) = index of v - what the terms of smaller offsets give for v
//! ```

use crate::atoms::Atoms;
use crate::groups::Groups;
use crate::number::{floor, gcd, signed};
use crate::term::{Digit, Source, Sum};
use crate::{Bits, Budget, Map, MapError, Result};

impl<const T: usize> Map<T> {
    /// A map from offsets to indices, and how many offsets it takes: all from 0 to the first hole.
    /// The index of an offset has that offset.
    ///
    /// Complexity: O(n^2) in the number of digits. Where digits overlap, and for merged
    /// coordinates, it needs a term for each offset.
    ///
    /// # Errors
    /// Too many terms for the offsets of such a map, and [`MapError::Undecided`].
    pub const fn right_inverse(&self, budget: Budget) -> Result<Self, MapError> {
        self.inverse(tri!(self.first_hole(budget)), false, budget)
    }

    /// The map from the offset of each index to that index; meaningless at other offsets.
    ///
    /// Complexity: O(n^2), after [`collision`](Self::collision).
    ///
    /// ```
    /// use xlayout_algebra::{Budget, Map, MapError};
    /// let padded = Map::<64>::strided(&[3, 4], &[8, 1])?;
    /// let inverse = padded.left_inverse(Budget::DEFAULT)?;
    /// assert_eq!(inverse.at(&[2 * 8 + 3]), Some(2 * 4 + 3));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// [`MapError::NotInjective`] with two indices, [`MapError::Undecided`], too many terms where a
    /// table is needed, and negative offsets.
    pub const fn left_inverse(&self, budget: Budget) -> Result<Self, MapError> {
        if let Some((first, second)) = tri!(self.collision(budget)) {
            return Err(MapError::NotInjective { first, second });
        }
        let last = self.range().1;
        ensure!(last >= 0, NotStrided);
        self.inverse(last as u64 + 1, true, budget)
    }

    /// The inverse for offsets below `end`. A negative offset is left out, or an error.
    const fn inverse(&self, end: u64, forbids_negative: bool, budget: Budget) -> Result<Self> {
        match self.inverse_of_digits(end) {
            Err(MapError::Merged | MapError::NotStrided | MapError::NeedsTable) => {}
            result => return result,
        }
        if let Ok(bits) = Bits::of_map(self, budget)
            && let Ok(inverse) = bits.inverse()
            && let Ok(map) = inverse.to_map()
        {
            return Ok(map);
        }
        // It is not linear, or nobody knows whether it is: a table has the same values.
        self.inverse_of_table(end, forbids_negative, budget)
    }

    /// The inverse that has a term for each offset.
    const fn inverse_of_table(
        &self,
        end: u64,
        forbids_negative: bool,
        budget: Budget,
    ) -> Result<Self> {
        let map = tri!(Self::begin(&[end]));
        let mut root = Sum::new(0);
        if end == 0 || self.size() == 0 {
            return map.finish(&root);
        }
        let atoms = tri!(Atoms::of(&[self]));
        let values = tri!(atoms.cut(self).values(u128::MAX, &mut budget.work()));
        ensure!(!forbids_negative || values.list[0].0 >= 0, NotStrided);
        let mut last = -1;
        each!(value, &values.as_slice(), {
            let (offset, index) = *value;
            if offset <= last || offset as u64 >= end {
                continue;
            }
            last = offset;
            let mut missing = Sum::<1>::new(tri!(signed(index)));
            tri!(missing.shift(root.constant, -1));
            each!(term, &root.terms(), {
                let steps = floor(offset, term.digit.divisor);
                tri!(missing.shift(term.weight, -steps));
            });
            if offset == 0 {
                root.constant = missing.constant;
            } else {
                let digit = Digit::new(Source::Coordinate(0), offset as u64, 0);
                tri!(root.push(missing.constant, digit));
            }
        });
        map.finish(&root)
    }

    const fn inverse_of_digits(&self, end: u64) -> Result<Self> {
        let atoms = tri!(Atoms::of(&[self]));
        let mut steps = tri!(self.steps(&atoms));
        let mut map = tri!(Self::begin(&[end]));
        while steps.len() > 0 && steps.at(steps.len() - 1).gap >= end {
            steps.gaps.remove(steps.len() - 1);
        }
        let mut rest = Sum::coordinate(0);
        let mut root = Sum::new(0);
        while steps.len() > 0 {
            let top = steps.len() - 1;
            let whole = common(&steps, steps.len());
            if whole > 1 {
                rest = tri!(map.digit_of(&rest, whole, 0));
                steps.divide(whole);
            }
            let mut reach = 0_u128;
            each!(i, 0..top, {
                reach += steps.at(i).span as u128;
            });
            let step = steps.at(top);
            if step.gap as u128 > reach {
                tri!(map.add_digit(&rest, step.gap, 0, atoms.place_of(step.atoms), &mut root));
                rest = tri!(map.digit_of(&rest, 1, step.gap));
                steps.gaps.remove(top);
                continue;
            }
            let mut i = 0;
            loop {
                ensure!(i < steps.len(), NeedsTable);
                let step = steps.at(i);
                let others = common(&steps, i);
                if others > 1 && gcd(step.gap, others) == 1 && step.span / step.gap < others {
                    let mut multiple = Sum::new(0);
                    let inverse = modular_inverse(step.gap, others);
                    tri!(multiple.add(&rest, tri!(signed(inverse))));
                    let digit = tri!(map.digit_of(&multiple, 1, others));
                    tri!(root.add(&digit, atoms.place_of(step.atoms)));
                    tri!(rest.add(&digit, -(step.gap as i64)));
                    tri!(map.collect(&mut rest));
                    steps.gaps.remove(i);
                    break;
                }
                i += 1;
            }
        }
        map.finish(&root)
    }
}

/// The greatest common divisor of the strides, without one of them.
const fn common(steps: &Groups, without: usize) -> u64 {
    let mut common = 0;
    each!(i, 0..steps.len(), {
        if i != without {
            common = gcd(common, steps.at(i).gap);
        }
    });
    common
}

/// The number below `modulus` whose product with `a` is 1 modulo `modulus`; both have no common
/// divisor.
const fn modular_inverse(a: u64, modulus: u64) -> u64 {
    let mut old = (a % modulus) as i128;
    let mut rest = modulus as i128;
    let mut inverse = 1_i128;
    let mut next = 0_i128;
    while rest != 0 {
        let quotient = old / rest;
        (old, rest) = (rest, old - quotient * rest);
        (inverse, next) = (next, inverse - quotient * next);
    }
    inverse.rem_euclid(modulus as i128) as u64
}
