//! Arithmetic that refuses what does not fit.

use crate::{MapError, Result};

pub(crate) const fn add(a: i64, b: i64) -> Result<i64> {
    match a.checked_add(b) {
        Some(sum) => Ok(sum),
        None => Err(MapError::Overflow),
    }
}

pub(crate) const fn mul(a: i64, b: i64) -> Result<i64> {
    match a.checked_mul(b) {
        Some(product) => Ok(product),
        None => Err(MapError::Overflow),
    }
}

/// Sizes and offsets stay below it, and offsets above its negative: then the difference of two
/// offsets fits in 64 bits.
const LIMIT: u64 = 1 << 62;

/// The product of sizes, which fits in 62 bits.
pub(crate) const fn product(a: u64, b: u64) -> Result<u64> {
    match a.checked_mul(b) {
        Some(product) if product < LIMIT => Ok(product),
        _ => Err(MapError::Overflow),
    }
}

/// The number as a signed one.
pub(crate) const fn signed(a: u64) -> Result<i64> {
    narrow(a as i128)
}

/// An offset, of a wider number.
pub(crate) const fn narrow(a: i128) -> Result<i64> {
    ensure!(a.unsigned_abs() < LIMIT as u128, Overflow);
    Ok(a as i64)
}

/// The greatest common divisor; `gcd(0, a) == a`.
///
/// ```
/// assert_eq!(xlayout_algebra::gcd(12, 18), 6);
/// ```
#[must_use]
pub const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least common multiple of numbers above 0, or the greatest number if it is above it.
pub(crate) const fn lcm(a: u64, b: u64) -> u64 {
    (a / gcd(b, a)).saturating_mul(b)
}

/// `floor(a / b)` for any sign of `a`.
pub(crate) const fn floor(a: i64, b: u64) -> i64 {
    if a >= 0 {
        return (a as u64 / b) as i64;
    }
    (a as i128).div_euclid(b as i128) as i64
}

/// `a - b * floor(a / b)`.
pub(crate) const fn modulo(a: i64, b: u64) -> i64 {
    if a >= 0 {
        return (a as u64 % b) as i64;
    }
    (a as i128).rem_euclid(b as i128) as i64
}
