//! What other libraries call the element types.

use super::error::Error;
use super::{BoundaryError, Library};
use xlayout_shape::{ArrayShape, ElementType};

/// One element type elsewhere.
pub(super) struct Row {
    pub(super) element_type: ElementType,
    pub(super) bits: i64,
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
            $variant:ident = $number:literal, $name:ident, $bits:literal, $($text:tt),*;
            $memory:tt
            { $numpy:literal, $kind:literal, $mlir:literal, $code:literal $(, $safetensors:literal)? }
        )* }
        others $others:tt
    ) => {
        pub(super) const TYPES: &[Row] = &[$(Row {
            element_type: ElementType::$variant,
            bits: $bits,
            numpy: $numpy,
            kind: $kind,
            mlir: $mlir,
            code: $code,
        }),*];
    };
}

xlayout_shape::for_each_element_type! { rows }

impl Row {
    /// The bytes that an element takes where it is not packed.
    pub(super) const fn bytes(&self) -> i64 {
        (self.bits + 7) / 8
    }
}

/// The row of an element type; `None` for what has no elements.
pub(super) fn row_of(element_type: ElementType) -> Option<&'static Row> {
    TYPES.iter().find(|row| row.element_type == element_type)
}

/// The row of an element type that a library has.
pub(super) fn row(element_type: ElementType, library: Library) -> Result<&'static Row, Error> {
    let none = BoundaryError::NoType {
        library,
        element_type,
    };
    row_of(element_type).ok_or_else(|| none.into())
}

/// Fails where an element takes other bits than a notation says: whole bytes, or `packed` those of
/// the type.
pub(super) fn check_bits(shape: &ArrayShape, library: Library, packed: bool) -> Result<(), Error> {
    let row = row(shape.element_type, library)?;
    let bits = shape.element_size_in_bits();
    if bits == 8 * row.bytes() || packed && bits == row.bits {
        Ok(())
    } else {
        Err(BoundaryError::ElementBits { library, bits }.into())
    }
}
