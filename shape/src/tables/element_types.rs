//! The element types.

/// Calls `callback!` with the table of all element types, for programs that have one more name,
/// type or rule for each.
///
/// ```
/// macro_rules! widths {
///     (elements { $($(#[$doc:meta])* $variant:ident = $number:literal, $name:ident, $bits:literal, $kind:ident, $names:tt;
///         $memory:tt $elsewhere:tt)* } $($others:tt)*) => {
///         [$((stringify!($name), $bits)),*]
///     };
/// }
/// let widths = xlayout_shape::for_each_element_type!(widths);
/// assert!(widths.contains(&("bf16", 16)));
/// ```
///
/// A new element type is a row here and nothing else: [`ElementType`],
/// `dtype`, `Raw`, the types of other crates, kernels' arrays, and the names in other libraries are
/// generated from it.
///
/// A row has four parts:
/// 1. the variant of [`ElementType`], XLA's number, XLA's name, the width in bits, the kind, and
///    names of other languages in lower case and without underscores, which messages suggest it
///    for;
/// 2. how an element lies in memory: `own`, as a type of Rust's, or `raw`, as bits; the bits of an
///    unpacked element as one of typenum's types; the values `zero`, `one`, `lowest` and `highest`;
///    for `own`, whether every bit pattern is a value; for `raw`, the feature, the type of another
///    crate, and its functions from and to bits, if there is one. The bits of a float are sign,
///    exponent, mantissa. What a type cannot say is its nearest value: the 1 of s1, which has 0 and
///    -1, has the bit set; the 0 of f8e8m0fnu is its least power of two;
/// 3. names elsewhere: NumPy's or ml_dtypes' name, the letter of NumPy's type string (types of
///    ml_dtypes are `V`, "void", but for `float8_e5m2`, which registers itself as `f`), MLIR's name
///    as StableHLO uses it (signed integers are signless there), the `DLDataTypeCode`, and
///    safetensors' name, if it has one.
///
/// Sources: `xla_data.proto`, NumPy 2.4 with ml_dtypes 0.6, `BuiltinTypes.td` of MLIR, `dlpack.h`
/// 1.1, the README of safetensors. The rows go by kind, as messages list the types. `others` are
/// the kinds of shapes without elements.
///
/// [`ElementType`]: crate::ElementType
#[macro_export]
macro_rules! for_each_element_type {
    ($callback:ident) => {
        $callback! {
            elements {
                /// `pred`: Truth values, a byte each unless packed.
                Pred = 1, pred, 1, Truth, ["bool", "boolean", "i1", "predicate"];
                { own bool, U8, [false, true, false, true], false }
                { "bool", 'b', "i1", 6, "BOOL" }
                /// `s1`: 1-bit signed integers.
                S1 = 30, s1, 1, Signed, [];
                { raw u8, U8, [0, 1, 1, 0] }
                { "int1", 'V', "si1", 0 }
                /// `s2`: 2-bit signed integers.
                S2 = 26, s2, 2, Signed, ["i2"];
                { raw u8, U8, [0, 1, 2, 1] }
                { "int2", 'V', "i2", 0 }
                /// `s4`: 4-bit signed integers.
                S4 = 21, s4, 4, Signed, ["i4"];
                { raw u8, U8, [0, 1, 8, 7] }
                { "int4", 'V', "i4", 0 }
                /// `s8`: 8-bit signed integers.
                S8 = 2, s8, 8, Signed, ["char", "i8"];
                { own i8, U8, [0, 1, i8::MIN, i8::MAX], true }
                { "int8", 'i', "i8", 0, "I8" }
                /// `s16`: 16-bit signed integers.
                S16 = 3, s16, 16, Signed, ["short", "i16"];
                { own i16, U16, [0, 1, i16::MIN, i16::MAX], true }
                { "int16", 'i', "i16", 0, "I16" }
                /// `s32`: 32-bit signed integers.
                S32 = 4, s32, 32, Signed, ["int", "integer", "i32"];
                { own i32, U32, [0, 1, i32::MIN, i32::MAX], true }
                { "int32", 'i', "i32", 0, "I32" }
                /// `s64`: 64-bit signed integers.
                S64 = 5, s64, 64, Signed, ["long", "isize", "i64"];
                { own i64, U64, [0, 1, i64::MIN, i64::MAX], true }
                { "int64", 'i', "i64", 0, "I64" }
                /// `u1`: 1-bit unsigned integers.
                U1 = 31, u1, 1, Unsigned, [];
                { raw u8, U8, [0, 1, 0, 1] }
                { "uint1", 'V', "ui1", 1 }
                /// `u2`: 2-bit unsigned integers.
                U2 = 27, u2, 2, Unsigned, [];
                { raw u8, U8, [0, 1, 0, 3] }
                { "uint2", 'V', "ui2", 1 }
                /// `u4`: 4-bit unsigned integers.
                U4 = 22, u4, 4, Unsigned, [];
                { raw u8, U8, [0, 1, 0, 15] }
                { "uint4", 'V', "ui4", 1 }
                /// `u8`: 8-bit unsigned integers.
                U8 = 6, u8, 8, Unsigned, ["byte"];
                { own u8, U8, [0, 1, u8::MIN, u8::MAX], true }
                { "uint8", 'u', "ui8", 1, "U8" }
                /// `u16`: 16-bit unsigned integers.
                U16 = 7, u16, 16, Unsigned, [];
                { own u16, U16, [0, 1, u16::MIN, u16::MAX], true }
                { "uint16", 'u', "ui16", 1, "U16" }
                /// `u32`: 32-bit unsigned integers.
                U32 = 8, u32, 32, Unsigned, ["uint"];
                { own u32, U32, [0, 1, u32::MIN, u32::MAX], true }
                { "uint32", 'u', "ui32", 1, "U32" }
                /// `u64`: 64-bit unsigned integers.
                U64 = 9, u64, 64, Unsigned, ["usize"];
                { own u64, U64, [0, 1, u64::MIN, u64::MAX], true }
                { "uint64", 'u', "ui64", 1, "U64" }
                /// `f16`: IEEE 754 half precision.
                F16 = 10, f16, 16, Float, ["half", "float16", "fp16"];
                { raw u16, U16, [0, 0x3c00, 0xfc00, 0x7c00] or "half" {half::f16} {half::f16::from_bits} {half::f16::to_bits} }
                { "float16", 'f', "f16", 2, "F16" }
                /// `bf16`: The upper half of an f32.
                Bf16 = 16, bf16, 16, Float, ["bfloat", "bfloat16", "brain"];
                { raw u16, U16, [0, 0x3f80, 0xff80, 0x7f80] or "half" {half::bf16} {half::bf16::from_bits} {half::bf16::to_bits} }
                { "bfloat16", 'V', "bf16", 4, "BF16" }
                /// `f32`: IEEE 754 single precision.
                F32 = 11, f32, 32, Float, ["float", "float32", "fp32", "single", "real"];
                { own f32, U32, [0.0, 1.0, f32::NEG_INFINITY, f32::INFINITY], true }
                { "float32", 'f', "f32", 2, "F32" }
                /// `f64`: IEEE 754 double precision.
                F64 = 12, f64, 64, Float, ["double", "float64", "fp64"];
                { own f64, U64, [0.0, 1.0, f64::NEG_INFINITY, f64::INFINITY], true }
                { "float64", 'f', "f64", 2, "F64" }
                /// `c64`: A pair of f32: real and imaginary part.
                C64 = 15, c64, 64, Complex, ["complex", "complex64", "cfloat"];
                { raw [u32; 2], U64,
                    [[0; 2], [1.0_f32.to_bits(), 0], [f32::NEG_INFINITY.to_bits(); 2], [f32::INFINITY.to_bits(); 2]]
                    or "num-complex" {num_complex::Complex<f32>} {complex_f32} {bits_of_complex_f32} }
                { "complex64", 'c', "complex<f32>", 5, "C64" }
                /// `c128`: A pair of f64: real and imaginary part.
                C128 = 18, c128, 128, Complex, ["complex128", "cdouble"];
                { raw [u64; 2], U128,
                    [[0; 2], [1.0_f64.to_bits(), 0], [f64::NEG_INFINITY.to_bits(); 2], [f64::INFINITY.to_bits(); 2]]
                    or "num-complex" {num_complex::Complex<f64>} {complex_f64} {bits_of_complex_f64} }
                { "complex128", 'c', "complex<f64>", 5 }
                /// `f8e5m2`: 8-bit float, 5 bits exponent, 2 mantissa, with infinities.
                F8e5m2 = 19, f8e5m2, 8, Float, [];
                { raw u8, U8, [0, 0x3c, 0xfc, 0x7c] or "float8" {float8::F8E5M2} {float8::F8E5M2::from_bits} {|of: float8::F8E5M2| of.to_bits()} }
                { "float8_e5m2", 'f', "f8E5M2", 12, "F8_E5M2" }
                /// `f8e4m3fn`: 8-bit float, 4 bits exponent, 3 mantissa, finite, one NaN.
                F8e4m3fn = 20, f8e4m3fn, 8, Float, [];
                { raw u8, U8, [0, 0x38, 0xfe, 0x7e] or "float8" {float8::F8E4M3} {float8::F8E4M3::from_bits} {|of: float8::F8E4M3| of.to_bits()} }
                { "float8_e4m3fn", 'V', "f8E4M3FN", 10, "F8_E4M3" }
                /// `f8e4m3`: 8-bit float, 4 bits exponent, 3 mantissa, with infinities.
                F8e4m3 = 28, f8e4m3, 8, Float, [];
                { raw u8, U8, [0, 0x38, 0xf8, 0x78] }
                { "float8_e4m3", 'V', "f8E4M3", 8 }
                /// `f8e3m4`: 8-bit float, 3 bits exponent, 4 mantissa, with infinities.
                F8e3m4 = 29, f8e3m4, 8, Float, [];
                { raw u8, U8, [0, 0x30, 0xf0, 0x70] }
                { "float8_e3m4", 'V', "f8E3M4", 7 }
                /// `f8e4m3b11fnuz`: 8-bit float, 4 bits exponent with bias 11, no negative zero.
                F8e4m3b11fnuz = 23, f8e4m3b11fnuz, 8, Float, ["f8e4m3b11"];
                { raw u8, U8, [0, 0x58, 0xff, 0x7f] }
                { "float8_e4m3b11fnuz", 'V', "f8E4M3B11FNUZ", 9 }
                /// `f8e5m2fnuz`: 8-bit float, 5 bits exponent, no negative zero.
                F8e5m2fnuz = 24, f8e5m2fnuz, 8, Float, [];
                { raw u8, U8, [0, 0x40, 0xff, 0x7f] }
                { "float8_e5m2fnuz", 'V', "f8E5M2FNUZ", 13, "F8_E5M2FNUZ" }
                /// `f8e4m3fnuz`: 8-bit float, 4 bits exponent, no negative zero.
                F8e4m3fnuz = 25, f8e4m3fnuz, 8, Float, [];
                { raw u8, U8, [0, 0x40, 0xff, 0x7f] }
                { "float8_e4m3fnuz", 'V', "f8E4M3FNUZ", 11, "F8_E4M3FNUZ" }
                /// `f8e8m0fnu`: 8-bit power of two, unsigned: a scale.
                F8e8m0fnu = 33, f8e8m0fnu, 8, Float, ["e8m0", "f8e8m0"];
                { raw u8, U8, [0, 0x7f, 0, 0xfe] }
                { "float8_e8m0fnu", 'V', "f8E8M0FNU", 14, "F8_E8M0" }
                /// `f6e2m3fn`: 6-bit float, 2 bits exponent, 3 mantissa, finite.
                F6e2m3fn = 36, f6e2m3fn, 6, Float, ["f6e2m3"];
                { raw u8, U8, [0, 0x08, 0x3f, 0x1f] }
                { "float6_e2m3fn", 'V', "f6E2M3FN", 15 }
                /// `f6e3m2fn`: 6-bit float, 3 bits exponent, 2 mantissa, finite.
                F6e3m2fn = 35, f6e3m2fn, 6, Float, ["f6e3m2"];
                { raw u8, U8, [0, 0x0c, 0x3f, 0x1f] }
                { "float6_e3m2fn", 'V', "f6E3M2FN", 16 }
                /// `f4e2m1fn`: 4-bit float, 2 bits exponent, 1 mantissa, finite.
                F4e2m1fn = 32, f4e2m1fn, 4, Float, ["f4", "fp4", "float4", "e2m1"];
                { raw u8, U8, [0, 0x2, 0xf, 0x7] }
                { "float4_e2m1fn", 'V', "f4E2M1FN", 17, "F4" }
            }
            others {
                /// `tuple`: A tuple of shapes; written with parentheses, not by name.
                Tuple = 13, tuple;
                /// `opaque`: A value that only the device understands.
                OpaqueType = 14, opaque;
                /// `token`: An ordering of side effects; no data.
                Token = 17, token;
                /// `buffer`: A buffer that holds one array; written `b(…)`, not by name.
                Buffer = 34, buffer;
            }
        }
    };
}
