//! CuTe's swizzles.
//!
//! ```text
//! swizzle(offset) = offset XOR the bits [base + max(shift, 0), + bits) of offset, moved down by
//!     shift
//!
//! as a map: bit p of the result = (bit p + bit q of the offset) % 2, for each p that changes
//! ```

use crate::{Bits, Budget, Map, MapError};

/// CuTe's `Swizzle<bits, base, shift>`: `bits` bits of an offset are XORed with those `shift`
/// places above them, or below if `shift` is negative; the lower `base` bits stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swizzle {
    bits: u8,
    base: u8,
    shift: i8,
}

impl Swizzle {
    /// A swizzle of offsets below 2^62.
    ///
    /// # Errors
    /// Numbers whose bits are not below 62.
    pub const fn new(bits: u8, base: u8, shift: i8) -> Result<Self, MapError> {
        let swizzle = Self { bits, base, shift };
        ensure!(swizzle.len() <= 61, Overflow);
        Ok(swizzle)
    }

    /// How many bits of an offset it takes.
    const fn len(&self) -> usize {
        self.bits as usize + self.base as usize + self.shift.unsigned_abs() as usize
    }

    /// The swizzle that must exist, for constants.
    ///
    /// # Panics
    /// With the words of the error, if there is one.
    #[must_use]
    pub const fn expect(result: Result<Self, MapError>) -> Self {
        match result {
            Ok(swizzle) => swizzle,
            Err(error) => panic!("{}", error.words()),
        }
    }

    /// The three numbers.
    #[must_use]
    pub const fn numbers(&self) -> (u8, u8, i8) {
        (self.bits, self.base, self.shift)
    }

    /// The offset after the swizzle.
    ///
    /// ```
    /// use xlayout_algebra::{MapError, Swizzle};
    /// assert_eq!(Swizzle::new(3, 0, 3)?.at(8 * 5 + 1), 8 * 5 + (1 ^ 5));
    /// # Ok::<(), MapError>(())
    /// ```
    #[must_use]
    pub const fn at(&self, offset: u64) -> u64 {
        let mask = (1_u64 << self.bits) - 1;
        if self.shift >= 0 {
            offset ^ (offset >> self.shift & mask << self.base)
        } else {
            offset ^ (offset & mask << self.base) << self.shift.unsigned_abs()
        }
    }

    /// The swizzle after which the offsets of one map are those of another; `None` if there is
    /// none. Of several, it is the one with the fewest bits, and of these the one of the lowest
    /// bits.
    ///
    /// ```
    /// use xlayout_algebra::{Budget, Map, MapError, Swizzle};
    /// let rows = Map::<64>::strided(&[8, 8], &[8, 1])?;
    /// let swizzle = Swizzle::new(3, 0, 3)?;
    /// let swizzled = rows.swizzle(swizzle)?;
    /// assert_eq!(Swizzle::between(&rows, &swizzled, Budget::DEFAULT)?, Some(swizzle));
    /// assert_eq!(Swizzle::between(&rows, &rows.scale(1, 1)?, Budget::DEFAULT)?, None);
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// Other extents, and what [`Map::first_difference`] cannot decide.
    pub const fn between<const T: usize>(
        from: &Map<T>,
        to: &Map<T>,
        budget: Budget,
    ) -> Result<Option<Self>, MapError> {
        tri!(from.same_extents(to));
        let in_from = from.range().1;
        let in_to = to.range().1;
        let last = if in_to > in_from { in_to } else { in_from };
        if last < 0 {
            return Ok(None);
        }
        // A swizzle has at most 61 bits.
        let unused = last.leading_zeros() as u8;
        let len = if unused < 3 { 61 } else { 64 - unused };
        each!(bits, 0..len, {
            each!(base, 0..len - bits, {
                each!(distance, bits..len - bits - base + 1, {
                    each!(sign, 0..2, {
                        let shift = if sign == 0 { distance as i8 } else { -(distance as i8) };
                        let swizzle = tri!(Self::new(bits, base, shift));
                        if swizzle.may_turn(from, to)
                            && let Ok(swizzled) = from.swizzle(swizzle)
                            && tri!(swizzled.equals(to, budget))
                        {
                            return Ok(Some(swizzle));
                        }
                    });
                });
            });
        });
        Ok(None)
    }

    /// Whether this swizzle turns some offsets of `from` into those of `to`.
    const fn may_turn<const T: usize>(&self, from: &Map<T>, to: &Map<T>) -> bool {
        let size = from.size();
        let mut index = 0;
        while index < size {
            let (Some(old), Some(new)) = (from.at_index(index), to.at_index(index)) else {
                return false;
            };
            if old < 0 || self.at(old as u64) as i64 != new {
                return false;
            }
            // Every index below 64, then fewer and fewer.
            index += 1 + index / 64;
        }
        true
    }

    /// The swizzle as a matrix, for offsets of `len` bits.
    ///
    /// # Errors
    /// More than 62 bits, or fewer than the swizzle moves.
    pub const fn to_bits(&self, len: usize) -> Result<Bits, MapError> {
        ensure!(len >= self.len(), Overflow);
        let mut bits = tri!(Bits::identity(len));
        each!(i, 0..len, {
            bits.columns[i] = self.at(1 << i);
        });
        Ok(bits)
    }
}

impl<const T: usize> Map<T> {
    /// The map whose offsets are swizzled.
    ///
    /// # Errors
    /// Too many terms or merged coordinates: each bit that changes takes one.
    pub const fn swizzle(&self, swizzle: Swizzle) -> Result<Self, MapError> {
        let mut map = self.without_root();
        let sum = self.root();
        let mut root = self.root();
        let base = swizzle.base;
        let distance = swizzle.shift.unsigned_abs();
        let up = if swizzle.shift < 0 { distance } else { 0 };
        each!(i, base..base + swizzle.bits, {
            let changed = 1 << (i + up);
            let read = 1 << (i + distance - up);
            // The bit that changes leaves the sum, and its XOR with the other bit comes back.
            let mut both = tri!(map.digit_of(&sum, changed, 2));
            tri!(root.add(&both, -(changed as i64)));
            tri!(map.add_digit(&sum, read, 2, 1, &mut both));
            tri!(map.collect(&mut both));
            tri!(map.add_digit(&both, 1, 2, changed as i64, &mut root));
        });
        map.finish(&root)
    }
}
