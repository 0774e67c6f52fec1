//! Inverses.
//!
//! ```text
//! right_inverse(map), for v below reach, the first hole:       # strides ascending, each at most the reach before it
//!   from the greatest stride down: digit = floor(v / stride); v = v % stride
//!
//! left_inverse(map), for v an offset:
//!   until no digits are left:
//!     g = gcd(strides): divide v and the strides by g
//!     greatest stride > reach of the others: digit = floor(v / stride); v = v - digit * stride
//!     else some stride s with gcd(s, g) = 1 and size <= g = gcd(others): digit = (v * s^-1) % g; v = v - digit * s
//!     else: the inverse of a matrix over bits, if the map is one that all offsets occur in, as a swizzle
//!     else: the inverse of a table
//!   the sum of the digits times their places
//!
//! inverse of a table, for offsets v > 0, ascending:            # a term for each offset, so at most as many as there is room for
//!   weight of floor(offset / v) = index of v - what the terms of smaller offsets give for v
//! ```

use crate::atoms::Atoms;
use crate::number::{add, floor, gcd, mul, product, signed};
use crate::parts::times;
use crate::strides::Steps;
use crate::term::{Digit, Source, Sum};
use crate::values::Values;
use crate::{Bits, Budget, Map, MapError};

impl<const T: usize> Map<T> {
    /// A map from offsets to indices, and how many offsets it takes: all from 0 to the first hole. The index of an offset has
    /// that offset.
    ///
    /// Complexity: O(n^2) in the number of digits. Where digits overlap, and for merged coordinates, it needs a term for each offset.
    ///
    /// # Errors
    /// Too many terms for the offsets of such a map, and [`MapError::Undecided`].
    pub const fn right_inverse(&self, budget: Budget) -> Result<Self, MapError> {
        let hole = tri!(self.first_hole(budget));
        match self.greedy_inverse() {
            Err(MapError::Merged | MapError::NotStrided | MapError::NeedsTable) => {}
            result => return result,
        }
        match self.inverse_of_bits(budget) {
            Ok(inverse) => Ok(inverse),
            Err(_) => self.inverse_of_table(hole, false, budget),
        }
    }

    const fn greedy_inverse(&self) -> Result<Self, MapError> {
        let steps = tri!(Steps::of(self));
        let (mut used, mut reach) = (0, 1_u64);
        while used < steps.len && steps.list[used].stride <= reach {
            let span = tri!(product(steps.list[used].size - 1, steps.list[used].stride));
            reach = tri!(product(reach.saturating_add(span), 1));
            used += 1;
        }
        let mut map = tri!(Self::begin(&[if self.size() == 0 { 0 } else { reach }]));
        let (mut rest, mut root) = (Sum::coordinate(0), Sum::new(0));
        while used > 0 {
            used -= 1;
            let step = steps.list[used];
            if step.stride == 0 {
                continue;
            }
            // The offsets below, without this digit.
            let below = reach - (step.size - 1) * step.stride;
            if below > step.stride {
                return Err(MapError::NeedsTable);
            }
            reach = below;
            tri!(map.add_digit(&rest, step.stride, 0, tri!(signed(step.place)), &mut root));
            let mut lower = Sum::new(0);
            tri!(map.add_digit(&rest, 1, step.stride, 1, &mut lower));
            rest = lower;
        }
        map.finish(&root)
    }

    /// A map from offsets to indices: the index of each offset that an index has. What other offsets give says nothing.
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
    /// [`MapError::NotInjective`] with two indices, [`MapError::Undecided`], too many terms where a table is needed, and negative offsets.
    pub const fn left_inverse(&self, budget: Budget) -> Result<Self, MapError> {
        if let Some((first, second)) = tri!(self.collision(budget)) {
            return Err(MapError::NotInjective { first, second });
        }
        match self.peeled_inverse() {
            Err(MapError::Merged | MapError::NotStrided | MapError::NeedsTable) => {}
            result => return result,
        }
        match self.inverse_of_bits(budget) {
            Ok(inverse) => Ok(inverse),
            // It is not linear, or nobody knows whether it is: a table has the same values.
            Err(_) if self.range().1 < 0 => Err(MapError::NotStrided),
            Err(_) => self.inverse_of_table(self.range().1 as u64 + 1, true, budget),
        }
    }

    /// The inverse of a map over bits, with few terms.
    const fn inverse_of_bits(&self, budget: Budget) -> Result<Self, MapError> {
        let bits = tri!(Bits::of_map(self, budget));
        tri!(bits.inverse()).to_map()
    }

    /// The inverse for offsets below `end`, which has a term for each of them. `all`: a negative offset is an error.
    const fn inverse_of_table(
        &self,
        end: u64,
        all: bool,
        budget: Budget,
    ) -> Result<Self, MapError> {
        let map = tri!(Self::begin(&[end]));
        if end == 0 || self.size() == 0 {
            return map.finish(&Sum::new(0));
        }
        let (atoms, mut left) = (tri!(Atoms::of(&[self])), budget);
        let values = tri!(Values::of(self, &atoms, u128::MAX, &mut left, budget));
        if all && values.list[0].0 < 0 {
            return Err(MapError::NotStrided);
        }
        let (mut root, mut i) = (Sum::new(0), 0);
        while i < values.len {
            let (offset, index) = values.list[i];
            i += 1;
            if offset < 0 || i > 1 && values.list[i - 2].0 == offset || offset as u64 >= end {
                continue;
            }
            let (mut value, mut term) = (root.constant, 0);
            while term < root.len {
                let steps = floor(offset, root.terms[term].digit.divisor);
                value = tri!(add(value, tri!(mul(steps, root.terms[term].weight))));
                term += 1;
            }
            let missing = tri!(add(tri!(signed(index)), tri!(mul(-1, value))));
            if offset == 0 {
                root.constant = missing;
            } else {
                tri!(root.push(missing, Digit::new(Source::Coordinate(0), offset as u64, 0)));
            }
        }
        map.finish(&root)
    }

    const fn peeled_inverse(&self) -> Result<Self, MapError> {
        let mut steps = tri!(Steps::of(self));
        let mut map = tri!(Self::begin(&[
            tri!(signed(self.range().1 as u64)) as u64 + 1
        ]));
        let (mut rest, mut root) = (Sum::coordinate(0), Sum::new(0));
        while steps.len > 0 {
            let whole = common(&steps, steps.len);
            if whole > 1 {
                let mut divided = Sum::new(0);
                tri!(map.add_digit(&rest, whole, 0, 1, &mut divided));
                tri!(map.collect(&mut divided));
                rest = divided;
                let mut i = 0;
                while i < steps.len {
                    steps.list[i].stride /= whole;
                    i += 1;
                }
            }
            let (mut i, mut reach) = (0, 0_u128);
            while i + 1 < steps.len {
                reach += steps.list[i].stride as u128 * (steps.list[i].size - 1) as u128;
                i += 1;
            }
            let top = steps.list[i];
            let place = tri!(signed(top.place));
            if top.stride as u128 > reach {
                tri!(map.add_digit(&rest, top.stride, 0, place, &mut root));
                let mut lower = Sum::new(0);
                tri!(map.add_digit(&rest, 1, top.stride, 1, &mut lower));
                rest = lower;
                steps.len -= 1;
                continue;
            }
            let mut found = false;
            let mut i = 0;
            while i < steps.len {
                let (step, others) = (steps.list[i], common(&steps, i));
                if others > 1 && gcd(step.stride, others) == 1 && step.size <= others {
                    let inverse = modular_inverse(step.stride, others);
                    let mut multiple = Sum::new(0);
                    tri!(multiple.add(&rest, tri!(signed(inverse))));
                    let mut digit = Sum::new(0);
                    tri!(map.add_digit(&multiple, 1, others, 1, &mut digit));
                    tri!(root.add(&digit, tri!(signed(step.place))));
                    tri!(rest.add(&digit, tri!(times(-1, step.stride))));
                    tri!(map.collect(&mut rest));
                    steps.remove(i);
                    found = true;
                    break;
                }
                i += 1;
            }
            if !found {
                return Err(MapError::NeedsTable);
            }
        }
        map.finish(&root)
    }
}

/// The greatest common divisor of the strides, without one of them.
const fn common(steps: &Steps, without: usize) -> u64 {
    let (mut i, mut common) = (0, 0);
    while i < steps.len {
        if i != without {
            common = gcd(common, steps.list[i].stride);
        }
        i += 1;
    }
    common
}

/// The number below `modulus` whose product with `a` is 1 modulo `modulus`; both have no common divisor.
const fn modular_inverse(a: u64, modulus: u64) -> u64 {
    let (mut old, mut rest) = ((a % modulus) as i128, modulus as i128);
    let (mut inverse, mut next) = (1_i128, 0_i128);
    while rest != 0 {
        let quotient = old / rest;
        (old, rest) = (rest, old - quotient * rest);
        (inverse, next) = (next, inverse - quotient * next);
    }
    inverse.rem_euclid(modulus as i128) as u64
}
