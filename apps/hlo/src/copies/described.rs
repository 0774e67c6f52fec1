//! Copies and what removes them, described for people and programs.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use xlayout::{ArrayShape, Layout};

use super::change::{self, Change};
use super::context::Context;
use super::doubt::{self, Doubt};
use super::find::{Kind, Move};
use super::paste::paste;
use super::value::Value;
use super::{Overlap, Traffic, cause, time};
use crate::tally::{layout, text};
use xlayout_words::{number, sum};

/// A copy, with everything that is reported about it.
#[derive(Clone, Debug, Serialize)]
pub struct Copy {
    /// The file of the module.
    pub file: String,
    /// The name of the module.
    pub module: String,
    /// The name of the instruction.
    pub instruction: String,
    /// The computation of this instruction.
    pub computation: String,
    /// Its operation.
    pub opcode: String,
    /// The layout before the copy.
    #[serde(serialize_with = "text")]
    pub from: Layout,
    /// The layout after the copy.
    #[serde(serialize_with = "text")]
    pub to: Layout,
    /// The array that is copied, with its layout.
    #[serde(serialize_with = "text")]
    pub from_shape: Arc<ArrayShape>,
    /// The array that the copy gives.
    #[serde(serialize_with = "text")]
    pub to_shape: Arc<ArrayShape>,
    /// Bytes that one execution reads, with padding.
    #[serde(rename = "bytes_read", serialize_with = "number")]
    pub read: u128,
    /// Bytes that one execution writes, with padding.
    #[serde(rename = "bytes_written", serialize_with = "number")]
    pub written: u128,
    /// How often the copy runs; `None` if a loop runs an unknown number of times.
    pub executions: Option<u64>,
    /// Whether `executions` is an upper bound, because a branch may not be taken or a loop may end
    /// early.
    #[serde(rename = "executions_at_most")]
    pub at_most: bool,
    /// Whether operations that compute run during the copy.
    pub overlap: Overlap,
    /// The bytes of all executions, from which a bandwidth gives a time.
    pub traffic: Traffic,
    /// What the copy changes.
    pub kind: Kind,
    /// The cause of the copy, in words.
    pub cause: String,
    /// What fixes the layout before the copy.
    pub before: Option<String>,
    /// What fixes the layout after the copy.
    pub after: Option<String>,
    /// The instruction whose result is copied.
    pub producer: String,
    /// The instructions that use the copy.
    pub consumers: Vec<String>,
    /// Whether the copy is the result of its computation.
    #[serde(skip)]
    pub is_result: bool,
    /// The name that the program gives to the operation.
    pub op_name: String,
    /// File and line of the program.
    pub source: Option<String>,
    /// The line of the text of the module; `None` from line 2^32 on, and in a binary module.
    pub line: Option<u32>,
}

impl Copy {
    /// Bytes that all executions read and write; those of one execution if the number is unknown.
    pub fn total(&self) -> u128 {
        (self.read + self.written).saturating_mul(self.executions.unwrap_or(1).into())
    }
}

/// Layouts of parameters and results that belong together, and the copies that they remove.
#[derive(Clone, Debug, Serialize)]
pub struct Cure {
    /// The names of the copies that are removed.
    pub removes: Vec<String>,
    /// The names of copies that may be removed, too.
    pub may_remove: Vec<String>,
    /// The names in both lists whose copies are inside fusions.
    #[serde(skip)]
    pub fused: Vec<String>,
    /// The parameters and results that change; in JSON their number.
    #[serde(rename = "changes_together", serialize_with = "count")]
    pub changes: Vec<Change>,
    /// Bytes that the removed copies outside fusions read and write.
    #[serde(rename = "removed_bytes", serialize_with = "number")]
    pub saved: u128,
    /// Bytes that fetches of parameters into fast memory may read and write instead.
    #[serde(rename = "fetched_bytes", serialize_with = "number")]
    pub fetched: u128,
    /// Why the cure may not pay; `None` if it is known to pay.
    #[serde(skip)]
    pub doubt: Option<Doubt>,
    /// The lines to write: one each for `in_shardings` and `out_shardings`.
    #[serde(skip)]
    pub paste: Vec<String>,
}

fn count<S: Serializer>(changes: &[Change], to: S) -> Result<S::Ok, S::Error> {
    changes.len().serialize(to)
}

/// Describes a copy in words. `explained` adds its cause, which takes longer to find than the copy.
pub(crate) fn copy(context: &Context<'_>, file: &str, copy: &Move, explained: bool) -> Copy {
    let module = context.module;
    let instruction = context.instruction(copy.at);
    let cause = if explained {
        cause::cause(context, copy)
    } else {
        Default::default()
    };
    let place = module.source(instruction);
    // The users of the last part of an asynchronous copy.
    let last = time::end(context, copy.at).unwrap_or(copy.at);
    let consumers = context.users(last).into_iter();
    let [from, to] = [copy.from, copy.to].map(|array| context.tallied(array).array.clone());
    let overlap = time::overlap(context, copy);
    Copy {
        file: file.to_owned(),
        module: module.name.clone(),
        instruction: module.name(instruction).to_owned(),
        computation: context.computation(copy.at.computation).name.clone(),
        opcode: module.opcode_text(instruction).to_owned(),
        from: layout(&from),
        to: layout(&to),
        from_shape: from,
        to_shape: to,
        read: copy.read,
        written: copy.written,
        executions: copy.times.count,
        at_most: copy.times.at_most,
        overlap,
        traffic: time::traffic(context, copy, overlap),
        kind: copy.kind,
        cause: cause.words,
        before: cause.before,
        after: cause.after,
        producer: context.text(copy.source).to_owned(),
        consumers: consumers
            .map(|user| context.text(user).to_owned())
            .collect(),
        is_result: context.is_root(last),
        op_name: module.op_name(instruction).to_owned(),
        line: (instruction.line > 0).then_some(instruction.line),
        source: place.map(|place| place.to_string()),
    }
}

/// Describes a cure. `is_only`: there is no other advice. `moves`: the copies outside fusions.
pub(super) fn cure(
    context: &Context<'_>,
    cure: &change::Cure,
    is_only: bool,
    moves: &HashMap<Value, &Move>,
) -> Cure {
    let name = |value: &Value| context.text(*value).to_owned();
    let removed: Vec<&Move> = cure
        .removes
        .iter()
        .filter_map(|at| moves.get(at).copied())
        .collect();
    let saved = sum(removed.iter().map(|cure| cure.total()));
    let fetched = sum(removed
        .iter()
        .map(|copy| doubt::fetched(context, cure, copy)));
    Cure {
        removes: cure.removes.iter().map(name).collect(),
        may_remove: cure.may_remove.iter().map(name).collect(),
        fused: cure
            .removes
            .iter()
            .chain(&cure.may_remove)
            .filter(|value| !context.runs(value.computation))
            .map(name)
            .collect(),
        saved,
        fetched,
        doubt: doubt::doubt(context, cure, is_only, &removed, saved, fetched),
        paste: paste(context, &cure.changes),
        changes: cure.changes.clone(),
    }
}
