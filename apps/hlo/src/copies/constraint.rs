//! Layouts of values inside the module that remove copies: `with_layout_constraint`.
//!
//! The compiler follows in one known case. An operation, such as a sort, fixes a layout. Its whole
//! result is copied to another layout, and only slices of the copy are used, such as the first
//! elements that `top_k` takes. The compiler copies before it slices. If the slices have the layout
//! of the operation, it slices first and copies only what is needed.
//!
//! Other constraints promise nothing. 18 models were compiled again with about 200 constraints, one
//! behind one operation at a time, in layouts that copies have. In attention, a cache in a loop,
//! recurrent networks, cumulative sums and window partitions, no constraint removed a copy that an
//! entry layout does not remove. Behind convolutions, an FFT and chains of reshapes some removed a
//! part of the copies, each time at another place, and nothing in the module predicted the place.

use std::collections::{BTreeMap, HashSet};

use serde::{Serialize, Serializer};
use xlayout::{ArrayShape, Layout};

use super::change::Cure;
use super::context::Context;
use super::find::{Found, Kind, MOST_COPIES, Move};
use super::paste;
use super::relation::{bytes, order};
use super::ties::follow;
use super::value::{Side, Value};
use crate::opcode::Opcode;
use crate::tally::{layout, text};
use xlayout_words::number;

/// The largest number of users of a copy that are followed, over all fusions together.
const MOST_USERS: usize = 64;
/// A slice takes at most this fraction of the array (1 / 2), so that a constraint that is not
/// followed costs little.
const SMALLEST_RATIO: u128 = 2;

/// A copy that is unnecessary if its slices have another layout.
#[derive(Clone, Debug, Serialize)]
pub struct Constraint {
    /// The operation that fixes the layout.
    #[serde(rename = "fixed_by")]
    pub by: String,
    /// The name of that copy.
    #[serde(serialize_with = "alone")]
    pub removes: String,
    /// The distinct slices, those of most bytes first.
    #[serde(skip)]
    pub values: Vec<Constrained>,
    /// Bytes that the copy reads and writes.
    #[serde(rename = "removed_bytes", serialize_with = "number")]
    pub saved: u128,
    /// An upper bound of the bytes that copies of the slices read and write instead.
    #[serde(rename = "added_bytes_at_most", serialize_with = "number")]
    pub added: u128,
}

/// A list of one name, because other advice removes several copies.
fn alone<S: Serializer>(name: &str, to: S) -> Result<S::Ok, S::Error> {
    [name].serialize(to)
}

/// A slice that should have another layout.
#[derive(Clone, Debug, Serialize)]
pub struct Constrained {
    /// The name of the instruction.
    pub instruction: String,
    /// The name that the program gives to the operation.
    pub op_name: String,
    /// File and line of the program.
    pub source: Option<String>,
    /// The array with the layout that it should have.
    #[serde(rename = "shape", serialize_with = "text")]
    pub then: ArrayShape,
    /// This layout.
    #[serde(serialize_with = "text")]
    pub layout: Layout,
    /// The dimensions in this layout, the most major first.
    #[serde(rename = "major_to_minor")]
    pub order: Vec<usize>,
    /// What to write.
    #[serde(skip)]
    pub paste: String,
}

/// Returns constraints that remove copies that no layout of a parameter or a result removes, those
/// that save most first.
pub(super) fn constraints(context: &Context<'_>, found: &Found, cures: &[Cure]) -> Vec<Constraint> {
    let cured = |at: &Value| cures.iter().any(|cure| cure.removes.contains(at));
    let moves = found.moves.iter().filter(|copy| is_change(context, copy));
    // Values that are copied as a whole for users other than slices.
    let mut whole = HashSet::new();
    let mut all: Vec<(Value, Constraint)> = Vec::new();
    for (k, copy) in moves.enumerate() {
        match slices_of(context, copy.target) {
            None => {
                whole.insert(origin(context, copy.source));
            }
            Some(slices) if k < MOST_COPIES && !cured(&copy.at) => {
                all.extend(constraint(context, copy, slices));
            }
            Some(_) => {}
        }
    }
    // If another result of the operation is copied as a whole, the compiler was seen to make
    // another copy instead.
    all.retain(|(maker, _)| !whole.contains(maker));
    all.into_iter().map(|(_, constraint)| constraint).collect()
}

fn is_change(context: &Context<'_>, copy: &Move) -> bool {
    copy.kind == Kind::Layout && context.opcode(copy.at) == Opcode::Copy
}

/// The operation that gives a value, or the tuple that contains the value.
fn origin(context: &Context<'_>, value: Value) -> Value {
    let value = value.whole();
    match context.opcode(value) {
        Opcode::GetTupleElement => context.operand(value, 0).unwrap_or(value),
        _ => value,
    }
}

/// Returns the operation that fixes the layout of the copied value, and the constraint on its
/// slices.
fn constraint(
    context: &Context<'_>,
    copy: &Move,
    slices: Vec<Value>,
) -> Option<(Value, Constraint)> {
    let before = context.fixed(copy.source, true).strongest();
    let Some(Side::Operation(_, by)) = before else {
        return None;
    };
    let module = context.module;
    let order = order(context, copy.source)?;
    let whole = context.value_shape(copy.source)?;
    // The same slice may be in several fusions.
    let mut distinct: BTreeMap<(Option<&str>, &str), (u128, Constrained)> = BTreeMap::new();
    for at in slices {
        let now = context.value_shape(at)?;
        let mut then = whole.clone();
        then.dims = now.dims.clone();
        let both = bytes(now)? + bytes(&then)?;
        let instruction = context.instruction(at);
        let op_name = module.op_name(instruction);
        let range = module.attribute(instruction, "slice");
        distinct.entry((range, op_name)).or_insert_with(|| {
            let value = Constrained {
                instruction: module.name(instruction).to_owned(),
                layout: layout(&then),
                then,
                order: order.to_vec(),
                op_name: op_name.to_owned(),
                source: module.source(instruction).map(|place| place.to_string()),
                paste: format!("x = with_layout_constraint(x, {})", paste::layout(&order)),
            };
            (both, value)
        });
    }
    let mut slices: Vec<_> = distinct.into_values().collect();
    slices.sort_by_cached_key(|slice| std::cmp::Reverse(slice.0));
    let times = u128::from(copy.times.count.unwrap_or(1));
    let added = slices.iter().map(|slice| slice.0).sum::<u128>();
    let pays = !slices.is_empty() && added <= copy.bytes() / SMALLEST_RATIO;
    let constraint = Constraint {
        removes: context.text(copy.at).to_owned(),
        by: context.text(by).to_owned(),
        values: slices.into_iter().map(|slice| slice.1).collect(),
        saved: copy.total(),
        added: added.saturating_mul(times),
    };
    pays.then_some((by, constraint))
}

/// Returns the slices that are taken of a value, including those in fusions; `None` if anything
/// else uses it, or if it has more than `MOST_USERS` users.
pub(super) fn slices_of(context: &Context<'_>, value: Value) -> Option<Vec<Value>> {
    let mut slices = Vec::new();
    follow(context, value, MOST_USERS, |user, _| {
        slices.push(user);
        (context.opcode(user) == Opcode::Slice).then_some(false)
    })?;
    Some(slices)
}
