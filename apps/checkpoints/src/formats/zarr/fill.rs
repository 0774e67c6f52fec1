//! The value of elements that are not stored.

use serde_json::Value;
use xlayout::xla::primitive_util::{is_complex_type, is_floating_point_type};
use xlayout::{ArrayLayout, ElementType};

use super::parts::in_order;
use crate::numbers;

/// The bytes of an element `value`, little-endian; `None` if it is not a value of the type, or is
/// written in a form that is not supported.
pub(super) fn bytes(value: &Value, element_type: ElementType) -> Option<Vec<u8>> {
    let width = in_order(element_type, &[], &[])?.bytes();
    let is_complex = is_complex_type(element_type);
    let parts = match value {
        Value::Array(parts) if is_complex => &parts[..],
        all => std::slice::from_ref(all),
    };
    let each = if is_complex { width / 2 } else { width };
    let read = parts.iter().map(|part| number(part, element_type, each));
    let mut bytes = read.collect::<Option<Vec<_>>>()?.concat();
    if is_complex && bytes.len() == each {
        // A real number, as version 2 writes it.
        bytes.resize(width, 0);
    }
    (bytes.len() == width && width > 0).then_some(bytes)
}

/// A number in `width` bytes.
fn number(json: &Value, element_type: ElementType, width: usize) -> Option<Vec<u8>> {
    // The other bytes repeat the sign.
    let of_bits = |bits: u64, sign: u8| {
        let bits = bits.to_le_bytes();
        let (bytes, rest) = bits.split_at_checked(width)?;
        let fits = rest.iter().all(|byte| *byte == sign);
        fits.then(|| bytes.to_vec())
    };
    let float = match element_type {
        ElementType::C64 => ElementType::F32,
        ElementType::C128 => ElementType::F64,
        other => other,
    };
    let of_float = |number: f64| {
        let mut bytes = vec![0; width];
        if !numbers::converts(ElementType::F64, float) {
            // For other types only zero is supported.
            return (number.to_bits() == 0).then_some(bytes);
        }
        numbers::convert(&number.to_le_bytes(), ElementType::F64, &mut bytes, float);
        Some(bytes)
    };
    match json {
        Value::Null => Some(vec![0; width]),
        Value::Bool(value) if element_type == ElementType::Pred => Some(vec![u8::from(*value)]),
        Value::String(text) => match text.as_str() {
            "NaN" => of_float(f64::NAN),
            "Infinity" => of_float(f64::INFINITY),
            "-Infinity" => of_float(f64::NEG_INFINITY),
            text => of_bits(u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()?, 0),
        },
        Value::Number(number) if is_floating_point_type(float) => of_float(number.as_f64()?),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => of_bits(number, 0),
            (None, Some(number)) => of_bits(number.cast_unsigned(), 0xff)
                .filter(|bytes| bytes.last().is_some_and(|byte| *byte >= 0x80)),
            _ => None,
        },
        _ => None,
    }
}
