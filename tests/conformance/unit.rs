//! The cases of XLA's own unit tests: what each op means to this crate.

use serde_json::{Value, json};
use xlayout::shape::Shape;
use xlayout::{ArrayLayout, ArrayShape, DynLayout};
use xlayout_xla::index_util;
use xlayout_xla::shape_util;

use super::Check;
use super::fields::{Fields, is_refusal, same};
use super::memory;
use super::tiles;

/// The result of an op: a value, or why there is no value.
pub(super) type Answer = Result<Value, String>;

pub(super) fn case(case: &Fields<'_>) -> Check {
    let op = case.text("op")?;
    let input = &case.object("in")?;
    let expected = case.value("expect")?;
    let answer = match op {
        "parse_shape" => parse_shape(input, expected),
        "tiled_layout_table" => return tiled_layout_table(input, expected),
        "tiled_linear_index" => tiled_linear_index(input),
        "physical_order" => physical_order(input),
        "layout_util_linear_index" => layout_util_linear_index(input),
        "tiled_physical_dims" => return tiles::physical_dims(input, expected),
        "padded_physical_order" => memory::padded_physical_order(input),
        "pack_subbyte" => memory::pack_subbyte(input),
        "multi_to_linear" => multi_to_linear(input),
        "linear_to_multi" => linear_to_multi(input),
        "roundtrip_linear" => roundtrip_linear(input),
        "bump" => bump(input),
        "bump_sequence" => bump_sequence(input, expected),
        "dimension_stride" => return dimension_stride(input, expected),
        "index_in_bounds" => index_in_bounds(input),
        _ => {
            let case = Value::Object(case.0.clone());
            return super::cases::check(op, &case)
                .unwrap_or_else(|| Err(format!("the op `{op}` is not known")));
        }
    };
    compare(expected, answer).map_err(|what| format!("{op}: {what}"))
}

/// An error of any words where XLA has one or aborts, or where there is no answer.
fn compare(expected: &Value, answer: Answer) -> Check {
    let expected = expected.get("ok").unwrap_or(expected);
    if is_refusal(expected) || expected.is_null() {
        return match answer {
            Ok(found) => Err(format!("expected an error ({expected}), found {found}")),
            Err(error) if error.trim().is_empty() => Err("the error says nothing".into()),
            Err(_) => Ok(()),
        };
    }
    match answer {
        Ok(found) if found == *expected => Ok(()),
        Ok(found) => Err(format!("expected {expected}, found {found}")),
        Err(error) => Err(format!("expected {expected}, found the error: {error}")),
    }
}

/// Reads as XLA's `ParseShape` does, without validating; where XLA has an error, reading with
/// validation must have one.
fn parse_shape(input: &Fields<'_>, expected: &Value) -> Answer {
    let text = input.text("text")?;
    let read = if is_refusal(expected) {
        Shape::read_xla
    } else {
        Shape::read_xla_unvalidated
    };
    match read(text) {
        Ok(shape) => Ok(json!(shape.to_string())),
        Err(error) => Err(error.to_string()),
    }
}

/// The shape of a case. Without a text for the layout it has the default one.
pub(super) fn shape(input: &Fields<'_>) -> Result<ArrayShape, String> {
    let text = input.text("shape")?;
    ArrayShape::read_xla(text).map_err(|error| format!("`{text}`: {error}"))
}

fn lowered(input: &Fields<'_>) -> Result<DynLayout, String> {
    DynLayout::new(shape(input)?).map_err(|error| error.to_string())
}

/// The linear index of all tile levels, and its inverse.
fn place_of(layout: &DynLayout, index: &[i64]) -> Result<i64, String> {
    let index: Option<Vec<usize>> = index.iter().map(|&i| usize::try_from(i).ok()).collect();
    let index = layout.index(xlayout::DynCoordinates::from(
        &index.ok_or("a coordinate is negative")?[..],
    ));
    let index = index.map_err(|error| error.to_string())?;
    let place = layout.linear_index(index.coordinates());
    same(
        "the inverse",
        Some(index.coordinates()),
        layout.multi_index(place).as_ref(),
    )?;
    Ok(place as i64)
}

/// What lies at each place of memory; a place of padding holds null, or the value that the case
/// says.
fn physical_order(input: &Fields<'_>) -> Answer {
    let padding = input.get("padding_value").cloned().unwrap_or(Value::Null);
    memory::of_elements(&lowered(input)?, input.list("elements_row_major")?, padding)
}

fn layout_util_linear_index(input: &Fields<'_>) -> Answer {
    let shape = shape(input)?;
    let index = input.numbers("index")?;
    let linear = super::as_xla::sizes::linear_index(&shape, &index);
    linear
        .map(Value::from)
        .ok_or_else(|| format!("{shape} has no linear index of {index:?}"))
}

fn tiled_linear_index(input: &Fields<'_>) -> Answer {
    Ok(json!(place_of(&lowered(input)?, &input.numbers("index")?)?))
}

/// The linear index of every element, as lists in lists, dimension 0 outermost. The physical
/// dimensions, tiles and all, are no part of this crate; their product is the allocated elements.
fn tiled_layout_table(input: &Fields<'_>, expected: &Value) -> Check {
    let layout = lowered(input)?;
    let Value::Object(expected) = expected else {
        return compare(expected, Ok(json!("a table")));
    };
    for (name, expected) in expected {
        match name.as_str() {
            "physical_elements" => same(name, expected.as_i64(), Some(layout.buffer_len() as i64))?,
            "physical_dims" => {
                let dims = super::fields::numbers(name, expected)?;
                same(
                    "product of physical_dims",
                    dims.iter().product(),
                    layout.buffer_len() as i64,
                )?;
            }
            "table" => {
                small(layout.elements())?;
                let found = table(&layout, &mut vec![0; layout.rank()], 0)?;
                same(name, expected, &found)?;
            }
            _ => return Err(format!("tiled_layout_table: `{name}` is not known")),
        }
    }
    Ok(())
}

fn table(layout: &DynLayout, index: &mut Vec<i64>, dimension: usize) -> Answer {
    let Some(&size) = layout.dims().get(dimension) else {
        return place_of(layout, index).map(Value::from);
    };
    let mut rows = Vec::new();
    for i in 0..size as i64 {
        index[dimension] = i;
        rows.push(table(layout, index, dimension + 1)?);
    }
    index[dimension] = 0;
    Ok(Value::Array(rows))
}

fn multi_to_linear(input: &Fields<'_>) -> Answer {
    let shape = shape(input)?;
    let index = input.numbers("index")?;
    let linear = index_util::multidimensional_index_to_linear_index(&shape, &index);
    linear
        .map(Value::from)
        .ok_or_else(|| format!("{shape} has no index {index:?}"))
}

fn inverse(shape: &ArrayShape, linear: i64) -> Result<Vec<i64>, String> {
    let index = index_util::linear_index_to_multidimensional_index(shape, linear);
    index
        .map(|index| index.to_vec())
        .ok_or_else(|| format!("{shape} has no element number {linear}"))
}

fn linear_to_multi(input: &Fields<'_>) -> Answer {
    inverse(&shape(input)?, input.number("linear")?).map(Value::from)
}

/// There and back.
fn roundtrip_linear(input: &Fields<'_>) -> Answer {
    let shape = shape(input)?;
    let multi = inverse(&shape, input.number("linear")?)?;
    let linear = index_util::multidimensional_index_to_linear_index(&shape, &multi);
    Ok(json!({ "linear": linear, "multi": multi }))
}

fn step(shape: &ArrayShape, index: &mut [i64]) -> Answer {
    let grown = index_util::bump_indices(shape, index);
    let grown = grown.ok_or_else(|| format!("{shape} has no index {index:?}"))?;
    Ok(json!([grown, index]))
}

fn bump(input: &Fields<'_>) -> Answer {
    step(&shape(input)?, &mut input.numbers("index")?)
}

/// As many steps as are expected.
fn bump_sequence(input: &Fields<'_>, expected: &Value) -> Answer {
    let shape = shape(input)?;
    let mut index = input.numbers("start")?;
    let count = expected
        .get("steps")
        .and_then(Value::as_array)
        .map_or(1, Vec::len);
    let steps: Result<Vec<Value>, String> = (0..count).map(|_| step(&shape, &mut index)).collect();
    Ok(json!({ "steps": steps? }))
}

/// For a dimension that the shape does not have, XLA answers the number of elements, and we
/// nothing.
fn dimension_stride(input: &Fields<'_>, expected: &Value) -> Check {
    let shape = shape(input)?;
    let dimension = input.number("dim")?;
    let stride = usize::try_from(dimension)
        .ok()
        .and_then(|d| index_util::dimension_stride(&shape, d));
    let beyond = !(0..shape.rank() as i64).contains(&dimension);
    if beyond && expected.as_i64().is_some() {
        return same(
            "dimension_stride",
            (shape_util::elements_in(&shape), None),
            (expected.as_i64(), stride),
        );
    }
    compare(
        expected,
        stride
            .map(Value::from)
            .ok_or_else(|| format!("{shape} has no dimension {dimension}")),
    )
}

fn index_in_bounds(input: &Fields<'_>) -> Answer {
    Ok(json!(index_util::index_in_bounds(
        &shape(input)?,
        &input.numbers("index")?
    )))
}

/// What is written out must not be larger than a case can be meant to be.
pub(super) fn small(items: usize) -> Check {
    if items <= 1_000_000 {
        Ok(())
    } else {
        Err(format!("{items} items are too many to write out"))
    }
}
