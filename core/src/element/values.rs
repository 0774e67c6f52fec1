//! Values of elements that Rust has no type for: floats of 16 bits as `f32`, and integers of a few
//! bits.

use core::ops::{Add, Div, Mul, Sub};

use super::{Raw, RawBits, dtype};

/// A float of 16 bits: bf16 or f16.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no float of 16 bits",
    note = "the values of bf16 and f16 are read as `f32`; other types by their bits: `to_bits`"
)]
pub trait Float16: RawBits<Bits = u16> {
    /// Whether it has the exponent of an f32.
    #[doc(hidden)]
    const IS_UPPER_HALF: bool;
}

impl Float16 for dtype::bf16 {
    const IS_UPPER_HALF: bool = true;
}

impl Float16 for dtype::f16 {
    const IS_UPPER_HALF: bool = false;
}

// The bound is at the functions: there the compiler says what is missing.
impl<D: RawBits> Raw<D> {
    /// The value, which an `f32` has, too.
    #[inline]
    #[must_use]
    pub const fn to_f32(self) -> f32
    where
        D: Float16,
    {
        let bits = self.to_bits() as u32;
        f32::from_bits(if D::IS_UPPER_HALF {
            f32_of_bf16(bits)
        } else {
            f32_of_f16(bits)
        })
    }

    /// The nearest value, and of two that are equally near the one whose last bit is 0.
    #[inline]
    #[must_use]
    pub const fn from_f32(value: f32) -> Self
    where
        D: Float16,
    {
        let bits = value.to_bits();
        Self::from_bits(if D::IS_UPPER_HALF {
            bf16_of_f32(bits)
        } else {
            f16_of_f32(bits)
        } as u16)
    }
}

impl<D: Float16> From<Raw<D>> for f32 {
    #[inline]
    fn from(value: Raw<D>) -> Self {
        value.to_f32()
    }
}

/// The result is an `f32`, so that sums keep its digits. Only what is stored is rounded.
macro_rules! arithmetic {
    ($($operator:ident $method:ident),*) => {$(
        impl<D: Float16, X: Into<f32>> $operator<X> for Raw<D> {
            type Output = f32;

            #[inline]
            fn $method(self, other: X) -> f32 {
                $operator::$method(self.to_f32(), other.into())
            }
        }

        impl<D: Float16> $operator<Raw<D>> for f32 {
            type Output = Self;

            #[inline]
            fn $method(self, other: Raw<D>) -> Self {
                $operator::$method(self, other.to_f32())
            }
        }
    )*};
}

arithmetic!(Add add, Sub sub, Mul mul, Div div);

/// The value of an integer that is narrower than a byte: the low bits, with a sign or without.
macro_rules! integers {
    ($($name:ident: $integer:ident, $bits:literal;)*) => {$(
        impl From<Raw<dtype::$name>> for $integer {
            #[inline]
            fn from(value: Raw<dtype::$name>) -> Self {
                (value.to_bits() as $integer) << (8 - $bits) >> (8 - $bits)
            }
        }
    )*};
}

integers! {
    s1: i8, 1;
    s2: i8, 2;
    s4: i8, 4;
    u1: u8, 1;
    u2: u8, 2;
    u4: u8, 4;
}

const INFINITE: u32 = 0x7f80_0000;

/// The bits above the `low` lowest ones, rounded to the nearest number, and to an even one between
/// two.
const fn rounded(bits: u32, low: u32) -> u32 {
    (bits + (1 << (low - 1)) - 1 + (bits >> low & 1)) >> low
}

/// A bf16 is the upper half of an f32.
const fn f32_of_bf16(bits: u32) -> u32 {
    bits << 16
}

const fn bf16_of_f32(bits: u32) -> u32 {
    if bits & !(1 << 31) > INFINITE {
        // Not a number. The highest bit of the mantissa keeps it from being infinite.
        bits >> 16 | 0x40
    } else {
        rounded(bits, 16)
    }
}

/// An f16 has 5 bits of exponent, which counts from 15, and 10 of mantissa; an f32 has 8, which
/// counts from 127, 112 more, and 23.
const fn f32_of_f16(bits: u32) -> u32 {
    let sign = bits >> 15 << 31;
    let exponent = bits >> 10 & 0x1f;
    let mantissa = bits & 0x3ff;
    sign | match exponent {
        0 if mantissa == 0 => 0,
        // The highest 1 becomes the one that an f32 does not store.
        0 => {
            let shift = mantissa.leading_zeros() - 21;
            ((113 - shift) << 23) | ((mantissa << shift & 0x3ff) << 13)
        }
        0x1f => INFINITE | mantissa << 13,
        _ => ((exponent + 112) << 23) | mantissa << 13,
    }
}

const fn f16_of_f32(bits: u32) -> u32 {
    let sign = bits >> 31 << 15;
    let magnitude = bits & !(1 << 31);
    let exponent = magnitude >> 23;
    sign | match exponent {
        // Too small for half of the smallest one.
        0..=101 => 0,
        // Below 2^-14, the exponent does not change: a step is 2^-24.
        102..=112 => rounded(magnitude & 0x7f_ffff | 0x80_0000, 126 - exponent),
        113..=142 => rounded(magnitude - (112 << 23), 13),
        _ if magnitude > INFINITE => 0x7e00 | (magnitude >> 13 & 0x3ff),
        // Infinite, and what is at least 2^16.
        _ => 0x7c00,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each value is what its bits say, comes back, and what is between two is rounded.
    macro_rules! check {
        ($name:ident, $mantissa:literal, $bias:literal) => {{
            let float = |bits| Raw::<dtype::$name>::from_bits(bits);
            let infinite = float(0x7fff >> $mantissa << $mantissa);
            for bits in 0..infinite.to_bits() {
                let exponent = bits >> $mantissa;
                let digits = bits % (1 << $mantissa);
                let unit = 2_f64.powi(i32::from(exponent.max(1)) - $bias - $mantissa);
                let implied = if exponent == 0 { 0 } else { 1 << $mantissa };
                let value = f64::from(digits + implied) * unit;
                assert_eq!(f64::from(float(bits).to_f32()), value);
                assert_eq!(Raw::<dtype::$name>::from_f32(value as f32), float(bits));
                assert_eq!(float(bits | 0x8000).to_f32(), -value as f32);
                assert_eq!(
                    Raw::<dtype::$name>::from_f32(-value as f32),
                    float(bits | 0x8000)
                );
                // Half of a step of the smallest bf16 is an f32, too.
                let between = (value + unit / 2.0) as f32;
                let [below, above] = [between.next_down(), between.next_up()];
                let rounded = [below, between, above].map(Raw::<dtype::$name>::from_f32);
                let even = bits + bits % 2;
                assert_eq!(rounded, [bits, even, bits + 1].map(float));
            }
            assert_eq!(infinite.to_f32(), f32::INFINITY);
            assert_eq!(
                Raw::<dtype::$name>::from_f32(f32::NEG_INFINITY).to_f32(),
                f32::NEG_INFINITY
            );
            assert_eq!(Raw::<dtype::$name>::from_f32(f32::MAX), infinite);
            for bits in infinite.to_bits() + 1..=0x7fff {
                assert!(float(bits).to_f32().is_nan());
            }
            for nan in [0x7f80_0001, 0x7fff_ffff, 0xff80_0001] {
                assert!(
                    Raw::<dtype::$name>::from_f32(f32::from_bits(nan))
                        .to_f32()
                        .is_nan()
                );
            }
        }};
    }

    #[test]
    fn integers_of_a_few_bits() {
        let signed = |bits| i8::from(Raw::<dtype::s4>::from_bits(bits));
        assert_eq!([0, 7, 8, 15, 0xf8].map(signed), [0, 7, -8, -1, -8]);
        let of_two_bits = |bits| {
            (
                i8::from(Raw::<dtype::s2>::from_bits(bits)),
                u8::from(Raw::<dtype::u2>::from_bits(bits)),
            )
        };
        assert_eq!(
            [1, 2, 3, 4].map(of_two_bits),
            [(1, 1), (-2, 2), (-1, 3), (0, 0)]
        );
        let of_one_bit = |bits| {
            (
                i8::from(Raw::<dtype::s1>::from_bits(bits)),
                u8::from(Raw::<dtype::u1>::from_bits(bits)),
            )
        };
        assert_eq!([0, 1].map(of_one_bit), [(0, 0), (-1, 1)]);
        assert_eq!(u8::from(Raw::<dtype::u4>::from_bits(0xfe)), 14);
    }

    #[test]
    fn all_values() {
        check!(bf16, 7, 127);
        check!(f16, 10, 15);
    }
}
