//! Ops on layouts alone, tiles and padding.

use serde_json::{Value, json};
use xlayout::error::Attribute;
use xlayout::{
    ArrayLayout, ArrayShape, DynLayout, ErrorKind, Layout, MinorToMajor, PackedViewMut,
    PrimitiveType, TileDim, Tiles,
};
use xlayout_xla::Compare;
use xlayout_xla::layout_util;

use super::Check;
use super::fields::{Fields, same};
use super::unit::{Answer, layout, small};

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A layout by its fields, as in XLA's proto: 0 or nothing is "as by default".
fn layout_of(fields: &Fields<'_>) -> Result<Layout, String> {
    let order = MinorToMajor::new(&fields.numbers("minor_to_major")?).map_err(said)?;
    let mut layout = Layout::new(order);
    for (name, value) in fields.0 {
        let number = || fields.number(name);
        match name.as_str() {
            "minor_to_major" => {}
            "tiles" => {
                for tile in fields.list(name)? {
                    layout.tiles.push(&tile_of(tile)?).map_err(said)?;
                }
            }
            "tail_padding_alignment_in_elements" => {
                layout.tail_padding_alignment_in_elements = match number()? {
                    0 => 1,
                    n @ ..0 => return Err(format!("the tail padding alignment {n} is negative")),
                    n => n,
                }
            }
            "element_size_in_bits" => layout.element_size_in_bits = number()?,
            "memory_space" => layout.memory_space = i8::try_from(number()?).map_err(said)?,
            "dynamic_shape_metadata_prefix_bytes" => {
                layout.dynamic_shape_metadata_prefix_bytes = number()?;
            }
            "split_configs" => {
                for split in fields.list(name)? {
                    let split = split
                        .as_object()
                        .map(Fields)
                        .ok_or("a split is no object")?;
                    let at = split.numbers("split_indices")?;
                    layout
                        .split_configs
                        .push(split.number("dimension")?, &at)
                        .map_err(said)?;
                }
            }
            "index_primitive_type" => layout.index_primitive_type = type_of(value)?,
            "pointer_primitive_type" => layout.pointer_primitive_type = type_of(value)?,
            // See `sparse`.
            "dim_level_types" | "dim_unique" | "dim_ordered" | "physical_shape" => {}
            _ => return Err(format!("the field `{name}` of a layout is not known")),
        }
    }
    Ok(layout)
}

fn type_of(value: &Value) -> Result<Option<PrimitiveType>, String> {
    let name = value
        .as_str()
        .ok_or("a type is no text")?
        .to_ascii_lowercase();
    PrimitiveType::from_name(&name)
        .map(Some)
        .ok_or_else(|| format!("there is no type `{name}`"))
}

/// Sizes, and `*`. XLA's number for `*` is negative; other negative ones are refused.
fn tile_of(tile: &Value) -> Result<Vec<TileDim>, String> {
    let entry = |entry: &Value| match (entry.as_str(), entry.as_i64()) {
        (Some("*"), _) => Ok(TileDim::Combine),
        (_, Some(n @ 0..)) => Ok(TileDim::Size(n)),
        _ => Err(format!("{entry} is no entry of a tile")),
    };
    tile.as_array()
        .ok_or("a tile is no list")?
        .iter()
        .map(entry)
        .collect()
}

/// The layout of a case: its text under `layout`, its fields under `layout_fields` or alone.
fn given(input: &Fields<'_>) -> Result<Layout, String> {
    if input.get("layout").is_some() {
        layout(input.text("layout")?)
    } else if input.get("layout_fields").is_some() {
        layout_of(&input.object("layout_fields")?)
    } else {
        layout_of(input)
    }
}

pub(super) fn of_fields(input: &Fields<'_>) -> Answer {
    Ok(json!(given(input)?.to_string()))
}

pub(super) fn delete_dimension(input: &Fields<'_>) -> Answer {
    let mut layout = given(input)?;
    let dimension = input.number("dim")?;
    let number = usize::try_from(dimension).unwrap_or(usize::MAX);
    layout_util::delete_dimension(&mut layout, number).map_err(said)?;
    Ok(json!(layout.to_string()))
}

pub(super) fn equal(input: &Fields<'_>) -> Answer {
    let mut equal = Compare::new();
    for ignored in input.list("ignore")? {
        equal = match ignored.as_str() {
            Some("tiles") => equal.ignore_tiles(),
            Some("tail_padding_alignment" | "tail_padding_alignment_in_elements") => {
                equal.ignore_tail_padding_alignment_in_elements()
            }
            Some("index_primitive_type") => equal.ignore_index_primitive_type(),
            Some("pointer_primitive_type") => equal.ignore_pointer_primitive_type(),
            Some("element_size" | "element_size_in_bits") => equal.ignore_element_size(),
            Some("memory_space") => equal.ignore_memory_space(),
            Some("split_configs" | "split_config") => equal.ignore_split_configs(),
            // There is none to ignore.
            Some("physical_shape") => equal,
            Some("minor_to_major_only") => equal.minor_to_major_only(),
            _ => return Err(format!("{ignored} cannot be ignored")),
        };
    }
    let (lhs, rhs) = (layout(input.text("lhs")?)?, layout(input.text("rhs")?)?);
    same(
        "the other way round",
        equal.equal(&lhs, &rhs),
        equal.equal(&rhs, &lhs),
    )?;
    Ok(json!(equal.equal(&lhs, &rhs)))
}

pub(super) fn tile_to_string(input: &Fields<'_>) -> Answer {
    let tile = tile_of(input.value("tile")?)?;
    Ok(json!(
        Tiles::from_tiles(&[&tile]).map_err(said)?.to_string()
    ))
}

/// What lies at each place: the elements, and the padding value elsewhere.
pub(super) fn padded_physical_order(input: &Fields<'_>) -> Answer {
    let mut shape = ArrayShape::new(PrimitiveType::U8, &input.numbers("dims")?).map_err(said)?;
    if let Some(layout) = &mut shape.layout {
        layout.minor_to_major =
            MinorToMajor::new(&input.numbers("minor_to_major")?).map_err(said)?;
        for width in input.numbers("padded_dimensions")? {
            layout.padded_dimensions.try_push(width).map_err(said)?;
        }
    }
    let layout = DynLayout::new(shape).map_err(said)?;
    let padding = input.value("padding_value")?.clone();
    memory(&layout, input.list("elements_row_major")?, padding)
}

/// What lies at each place: the elements, given in row-major order, and `padding` elsewhere.
pub(super) fn memory(layout: &DynLayout, elements: &[Value], padding: Value) -> Answer {
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
    let (bits, values) = (input.number("bits")?, input.numbers("values")?);
    let text = format!("u{bits}[{}]{{0:E({bits})}}", values.len());
    let layout: DynLayout = text.parse().map_err(|error| format!("`{text}`: {error}"))?;
    let mut bytes = vec![0; layout.bytes()];
    let mut packed = PackedViewMut::new(&mut bytes[..], layout).map_err(said)?;
    for (i, value) in values.iter().enumerate() {
        // Only the low bits count, whatever the sign.
        let written = packed.set(&[i].into(), (value & 0xff) as u8);
        same(&format!("element {i} is in bounds"), true, written)?;
    }
    Ok(json!(bytes))
}

/// Whether a layout of the case is one of the sparse ones, which XLA had until 2025. Levels that
/// are all dense say nothing.
pub(super) fn is_sparse(input: &Fields<'_>) -> bool {
    let fields = input.object("layout_fields").unwrap_or(*input);
    let has = |name, usual: &Value| {
        let list = fields.get(name).and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|item| item != usual))
    };
    fields.get("physical_shape").is_some()
        || has("dim_level_types", &json!("DENSE"))
        || has("dim_unique", &json!(true))
        || has("dim_ordered", &json!(true))
}

/// A sparse layout cannot be made here: [`Layout`] has no such fields, as XLA's class has none any
/// more. All that is left of it is its text, which must be refused in words of its own, and not as
/// some letter that nobody knows. This is what passes such a case, whatever its op.
pub(super) fn sparse(op: &str, input: &Fields<'_>, expected: &Value) -> Check {
    let text = sparse_text(&input.object("layout_fields").unwrap_or(*input))?;
    if op == "layout_to_string" {
        same(
            "the text of a sparse layout",
            expected.as_str(),
            Some(&text),
        )?;
    }
    for (notation, read) in [
        ("XLA's", Layout::read_xla(&text)),
        ("the extended", text.parse()),
    ] {
        match read {
            Ok(layout) => {
                return Err(format!(
                    "{op}: `{text}`: expected to be refused as sparse, found {layout}"
                ));
            }
            Err(error) if !matches!(error.kind(), ErrorKind::Sparse { .. }) => {
                return Err(format!(
                    "{op}: `{text}`: expected to be refused as sparse in {notation} notation, found \
                     the error: {error}",
                ));
            }
            Err(_) => {}
        }
    }
    Ok(())
}

/// The text that XLA printed for a sparse layout (`Layout::Print` until 2025).
fn sparse_text(fields: &Fields<'_>) -> Result<String, String> {
    let list = |name: &str| match fields.get(name) {
        Some(_) => fields.list(name),
        None => Ok(&[][..]),
    };
    let (levels, unique, ordered) = (
        list("dim_level_types")?,
        list("dim_unique")?,
        list("dim_ordered")?,
    );
    let mut text = String::new();
    let count = levels.len().max(unique.len()).max(ordered.len());
    if count > 0 {
        let mut of_dimensions = Vec::new();
        for k in 0..count {
            let level = match levels.get(k).and_then(Value::as_str) {
                Some("DENSE") | None => "D",
                Some("COMPRESSED") => "C",
                Some("SINGLETON") => "S",
                Some("LOOSE_COMPRESSED") => "H",
                Some(other) => return Err(format!("the level `{other}` is not known")),
            };
            let mark = |list: &[Value], mark| {
                if list.get(k) == Some(&json!(false)) {
                    mark
                } else {
                    ""
                }
            };
            of_dimensions.push(format!(
                "{level}{}{}",
                mark(unique, "+"),
                mark(ordered, "~")
            ));
        }
        text += &format!("{}({})", Attribute::Levels.name(), of_dimensions.join(","));
    }
    // The attributes that are left: the levels come before all of them, the physical shape
    // before the last one, `M`.
    let rest = layout_of(fields)?.to_string();
    let rest = rest.trim_end_matches('}');
    let (order, attributes) = rest.split_once(':').unwrap_or((rest, ""));
    let metadata = attributes
        .find(Attribute::Metadata.name())
        .unwrap_or(attributes.len());
    let (before, after) = attributes.split_at(metadata);
    text += before;
    if fields.get("physical_shape").is_some() {
        text += &format!(
            "{}({})",
            Attribute::PhysicalShape.name(),
            fields.text("physical_shape")?
        );
    }
    Ok(format!("{order}:{text}{after}}}"))
}
