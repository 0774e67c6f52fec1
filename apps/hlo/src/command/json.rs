//! The answer as JSON.

use std::io::{self, Write};
use std::sync::Arc;

use crate::advice::{self, Change};
use crate::group::{self, Group};
use crate::tally::text;
use crate::{Array, Bytes, EntryArray, FirstLine, Tally};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Value, json};
use xlayout::ArrayShape;

use super::arguments::{By, Sort};
use super::arrays::Asked;
use super::listed::{Listed, OfFile};
use super::oom;
use xlayout_command::json::{self, with};
use xlayout_words::number;

/// The most rows that get advice: computing it takes longer than counting.
pub(crate) const MOST_ADVISED: usize = 10_000;

pub(crate) fn write(out: &mut dyn Write, (arguments, findings): Asked<'_>) -> io::Result<()> {
    let tally = &findings.tally;
    let total: Bytes = tally.counted().map(Array::total).sum();
    let in_entry: Bytes = tally.counted().map(Array::total_in_entry).sum();
    let arrays = group::arrays(tally, arguments.sort.key());
    let row_count = arrays.len().min(arguments.common.all_rows());
    let by_layout = findings.groups(By::Layout, Sort::Allocated);
    let by_type = findings.groups(By::Type, Sort::Allocated);
    let mut by_space = findings.groups(By::Space, Sort::Allocated);
    // The name of a memory space is its number.
    by_space.sort_by_key(|space| space.name.parse::<i8>().ok());
    let modules = &findings.modules;
    let counted = json!({
        "what": "results of instructions, each array of a tuple by itself, that have a layout in the text",
        "computations": if findings.scope.entry { "entry" } else { "all" },
        "views": findings.scope.views,
    });
    let without_layout = json!({
        "count": json::number(tally.without_layout.count),
        "logical_bytes": json::number(tally.without_layout.logical),
    });

    // Each list is a closure that makes its items when they are written.
    let files = || {
        findings
            .files
            .iter()
            .map(|(file, extent)| OfFile::new(file, extent))
    };
    let rows = || {
        let numbered = arrays[..row_count].iter().enumerate();
        numbered.map(|(place, array)| Row::new(array, place < MOST_ADVISED))
    };
    let layouts = || by_layout.iter().map(|group| group_of(group, "layout"));
    let types = || by_type.iter().map(|group| group_of(group, "element_type"));
    let spaces = || by_space.iter().map(|group| group_of(group, "memory_space"));
    let entries = || {
        modules
            .all
            .iter()
            .map(|module| OfFile::new(&module.file, EntryLayouts::new(module, tally)))
    };
    let mistakes = || {
        findings
            .mistakes
            .kept
            .iter()
            .map(|(file, mistake)| OfFile::new(file, mistake))
    };

    let mut serializer = serde_json::Serializer::pretty(&mut *out);
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("files", &Listed(files))?;
    map.serialize_entry("counted", &counted)?;
    map.serialize_entry("totals", &Totals::new(total, arrays.len() as u64))?;
    map.serialize_entry("totals_in_entry", &Padded::new(in_entry))?;
    map.serialize_entry("arrays", &Listed(rows))?;
    map.serialize_entry("layouts", &Listed(layouts))?;
    map.serialize_entry("element_types", &Listed(types))?;
    map.serialize_entry("memory_spaces", &Listed(spaces))?;
    map.serialize_entry("modules", &modules.count)?;
    map.serialize_entry("entry", &Listed(entries))?;
    map.serialize_entry("entry_left_out", &modules.left_out)?;
    map.serialize_entry("without_layout", &without_layout)?;
    map.serialize_entry("without_size", &tally.without_size)?;
    map.serialize_entry("mistakes", &Listed(mistakes))?;
    map.serialize_entry("mistakes_in_all", &findings.mistakes.count)?;
    if !findings.reports.is_empty() {
        map.serialize_entry("out_of_memory", &oom::of_files(&findings.reports))?;
    }
    SerializeMap::end(map)?;
    writeln!(out)
}

/// A distinct array, and a layout that takes less memory.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    #[serde(flatten)]
    array: &'a Array,
    #[serde(serialize_with = "number")]
    total_logical_bytes: u128,
    #[serde(serialize_with = "number")]
    total_allocated_bytes: u128,
    #[serde(serialize_with = "number")]
    total_padding_bytes: u128,
    memory_space: i8,
    better: Option<Saving>,
}

/// What another layout saves.
#[derive(Serialize)]
struct Saving {
    #[serde(serialize_with = "text")]
    shape: Arc<ArrayShape>,
    change: Change,
    allocated_bytes: u64,
    saved_bytes: u64,
    #[serde(serialize_with = "number")]
    total_saved_bytes: u128,
}

impl<'a> Row<'a> {
    pub(super) fn new(array: &'a Array, is_advised: bool) -> Self {
        let total = array.total();
        let better = is_advised.then(|| advice::better(&array.array)).flatten();
        Self {
            array,
            total_logical_bytes: total.logical,
            total_allocated_bytes: total.allocated,
            total_padding_bytes: total.padding(),
            memory_space: array.memory_space,
            better: better.map(|better| {
                let saved = array.allocated.saturating_sub(better.allocated_bytes);
                Saving {
                    shape: better.shape,
                    change: better.change,
                    allocated_bytes: better.allocated_bytes,
                    saved_bytes: saved,
                    total_saved_bytes: u128::from(saved) * u128::from(array.count),
                }
            }),
        }
    }
}

/// The layouts of the entry computation of a module.
#[derive(Serialize)]
struct EntryLayouts<'a> {
    #[serde(flatten)]
    module: &'a FirstLine,
    parameters: Vec<ShownArray<'a>>,
    results: Vec<ShownArray<'a>>,
}

/// An array of a parameter or of the result.
#[derive(Serialize)]
struct ShownArray<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<u32>,
    index: &'a [u32],
    shape: Option<&'a str>,
    logical_bytes: Option<u64>,
    allocated_bytes: Option<u64>,
}

impl<'a> EntryLayouts<'a> {
    fn new(module: &'a FirstLine, tally: &'a Tally) -> Self {
        let part = |found: &'a EntryArray| {
            let array = tally.arrays.get(found.array as usize);
            ShownArray {
                parameter: None,
                index: &found.index,
                shape: array.map(|array| &*array.shape),
                logical_bytes: array.map(|array| array.logical),
                allocated_bytes: array.map(|array| array.allocated),
            }
        };
        let part_of_parameter = |found: &'a EntryArray| ShownArray {
            parameter: Some(found.number),
            ..part(found)
        };
        Self {
            module,
            parameters: module.parameters.iter().map(part_of_parameter).collect(),
            results: module.results.iter().map(part).collect(),
        }
    }
}

/// The bytes of arrays that have something in common, and how many of the arrays are distinct.
#[derive(Serialize)]
pub(super) struct Totals {
    distinct: u64,
    #[serde(flatten)]
    sum: Padded,
}

/// Bytes of several arrays, with their padding.
#[derive(Serialize)]
struct Padded {
    #[serde(flatten)]
    bytes: Bytes,
    #[serde(serialize_with = "number")]
    padding_bytes: u128,
}

impl Padded {
    fn new(bytes: Bytes) -> Self {
        Self {
            bytes,
            padding_bytes: bytes.padding(),
        }
    }
}

impl Totals {
    pub(super) fn new(bytes: Bytes, distinct: u64) -> Self {
        Self {
            distinct,
            sum: Padded::new(bytes),
        }
    }
}

/// A group: its name, under the key that says what the name is, and its sums.
fn group_of(group: &Group, key: &str) -> Value {
    // Memory spaces are numbers.
    let name = match group.name.parse::<i8>() {
        Ok(space) => json!(space),
        Err(_) => json!(group.name),
    };
    let totals = Totals::new(group.bytes, group.distinct);
    with(json!({ key: name }), json!(totals))
}
