//! What other libraries call the element types.

use super::error::Error;
use super::{BoundaryError, Library};
use xlayout_shape::primitive::PrimitiveType::{self, *};

/// One element type elsewhere.
pub(super) struct Row {
    pub(super) element_type: PrimitiveType,
    /// NumPy's name, or ml_dtypes'.
    pub(super) numpy: &'static str,
    /// The letter of NumPy's type string. Types of ml_dtypes are `V`, "void", but for
    /// `float8_e5m2`, which registers itself as `f`.
    pub(super) kind: char,
    /// MLIR's name, as StableHLO uses it: signed integers are signless there.
    pub(super) mlir: &'static str,
    /// The `DLDataTypeCode`.
    pub(super) code: u8,
}

const fn row(
    element_type: PrimitiveType,
    numpy: &'static str,
    kind: char,
    mlir: &'static str,
    code: u8,
) -> Row {
    Row {
        element_type,
        numpy,
        kind,
        mlir,
        code,
    }
}

/// Sources: NumPy 2.4 with ml_dtypes 0.6, `BuiltinTypes.td` of MLIR, `dlpack.h` 1.1.
pub(super) const TYPES: [Row; 32] = [
    row(Pred, "bool", 'b', "i1", 6),
    row(S1, "int1", 'V', "si1", 0),
    row(S2, "int2", 'V', "i2", 0),
    row(S4, "int4", 'V', "i4", 0),
    row(S8, "int8", 'i', "i8", 0),
    row(S16, "int16", 'i', "i16", 0),
    row(S32, "int32", 'i', "i32", 0),
    row(S64, "int64", 'i', "i64", 0),
    row(U1, "uint1", 'V', "ui1", 1),
    row(U2, "uint2", 'V', "ui2", 1),
    row(U4, "uint4", 'V', "ui4", 1),
    row(U8, "uint8", 'u', "ui8", 1),
    row(U16, "uint16", 'u', "ui16", 1),
    row(U32, "uint32", 'u', "ui32", 1),
    row(U64, "uint64", 'u', "ui64", 1),
    row(F16, "float16", 'f', "f16", 2),
    row(F32, "float32", 'f', "f32", 2),
    row(F64, "float64", 'f', "f64", 2),
    row(Bf16, "bfloat16", 'V', "bf16", 4),
    row(C64, "complex64", 'c', "complex<f32>", 5),
    row(C128, "complex128", 'c', "complex<f64>", 5),
    row(F8e3m4, "float8_e3m4", 'V', "f8E3M4", 7),
    row(F8e4m3, "float8_e4m3", 'V', "f8E4M3", 8),
    row(F8e4m3b11fnuz, "float8_e4m3b11fnuz", 'V', "f8E4M3B11FNUZ", 9),
    row(F8e4m3fn, "float8_e4m3fn", 'V', "f8E4M3FN", 10),
    row(F8e4m3fnuz, "float8_e4m3fnuz", 'V', "f8E4M3FNUZ", 11),
    row(F8e5m2, "float8_e5m2", 'f', "f8E5M2", 12),
    row(F8e5m2fnuz, "float8_e5m2fnuz", 'V', "f8E5M2FNUZ", 13),
    row(F8e8m0fnu, "float8_e8m0fnu", 'V', "f8E8M0FNU", 14),
    row(F6e2m3fn, "float6_e2m3fn", 'V', "f6E2M3FN", 15),
    row(F6e3m2fn, "float6_e3m2fn", 'V', "f6E3M2FN", 16),
    row(F4e2m1fn, "float4_e2m1fn", 'V', "f4E2M1FN", 17),
];

/// The row of an element type; `None` for what has no elements.
pub(super) fn row_of(element_type: PrimitiveType) -> Option<&'static Row> {
    TYPES.iter().find(|row| row.element_type == element_type)
}

/// The bits of an element, and the bytes that it takes where it is not packed.
pub(super) fn bits_and_bytes(
    element_type: PrimitiveType,
    library: Library,
) -> Result<(i64, i64), Error> {
    match (element_type.bits(), element_type.bytes()) {
        (Some(bits), Some(bytes)) => Ok((bits.into(), bytes.into())),
        _ => Err(BoundaryError::NoType {
            library,
            element_type,
        }
        .into()),
    }
}
