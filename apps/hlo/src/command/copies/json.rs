//! The answer as JSON.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Write};

use crate::copies::{
    Change, Constrained, Constraint, Copy, Cure, Entry, Every, Found, Kind, Rewrite,
};
use crate::layout;
use serde::Serialize;
use serde::Serializer;
use serde::ser::SerializeMap;
use serde_json::{Value, json};

use super::super::json::Listed;
use super::relayout;
use xlayout_command::json::number;

pub(in super::super) fn write(
    out: &mut dyn Write,
    bandwidth: Option<u64>,
    every: &[Every],
) -> io::Result<()> {
    let all: Vec<&Found> = every.iter().map(|one| &one.found).collect();
    // For other compilers no advice is verified.
    let found = all.iter().filter(|found| found.is_verified);
    let (mut cures, mut constraints, mut rewrites) = (Vec::new(), Vec::new(), Vec::new());
    for found in found {
        cures.extend(found.cures.iter().flat_map(|one| cure(found, one)));
        constraints.extend((found.constraints.iter()).flat_map(|one| constraint(found, one)));
        rewrites.extend(found.rewrites.iter().map(|one| rewrite(found, one)));
    }
    // Plans are cached, because many copies have the same layouts.
    let plans: RefCell<HashMap<(String, String), Option<String>>> = RefCell::default();
    let planned = |copy: Copy| {
        let relayout = (copy.kind == Kind::Layout).then(|| {
            let shapes = (copy.from_shape.clone(), copy.to_shape.clone());
            let mut plans = plans.borrow_mut();
            let plan = plans.entry(shapes);
            (plan.or_insert_with_key(|(from, to)| relayout(from, to))).clone()
        });
        Planned {
            relayout,
            ..Planned::new(copy, bandwidth)
        }
    };
    let copies = || every.iter().flat_map(Every::copies).map(&planned);
    let modules = || all.iter().map(|one| module(one, bandwidth));
    let mut serializer = serde_json::Serializer::pretty(&mut *out);
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("copies", &Listed(copies))?;
    map.serialize_entry("cures", &cures)?;
    map.serialize_entry("constraints", &constraints)?;
    map.serialize_entry("rewrites", &rewrites)?;
    map.serialize_entry("modules", &Listed(modules))?;
    SerializeMap::end(map)?;
    writeln!(out)
}

/// A copy, and its relayout plan if it changes the layout.
#[derive(Serialize)]
pub(super) struct Planned {
    #[serde(flatten)]
    copy: Copy,
    #[serde(skip_serializing_if = "Option::is_none")]
    relayout: Option<Option<String>>,
    /// The least and the greatest time.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<(f64, Option<f64>)>,
}

impl Planned {
    pub(super) fn new(copy: Copy, bandwidth: Option<u64>) -> Self {
        Self {
            relayout: None,
            seconds: bandwidth.map(|bandwidth| copy.traffic.seconds(bandwidth)),
            copy,
        }
    }
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
            "layout": layout(&change.then.to_string()),
            "layout_now": layout(&change.now.to_string()),
            "major_to_minor": change.order,
            "removes": cure.removes,
            "may_remove": cure.may_remove,
            "changes_together": cure.changes.len(),
            "removed_bytes": number(cure.saved),
            "fetched_bytes": number(cure.fetched),
            "bytes_before": number(change.bytes.0),
            "bytes_after": number(change.bytes.1),
            "padding_before": number(change.padding.0),
            "padding_after": number(change.padding.1),
            "may_not_pay": cure.doubt.as_ref().map(|doubt| doubt.words(|bytes| format!("{bytes} bytes"))),
            "paste": cure.paste,
        })
    };
    cure.changes.iter().map(one).collect()
}

fn rewrite(found: &Found, rewrite: &Rewrite) -> Value {
    json!({
        "file": found.file,
        "module": found.module,
        "removes": rewrite.removes,
        "removed_bytes": number(rewrite.saved),
        "because": rewrite.words,
        "paste": rewrite.paste,
    })
}

fn constraint(found: &Found, constraint: &Constraint) -> Vec<Value> {
    let one = |value: &Constrained| {
        json!({
            "file": found.file,
            "module": found.module,
            "instruction": value.instruction,
            "op_name": value.op_name,
            "source": value.source,
            "shape": value.then.to_string(),
            "layout": layout(&value.then.to_string()),
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

fn module(found: &Found, bandwidth: Option<u64>) -> Value {
    let sums = &found.sums;
    let (copies, bytes) = sums.all();
    let mut module = json!({
        "file": found.file,
        "module": found.module,
        "copies": copies,
        "bytes": number(bytes),
        "moves_between_spaces": sums.moved,
        "moved_bytes": number(sums.moved_bytes),
        "without_layout": found.without_layout,
        "hidden": sums.hidden,
        "traffic": sums.traffic,
        "paste": found.paste,
    });
    if let Some(bandwidth) = bandwidth {
        module["seconds"] = json!(sums.traffic.seconds(bandwidth));
    }
    module
}
