//! The answer as JSON.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use serde::ser::{SerializeMap, Serializer};
use serde_json::{Value, json};

use super::super::graph::Module;
use super::super::json::{each, number};
use super::super::tally::Tally;
use super::cure::Entry;
use super::relayout;
use super::{Change, Constrained, Constraint, Context, Copy, Cure, Found, Kind, Move, summed};

/// A module of which every copy is written. None is described before, so that a million copies take no more memory than their module.
pub(in super::super) struct Every {
    module: Module,
    tally: Tally,
    moves: Vec<Move>,
    found: Found,
}

impl Every {
    pub(in super::super) fn new(path: &Path, module: Module, tally: &Tally) -> Self {
        let tally = tally.shapes();
        let (found, moves) = summed(path, &Context::new(&module, &tally));
        Self {
            module,
            tally,
            moves,
            found,
        }
    }
}

pub(in super::super) fn write(out: &mut dyn Write, every: &[Every]) -> io::Result<()> {
    let all: Vec<&Found> = every.iter().map(|one| &one.found).collect();
    let contexts: Vec<Context<'_>> = (every.iter())
        .map(|one| Context::new(&one.module, &one.tally))
        .collect();
    let copies: Vec<(usize, &Move)> = (every.iter().enumerate())
        .flat_map(|(k, one)| one.moves.iter().map(move |one| (k, one)))
        .collect();
    // Many copies are of the same layouts.
    let plans: RefCell<HashMap<(usize, u32, u32), Option<String>>> = RefCell::default();
    let planned = |_, &(k, one): &(usize, &Move)| {
        let described = super::copy(&contexts[k], one, true);
        let mut value = copy(&all[k].file, &all[k].module, &described);
        if let (Kind::Layout, Value::Object(map)) = (one.kind, &mut value) {
            let mut plans = plans.borrow_mut();
            let plan = plans
                .entry((k, one.from, one.to))
                .or_insert_with(|| relayout::words(&described.from, &described.to));
            map.insert("relayout".to_owned(), json!(plan));
        }
        value
    };
    let cures: Vec<Value> = all
        .iter()
        .flat_map(|found| found.cures.iter().flat_map(|one| cure(found, one)))
        .collect();
    let constraints: Vec<Value> = all
        .iter()
        .flat_map(|found| (found.constraints.iter()).flat_map(|one| constraint(found, one)))
        .collect();
    let mut serializer = serde_json::Serializer::pretty(&mut *out);
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("copies", &each(&copies, planned))?;
    map.serialize_entry("cures", &cures)?;
    map.serialize_entry("constraints", &constraints)?;
    map.serialize_entry("modules", &each(&all, |_, one| module(one)))?;
    SerializeMap::end(map)?;
    writeln!(out)
}

/// `{1,0:T(8,128)}` of a shape.
pub(crate) fn layout(shape: &str) -> &str {
    shape.find('{').map_or("{}", |at| &shape[at..])
}

pub(crate) fn copy(file: &str, module: &str, copy: &Copy) -> Value {
    json!({
        "file": file,
        "module": module,
        "instruction": copy.instruction,
        "computation": copy.computation,
        "opcode": copy.opcode,
        "from": layout(&copy.from),
        "to": layout(&copy.to),
        "from_shape": copy.from,
        "to_shape": copy.to,
        "bytes_read": number(copy.read),
        "bytes_written": number(copy.written),
        "executions": copy.executions,
        "executions_at_most": copy.at_most,
        "kind": copy.kind.name(),
        "cause": copy.cause,
        "before": copy.before,
        "after": copy.after,
        "producer": copy.producer,
        "consumers": copy.consumers,
        "op_name": copy.op_name,
        "source": copy.source,
        "line": copy.line,
    })
}

fn cure(found: &Found, cure: &Cure) -> Vec<Value> {
    let one = |change: &Change| {
        let (key, index) = match change.entry {
            Entry::Parameter(number) => ("parameter", number),
            Entry::Result(item) => ("result", item.unwrap_or(0)),
        };
        json!({
            "file": found.file,
            "module": found.module,
            key: index,
            "layout": layout(&change.then),
            "layout_now": layout(&change.now),
            "major_to_minor": change.order,
            "removes": cure.removes,
            "may_remove": cure.may_remove,
            "changes_together": cure.changes.len(),
            "removed_bytes": number(cure.saved),
            "bytes_before": number(change.bytes.0),
            "bytes_after": number(change.bytes.1),
            "padding_before": number(change.padding.0),
            "padding_after": number(change.padding.1),
            "paste": cure.paste,
        })
    };
    cure.changes.iter().map(one).collect()
}

fn constraint(found: &Found, constraint: &Constraint) -> Vec<Value> {
    let one = |value: &Constrained| {
        json!({
            "file": found.file,
            "module": found.module,
            "instruction": value.instruction,
            "op_name": value.op_name,
            "source": value.source,
            "shape": value.then,
            "layout": layout(&value.then),
            "major_to_minor": value.order,
            "fixed_by": constraint.by,
            "removes": [constraint.removes],
            "removed_bytes": number(constraint.saved),
            "added_bytes_at_most": number(constraint.added),
            "paste": value.paste,
        })
    };
    constraint.values.iter().map(one).collect()
}

fn module(found: &Found) -> Value {
    json!({
        "file": found.file,
        "module": found.module,
        "copies": found.count,
        "bytes": number(found.bytes),
        "without_layout": found.without_layout,
        "paste": found.paste,
    })
}
