//! The one check of sizes: of layouts that are typed, partly typed or known at run time only.
//!
//! A layout that is addressed obeys these rules, on every width of pointers:
//! - every size, padded width and entry of a tile is at most [`MAX`];
//! - the product of the allocated widths is at most [`MAX`], where a width of 0 counts as 1. So the
//!   stride of every dimension can be counted, whatever the sequence of the dimensions. The same
//!   holds for every permutation and slice of the layout. (XLA multiplies from dimension 0 on and
//!   stops at a size of 0. So it takes `[0,MAX,2]` and refuses `[MAX,2,0]`. This rule refuses
//!   both.)
//! - the allocated elements after the tail alignment, and their bytes, are at most [`MAX`]: no
//!   slice of Rust is longer, and every byte offset fits in `isize`;
//! - the elements take at most `i64::MAX` bytes at the width of their type, as XLA demands.

use crate::error::NotLowered;

/// The largest number of elements or bytes: what Rust's slices and offsets can count, 2^63 - 1 on a
/// 64-bit target and 2^31 - 1 on a 32-bit one.
pub const MAX: usize = isize::MAX as usize;

/// A product of sizes or widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The product, a factor of 0 counted as 1; meaningless after an overflow.
    product: usize,
    /// Whether a factor is 0.
    empty: bool,
    /// Whether the product of the other factors is above [`MAX`].
    overflow: bool,
}

impl Count {
    pub const ONE: Self = Self {
        product: 1,
        empty: false,
        overflow: false,
    };

    #[inline]
    pub const fn times(mut self, factor: usize) -> Self {
        if factor == 0 {
            self.empty = true;
            return self;
        }
        match mul(self.product, factor) {
            Ok(product) => self.product = product,
            Err(_) => self.overflow = true,
        }
        self
    }

    /// The product; meaningless after an overflow.
    #[inline]
    pub const fn value(self) -> usize {
        if self.empty { 0 } else { self.product }
    }

    /// The product, where it can be counted.
    #[inline]
    pub const fn checked(self) -> Result<usize, NotLowered> {
        match (self.overflow, self.empty) {
            (false, _) => Ok(self.value()),
            (true, false) => Err(NotLowered::TooLarge),
            (true, true) => Err(NotLowered::EmptyTooLarge),
        }
    }
}

/// The product; an error if it is above [`MAX`].
#[inline]
pub(super) const fn mul(a: usize, b: usize) -> Result<usize, NotLowered> {
    match a.checked_mul(b) {
        Some(n) if n <= MAX => Ok(n),
        _ => Err(NotLowered::TooLarge),
    }
}

/// The number as a count; an error if it is negative or above [`MAX`].
#[inline]
pub(super) const fn to_usize(n: i64) -> Result<usize, NotLowered> {
    if n < 0 || n as u64 > MAX as u64 {
        Err(NotLowered::TooLarge)
    } else {
        Ok(n as usize)
    }
}

#[cfg(test)]
mod tests;
