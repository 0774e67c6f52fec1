//! The lines of `facts`, `permute` and `make_shape_jaxlib`.

use serde_json::{Value, json};
use xlayout::shape::MinorToMajor;
use xlayout::{ArrayShape, ElementType, Layout};
use xlayout_xla::ShapeError;
use xlayout_xla::layout_util;
use xlayout_xla::shape_util;

use crate::conformance::as_xla;

use super::given::{Input, array, compare, said};
use super::{Answer, Check, same_places};

/// The fields of a line that are answers; there must be some.
fn answers_of<'a>(
    line: &'a Value,
    questions: &[&str],
) -> Result<Vec<(&'a String, &'a Value)>, String> {
    let fields = line.as_object().ok_or("the line is no object")?;
    let answers = fields
        .iter()
        .filter(|(name, _)| !questions.contains(&name.as_str()));
    let answers: Vec<_> = answers.collect();
    if answers.is_empty() {
        Err("the line has no answers".into())
    } else {
        Ok(answers)
    }
}

/// Compares one answer of a line.
fn answered(name: &str, expected: &Value, answer: Answer) -> Check {
    compare(expected, answer).map_err(|what| format!("{name}: {what}"))
}

/// A truth value in the vectors.
fn bit(value: bool) -> Answer {
    Ok(json!(i64::from(value)))
}

pub(super) fn facts(line: &Value) -> Check {
    let shape = Input(line).shape_of("t")?;
    for (name, expected) in answers_of(line, &["t"])? {
        let answer = match name.as_str() {
            "static" => bit(!shape.is_dynamic()),
            "ubdyn" => bit(shape.is_unbounded_dynamic()),
            "leaves" => Ok(json!(shape.leaves().count())),
            "subshapes" => Ok(json!(shape_util::subshapes(&shape).count())),
            "zero" => bit(shape_util::is_zero_element_array(&shape)),
            "default" => {
                let mut default = shape.clone();
                layout_util::set_to_default_layout(&mut default);
                Ok(json!(default.to_string()))
            }
            _ => fact(name, &array(shape.clone())?),
        };
        answered(name, expected, answer)?;
    }
    Ok(())
}

/// The questions about an array.
fn fact(name: &str, array: &ArrayShape) -> Answer {
    let order = || array.layout.as_ref().ok_or("no layout");
    Ok(match name {
        "true_rank" => json!(shape_util::true_num_dimensions(array)),
        "drop1" => json!(
            shape_util::drop_degenerate_dimensions(array)
                .map_err(said)?
                .to_string()
        ),
        "l2p" => {
            let layout = array.layout.as_ref().ok_or("no layout")?;
            json!(layout_util::make_logical_to_physical(layout).map(|list| list.to_vec()))
        }
        "dim0minor" => json!(i64::from(layout_util::is_monotonic_with_dim0_minor(
            order()?
        ))),
        "dim0major" => json!(i64::from(layout_util::is_monotonic_with_dim0_major(
            order()?
        ))),
        "same_phys" => {
            let same = shape_util::with_descending_layout_and_same_physical_layout(array);
            json!(same.map_err(said)?.to_string())
        }
        "to_major" => moved(array, layout_util::move_dim_to_major)?,
        "to_minor" => moved(array, layout_util::move_dim_to_minor)?,
        _ => return Err(format!("`{name}` is not known")),
    })
}

/// The layout after a dimension has moved, for each one in turn.
fn moved(
    array: &ArrayShape,
    to_end: impl Fn(&Layout, usize) -> Result<Layout, ShapeError>,
) -> Answer {
    let layout = array.layout.as_ref().ok_or("no layout")?;
    let moved = (0..array.rank()).map(|d| to_end(layout, d).map(|moved| json!(moved.to_string())));
    moved
        .collect::<Result<Vec<Value>, _>>()
        .map(Value::from)
        .map_err(said)
}

pub(super) fn permute(line: &Value) -> Check {
    let input = Input(line);
    let from = array(input.shape_of("a")?)?;
    let to = array(input.shape_of("b")?)?;
    let permutation = input.numbers("perm")?;
    for (name, expected) in answers_of(line, &["a", "b", "perm"])? {
        let shape =
            |shape: Result<ArrayShape, _>| shape.map(|s| json!(s.to_string())).map_err(said);
        let answer = match name.as_str() {
            "permuted" => shape(shape_util::permute_dimensions(&from, &permutation)),
            // The result of XLA when the vectors were recorded, which has changed since.
            "reordered" => shape(as_xla::shapes::reorder_logical_dimensions(
                &from,
                &permutation,
            )),
            "bitcast" => Ok(json!(same_places(&from, &to, &permutation).map(i64::from))),
            _ => Err(format!("`{name}` is not known")),
        };
        answered(name, expected, answer)?;
    }
    Ok(())
}

pub(super) fn make_shape(line: &Value) -> Check {
    let expected = line.get("r").ok_or("`r` is missing")?;
    let made = jaxlib_shape(&Input(line)).map(|shape| json!(shape.to_string()));
    answered("r", expected, made)
}

/// A shape as jaxlib makes it: the type by its name in the proto, sizes as text.
fn jaxlib_shape(input: &Input<'_>) -> Result<ArrayShape, String> {
    let name = input.text("ty")?.to_ascii_lowercase();
    let name = if name == "opaque_type" {
        "opaque"
    } else {
        &name
    };
    let element_type = ElementType::all().find(|ty| ty.name() == name);
    let element_type = element_type.ok_or_else(|| format!("there is no type `{name}`"))?;
    let sizes = input.0["dims"].as_array().ok_or("`dims` is no list")?;
    let size = |size: &Value| match size.as_str() {
        Some(digits) => digits.parse::<i64>().map_err(said),
        None => size
            .as_i64()
            .ok_or_else(|| "a size is no number".to_owned()),
    };
    let sizes = sizes
        .iter()
        .map(size)
        .collect::<Result<Vec<i64>, String>>()?;
    let flag = |flag: &Value| flag.as_bool().or(flag.as_i64().map(|bit| bit != 0));
    let mut shape = match input.0["dyn"].as_array() {
        Some(dynamic) => {
            let dynamic: Option<Vec<bool>> = dynamic.iter().map(flag).collect();
            let dynamic = dynamic.ok_or("a flag is no truth value")?;
            shape_util::validated_dynamic(element_type, &sizes, &dynamic)
        }
        None => shape_util::validated(element_type, &sizes),
    }
    .map_err(said)?;
    if !input.0["m2m"].is_null() {
        let order = MinorToMajor::new(&input.numbers("m2m")?).map_err(said)?;
        shape.layout = Some(Layout::new(order));
        shape.validate().map_err(said)?;
    }
    Ok(shape)
}
