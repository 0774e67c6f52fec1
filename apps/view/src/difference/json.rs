//! The answer as JSON.

use std::ops::Range;

use serde_json::{Value, json};
use xlayout::{ArrayLayout, DynLayout};
use xlayout_relayout::{Machine, PlanOn};

use super::change::{Kind, Matching};
use super::marks::Mark;
use super::report::{same_bytes, same_shape};
use super::{Difference, On};
use crate::json::number;
use crate::memory::Bytes;

fn array(layout: &DynLayout) -> Value {
    let memory = Bytes::of(layout);
    json!({
        "shape": layout.to_string(),
        "elements": layout.elements(),
        "places": layout.buffer_len(),
        "logical_bytes": number(memory.logical),
        "allocated_bytes": number(memory.allocated),
        "padding_bytes": number(memory.padding()),
    })
}

fn difference(mark: &Mark) -> Value {
    let span = |place: &Option<Range<usize>>| place.as_ref().map(|place| [place.start, place.end]);
    json!({"difference": mark.words, "span_a": span(&mark.a), "span_b": span(&mark.b)})
}

fn machine(on: &On) -> Value {
    let Machine {
        second_cache,
        last_cache,
        ..
    } = on.machine();
    let name = match on {
        On::Reference => "reference",
        On::Here => "here",
    };
    json!({
        "name": name,
        "second_cache_bytes": second_cache,
        "last_cache_bytes": last_cache,
    })
}

fn relayout(plan: PlanOn<'_>) -> Value {
    let traffic = plan.traffic();
    json!({
        "plan": plan.to_string(),
        "read_bytes": traffic.read,
        "written_bytes": traffic.written,
        "fetched_bytes": traffic.fetched,
        "total_bytes": traffic.total(),
    })
}

impl Difference {
    pub(super) fn json(&self) -> Value {
        let change = &self.change;
        let permutation = match &change.matching {
            Matching::Permuted(permutation) => Some(permutation),
            _ => None,
        };
        let on = self.on.machine();
        let plans = change.plans.iter().map(|plan| relayout(plan.on(on)));
        json!({
            "a": array(&self.a.layout),
            "b": array(&self.b.layout),
            "equal": change.kind == Kind::Equal,
            "same_logical_shape": same_shape(self),
            "same_element_type": self.a.layout.element_type() == self.b.layout.element_type(),
            "same_bytes": same_bytes(change),
            "differences": self.marks.iter().map(difference).collect::<Value>(),
            "change": change.kind.name(),
            "words": change.words,
            "permutation": permutation,
            "no_bitcast": change.obstacle.map(|obstacle| obstacle.to_string()),
            "machine": machine(&self.on),
            "relayout": plans.collect::<Value>(),
            "no_relayout": change.no_plan,
        })
    }
}
