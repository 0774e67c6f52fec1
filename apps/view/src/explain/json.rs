//! The answer as JSON; `xlayout explain --help` lists the keys.

use serde_json::{Map, Value, json};
use xlayout::shape::TileDim;
use xlayout::{ArrayLayout, DynLayout};

use super::notations::{self, Printed};
use super::position::{Position, mode};
use crate::json::{number, with};
use crate::memory::{Bytes, byte_strides};
use crate::tiles::Tiles;

/// An array, and the requested positions.
pub(super) fn array(array: &DynLayout, positions: &[Position]) -> Value {
    let shape = array.array_shape();
    let layout = shape.layout.clone().unwrap_or_default();
    let memory = Bytes::of(array);
    let percent = match memory.allocated {
        0 => 0.0,
        allocated => memory.padding() as f64 / allocated as f64 * 100.0,
    };
    let strides = array.strides().map(|strides| strides.to_vec());
    let bits = array.element_bits();
    let byte_strides = byte_strides(array);
    let byte_strides = byte_strides.map(|all| all.into_iter().map(number).collect::<Vec<_>>());
    let dynamic = (0..shape.rank()).filter(|&d| shape.dims[d].is_dynamic());
    let notations = notations::all(array);
    let text = |(n, text): &Printed| (n.key.to_owned(), json!(text.as_ref().ok()));
    let reason = |(n, text): &Printed| Some((n.key.to_owned(), json!(text.as_ref().err()?)));
    let entry = |entry: &TileDim| match entry {
        TileDim::Size(size) => json!(size),
        TileDim::Combine => json!("*"),
    };
    let tiles = layout.tiles.iter();
    let tiles = tiles.map(|tile| tile.iter().map(entry).collect::<Value>());
    let terms = array.terms().iter().map(|term| {
        let coordinate = json!({"coordinate": term.coordinate});
        with(mode(&term.digit), coordinate)
    });
    let value = json!({
        "shape": shape.to_string(),
        "element_type": shape.element_type.name(),
        "element_bits": bits,
        "dimensions": array.dims(),
        "dynamic_dimensions": dynamic.collect::<Vec<_>>(),
        "minor_to_major": layout.minor_to_major.as_ref(),
        "major_to_minor": layout.minor_to_major.to_major_to_minor().as_ref(),
        "tiles": tiles.collect::<Value>(),
        "memory_space": layout.memory_space,
        "elements": array.elements(),
        "places": array.buffer_len(),
        "logical_bytes": number(memory.logical),
        "allocated_bytes": number(memory.allocated),
        "padding_bytes": number(memory.padding()),
        "padding_percent": percent,
        "padding": Tiles::new(array).causes,
        "modes": array.mode_table().iter().map(mode).collect::<Value>(),
        "terms": terms.collect::<Value>(),
        "strides": strides,
        "byte_strides": byte_strides,
        "notations": notations.iter().map(text).collect::<Map<_, _>>(),
        "no_notation": notations.iter().filter_map(reason).collect::<Map<_, _>>(),
        "layout_macro": notations::layout_macro(array).ok(),
    });
    match positions {
        [] => value,
        [only] => with(with(value, json!(only)), json!({"positions": positions})),
        _ => with(value, json!({"positions": positions})),
    }
}
