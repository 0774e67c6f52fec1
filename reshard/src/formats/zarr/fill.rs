//! The value of elements that are stored nowhere.

use xlayout::xla::primitive_util::{is_complex_type, is_floating_point_type};
use xlayout::{ArrayLayout, PrimitiveType};

use super::in_order;
use crate::error::Outcome;
use crate::formats::header::{Header, Value};
use crate::numbers;

/// The bytes of an element that is `value`, little-endian.
///
/// # Errors
/// When it is no value of the type, or is written in a way that is not read.
pub(super) fn bytes(
    header: &Header<'_>,
    value: Value<'_>,
    element_type: PrimitiveType,
) -> Outcome<Vec<u8>> {
    let width = in_order(element_type, &[], &[]).map_or(0, |scalar| scalar.bytes());
    let is_complex = is_complex_type(element_type);
    let json: serde_json::Value =
        header.value(value, "this is no value", "is the file damaged?")?;
    let parts = match &json {
        serde_json::Value::Array(parts) if is_complex => &parts[..],
        all => std::slice::from_ref(all),
    };
    let each = if is_complex { width / 2 } else { width };
    let read = parts.iter().map(|part| number(part, element_type, each));
    let read: Option<Vec<Vec<u8>>> = read.collect();
    let mut bytes = read.unwrap_or_default().concat();
    if is_complex && bytes.len() == each {
        // A real number, as version 2 has it.
        bytes.resize(width, 0);
    }
    if bytes.len() == width && width > 0 {
        return Ok(bytes);
    }
    let what = format_args!("this fill value of type {element_type} is not read");
    let help = "write it again with another fill value, such as 0, or with all chunks";
    Err(header.wrong(value, what, help))
}

/// A number in so many bytes.
fn number(json: &serde_json::Value, element_type: PrimitiveType, width: usize) -> Option<Vec<u8>> {
    use serde_json::Value;
    // The other bytes are those of the sign.
    let of_bits = |bits: u64, sign: u8| {
        let bits = bits.to_le_bytes();
        let (bytes, rest) = bits.split_at_checked(width)?;
        let fits = rest.iter().all(|byte| *byte == sign);
        fits.then(|| bytes.to_vec())
    };
    let float = match element_type {
        PrimitiveType::C64 => PrimitiveType::F32,
        PrimitiveType::C128 => PrimitiveType::F64,
        other => other,
    };
    let of_float = |number: f64| {
        let mut bytes = vec![0; width];
        if !numbers::converts(PrimitiveType::F64, float) {
            // Of the others only what is zero.
            return (number.to_bits() == 0).then_some(bytes);
        }
        let from = (&number.to_le_bytes()[..], PrimitiveType::F64);
        numbers::convert(from, (&mut bytes, float));
        Some(bytes)
    };
    match json {
        Value::Null => Some(vec![0; width]),
        Value::Bool(value) if element_type == PrimitiveType::Pred => Some(vec![u8::from(*value)]),
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
