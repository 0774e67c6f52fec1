//! What other libraries call the element types.

use super::error::Error;
use super::{BoundaryError, Library};
use xlayout_shape::primitive::PrimitiveType;

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

macro_rules! rows {
    (
        elements { $(
            $(#[$doc:meta])*
            $variant:ident = $number:literal, $name:ident, $($text:tt),*;
            $memory:tt
            { $numpy:literal, $kind:literal, $mlir:literal, $code:literal $(, $safetensors:literal)? }
        )* }
        others $others:tt
    ) => {
        pub(super) const TYPES: &[Row] = &[$(Row {
            element_type: PrimitiveType::$variant,
            numpy: $numpy,
            kind: $kind,
            mlir: $mlir,
            code: $code,
        }),*];
    };
}

xlayout_shape::for_each_element_type! { rows }

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
