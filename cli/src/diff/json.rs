//! The answer as JSON.

use std::io::Write;

use serde_json::{Value, json};
use xlayout::{Dyn, LaidOut};

use super::Diff;
use super::change::{Kind, Matching};
use super::report::{same_bytes, same_shape};
use crate::failure::Outcome;

fn array(layout: &Dyn) -> Value {
    let logical_bits = layout.elements() as u128 * layout.element_bits() as u128;
    json!({
        "shape": layout.to_string(),
        "elements": layout.elements(),
        "places": layout.places(),
        "padding": layout.padding(),
        // It is not above the allocated bytes.
        "logical_bytes": logical_bits.div_ceil(8) as u64,
        "allocated_bytes": layout.bytes(),
        "waste": layout.waste(),
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
        "relayout": relayout,
        "no_relayout": change.no_plan,
    });
    serde_json::to_writer_pretty(&mut *out, &answer).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
