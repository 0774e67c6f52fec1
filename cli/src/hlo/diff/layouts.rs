//! The arrays of two modules that have another layout.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::copies::{Context, Value};
use super::super::graph::Texts;
use super::super::scan;
use super::super::tally::Leaf;
use super::pair;

/// An array with another layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    pub(super) place: ChangedArray,
    /// Shapes with layouts; none where one module lacks the parameter, or this array of the result.
    pub(super) a: Option<String>,
    pub(super) b: Option<String>,
}

/// Which array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChangedArray {
    Parameter(u32),
    /// The item of the result.
    Result(u32),
    /// The result of an instruction, and the number of the array in it.
    Instruction {
        a: String,
        b: String,
        computation: String,
        op_name: String,
        array: u32,
    },
}

/// Parameters and results of the entry, then what instructions allocate.
pub(super) fn changed(a: &Context<'_>, b: &Context<'_>, texts: &RefCell<Texts>) -> Vec<Changed> {
    let mut changed = Vec::new();
    let mut compare =
        |left: Option<Value>, right: Option<Value>, place: &dyn Fn(u32) -> ChangedArray| {
            let [left, right] = [(a, left), (b, right)].map(|(context, value)| {
                // A side that lacks the value has no arrays of it.
                value.map_or_else(Vec::new, |value| {
                    context.module.leaves(context.instruction(value))
                })
            });
            for k in 0..left.len().max(right.len()) {
                let (a, b) = match (left.get(k), right.get(k)) {
                    (Some(&x), Some(&y)) => match (text(a, x), text(b, y)) {
                        (Some(x), Some(y)) if x != y => (Some(x.to_owned()), Some(y.to_owned())),
                        _ => continue,
                    },
                    (x, y) => (x.map(|&x| words(a, x)), y.map(|&y| words(b, y))),
                };
                let place = place(k as u32);
                changed.push(Changed { place, a, b });
            }
        };
    let mut parameters: BTreeMap<u32, [Option<Value>; 2]> = BTreeMap::new();
    for (side, context) in [a, b].into_iter().enumerate() {
        for (number, value) in entry_parameters(context) {
            // Of several with one number the first one counts.
            parameters.entry(number).or_default()[side].get_or_insert(value);
        }
    }
    for (number, [left, right]) in parameters {
        compare(left, right, &|_| ChangedArray::Parameter(number));
    }
    let [left, right] = [a, b].map(|context| {
        let entry = context.module.entry?;
        Some(Value::new(entry, context.computation(entry).root))
    });
    compare(left, right, &ChangedArray::Result);
    for (left, right) in pair::pairs(a, b, texts)
        .iter()
        .flat_map(pair::Paired::values)
    {
        let opcode = a.opcode(left);
        let in_entry = a.is_entry(left.computation);
        let is_parameter = a.module.parameter(a.instruction(left)).is_some();
        let is_result = a.is_root(left);
        if in_entry && (is_parameter || is_result) || scan::is_view(opcode.as_bytes(), in_entry) {
            continue;
        }
        let name = |context: &Context<'_>, at| context.text(at).to_owned();
        let instruction = a.instruction(left);
        compare(Some(left), Some(right), &|array| {
            ChangedArray::Instruction {
                a: name(a, left),
                b: name(b, right),
                computation: a.computation(left.computation).name.clone(),
                op_name: a.module.op_name(instruction).to_owned(),
                array,
            }
        });
    }
    changed
}

/// The parameters of the entry, by number.
fn entry_parameters(context: &Context<'_>) -> Vec<(u32, Value)> {
    let Some(entry) = context.module.entry else {
        return Vec::new();
    };
    let all = context.computation(entry).instructions.iter();
    all.zip(0..)
        .filter_map(|(one, k)| Some((context.module.parameter(one)?, Value::new(entry, k))))
        .collect()
}

/// The text of an array with a layout.
fn text<'a>(context: &Context<'a>, leaf: Leaf) -> Option<&'a str> {
    match leaf {
        Leaf::Array(array) => Some(&context.tally.arrays[array as usize].shape),
        _ => None,
    }
}

/// What a module has that the other one lacks.
fn words(context: &Context<'_>, leaf: Leaf) -> String {
    match leaf {
        Leaf::Array(array) => context.tally.arrays[array as usize].shape.to_string(),
        Leaf::WithoutLayout(bytes) => format!("an array of {bytes} bytes without a layout"),
        Leaf::WithoutSize => "an array whose size the run time knows".to_owned(),
        Leaf::NoArray => "a token or an opaque value".to_owned(),
    }
}
