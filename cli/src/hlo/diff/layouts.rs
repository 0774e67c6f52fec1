//! The arrays of two modules that have another layout.

use super::super::copies::{Context, Value};
use super::super::scan;
use super::super::tally::Leaf;
use super::pair;

/// An array with another layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    pub(super) place: Place,
    /// Shapes with layouts.
    pub(super) a: String,
    pub(super) b: String,
}

/// Which array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
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
pub(super) fn changed(a: &Context<'_>, b: &Context<'_>) -> Vec<Changed> {
    let mut changed = Vec::new();
    let mut compare = |left: Value, right: Value, place: &dyn Fn(u32) -> Place| {
        let left = a.module.leaves(a.instruction(left)).into_iter();
        let right = b.module.leaves(b.instruction(right)).into_iter();
        for (k, (x, y)) in left.zip(right).enumerate() {
            if let (Some(x), Some(y)) = (text(a, x), text(b, y))
                && x != y
            {
                let place = place(k as u32);
                let (a, b) = (x.to_owned(), y.to_owned());
                changed.push(Changed { place, a, b });
            }
        }
    };
    let paired = pair::pairs(a, b);
    let pairs = || paired.iter().flat_map(pair::Paired::values);
    let parameter = |context: &Context<'_>, at: Value| match context.is_entry(at.computation) {
        true => context.module.parameter(context.instruction(at)),
        false => None,
    };
    for (left, right) in pairs() {
        if let Some(number) = parameter(a, left) {
            compare(left, right, &|_| Place::Parameter(number));
        }
    }
    if let (Some(x), Some(y)) = (a.module.entry, b.module.entry) {
        let root =
            |context: &Context<'_>, entry| Value::new(entry, context.computation(entry).root);
        compare(root(a, x), root(b, y), &Place::Result);
    }
    for (left, right) in pairs() {
        let opcode = a.opcode(left);
        let in_entry = a.is_entry(left.computation);
        let is_result = in_entry && a.is_root(left);
        if parameter(a, left).is_some() || is_result || scan::is_view(opcode.as_bytes(), in_entry) {
            continue;
        }
        let name = |context: &Context<'_>, at| context.text(at).to_owned();
        let instruction = a.instruction(left);
        compare(left, right, &|array| Place::Instruction {
            a: name(a, left),
            b: name(b, right),
            computation: a.computation(left.computation).name.clone(),
            op_name: a.module.op_name(instruction).to_owned(),
            array,
        });
    }
    changed
}

/// The text of an array with a layout.
fn text<'a>(context: &Context<'a>, leaf: Leaf) -> Option<&'a str> {
    match leaf {
        Leaf::Array(array) => Some(&context.tally.arrays[array as usize].shape),
        _ => None,
    }
}
