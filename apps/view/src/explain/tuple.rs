//! Tuples and other shapes that are not arrays. Their arrays are explained one by one.

use serde_json::{Value, json};
use xlayout::DynLayout;
use xlayout::shape::{Shape, ShapeIndex};

use super::text;
use crate::json::{number, with};
use crate::memory::Bytes;
use crate::read::Leaf;
use crate::section::Section;
use crate::table::{self, Table, Text};
use crate::words::{bytes, counted, exact_bytes, percent, shortened};

/// The bytes of all arrays.
fn total(leaves: &[Leaf]) -> Bytes {
    let arrays = leaves.iter().filter_map(|leaf| leaf.1.as_ref());
    arrays.map(Bytes::of).sum()
}

/// A table of all members, and each array after it.
pub(super) fn explain(out: &mut Text, shape: &Shape, leaves: &[Leaf]) {
    let title = table::HEADER;
    writeln!(out, "{title}{shape}{title:#}");
    whole(shape, leaves).write(out);
    for (path, array) in explained(leaves) {
        write!(out, "\n{title}{path}{title:#} ");
        text::array(out, array);
    }
}

/// The same in parts.
pub(super) fn sections(shape: &Shape, leaves: &[Leaf]) -> Vec<(String, Vec<Section>)> {
    let mut all = vec![(shape.to_string(), vec![whole(shape, leaves)])];
    let arrays = explained(leaves);
    all.extend(arrays.map(|(path, array)| (format!("{path} {array}"), text::sections(array))));
    all
}

/// The arrays that are explained: all or none.
fn explained(leaves: &[Leaf]) -> impl Iterator<Item = (&ShapeIndex, &DynLayout)> {
    let arrays = leaves
        .iter()
        .filter_map(|(path, array)| Some((path, array.as_ref()?)));
    let are_few = arrays.clone().count() <= MANY;
    arrays.filter(move |_| are_few)
}

/// What it is, its memory, and its members.
fn whole(shape: &Shape, leaves: &[Leaf]) -> Section {
    let arrays = leaves.iter().filter(|leaf| leaf.1.is_some()).count();
    let Bytes { logical, allocated } = total(leaves);
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
        _ => [allocated, logical]
            .map(exact_bytes)
            .join(" allocated for "),
    };
    let mut section = Section::default().sentence(format!("{what}: {memory}."));
    if arrays > 1 {
        section = section.gap().table(members(leaves));
    }
    if arrays > MANY {
        section = section.note("Explain one of these arrays to see more of it.");
    }
    section
}

/// The most arrays of a tuple that are explained. If there are more, only a table is written.
const MANY: usize = 8;

fn members(leaves: &[Leaf]) -> Table {
    let mut table = Table::with_header("member|shape|>allocated|>padding");
    for (path, array) in leaves {
        let Some(array) = array else {
            table.row([path.to_string(), "no array".to_owned()]);
            continue;
        };
        let memory = Bytes::of(array);
        table.row([
            path.to_string(),
            shortened(&array.to_string(), 48),
            bytes(memory.allocated),
            percent(memory.padding(), memory.allocated),
        ]);
    }
    table
}

/// All arrays in a list.
pub(super) fn json(shape: &Shape, leaves: &[Leaf]) -> Value {
    let memory = total(leaves);
    let arrays = leaves.iter().filter_map(|(path, array)| {
        let place = json!({"shape_index": path[..]});
        Some(with(place, super::json::array(array.as_ref()?, &[])))
    });
    json!({
        "shape": shape.to_string(),
        "logical_bytes": number(memory.logical),
        "allocated_bytes": number(memory.allocated),
        "padding_bytes": number(memory.padding()),
        "arrays": arrays.collect::<Value>(),
    })
}
