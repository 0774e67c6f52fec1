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
    let json: serde_json::Value =
        header.value(value, "this is no value", "is the file damaged?")?;
    let parts = match &json {
        serde_json::Value::Array(parts) if is_complex_type(element_type) => &parts[..],
        all => std::slice::from_ref(all),
    };
    let each = width / if is_complex_type(element_type) { 2 } else { 1 };
    let read: Option<Vec<Vec<u8>>> = parts
        .iter()
        .map(|part| number(part, element_type, each))
        .collect();
    let mut bytes = read.map(|parts| parts.concat()).unwrap_or_default();
    if is_complex_type(element_type) && parts.len() == 1 {
        // A real number, as version 2 has it.
        bytes.resize(width, 0);
    }
    match bytes.len() == width && width > 0 {
        true => Ok(bytes),
        false => Err(header
            .wrong(
                value,
                format_args!("this fill value of type {element_type} is not read"),
            )
            .help("write it again with another fill value, such as 0, or with all chunks")),
    }
}

/// A number in so many bytes.
fn number(json: &serde_json::Value, element_type: PrimitiveType, width: usize) -> Option<Vec<u8>> {
    use serde_json::Value;
    let of_bits = |bits: u64| {
        let (bytes, rest) = bits
            .to_le_bytes()
            .split_at_checked(width)
            .map(|(a, b)| (a.to_vec(), b.to_vec()))?;
        rest.iter().all(|byte| *byte == 0).then_some(bytes)
    };
    let float = match element_type {
        PrimitiveType::C64 => PrimitiveType::F32,
        PrimitiveType::C128 => PrimitiveType::F64,
        other => other,
    };
    let of_float = |number: f64| {
        if !numbers::converts(PrimitiveType::F64, float) {
            // Of the others only what is zero.
            return (number.to_bits() == 0).then(|| vec![0; width]);
        }
        let mut bytes = vec![0; width];
        numbers::convert(
            (&number.to_le_bytes(), PrimitiveType::F64),
            (&mut bytes, float),
        );
        Some(bytes)
    };
    match json {
        Value::Null => Some(vec![0; width]),
        Value::Bool(value) if element_type == PrimitiveType::Pred => Some(vec![u8::from(*value)]),
        Value::String(text) => match text.as_str() {
            "NaN" => of_float(f64::NAN),
            "Infinity" => of_float(f64::INFINITY),
            "-Infinity" => of_float(f64::NEG_INFINITY),
            text => of_bits(u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()?),
        },
        Value::Number(number) if is_floating_point_type(float) => of_float(number.as_f64()?),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => of_bits(number),
            (None, Some(number)) => {
                let (bytes, rest) = (
                    number.to_le_bytes()[..width].to_vec(),
                    &number.to_le_bytes()[width..],
                );
                let negative = bytes.last().is_some_and(|byte| *byte >= 0x80);
                (negative && rest.iter().all(|byte| *byte == 0xff)).then_some(bytes)
            }
            _ => None,
        },
        _ => None,
    }
}
