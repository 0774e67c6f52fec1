//! Tuples and what else is no array: its arrays are explained one by one.

use std::io::Write;

use serde_json::{Map, Value, json};
use xlayout::shape::{Shape, ShapeIndex};
use xlayout::xla::shape_util::leaf_shapes;
use xlayout::{ArrayLayout, DynLayout};

use super::text;
use crate::failure::Outcome;
use crate::shape;
use crate::table::{self, Table};
use crate::words::{bytes, counted, exact_bytes, percent, shortened};

/// A member that is not a tuple: its place in the tuple, and the array that it is.
pub(super) type Leaf = (ShapeIndex, Option<DynLayout>);

/// The members that are not tuples, each with its path; arrays are lowered.
pub(super) fn leaves(shape: &Shape, text: &str) -> Outcome<Vec<Leaf>> {
    let leaf = |(path, leaf): (ShapeIndex, &Shape)| {
        let array = leaf.as_array_or_buffer().map(|array| {
            let lowered = DynLayout::new(array.clone());
            lowered.map_err(|layout_error| shape::of_layout_error(&layout_error, "SHAPE", text))
        });
        Ok((path, array.transpose()?))
    };
    leaf_shapes(shape).map(leaf).collect()
}

fn logical_bytes(array: &DynLayout) -> u128 {
    xlayout_hlo::logical_bytes(array).into()
}

fn total(leaves: &[Leaf], of: impl Fn(&DynLayout) -> u128) -> u128 {
    leaves
        .iter()
        .filter_map(|leaf| leaf.1.as_ref())
        .map(of)
        .sum()
}

/// A table of all members, and each array after it.
pub(super) fn explain(out: &mut dyn Write, shape: &Shape, leaves: &[Leaf]) -> std::io::Result<()> {
    let arrays = leaves.iter().filter(|leaf| leaf.1.is_some()).count();
    let logical = total(leaves, logical_bytes);
    let allocated = total(leaves, |array| array.bytes() as u128);
    let title = table::HEADER;
    writeln!(out, "{title}{shape}{title:#}")?;
    let what = match shape {
        Shape::Tuple(members) => format!(
            "A tuple of {}, with {} in all",
            counted(members.len(), "member"),
            counted(arrays, "array"),
        ),
        Shape::Token => "A token, which makes side effects happen one after the other".to_owned(),
        Shape::Opaque => "An opaque value, which only the device understands".to_owned(),
        _ => "A buffer, which holds one array".to_owned(),
    };
    let memory = match arrays {
        0 => "no memory of its own".to_owned(),
        _ if logical == allocated => exact_bytes(allocated),
        _ => format!(
            "{} allocated for {}",
            exact_bytes(allocated),
            exact_bytes(logical)
        ),
    };
    writeln!(out, "  {}", table::wrap(&format!("{what}: {memory}."), 2))?;
    if arrays > 1 {
        writeln!(out)?;
        members(leaves).write(out, 2)?;
    }
    if arrays > MANY {
        let how = "Explain one of these arrays to see more of it.";
        return writeln!(out, "  {}{how}{:#}", table::DIM, table::DIM);
    }
    for (path, array) in leaves {
        if let Some(array) = array {
            write!(out, "\n{title}{path}{title:#} ")?;
            text::array(out, array)?;
        }
    }
    Ok(())
}

/// So many arrays of a tuple are explained; of more there is a table only.
const MANY: usize = 8;

fn members(leaves: &[Leaf]) -> Table {
    use table::Side::{Left, Right};
    let mut table = Table::with_header(&[
        ("member", Left),
        ("shape", Left),
        ("allocated", Right),
        ("padding", Right),
    ]);
    for (path, array) in leaves {
        let Some(array) = array else {
            table.row([path.to_string(), "no array".to_owned()]);
            continue;
        };
        let allocated = array.bytes() as u128;
        let wasted = allocated.saturating_sub(logical_bytes(array));
        table.row([
            path.to_string(),
            shortened(&array.to_string(), 48),
            bytes(allocated),
            percent(wasted, allocated),
        ]);
    }
    table
}

/// All arrays in a list.
pub(super) fn json(shape: &Shape, leaves: &[Leaf]) -> Map<String, Value> {
    let number = |n: u128| u64::try_from(n).ok();
    let mut object = Map::new();
    let (logical, allocated) = (
        total(leaves, logical_bytes),
        total(leaves, |array| array.bytes() as u128),
    );
    object.insert("shape".to_owned(), json!(shape.to_string()));
    object.insert("logical_bytes".to_owned(), json!(number(logical)));
    object.insert("allocated_bytes".to_owned(), json!(number(allocated)));
    let padding = allocated.saturating_sub(logical);
    object.insert("padding_bytes".to_owned(), json!(number(padding)));
    let arrays = leaves.iter().filter_map(|(path, array)| {
        let mut object = Map::new();
        object.insert("shape_index".to_owned(), json!(path[..]));
        object.extend(super::json::array(array.as_ref()?, &[]));
        Some(Value::Object(object))
    });
    object.insert("arrays".to_owned(), arrays.collect());
    object
}
