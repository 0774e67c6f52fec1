//! The lines of JAX that request other layouts.

use super::change::{Change, Entry, change_of, items};
use super::context::Context;

/// A layout as JAX writes it.
pub(super) fn layout(major_to_minor: &[usize]) -> String {
    let comma = if major_to_minor.len() == 1 { "," } else { "" };
    let numbers = xlayout_words::joined(major_to_minor, ", ");
    format!("Layout(major_to_minor=({numbers}{comma}))")
}

/// A longer list of shardings is not written out.
const MOST_SHARDINGS: usize = 8;

/// Returns the arguments to pass to `jax.jit` for these changes of a module; `s` is the sharding
/// that the program has already.
pub(super) fn paste(context: &Context<'_>, changes: &[Change]) -> Vec<String> {
    let Some(entry) = context.module.entry else {
        return Vec::new();
    };
    let wanted = |entry: Entry| {
        let order = &change_of(changes, entry)?.order;
        Some(format!("Format({}, s)", layout(order)))
    };
    let parameters = context
        .computation(entry)
        .instructions
        .iter()
        .filter(|instruction| context.module.is_parameter(instruction));
    let parameters = (0..)
        .zip(parameters)
        .map(|(number, _)| wanted(Entry::Parameter(number)));
    let results = items(context, context.root(entry)).map(|item| wanted(Entry::Result(item)));
    [
        list("in_shardings", parameters.collect()),
        list("out_shardings", results.collect()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The list of shardings with this name; `None` if it contains no layout.
fn list(name: &str, all: Vec<Option<String>>) -> Option<String> {
    let given: Vec<_> = all
        .iter()
        .enumerate()
        .filter_map(|(number, layout)| Some(format!("{number}: {}", layout.as_deref()?)))
        .collect();
    if given.is_empty() {
        return None;
    }
    let shown: Vec<_> = all
        .iter()
        .map(|layout| layout.as_deref().unwrap_or("s"))
        .collect();
    Some(match all.len() {
        1 => format!("{name}={}", shown[0]),
        2..=MOST_SHARDINGS => format!("{name}=({})", shown.join(", ")),
        count => format!("{name}: of {count}, {}", given.join(", ")),
    })
}
