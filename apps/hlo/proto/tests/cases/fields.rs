//! Messages by their fields in JSON.

use serde_json::{Map, Value};
use xlayout_core::{ElementType, Shape};
use xlayout_proto::{LayoutProto, Proto, SplitConfigProto, TileProto};

/// A message by its fields, under the names that they have in XLA's proto.
pub(super) fn layout_message(fields: &Value) -> Result<LayoutProto, String> {
    let fields = fields
        .as_object()
        .ok_or("the fields of the layout are no object")?;
    let mut message = LayoutProto {
        minor_to_major: list(fields, "minor_to_major")?,
        ..Default::default()
    };
    for (name, value) in fields {
        let number = || {
            value
                .as_i64()
                .ok_or(format!("`{name}` is no number, but {value}"))
        };
        match name.as_str() {
            "minor_to_major" => {}
            "padded_dimensions" => message.padded_dimensions = list(fields, name)?,
            "padding_value" => message.padding_value = number()? as i32,
            "format" => message.format = Some(number()? as i32),
            "element_size_in_bits" => message.element_size_in_bits = number()?,
            "memory_space" => message.memory_space = number()?,
            "dynamic_shape_metadata_prefix_bytes" => {
                message.dynamic_shape_metadata_prefix_bytes = number()?;
            }
            "tail_padding_alignment_in_elements" => {
                message.tail_padding_alignment_in_elements = number()?;
            }
            "tiles" => {
                for tile in array(value)? {
                    let entry = |entry: &Value| match entry.as_str() {
                        Some("*" | "INT64_MIN") => Ok(i64::MIN),
                        _ => entry
                            .as_i64()
                            .ok_or(format!("{entry} is no entry of a tile")),
                    };
                    let dimensions = array(tile)?.iter().map(entry).collect::<Result<_, _>>()?;
                    message.tiles.push(TileProto { dimensions });
                }
            }
            "split_configs" => {
                for split in array(value)? {
                    let split = split.as_object().ok_or("a split is no object")?;
                    let dimension = split.get("dimension").and_then(Value::as_i64).unwrap_or(0);
                    let split_indices = list(split, "split_indices")?;
                    message.split_configs.push(SplitConfigProto {
                        dimension,
                        split_indices,
                    });
                }
            }
            "index_primitive_type" => message.index_primitive_type = type_number(value)?,
            "pointer_primitive_type" => message.pointer_primitive_type = type_number(value)?,
            "dim_level_types" => {
                for level in array(value)? {
                    let name = level.as_str().unwrap_or("").trim_start_matches("DIM_");
                    let number = LEVELS.iter().position(|level| *level == name);
                    message
                        .dim_level_types
                        .push(number.ok_or(format!("no level {level}"))? as i32);
                }
            }
            "dim_unique" => message.dim_unique = flags(value)?,
            "dim_ordered" => message.dim_ordered = flags(value)?,
            "physical_shape" => {
                let text = value.as_str().ok_or("`physical_shape` is no text")?;
                let shape = Shape::read_xla(text).map_err(|e| e.to_string())?;
                message.physical_shape = Some(Box::new(shape.to_proto()));
            }
            _ => return Err(format!("the field `{name}` of a layout is not known")),
        }
    }
    Ok(message)
}

/// The names of XLA's `DimLevelType`s, without `DIM_`.
pub(super) const LEVELS: [&str; 4] = ["DENSE", "COMPRESSED", "SINGLETON", "LOOSE_COMPRESSED"];

fn array(value: &Value) -> Result<&Vec<Value>, String> {
    value.as_array().ok_or(format!("{value} is no list"))
}

fn flags(value: &Value) -> Result<Vec<bool>, String> {
    let flags = array(value)?
        .iter()
        .map(Value::as_bool)
        .collect::<Option<_>>();
    flags.ok_or(format!("{value} is no list of true and false"))
}

fn list(fields: &Map<String, Value>, name: &str) -> Result<Vec<i64>, String> {
    let Some(value) = fields.get(name) else {
        return Ok(Vec::new());
    };
    let numbers = array(value)?
        .iter()
        .map(Value::as_i64)
        .collect::<Option<_>>();
    numbers.ok_or(format!("`{name}` is no list of numbers, but {value}"))
}

fn type_number(value: &Value) -> Result<i32, String> {
    let name = value.as_str().unwrap_or("").to_ascii_lowercase();
    named_type(&name).ok_or(format!("there is no type {value}"))
}

/// The number of a type by its name in XLA's enum, lowercased.
pub(super) fn named_type(name: &str) -> Option<i32> {
    let name = if name == "opaque_type" {
        "opaque"
    } else {
        name
    };
    ElementType::all()
        .find(|t| t.name() == name)
        .map(|t| t.number().into())
}
