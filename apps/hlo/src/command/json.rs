//! The answer as JSON.

use std::io::{self, Write};
use std::path::Path;

use crate::group::{self, Group};
use crate::{Array, Bytes, EntryArray, Extent, FirstLine, Tally, advice, reread};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::arguments::{By, Sort};
use super::csv::MOST_ADVISED;
use super::{Asked, mistake};
use xlayout_command::json::{number, with};

pub(crate) fn write(out: &mut dyn Write, (arguments, findings): Asked<'_>) -> io::Result<()> {
    let tally = &findings.tally;
    let total: Bytes = tally.counted().map(Array::total).sum();
    let in_entry: Bytes = tally.counted().map(Array::total_in_entry).sum();
    let arrays = group::arrays(tally, arguments.sort.key());
    let rows = arrays.len().min(arguments.common.all_rows());
    let mut spaces = findings.groups(By::Space, Sort::Allocated);
    spaces.sort_by_key(|space| space.name.parse::<i8>().ok());
    let [layouts, types] = [By::Layout, By::Type].map(|by| findings.groups(by, Sort::Allocated));
    let modules = &findings.modules;
    let counted = json!({
        "what": "results of instructions, each array of a tuple by itself, that have a layout in the text",
        "computations": if findings.scope.entry { "entry" } else { "all" },
        "views": findings.scope.views,
    });
    let without_layout = json!({
        "count": number(tally.without_layout.count),
        "logical_bytes": number(tally.without_layout.logical),
    });

    let files = || (findings.files.iter()).map(|(path, extent)| file(path, *extent));
    let rows = || arrays[..rows].iter().enumerate();
    let rows = || rows().map(|(k, one)| array(one, k < MOST_ADVISED));
    let layouts = || layouts.iter().map(|one| group_of(one, "layout"));
    let types = || types.iter().map(|one| group_of(one, "element_type"));
    let spaces = || spaces.iter().map(|one| group_of(one, "memory_space"));
    let entries = || modules.all.iter().map(|module| entry(module, tally));
    let mistakes = || (findings.mistakes.kept.iter()).map(|(file, one)| mistake::json(file, one));

    let mut serializer = serde_json::Serializer::pretty(&mut *out);
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("files", &Listed(files))?;
    map.serialize_entry("counted", &counted)?;
    map.serialize_entry("totals", &totals(total, arrays.len() as u64))?;
    map.serialize_entry("totals_in_entry", &bytes(in_entry))?;
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
    SerializeMap::end(map)?;
    writeln!(out)
}

/// A list whose items are made one at a time, because there may be millions.
pub(super) struct Listed<F>(pub(super) F);

impl<I: Iterator<Item: Serialize>, F: Fn() -> I> Serialize for Listed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

fn file(path: &Path, extent: Extent) -> Value {
    json!({
        "file": path.display().to_string(),
        "bytes": extent.bytes,
        "computations": extent.computations,
        "instructions": extent.instructions,
    })
}

pub(super) fn array(array: &Array, advised: bool) -> Value {
    let total = array.total();
    let better = advised
        .then(|| advice::better(&reread(&array.shape)))
        .flatten();
    json!({
        "shape": &*array.shape,
        "count": array.count,
        "count_in_entry": array.in_entry,
        "logical_bytes": array.logical,
        "allocated_bytes": array.allocated,
        "total_logical_bytes": number(total.logical),
        "total_allocated_bytes": number(total.allocated),
        "total_padding_bytes": number(total.padding()),
        "memory_space": array.memory_space,
        "better": better.map(|better| {
            let saved = array.allocated.saturating_sub(better.allocated_bytes);
            json!({
                "shape": better.shape,
                "change": better.change,
                "allocated_bytes": better.allocated_bytes,
                "saved_bytes": saved,
                "total_saved_bytes": number(u128::from(saved) * u128::from(array.count)),
            })
        }),
    })
}

fn entry(module: &FirstLine, tally: &Tally) -> Value {
    let part = |part: &EntryArray| {
        let array = tally.arrays.get(part.array as usize);
        json!({
            "index": part.index,
            "shape": array.map(|array| &*array.shape),
            "logical_bytes": array.map(|array| array.logical),
            "allocated_bytes": array.map(|array| array.allocated),
        })
    };
    let parameter =
        |parameter: &EntryArray| with(json!({ "parameter": parameter.number }), part(parameter));
    json!({
        "file": module.file.display().to_string(),
        "line": module.line,
        "module": module.name,
        "has_entry_computation_layout": module.has_entry,
        "parameters": module.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "results": module.results.iter().map(part).collect::<Vec<_>>(),
    })
}

fn group_of(group: &Group, name: &str) -> Value {
    // Memory spaces are numbers.
    let key = match group.name.parse::<i8>() {
        Ok(space) => json!(space),
        Err(_) => json!(group.name),
    };
    with(json!({ name: key }), totals(group.bytes, group.distinct))
}

pub(super) fn totals(sum: Bytes, distinct: u64) -> Value {
    with(json!({ "distinct": distinct }), bytes(sum))
}

fn bytes(sum: Bytes) -> Value {
    json!({
        "count": number(sum.count),
        "logical_bytes": number(sum.logical),
        "allocated_bytes": number(sum.allocated),
        "padding_bytes": number(sum.padding()),
    })
}
