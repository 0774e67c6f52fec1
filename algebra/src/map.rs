//! The form of a map, and its value.
//!
//! ```text
//! Map    = extents, and sums of which the last one is the map
//! Sum    = constant + sum of weight * Digit
//! Digit  = floor(Source / divisor) % size        (size may be absent)
//! Source = coordinate | Sum                      (a sum of a smaller number)
//!
//! value(coordinates): for each sum, in sequence: constant + the weights times the digits
//! ```
//!
//! The range of each sum is kept. It fits in 62 bits, so a value needs no checks.

use crate::Result;
use crate::number::{floor, modulo, narrow, product};
use crate::term::{Digit, Source, Sum, Term};

/// How many dimensions a map has room for.
pub const MAX_DIMENSIONS: usize = 16;

/// How many sums a map has room for: its merged coordinates and itself.
pub const MAX_SUMS: usize = 32;

/// A map from coordinates to offsets: a constant plus a sum of weights times digits of coordinates.
///
/// Coordinate 0 is the most major one. The *index* of coordinates is the row-major one, so the last
/// coordinate changes first. `T` is the number of terms that there is room for, of all sums
/// together.
///
/// Two maps that are equal as functions may have different terms:
/// `first_difference` decides, terms do not. So maps do not implement `PartialEq`.
#[derive(Clone, Copy)]
pub struct Map<const T: usize = 64> {
    /// The extents of the coordinates, and 1 from the rank on.
    pub(crate) extents: [u64; MAX_DIMENSIONS],
    pub(crate) rank: usize,
    /// The terms of all sums, one sum after the other.
    terms: [Term; T],
    /// For each sum: where its terms end in `terms`. They begin where those of the sum before end.
    ends: [u16; MAX_SUMS],
    constants: [i64; MAX_SUMS],
    /// For each sum: the least and the greatest value that its terms and its constant allow.
    ranges: [(i64, i64); MAX_SUMS],
    /// The number of sums.
    pub(crate) count: usize,
}

impl<const T: usize> Map<T> {
    /// A map without sums, which is not complete until one is pushed.
    pub(crate) const fn begin(extents: &[u64]) -> Result<Self> {
        let rank = extents.len();
        let limit = MAX_DIMENSIONS;
        ensure!(rank <= limit, TooManyDimensions { found: rank, limit });
        ensure!(T > 0, TooManyTerms { limit: T });
        let mut map = Self {
            extents: [1; MAX_DIMENSIONS],
            rank,
            terms: [Sum::<T>::NO_TERM; T],
            ends: [0; MAX_SUMS],
            constants: [0; MAX_SUMS],
            ranges: [(0, 0); MAX_SUMS],
            count: 0,
        };
        // A size of 0 counts as 1, so each part of an accepted map is accepted.
        let mut size = 1;
        each!(i, 0..rank, {
            map.extents[i] = extents[i];
            size = tri!(product(size, at_least_one(extents[i])));
        });
        Ok(map)
    }

    /// How many coordinates the map takes.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// How many values each coordinate has.
    #[must_use]
    pub const fn extents(&self) -> &[u64] {
        self.extents.split_at(self.rank).0
    }

    /// How many indices the map has: the product of the extents.
    #[must_use]
    pub const fn size(&self) -> u64 {
        let mut size = 1;
        // It cannot overflow: `begin` checked the product in which each 0 counts as 1.
        each!(extent, &self.extents(), {
            size *= *extent;
        });
        size
    }

    /// How many sums there are. The last one is the map; the others are merged coordinates.
    #[must_use]
    pub const fn sum_count(&self) -> usize {
        self.count
    }

    /// How many terms all sums have together.
    #[must_use]
    pub const fn term_count(&self) -> usize {
        self.ends[self.count - 1] as usize
    }

    /// The terms of all sums.
    pub(crate) const fn all_terms(&self) -> &[Term] {
        self.terms.split_at(self.term_count()).0
    }

    /// The terms of a sum.
    ///
    /// # Panics
    /// If `number` is not below [`sum_count`](Self::sum_count).
    #[must_use]
    pub const fn sum_terms(&self, number: usize) -> &[Term] {
        let start = self.start_of(number);
        let end = self.ends[number] as usize;
        self.terms.split_at(end).0.split_at(start).1
    }

    /// Where the terms of a sum begin.
    const fn start_of(&self, number: usize) -> usize {
        match number {
            0 => 0,
            _ => self.ends[number - 1] as usize,
        }
    }

    /// The constant of a sum.
    ///
    /// # Panics
    /// If `number` is not below [`sum_count`](Self::sum_count).
    #[must_use]
    pub const fn sum_constant(&self, number: usize) -> i64 {
        self.constants[number]
    }

    /// The least and the greatest value that a sum's terms allow. The sum may not reach them, but
    /// it stays between them.
    ///
    /// # Panics
    /// If `number` is not below [`sum_count`](Self::sum_count).
    #[must_use]
    pub const fn sum_range(&self, number: usize) -> (i64, i64) {
        self.ranges[number]
    }

    /// The terms of the map itself.
    #[must_use]
    pub const fn terms(&self) -> &[Term] {
        self.sum_terms(self.count - 1)
    }

    /// The offset of the coordinates that are all 0, if no merged coordinate has a constant.
    #[must_use]
    pub const fn constant(&self) -> i64 {
        self.constants[self.count - 1]
    }

    /// The least and the greatest offset that the terms allow. The map may not reach them, but it
    /// stays between them.
    #[must_use]
    pub const fn range(&self) -> (i64, i64) {
        self.ranges[self.count - 1]
    }

    /// Whether no digit is taken of a merged coordinate.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.count == 1
    }

    /// The offset of these coordinates, in elements; `None` if there are more or fewer than the map
    /// takes, or one is out of bounds.
    #[must_use]
    pub const fn at(&self, coordinates: &[u64]) -> Option<i64> {
        if coordinates.len() == self.rank && self.holds(coordinates) {
            Some(self.value(coordinates))
        } else {
            None
        }
    }

    /// Whether coordinates are in bounds.
    pub(crate) const fn holds(&self, coordinates: &[u64]) -> bool {
        each!(dim, 0..self.rank, {
            if coordinates[dim] >= self.extents[dim] {
                return false;
            }
        });
        true
    }

    /// The offset of the coordinates with this row-major index; `None` if it is out of bounds.
    #[must_use]
    pub const fn at_index(&self, index: u64) -> Option<i64> {
        if index >= self.size() {
            return None;
        }
        let coordinates = self.coordinates(index);
        Some(self.value(&coordinates))
    }

    /// The coordinates with this row-major index.
    pub(crate) const fn coordinates(&self, mut index: u64) -> [u64; MAX_DIMENSIONS] {
        let mut coordinates = [0; MAX_DIMENSIONS];
        let mut i = self.rank;
        while i > 0 {
            i -= 1;
            coordinates[i] = index % self.extents[i];
            index /= self.extents[i];
        }
        coordinates
    }

    /// The offset of the coordinates that are all 0.
    pub(crate) const fn origin(&self) -> i64 {
        if self.is_plain() {
            self.constant()
        } else {
            self.value(&[0; MAX_DIMENSIONS])
        }
    }

    /// The offset of coordinates that are in bounds.
    pub(crate) const fn value(&self, coordinates: &[u64]) -> i64 {
        let mut values = [0_i64; MAX_SUMS];
        each!(number, 0..self.count, {
            let mut value = self.constants[number];
            each!(term, &self.sum_terms(number), {
                let Term { weight, digit } = term;
                let source = match digit.source {
                    Source::Coordinate(dim) => coordinates[dim as usize] as i64,
                    Source::Sum(sum) => values[sum as usize],
                };
                let mut step = floor(source, digit.divisor);
                if let Some(size) = digit.size {
                    step = modulo(step, size.get());
                }
                // The whole sum fits in 64 bits, so its value is right even where a part of it
                // wraps.
                value = value.wrapping_add(weight.wrapping_mul(step));
            });
            values[number] = value;
        });
        values[self.count - 1]
    }

    /// The least and the greatest value of a digit.
    pub(crate) const fn digit_range(&self, digit: &Digit) -> (i64, i64) {
        let (low, high) = match digit.source {
            Source::Coordinate(dim) => (0, self.extents[dim as usize].saturating_sub(1) as i64),
            Source::Sum(sum) => self.ranges[sum as usize],
        };
        let low = floor(low, digit.divisor);
        let high = floor(high, digit.divisor);
        // Between 0 and the size, `%` changes nothing. Otherwise any digit may occur.
        match digit.size {
            Some(size) if low < 0 || high as u64 >= size.get() => (0, (size.get() - 1) as i64),
            _ => (low, high),
        }
    }

    /// The least and the greatest value of the first `len` terms of a sum, without its constant.
    pub(crate) const fn range_of(&self, sum: &Sum<T>, len: usize) -> (i128, i128) {
        let mut low = 0_i128;
        let mut high = 0_i128;
        each!(i, 0..len, {
            let Term { weight, digit } = &sum.terms.list[i];
            let (mut least, mut most) = self.digit_range(digit);
            if *weight < 0 {
                (least, most) = (most, least);
            }
            low = low.saturating_add(*weight as i128 * least as i128);
            high = high.saturating_add(*weight as i128 * most as i128);
        });
        (low, high)
    }

    /// The least and the greatest value of a sum, which must fit in 62 bits.
    pub(crate) const fn bounds(&self, sum: &Sum<T>) -> Result<(i64, i64)> {
        let (low, high) = self.range_of(sum, sum.terms.len);
        let constant = sum.constant as i128;
        let low = tri!(narrow(low.saturating_add(constant)));
        Ok((low, tri!(narrow(high.saturating_add(constant)))))
    }

    /// A copy of a sum.
    pub(crate) const fn sum(&self, number: usize) -> Sum<T> {
        let mut sum = Sum::new(self.constants[number]);
        let terms = self.sum_terms(number);
        each!(i, 0..terms.len(), {
            sum.terms.list[i] = terms[i];
        });
        sum.terms.len = terms.len();
        sum
    }

    /// Adds a sum and returns its number.
    pub(crate) const fn push(&mut self, sum: &Sum<T>) -> Result<u8> {
        let bounds = tri!(self.bounds(sum));
        tri!(self.keep(sum));
        self.ranges[self.count - 1] = bounds;
        Ok((self.count - 1) as u8)
    }

    /// Adds a sum without its range.
    pub(crate) const fn keep(&mut self, sum: &Sum<T>) -> Result<()> {
        // The error counts merged coordinates, and one of the sums is the map itself.
        let limit = MAX_SUMS - 1;
        ensure!(self.count < MAX_SUMS, TooManySums { limit });
        let start = self.start_of(self.count);
        let terms = sum.terms();
        let end = start + terms.len();
        let fits = end <= T && end <= u16::MAX as usize;
        ensure!(fits, TooManyTerms { limit: T });
        each!(i, 0..terms.len(), {
            self.terms[start + i] = terms[i];
        });
        self.ends[self.count] = end as u16;
        self.constants[self.count] = sum.constant;
        self.count += 1;
        Ok(())
    }

    /// The number of a sum, which is added if there is no equal one.
    pub(crate) const fn share(&mut self, sum: &Sum<T>) -> Result<u8> {
        each!(number, 0..self.count, {
            if self.has_sum(number, sum.constant, sum.terms()) {
                return Ok(number as u8);
            }
        });
        self.push(sum)
    }

    /// Whether a sum has this constant and these terms, in this sequence.
    const fn has_sum(&self, number: usize, constant: i64, terms: &[Term]) -> bool {
        let own = self.sum_terms(number);
        let mut same = self.constants[number] == constant && own.len() == terms.len();
        each!(i, 0..own.len(), {
            same = same && own[i].weight == terms[i].weight && own[i].digit.same(&terms[i].digit);
        });
        same
    }

    /// Whether both maps have the same sums in the same sequence. Two maps with different sums may
    /// be equal, too.
    pub(crate) const fn same_sums(&self, other: &Self) -> bool {
        let mut same = self.count == other.count;
        each!(number, 0..self.count, {
            same = same && self.has_sum(number, other.constants[number], other.sum_terms(number));
        });
        same
    }

    /// Completes a map: `root`, written with fewer terms, becomes its last sum, which is the map.
    /// Sums to which nothing refers are left out.
    pub(crate) const fn finish(mut self, root: &Sum<T>) -> Result<Self> {
        let mut root = *root;
        tri!(self.collect(&mut root));
        let mut number = tri!(self.push(&root)) as usize;
        // A sum refers to sums of smaller numbers only, so one pass down finds all that are used.
        let mut used = [false; MAX_SUMS];
        used[number] = true;
        while number > 0 {
            each!(term, &self.sum_terms(number), {
                if let Source::Sum(sum) = term.digit.source {
                    used[sum as usize] |= used[number];
                }
            });
            number -= 1;
        }
        let mut map = tri!(Self::begin(self.extents()));
        let mut new_numbers = [0; MAX_SUMS];
        each!(number, 0..self.count, {
            if used[number] {
                let mut sum = self.sum(number);
                sum.renumber(&new_numbers);
                new_numbers[number] = tri!(map.push(&sum));
            }
        });
        Ok(map)
    }
}

/// A size, or 1 for a size of 0.
pub(crate) const fn at_least_one(size: u64) -> u64 {
    if size == 0 { 1 } else { size }
}
