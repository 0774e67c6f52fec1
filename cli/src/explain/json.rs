//! `xlayout explain --json`; `xlayout explain --help` lists the keys.

use serde_json::{Map, Value, json};
use xlayout::shape::Mode;
use xlayout::{ArrayLayout, DynLayout};

use super::notations::{self, Notation};
use super::padding::{Cause, Padding};
use super::position::{Digit, Position};
use xlayout_hlo::logical_bytes;

/// An array, and what was asked about it.
pub(super) fn array(array: &DynLayout, positions: &[Position]) -> Map<String, Value> {
    let shape = array.shape();
    let layout = shape.layout.clone().unwrap_or_default();
    let padding = Padding::new(array);
    let (logical, allocated) = (u128::from(logical_bytes(array)), array.bytes() as u128);
    let wasted = allocated.saturating_sub(logical);
    let percent = match allocated {
        0 => 0.0,
        _ => wasted as f64 / allocated as f64 * 100.0,
    };
    let strides = array.strides().map(|strides| strides.to_vec());
    let bits = array.element_bits();
    let byte_strides = strides
        .as_ref()
        .filter(|_| bits.is_multiple_of(8))
        .map(|strides| {
            let bytes = |&stride: &usize| stride as u128 * bits as u128 / 8;
            strides.iter().map(bytes).map(number).collect::<Vec<_>>()
        });
    let dynamic: Vec<_> = (0..shape.rank())
        .filter(|&d| shape.dims[d].is_dynamic())
        .collect();
    let notations = notations::all(array);
    let texts = notations
        .iter()
        .map(|n| (n.key.to_owned(), json!(n.text.as_ref().ok())));
    let reason = |n: &Notation| Some((n.key.to_owned(), json!(n.text.as_ref().err()?)));
    let tiles = layout.tiles.iter().map(|tile| {
        let entry = |entry: &xlayout::shape::TileDim| match entry {
            xlayout::shape::TileDim::Size(size) => json!(size),
            xlayout::shape::TileDim::Combine => json!("*"),
        };
        tile.iter().map(entry).collect::<Value>()
    });
    let terms = array.terms().iter().map(|term| {
        let mut object = mode(&term.digit);
        object.insert("coordinate".to_owned(), json!(term.coordinate));
        Value::Object(object)
    });
    let value = json!({
        "shape": shape.to_string(),
        "element_type": shape.element_type.name(),
        "element_bits": bits,
        "dimensions": array.dims(),
        "dynamic_dimensions": dynamic,
        "minor_to_major": layout.minor_to_major.as_ref(),
        "major_to_minor": layout.minor_to_major.to_major_to_minor().as_ref(),
        "tiles": tiles.collect::<Value>(),
        "memory_space": layout.memory_space,
        "elements": array.elements(),
        "places": array.buffer_len(),
        "logical_bytes": number(logical),
        "allocated_bytes": number(allocated),
        "padding_bytes": number(wasted),
        "padding_percent": percent,
        "padding": padding.causes.iter().map(cause).collect::<Value>(),
        "modes": array.mode_table().iter().map(mode).collect::<Value>(),
        "terms": terms.collect::<Value>(),
        "strides": strides,
        "byte_strides": byte_strides,
        "notations": texts.collect::<Map<_, _>>(),
        "no_notation": notations.iter().filter_map(reason).collect::<Map<_, _>>(),
        "layout_macro": notations::layout_macro(array).ok(),
    });
    let Value::Object(mut object) = value else {
        return Map::new();
    };
    let answers: Vec<_> = positions.iter().map(position).collect();
    if let [only] = answers.as_slice() {
        object.extend(only.clone());
    }
    if !answers.is_empty() {
        object.insert("positions".to_owned(), answers.into());
    }
    object
}

fn position(position: &Position) -> Map<String, Value> {
    let element = position.element.as_ref();
    let mut object = Map::new();
    object.insert(
        "index".to_owned(),
        json!(element.map(|element| &element.index)),
    );
    object.insert("linear_index".to_owned(), json!(position.linear_index));
    object.insert("byte_offset".to_owned(), json!(position.byte_offset));
    object.insert("bit_offset".to_owned(), json!(position.bit_offset));
    let digits = element.map(|element| element.digits.iter().map(digit).collect::<Value>());
    object.insert("digits".to_owned(), json!(digits));
    object
}

fn digit(digit: &Digit) -> Value {
    let mut object = mode(&digit.mode);
    object.insert("coordinate".to_owned(), json!(digit.coordinate));
    object.insert("digit".to_owned(), json!(digit.digit));
    object.insert("elements".to_owned(), json!(digit.elements));
    Value::Object(object)
}

fn mode(mode: &Mode) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("dimension".to_owned(), json!(mode.dim));
    object.insert("divisor".to_owned(), json!(mode.divisor));
    object.insert("size".to_owned(), json!(mode.size));
    object.insert("stride".to_owned(), json!(mode.stride));
    object.insert("top".to_owned(), json!(mode.top));
    object
}

fn cause(cause: &Cause) -> Value {
    json!({
        "what": cause.what,
        "dimension": cause.dimension,
        "from": number(cause.from),
        "to": number(cause.to),
        "multiple_of": cause.multiple_of.map(number),
        "by": cause.by,
    })
}

/// Lowering checked that all numbers fit in 63 bits.
fn number(number: u128) -> Value {
    u64::try_from(number).map_or(Value::Null, Value::from)
}
