//! CuTe's swizzles.
//!
//! ```text
//! swizzle(offset) = offset XOR the bits [base + max(shift, 0), + bits) of offset, moved down by shift
//!
//! as a map: bit p of the result = (bit p + bit q of the offset) % 2, for each p that changes
//! ```

use crate::number::mul;
use crate::term::Sum;
use crate::{Bits, Map, MapError};

/// CuTe's `Swizzle<bits, base, shift>`: `bits` bits of an offset are XORed with those `shift` places above them, or below if
/// `shift` is negative; the lower `base` bits stay.
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
        if bits as u32 + base as u32 + shift.unsigned_abs() as u32 > 61 {
            return Err(MapError::Overflow);
        }
        Ok(Self { bits, base, shift })
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

    /// The swizzle as a matrix, for offsets of `len` bits.
    ///
    /// # Errors
    /// More than 62 bits, or fewer than the swizzle moves.
    pub const fn to_bits(&self, len: usize) -> Result<Bits, MapError> {
        let (mut columns, mut i) = ([0; 62], 0);
        if len > 62
            || len < self.bits as usize + self.base as usize + self.shift.unsigned_abs() as usize
        {
            return Err(MapError::Overflow);
        }
        while i < len {
            columns[i] = self.at(1 << i);
            i += 1;
        }
        Bits::new(columns.split_at(len).0)
    }
}

impl<const T: usize> Map<T> {
    /// The map whose offsets are swizzled.
    ///
    /// # Errors
    /// Too many terms or merged coordinates: each bit that changes takes one.
    pub const fn swizzle(&self, swizzle: Swizzle) -> Result<Self, MapError> {
        let mut map = tri!(self.without_root());
        let (sum, mut root, mut i) = (self.root(), self.root(), 0);
        let (low, high) = if swizzle.shift < 0 {
            (swizzle.shift.unsigned_abs(), 0)
        } else {
            (0, swizzle.shift.unsigned_abs())
        };
        while i < swizzle.bits {
            let (changed, with) = (
                1 << (swizzle.base + i + low),
                1 << (swizzle.base + i + high),
            );
            let mut both = Sum::new(0);
            tri!(map.add_digit(&sum, changed, 2, 1, &mut both));
            tri!(root.add(&both, tri!(mul(-1, changed as i64))));
            tri!(map.add_digit(&sum, with, 2, 1, &mut both));
            tri!(map.collect(&mut both));
            tri!(map.add_digit(&both, 1, 2, changed as i64, &mut root));
            i += 1;
        }
        map.finish(&root)
    }
}
