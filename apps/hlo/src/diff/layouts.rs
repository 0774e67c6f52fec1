//! The arrays of two modules whose layouts differ.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;

use super::pair;
use crate::copies::{Context, Value};
use crate::graph::Texts;
use crate::tally::Leaf;

/// An array whose layouts differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The place of the array.
    #[serde(flatten)]
    pub place: ChangedArray,
    /// The layout in A; `None` if A lacks the parameter, or this array of the result.
    pub a: Option<String>,
    /// The same in B.
    pub b: Option<String>,
    /// The shape with its layout in A.
    pub shape_a: Option<String>,
    /// The same in B.
    pub shape_b: Option<String>,
}

impl Changed {
    pub(super) fn new(place: ChangedArray, [shape_a, shape_b]: [Option<String>; 2]) -> Self {
        let [a, b] = [&shape_a, &shape_b].map(|shape| Some(layout(shape.as_ref()?).to_owned()));
        Self {
            place,
            a,
            b,
            shape_a,
            shape_b,
        }
    }
}

/// The place of an array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum ChangedArray {
    /// A parameter of the entry, by its number.
    Parameter {
        /// The number.
        parameter: u32,
    },
    /// An item of the result of the entry.
    Result {
        /// The item.
        result: u32,
    },
    /// The result of an instruction.
    Instruction {
        /// Its name in A.
        instruction: String,
        /// Its name in B.
        instruction_b: String,
        /// The computation of A that it is in.
        computation: String,
        /// The name that the program gives to the operation.
        op_name: String,
        /// The number of the array in the result.
        array: u32,
    },
}

/// Returns parameters and results of the entry, then the arrays that instructions allocate.
pub(super) fn changed(a: &Context<'_>, b: &Context<'_>, texts: &RefCell<Texts>) -> Vec<Changed> {
    let mut changed = Vec::new();
    let mut compare =
        |left: Option<Value>, right: Option<Value>, place: &dyn Fn(u32) -> ChangedArray| {
            let [left, right] = [(a, left), (b, right)].map(|(context, value)| {
                // A side without the value has no arrays for it.
                value.map_or_else(Vec::new, |value| {
                    context.module.leaves(context.instruction(value))
                })
            });
            for k in 0..left.len().max(right.len()) {
                let shapes = match (left.get(k), right.get(k)) {
                    (Some(&x), Some(&y)) => match (text(a, x), text(b, y)) {
                        (Some(x), Some(y)) if x != y => [Some(x.to_owned()), Some(y.to_owned())],
                        _ => continue,
                    },
                    (x, y) => [x.map(|&x| words(a, x)), y.map(|&y| words(b, y))],
                };
                changed.push(Changed::new(place(k as u32), shapes));
            }
        };
    let mut parameters: BTreeMap<u32, [Option<Value>; 2]> = BTreeMap::new();
    for (side, context) in [a, b].into_iter().enumerate() {
        for (number, value) in context.entry_parameters() {
            // If several parameters have one number, the first one counts.
            parameters.entry(number).or_default()[side].get_or_insert(value);
        }
    }
    for (number, [left, right]) in parameters {
        compare(left, right, &|_| ChangedArray::Parameter {
            parameter: number,
        });
    }
    let [left, right] = [a, b].map(|context| Some(context.root(context.module.entry?)));
    compare(left, right, &|result| ChangedArray::Result { result });
    for (left, right) in pair::pairs(a, b, texts)
        .iter()
        .flat_map(pair::Paired::values)
    {
        let in_entry = a.is_entry(left.computation);
        let is_parameter = a.number(left).is_some();
        let is_result = a.is_root(left);
        if in_entry && (is_parameter || is_result) || a.opcode(left).is_view(in_entry) {
            continue;
        }
        let name = |context: &Context<'_>, at| context.text(at).to_owned();
        let instruction = a.instruction(left);
        compare(Some(left), Some(right), &|array| {
            ChangedArray::Instruction {
                instruction: name(a, left),
                instruction_b: name(b, right),
                computation: a.computation(left.computation).name.clone(),
                op_name: a.module.op_name(instruction).to_owned(),
                array,
            }
        });
    }
    changed
}

/// The layout in the text of an array; `{}` for other words.
fn layout(shape: &str) -> &str {
    shape.find('{').map_or("{}", |at| &shape[at..])
}

/// The text of an array with a layout.
fn text<'a>(context: &Context<'a>, leaf: Leaf) -> Option<&'a str> {
    Some(&context.tally.of(leaf)?.shape)
}

fn words(context: &Context<'_>, leaf: Leaf) -> String {
    match leaf {
        Leaf::Array(array) => context.tallied(array).shape.to_string(),
        Leaf::WithoutLayout(bytes) => format!("an array of {bytes} bytes without a layout"),
        Leaf::WithoutSize => "an array whose size the run time knows".to_owned(),
        Leaf::NoArray => "a token or an opaque value".to_owned(),
    }
}
