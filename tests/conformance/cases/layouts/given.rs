//! The inputs of a case: shapes with notes after them, layouts by their fields.

use serde_json::Value;
use xlayout::shape::{Dim, ErrorKind, MinorToMajor, Shape, TileDim, Tiles};
use xlayout::{ArrayShape, ElementType, Layout};
use xlayout_xla::shape_util;

pub(super) fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub(super) fn text<'a>(input: &'a Value, name: &str) -> Result<&'a str, String> {
    input[name]
        .as_str()
        .ok_or_else(|| format!("`{name}` is no text, but {}", input[name]))
}

pub(super) fn number(input: &Value, name: &str) -> Result<i64, String> {
    input[name]
        .as_i64()
        .ok_or_else(|| format!("`{name}` is no number, but {}", input[name]))
}

pub(super) fn flag(input: &Value, name: &str) -> Result<bool, String> {
    input[name]
        .as_bool()
        .ok_or_else(|| format!("`{name}` is no truth value, but {}", input[name]))
}

pub(super) fn numbers(input: &Value, name: &str) -> Result<Vec<i64>, String> {
    let list = input[name]
        .as_array()
        .and_then(|list| list.iter().map(Value::as_i64).collect());
    list.ok_or_else(|| format!("`{name}` is no list of numbers, but {}", input[name]))
}

/// A shape by its text, which may say of an array that it has no layout or a bogus one.
pub(super) fn shape(input: &Value, name: &str) -> Result<Shape, String> {
    annotated(text(input, name)?)
}

/// A shape by whatever the case gives: its text, its parts, or a shape and a layout.
pub(super) fn any_shape(input: &Value) -> Result<Shape, String> {
    for name in ["shape", "tuple"] {
        if input.get(name).is_some() {
            return shape(input, name);
        }
    }
    if input.get("element_type").is_some() {
        return by_parts(input);
    }
    let mut shape = shape(input, "base")?;
    let array = shape
        .as_array_or_buffer_mut()
        .ok_or("the base is no array")?;
    array.layout = match input.get("minor_to_major") {
        Some(Value::Null) => None,
        _ => Some(layout(input)?),
    };
    Ok(shape)
}

fn by_parts(input: &Value) -> Result<Shape, String> {
    let name = text(input, "element_type")?;
    let element_type = name.parse::<ElementType>().map_err(|_| "no such type")?;
    let sizes = input["dimensions"]
        .as_array()
        .ok_or("`dimensions` is no list")?;
    let mut shape = ArrayShape::new(element_type, &vec![1; sizes.len()]).map_err(said)?;
    for (k, size) in sizes.iter().enumerate() {
        let size = match size.as_str() {
            Some("unbounded") => Dim::UNBOUNDED_SIZE,
            _ => size.as_i64().ok_or("a size is no number")?,
        };
        let dynamic = input["dynamic"][k].as_bool().unwrap_or(false);
        let dim = Dim::from_xla(size, dynamic).ok_or("a size is negative")?;
        shape_util::set_dimension(&mut shape, k, dim).map_err(said)?;
    }
    Ok(Shape::Array(shape))
}

/// The layout of a case: its text under `layout`, or its fields.
pub(super) fn layout(input: &Value) -> Result<Layout, String> {
    match input.get("layout") {
        Some(Value::String(text)) => layout_text(text),
        _ => by_fields(input.get("layout_fields").unwrap_or(input)),
    }
}

pub(super) fn layout_text(text: &str) -> Result<Layout, String> {
    Layout::read_xla(text).map_err(|error| format!("`{text}`: {error}"))
}

fn by_fields(fields: &Value) -> Result<Layout, String> {
    let mut layout = Layout::default();
    let all = fields
        .as_object()
        .ok_or("the fields of the layout are no object")?;
    for (name, value) in all {
        let number = || number(fields, name);
        match name.as_str() {
            "minor_to_major" => {
                layout.minor_to_major = MinorToMajor::new(&numbers(fields, name)?).map_err(said)?;
            }
            "tiles" => layout.tiles = tiles(value)?,
            "tail_padding_alignment_in_elements" => {
                layout.tail_padding_alignment_in_elements = number()?;
            }
            "element_size_in_bits" => layout.element_size_in_bits = number()?,
            "memory_space" => layout.memory_space = i8::try_from(number()?).map_err(said)?,
            "dynamic_shape_metadata_prefix_bytes" => {
                layout.dynamic_shape_metadata_prefix_bytes = number()?;
            }
            "split_configs" => {
                for split in value.as_array().ok_or("`split_configs` is no list")? {
                    let at = numbers(split, "split_indices")?;
                    let dimension = self::number(split, "dimension")?;
                    layout.split_configs.push(dimension, &at).map_err(said)?;
                }
            }
            "index_primitive_type" => layout.index_primitive_type = element_type(value)?,
            "pointer_primitive_type" => layout.pointer_primitive_type = element_type(value)?,
            // Not of the layout, or as every layout is that can be made here: see `is_sparse`.
            "base" | "dim" | "dims" | "allow_missing_layouts" | "print_layout" => {}
            "dim_level_types" | "dim_unique" | "dim_ordered" => {}
            _ => return Err(format!("the field `{name}` of a layout is not known")),
        }
    }
    Ok(layout)
}

fn element_type(value: &Value) -> Result<Option<ElementType>, String> {
    let name = value
        .as_str()
        .ok_or("a type is no text")?
        .to_ascii_lowercase();
    name.parse::<ElementType>()
        .ok()
        .map(Some)
        .ok_or_else(|| format!("there is no type `{name}`"))
}

pub(super) fn tiles(list: &Value) -> Result<Tiles, String> {
    let mut tiles = Tiles::new();
    for entries in list.as_array().ok_or("`tiles` is no list")? {
        tiles.push(&tile(entries)?).map_err(said)?;
    }
    Ok(tiles)
}

pub(super) fn tile(entries: &Value) -> Result<Vec<TileDim>, String> {
    let entry = |entry: &Value| match (entry.as_str(), entry.as_i64()) {
        (Some("*"), _) => Some(TileDim::Combine),
        (_, Some(size)) => TileDim::from_xla(size),
        _ => None,
    };
    let entries = entries
        .as_array()
        .ok_or("a tile is no list")?
        .iter()
        .map(entry);
    entries
        .collect::<Option<_>>()
        .ok_or_else(|| "an entry of a tile is not valid".into())
}

/// A shape whose arrays may have notes behind them: `f32[2] (no layout)`,
/// `f32[9] with bogus layout {0,2,3}`. It is not validated.
pub(super) fn annotated(text: &str) -> Result<Shape, String> {
    let text = text.replace("(no layout)", "no layout");
    let text = text.trim();
    let Some(inside) = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
    else {
        return leaf(text);
    };
    let mut members = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                members.push(annotated(&inside[start..at])?);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !members.is_empty() || !inside.trim().is_empty() {
        members.push(annotated(&inside[start..])?);
    }
    Ok(Shape::Tuple(members))
}

fn leaf(text: &str) -> Result<Shape, String> {
    // XLA numbers the members of long tuples in comments.
    let text = text
        .split_once("*/")
        .map_or(text, |(_, behind)| behind)
        .trim();
    let end = text
        .find(" with")
        .or(text.find(" bogus"))
        .or(text.find(" no layout"));
    let (plain, note) = text.split_at(end.unwrap_or(text.len()));
    let mut shape =
        Shape::read_xla_unvalidated(plain).map_err(|error| format!("`{plain}`: {error}"))?;
    if !note.is_empty() {
        let array = shape
            .as_array_or_buffer_mut()
            .ok_or("a note on what is no array")?;
        array.layout = match note.find('{') {
            Some(brace) => Some(layout_text(&note[brace..])?),
            None => None,
        };
    }
    Ok(shape)
}

/// Whether the layout of the case is one of the sparse ones, which XLA had until 2025. Levels that
/// are all dense say nothing.
pub(super) fn is_sparse(input: &Value) -> bool {
    let fields = input.get("layout_fields").unwrap_or(input);
    let has = |name: &str, usual: Value| {
        let list = fields[name].as_array();
        list.is_some_and(|list| list.iter().any(|item| *item != usual))
    };
    fields.get("physical_shape").is_some()
        || has("dim_level_types", "DENSE".into())
        || has("dim_unique", true.into())
        || has("dim_ordered", true.into())
}

/// Whether a text of the case is refused because it holds a sparse layout.
pub(super) fn is_refused_as_sparse(input: &Value) -> bool {
    let mut texts = input
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(_, v)| v.as_str());
    texts.any(|text| {
        let errors = [Shape::read_xla(text).err(), Layout::read_xla(text).err()];
        let mut errors = errors.iter().flatten();
        errors.any(|error| matches!(error.kind(), ErrorKind::Sparse { .. }))
    })
}

/// The text of the sparse layout of a case, as XLA printed it until 2025.
pub(super) fn sparse_text(input: &Value) -> String {
    let fields = input.get("layout_fields").unwrap_or(input);
    let levels = fields["dim_level_types"].as_array().into_iter().flatten();
    let levels: Vec<&str> = levels
        .map(|level| match level.as_str() {
            Some("COMPRESSED") => "C",
            Some("SINGLETON") => "S",
            Some("LOOSE_COMPRESSED") => "H",
            _ => "D",
        })
        .collect();
    let order = numbers(fields, "minor_to_major").unwrap_or_default();
    let order: Vec<String> = order.iter().map(i64::to_string).collect();
    format!("{{{}:D({})}}", order.join(","), levels.join(","))
}
