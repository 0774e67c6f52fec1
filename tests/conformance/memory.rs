//! Ops on memory: which element is where, padding, packed elements.

use serde_json::{Value, json};
use xlayout::shape::MinorToMajor;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, ElementType, SliceViewMut};

use super::fields::{Fields, same};
use super::unit::{Answer, small};

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The value at each linear index: the elements, and the padding value elsewhere.
pub(super) fn padded_physical_order(input: &Fields<'_>) -> Answer {
    let mut shape = ArrayShape::new(ElementType::U8, &input.numbers("dims")?).map_err(said)?;
    if let Some(layout) = &mut shape.layout {
        layout.minor_to_major =
            MinorToMajor::new(&input.numbers("minor_to_major")?).map_err(said)?;
        for width in input.numbers("padded_dimensions")? {
            layout.padded_dimensions.try_push(width).map_err(said)?;
        }
    }
    let layout = DynLayout::new(shape).map_err(said)?;
    let padding = input.value("padding_value")?.clone();
    of_elements(&layout, input.list("elements_row_major")?, padding)
}

/// The value at each linear index: the elements, given in row-major order, and `padding` elsewhere.
pub(super) fn of_elements(layout: &DynLayout, elements: &[Value], padding: Value) -> Answer {
    same("elements", elements.len(), layout.elements())?;
    small(layout.buffer_len())?;
    let mut memory = vec![padding; layout.buffer_len()];
    let mut elements = elements.iter();
    layout.for_each_index(|index| {
        if let Some(element) = elements.next() {
            memory[layout.linear_index(index)] = element.clone();
        }
    });
    Ok(Value::Array(memory))
}

/// A packed vector of unsigned numbers.
pub(super) fn pack_subbyte(input: &Fields<'_>) -> Answer {
    let bits = input.number("bits")?;
    let values = input.numbers("values")?;
    let text = format!("u{bits}[{}]{{0:E({bits})}}", values.len());
    let layout: DynLayout = text.parse().map_err(|error| format!("`{text}`: {error}"))?;
    let mut bytes = vec![0; layout.bytes()];
    let mut packed = SliceViewMut::packed(layout, &mut bytes).map_err(said)?;
    for (i, value) in values.iter().enumerate() {
        // Only the low bits count, whatever the sign.
        let written = packed.set([i], (value & 0xff) as i8);
        same(&format!("element {i} is in bounds"), true, written)?;
    }
    Ok(json!(bytes))
}
