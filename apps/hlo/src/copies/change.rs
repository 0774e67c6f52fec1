//! Parameters and results of the entry in other layouts.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use xlayout::{ArrayLayout, ArrayShape, DynLayout};

use super::context::Context;
use super::relation::order;
use super::value::Value;
use crate::advice;
use crate::graph::Module;
use crate::tally::{Tally, layout_text, logical_bytes};
use xlayout_words::number;

/// A parameter or a result of the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The number of the parameter.
    Parameter(u32),
    /// The item of the result; `None` if the result is not a tuple, which is 0 in JSON.
    #[serde(serialize_with = "item_or_0")]
    Result(Option<u32>),
}

fn item_or_0<S: Serializer>(item: &Option<u32>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u32(item.unwrap_or(0))
}

/// A parameter or a result in another layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The parameter or result that changes.
    #[serde(flatten)]
    pub entry: Entry,
    /// The name of the argument, if it is known.
    #[serde(skip)]
    pub name: String,
    /// The array with the layout that it should have.
    #[serde(rename = "layout", serialize_with = "layout_text")]
    pub then: ArrayShape,
    /// The array with its layout now.
    #[serde(rename = "layout_now", serialize_with = "layout_text")]
    pub now: ArrayShape,
    /// The dimensions in this layout, the most major first.
    #[serde(rename = "major_to_minor")]
    pub order: Vec<usize>,
    /// The bytes that it takes.
    #[serde(skip)]
    pub sizes: Sizes,
}

/// What an array takes before and after a change of its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Bytes now, with padding.
    #[serde(serialize_with = "number")]
    pub bytes_before: u128,
    /// Bytes in the other layout, with padding.
    #[serde(serialize_with = "number")]
    pub bytes_after: u128,
    /// The part of the bytes now that is padding.
    #[serde(serialize_with = "number")]
    pub padding_before: u128,
    /// The part of the bytes in the other layout that is padding.
    #[serde(serialize_with = "number")]
    pub padding_after: u128,
}

impl Sizes {
    /// How many bytes more the array takes after the change.
    pub(super) fn growth(&self) -> i128 {
        self.bytes_after as i128 - self.bytes_before as i128
    }
}

/// The change of a parameter or result, if it changes.
pub(super) fn change_of(changes: &[Change], entry: Entry) -> Option<&Change> {
    changes.iter().find(|change| change.entry == entry)
}

/// Returns the parameters and results of a module that have another order of dimensions in `then`,
/// another compilation of the same program.
#[must_use]
pub fn changes_between(now: (&Module, &Tally), then: (&Module, &Tally)) -> Vec<Change> {
    let [now, then] = [now, then].map(|(module, tally)| Context::new(module, tally));
    let [before, after] = [&now, &then].map(entries);
    before
        .into_iter()
        .filter_map(|(entry, value)| {
            let wanted = order(&then, *after.get(&entry)?)?;
            (order(&now, value)? != wanted).then(|| change(&now, value, entry, &wanted))?
        })
        .collect()
}

/// The parameters and results of the entry; the items of a result that is a tuple.
pub(super) fn entries(context: &Context<'_>) -> BTreeMap<Entry, Value> {
    let Some(number) = context.module.entry else {
        return BTreeMap::new();
    };
    let root = context.root(number);
    let results = items(context, root).map(|item| (Entry::Result(item), Value { item, ..root }));
    context
        .entry_parameters()
        .map(|(number, value)| (Entry::Parameter(number), value))
        .chain(results)
        .collect()
}

/// The items of the entry's result; one `None` if it is not a tuple.
pub(super) fn items(context: &Context<'_>, root: Value) -> impl Iterator<Item = Option<u32>> {
    let items = context.module.shapes.items(context.shape(root)).len() as u32;
    (0..items).map(Some).chain((items == 0).then_some(None))
}

/// The number of pairs of dimensions whose order changes.
pub(super) fn distance(change: &Change) -> usize {
    let Some(now) = change.now.layout.as_ref() else {
        return 0;
    };
    let place = |dim: usize| {
        now.minor_to_major
            .iter()
            .rev()
            .position(|&known| known == dim as i64)
    };
    let order = &change.order;
    (0..order.len())
        .flat_map(|a| (a + 1..order.len()).map(move |b| (a, b)))
        .filter(|&(a, b)| place(order[a]) > place(order[b]))
        .count()
}

/// The change that gives a parameter or a result this order of dimensions; `None` if its cost is
/// not known.
pub(super) fn change(
    context: &Context<'_>,
    value: Value,
    entry: Entry,
    order: &[usize],
) -> Option<Change> {
    let now = context.value_shape(value)?.clone();
    let then = advice::with_order(&now, order)?;
    // Without the sizes of both there is no advice: its cost would be unknown.
    let [before, after] = [&now, &then].map(size);
    let before = before?;
    let after = after?;
    let instruction = context.instruction(value);
    let name = if context.module.is_parameter(instruction) {
        context.module.op_name(instruction)
    } else {
        ""
    };
    Some(Change {
        entry,
        name: name.to_owned(),
        now,
        then,
        order: order.to_vec(),
        sizes: Sizes {
            bytes_before: before.0,
            bytes_after: after.0,
            padding_before: before.1,
            padding_after: after.1,
        },
    })
}

/// The bytes of an array, and the padding among them; `None` for an invalid layout.
fn size(shape: &ArrayShape) -> Option<(u128, u128)> {
    let array = DynLayout::new(shape.clone()).ok()?;
    let bytes = array.bytes() as u128;
    let padding = bytes.saturating_sub(logical_bytes(&array).into());
    Some((bytes, padding))
}

/// Layouts that belong together, and the copies that they remove.
pub(super) struct Cure {
    pub(super) changes: Vec<Change>,
    pub(super) removes: Vec<Value>,
    /// Copies that are unnecessary, too, if the compiler chooses the same layouts between them.
    pub(super) may_remove: Vec<Value>,
    /// Bytes that the removed copies read and write.
    pub(super) saved: u128,
    /// An operation that cuts, joins or reverses an array along a dimension that becomes more
    /// minor, or a convolution that reads it with its major dimensions in another order.
    pub(super) slower: Option<Value>,
}

/// How many bytes more the parameters and results take. A result in the memory of a parameter takes
/// no bytes of its own.
pub(super) fn growth(context: &Context<'_>, cure: &Cure) -> i128 {
    let is_changed = |number| change_of(&cure.changes, Entry::Parameter(number)).is_some();
    let own_memory = |change: &&Change| match change.entry {
        Entry::Parameter(_) => true,
        Entry::Result(item) => !context.module.aliases.iter().any(|alias| {
            alias.result[..] == *item.as_slice()
                && alias.index.is_empty()
                && is_changed(alias.parameter)
        }),
    };
    cure.changes
        .iter()
        .filter(own_memory)
        .map(|change| change.sizes.growth())
        .sum()
}
