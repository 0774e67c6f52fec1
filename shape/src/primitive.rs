//! XLA's element types: their numbers, names and widths.

/// The type of an element, or the kind of a shape that has none (XLA: `PrimitiveType`).
///
/// The discriminant is XLA's number.
///
/// ```
/// use xlayout_shape::PrimitiveType;
/// let bf16 = "bf16".parse::<PrimitiveType>().unwrap();
/// assert_eq!(bf16.number(), 16);
/// assert_eq!(bf16.bits(), Some(16));
/// assert!(bf16.is_array() && !bf16.is_integral());
/// ```
#[doc(alias = "primitive_util")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum PrimitiveType {
    /// `pred`: Truth values, a byte each unless packed.
    Pred = 1,
    /// `s8`: 8-bit signed integers.
    S8 = 2,
    /// `s16`: 16-bit signed integers.
    S16 = 3,
    /// `s32`: 32-bit signed integers.
    S32 = 4,
    /// `s64`: 64-bit signed integers.
    S64 = 5,
    /// `u8`: 8-bit unsigned integers.
    U8 = 6,
    /// `u16`: 16-bit unsigned integers.
    U16 = 7,
    /// `u32`: 32-bit unsigned integers.
    U32 = 8,
    /// `u64`: 64-bit unsigned integers.
    U64 = 9,
    /// `f16`: IEEE 754 half precision.
    F16 = 10,
    /// `f32`: IEEE 754 single precision.
    F32 = 11,
    /// `f64`: IEEE 754 double precision.
    F64 = 12,
    /// `tuple`: A tuple of shapes; written with parentheses, not by name.
    Tuple = 13,
    /// `opaque`: A value that only the device understands.
    OpaqueType = 14,
    /// `c64`: A pair of f32: real and imaginary part.
    C64 = 15,
    /// `bf16`: The upper half of an f32.
    Bf16 = 16,
    /// `token`: An ordering of side effects; no data.
    Token = 17,
    /// `c128`: A pair of f64: real and imaginary part.
    C128 = 18,
    /// `f8e5m2`: 8-bit float, 5 bits exponent, 2 mantissa, with infinities.
    F8e5m2 = 19,
    /// `f8e4m3fn`: 8-bit float, 4 bits exponent, 3 mantissa, finite, one NaN.
    F8e4m3fn = 20,
    /// `s4`: 4-bit signed integers.
    S4 = 21,
    /// `u4`: 4-bit unsigned integers.
    U4 = 22,
    /// `f8e4m3b11fnuz`: 8-bit float, 4 bits exponent with bias 11, no negative zero.
    F8e4m3b11fnuz = 23,
    /// `f8e5m2fnuz`: 8-bit float, 5 bits exponent, no negative zero.
    F8e5m2fnuz = 24,
    /// `f8e4m3fnuz`: 8-bit float, 4 bits exponent, no negative zero.
    F8e4m3fnuz = 25,
    /// `s2`: 2-bit signed integers.
    S2 = 26,
    /// `u2`: 2-bit unsigned integers.
    U2 = 27,
    /// `f8e4m3`: 8-bit float, 4 bits exponent, 3 mantissa, with infinities.
    F8e4m3 = 28,
    /// `f8e3m4`: 8-bit float, 3 bits exponent, 4 mantissa, with infinities.
    F8e3m4 = 29,
    /// `s1`: 1-bit signed integers.
    S1 = 30,
    /// `u1`: 1-bit unsigned integers.
    U1 = 31,
    /// `f4e2m1fn`: 4-bit float, 2 bits exponent, 1 mantissa, finite.
    F4e2m1fn = 32,
    /// `f8e8m0fnu`: 8-bit power of two, unsigned: a scale.
    F8e8m0fnu = 33,
    /// `buffer`: A buffer that holds one array; written `b(…)`, not by name.
    Buffer = 34,
    /// `f6e3m2fn`: 6-bit float, 3 bits exponent, 2 mantissa, finite.
    F6e3m2fn = 35,
    /// `f6e2m3fn`: 6-bit float, 2 bits exponent, 3 mantissa, finite.
    F6e2m3fn = 36,
}

use PrimitiveType::*;

/// Every type with its text name and its width in bits, in the sequence of XLA's numbers.
const TABLE: [(PrimitiveType, &str, Option<u32>); 36] = [
    (Pred, "pred", Some(1)),
    (S8, "s8", Some(8)),
    (S16, "s16", Some(16)),
    (S32, "s32", Some(32)),
    (S64, "s64", Some(64)),
    (U8, "u8", Some(8)),
    (U16, "u16", Some(16)),
    (U32, "u32", Some(32)),
    (U64, "u64", Some(64)),
    (F16, "f16", Some(16)),
    (F32, "f32", Some(32)),
    (F64, "f64", Some(64)),
    (Tuple, "tuple", None),
    (OpaqueType, "opaque", None),
    (C64, "c64", Some(64)),
    (Bf16, "bf16", Some(16)),
    (Token, "token", None),
    (C128, "c128", Some(128)),
    (F8e5m2, "f8e5m2", Some(8)),
    (F8e4m3fn, "f8e4m3fn", Some(8)),
    (S4, "s4", Some(4)),
    (U4, "u4", Some(4)),
    (F8e4m3b11fnuz, "f8e4m3b11fnuz", Some(8)),
    (F8e5m2fnuz, "f8e5m2fnuz", Some(8)),
    (F8e4m3fnuz, "f8e4m3fnuz", Some(8)),
    (S2, "s2", Some(2)),
    (U2, "u2", Some(2)),
    (F8e4m3, "f8e4m3", Some(8)),
    (F8e3m4, "f8e3m4", Some(8)),
    (S1, "s1", Some(1)),
    (U1, "u1", Some(1)),
    (F4e2m1fn, "f4e2m1fn", Some(4)),
    (F8e8m0fnu, "f8e8m0fnu", Some(8)),
    (Buffer, "buffer", None),
    (F6e3m2fn, "f6e3m2fn", Some(6)),
    (F6e2m3fn, "f6e2m3fn", Some(6)),
];

impl PrimitiveType {
    /// Every type, in the sequence of XLA's numbers.
    ///
    /// ```
    /// use xlayout_shape::PrimitiveType;
    /// // Number, name and width of each, and back.
    /// for known in PrimitiveType::all() {
    ///     assert_eq!(PrimitiveType::from_number(known.number().into()), Some(known));
    ///     assert_eq!(known.bytes(), known.bits().map(|bits| bits.div_ceil(8)));
    /// }
    /// assert_eq!(PrimitiveType::F8e4m3fn.name(), "f8e4m3fn");
    /// assert!("F32".parse::<PrimitiveType>().is_err());
    /// assert_eq!(PrimitiveType::from_number(0), None);
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// XLA's number of the type, as in its protos and in XLA's FFI.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The type with this number; `None` for 0 (invalid) and for numbers that XLA does not use.
    #[must_use]
    #[inline]
    pub const fn from_number(number: i64) -> Option<Self> {
        if 1 <= number && number <= TABLE.len() as i64 {
            Some(TABLE[number as usize - 1].0)
        } else {
            None
        }
    }

    /// The name in XLA's text: `f32`, `s4`, `bf16`, `pred`, …
    ///
    /// Tuples and buffers are not written by name in a shape; theirs are XLA's words for them.
    #[doc(alias = "LowercasePrimitiveTypeName")]
    #[must_use]
    pub const fn name(self) -> &'static str {
        TABLE[self as usize - 1].1
    }

    /// The type that XLA's text calls by this name. Names are lowercase; `tuple` and `buffer`
    /// are none, since a shape spells those with parentheses.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let found = TABLE.iter().find(|row| row.1 == name)?.0;
        (!matches!(found, Tuple | Buffer)).then_some(found)
    }

    /// The width of one element in bits (XLA: `primitive_util::BitWidth`); `None` for what has
    /// no elements. `pred` has 1 bit, although it takes a byte unless it is packed.
    #[doc(alias = "BitWidth")]
    #[must_use]
    pub const fn bits(self) -> Option<u32> {
        TABLE[self as usize - 1].2
    }

    /// The bytes that one element takes when it is not packed
    /// (XLA: `primitive_util::ByteWidth`, `ShapeUtil::ByteSizeOfPrimitiveType`).
    #[doc(alias = "ByteWidth")]
    #[doc(alias = "ByteSizeOfPrimitiveType")]
    #[must_use]
    pub const fn bytes(self) -> Option<u32> {
        match self.bits() {
            Some(bits) => Some(bits.div_ceil(8)),
            None => None,
        }
    }

    /// Whether arrays of this type exist (XLA: `primitive_util::IsArrayType`).
    ///
    /// ```
    /// use xlayout_shape::PrimitiveType::{Pred, S4, Token, U8};
    /// // The questions about kinds:
    /// assert!(Pred.is_array() && !Token.is_array());
    /// assert!(S4.is_integral() && U8.is_integral());
    /// assert!(!Pred.is_integral());
    /// ```
    #[doc(alias = "IsArrayType")]
    #[must_use]
    pub const fn is_array(self) -> bool {
        self.bits().is_some()
    }

    /// Signed or unsigned integer; `pred` is none (XLA: `primitive_util::IsIntegralType`).
    #[doc(alias = "IsIntegralType")]
    #[must_use]
    #[inline]
    pub const fn is_integral(self) -> bool {
        self.is_signed_integral() || self.is_unsigned_integral()
    }

    /// `s1` … `s64` (XLA: `primitive_util::IsSignedIntegralType`).
    #[must_use]
    #[inline]
    const fn is_signed_integral(self) -> bool {
        matches!(self, S1 | S2 | S4 | S8 | S16 | S32 | S64)
    }

    /// `u1` … `u64` (XLA: `primitive_util::IsUnsignedIntegralType`).
    #[must_use]
    #[inline]
    const fn is_unsigned_integral(self) -> bool {
        matches!(self, U1 | U2 | U4 | U8 | U16 | U32 | U64)
    }
}

impl core::fmt::Display for PrimitiveType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}
