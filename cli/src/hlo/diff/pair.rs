//! Which instruction of one module is which of the other.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use super::super::copies::{Context, Value};
use super::super::tally::Leaf;

/// The instructions of ENTRY, and of the loops and branches in it, that belong together.
pub(super) fn pairs(a: &Context<'_>, b: &Context<'_>) -> Vec<(Value, Value)> {
    let mut pairs = Vec::new();
    let (Some(x), Some(y)) = (a.module.entry, b.module.entry) else {
        return pairs;
    };
    let mut next = VecDeque::from([(x, y)]);
    let mut seen = HashSet::from([x]);
    while let Some((x, y)) = next.pop_front() {
        for (left, right) in computations(a, x, b, y) {
            pairs.push((left, right));
            if a.opcode(left) == "fusion" {
                continue;
            }
            let left = a.module.all_called(a.instruction(left));
            let right = b.module.all_called(b.instruction(right));
            for ((_, p), (_, q)) in left.zip(right) {
                if seen.insert(p) {
                    next.push_back((p, q));
                }
            }
        }
    }
    pairs
}

/// The pairs in two computations, in the sequence of the first one.
fn computations(a: &Context<'_>, x: u32, b: &Context<'_>, y: u32) -> Vec<(Value, Value)> {
    let values = |context: &Context<'_>, computation: u32| -> Vec<Value> {
        let count = context.computation(computation).instructions.len() as u32;
        (0..count).map(|k| Value::new(computation, k)).collect()
    };
    let (mut left, mut right) = (values(a, x), values(b, y));
    let mut pairs = Vec::new();
    // Parameters are told by their numbers.
    let parameter =
        |context: &Context<'_>, at: Value| context.module.parameter(context.instruction(at));
    matched(
        &mut left,
        &mut right,
        &mut pairs,
        |at| parameter(a, at),
        |at| parameter(b, at),
    );
    let named = |context: &Context<'_>, at: Value| {
        let name = context.text(at).to_owned();
        Some((name, kind(context, at)))
    };
    matched(
        &mut left,
        &mut right,
        &mut pairs,
        |at| named(a, at),
        |at| named(b, at),
    );
    let scoped = |context: &Context<'_>, at: Value| {
        let name = context.module.op_name(context.instruction(at));
        (!name.is_empty()).then(|| (name.to_owned(), kind(context, at)))
    };
    matched(
        &mut left,
        &mut right,
        &mut pairs,
        |at| scoped(a, at),
        |at| scoped(b, at),
    );
    let alike = |context: &Context<'_>, at: Value| Some(kind(context, at));
    matched(
        &mut left,
        &mut right,
        &mut pairs,
        |at| alike(a, at),
        |at| alike(b, at),
    );
    pairs.sort_by_key(|pair| pair.0);
    pairs
}

/// Moves those of equal keys into `pairs`, the first with the first.
fn matched<K: Eq + Hash>(
    left: &mut Vec<Value>,
    right: &mut Vec<Value>,
    pairs: &mut Vec<(Value, Value)>,
    of_left: impl Fn(Value) -> Option<K>,
    of_right: impl Fn(Value) -> Option<K>,
) {
    let mut there: HashMap<K, VecDeque<Value>> = HashMap::new();
    for &at in right.iter() {
        if let Some(key) = of_right(at) {
            there.entry(key).or_default().push_back(at);
        }
    }
    let mut taken = HashSet::new();
    left.retain(|&at| {
        let found = of_left(at).and_then(|key| there.get_mut(&key)?.pop_front());
        if let Some(found) = found {
            taken.insert(found);
            pairs.push((at, found));
        }
        found.is_none()
    });
    right.retain(|at| !taken.contains(at));
}

/// The operation, and element types and sizes of its result.
fn kind(context: &Context<'_>, at: Value) -> (String, Vec<String>) {
    let leaves = context.module.leaves(context.instruction(at)).into_iter();
    let leaves = leaves.map(|leaf| match leaf {
        Leaf::Array(array) => {
            let shape = &context.tally.arrays[array as usize].shape;
            shape.split('{').next().unwrap_or_default().to_owned()
        }
        other => format!("{other:?}"),
    });
    (context.opcode(at).to_owned(), leaves.collect())
}
