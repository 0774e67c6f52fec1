//! The answer as JSON.

use std::io::Write;

use serde_json::{Value, json};
use xlayout::{ArrayLayout, DynLayout};

use super::Diff;
use super::change::{Kind, Matching};
use super::report::{same_bytes, same_shape};
use crate::failure::Outcome;
use xlayout_hlo::logical_bytes;

pub(super) const KEYS: [(&str, &str); 8] = [
    (
        "a, b",
        "shape, elements, places, logical_bytes, allocated_bytes, padding_bytes of each",
    ),
    ("equal", "Whether the exit code is 0"),
    (
        "same_logical_shape, same_element_type, same_bytes",
        "Whether the dimensions, the types, the places of all elements are the same",
    ),
    (
        "differences",
        "Each with the bytes of the texts of a and b that it is about, or null",
    ),
    (
        "change, words, permutation",
        "equal, bitcast, copy, transpose, reshape, convert or different; of a transpose the permutation, else null",
    ),
    (
        "no_bitcast",
        "Why one cannot be taken for the other; null where it can",
    ),
    (
        "relayout",
        "The copies, each with plan, read_bytes, written_bytes, fetched_bytes, total_bytes; fetched are those of the destination that are read before they are written",
    ),
    (
        "no_relayout",
        "Why there is none, where elements would move; else null",
    ),
];

fn array(layout: &DynLayout) -> Value {
    json!({
        "shape": layout.to_string(),
        "elements": layout.elements(),
        "places": layout.buffer_len(),
        "logical_bytes": logical_bytes(layout),
        "allocated_bytes": layout.bytes(),
        "padding_bytes": (layout.bytes() as u64).saturating_sub(logical_bytes(layout)),
    })
}

pub(super) fn write(diff: &Diff, out: &mut dyn Write) -> Outcome {
    let change = &diff.change;
    let differences: Vec<Value> = diff
        .marks
        .iter()
        .map(|mark| {
            let span = |place: &Option<std::ops::Range<usize>>| {
                place.as_ref().map(|place| [place.start, place.end])
            };
            json!({"difference": mark.words, "span_a": span(&mark.a), "span_b": span(&mark.b)})
        })
        .collect();
    let permutation = match &change.matching {
        Matching::Permuted(permutation) => json!(permutation),
        _ => Value::Null,
    };
    let relayout: Vec<Value> = change
        .plans
        .iter()
        .map(|plan| {
            let traffic = plan.traffic();
            json!({
                "plan": plan.to_string(),
                "read_bytes": traffic.read,
                "written_bytes": traffic.written,
                "fetched_bytes": traffic.fetched,
                "total_bytes": traffic.total(),
            })
        })
        .collect();
    let answer = json!({
        "a": array(&diff.a.layout),
        "b": array(&diff.b.layout),
        "equal": change.kind == Kind::Equal,
        "same_logical_shape": same_shape(diff),
        "same_element_type": diff.a.layout.element_type() == diff.b.layout.element_type(),
        "same_bytes": same_bytes(change),
        "differences": differences,
        "change": change.kind.name(),
        "words": change.words,
        "permutation": permutation,
        "no_bitcast": change.obstacle.map(|obstacle| obstacle.to_string()),
        "relayout": relayout,
        "no_relayout": change.no_plan,
    });
    serde_json::to_writer_pretty(&mut *out, &answer).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
