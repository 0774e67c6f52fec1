//! How often a loop runs.
//!
//! XLA writes `known_trip_count` into backend_config. Where it is not, the count follows from a condition
//! `item < constant`, a body that adds a constant to this item, and an initial value that is a constant.

use super::super::graph::{Computation, Instruction, Module};

/// A scalar in the computation of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalar {
    Constant(i64),
    /// An item of the loop state, and what is added to it.
    Item(u32, i64),
}

/// Operations of one scalar on another are followed so far.
const DEPTH: usize = 32;

/// How often the body of a `while` runs, if it is known.
pub(super) fn count(module: &Module, around: &Computation, of: &Instruction) -> Option<u64> {
    if let Some(count) = module.attribute(of, "known_trip_count") {
        return count.parse().ok();
    }
    let [condition, body] = ["condition", "body"].map(|role| module.called(of, role));
    let condition = &module.computations[condition? as usize];
    let body = &module.computations[body? as usize];
    let state = &around.instructions[*module.operands(of).first()? as usize];
    let initial = |item: u32| -> Option<i64> {
        if module.opcode(state) != "tuple" {
            return None;
        }
        let value = *module.operands(state).get(item as usize)?;
        match scalar(module, around, value, &[], DEPTH)? {
            Scalar::Constant(value) => Some(value),
            Scalar::Item(..) => None,
        }
    };
    let step = |item: u32| -> Option<i64> {
        let root = body.root()?;
        if module.opcode(root) != "tuple" {
            return None;
        }
        let value = *module.operands(root).get(item as usize)?;
        match scalar(module, body, value, &[], DEPTH)? {
            Scalar::Item(same, step) if same == item => Some(step),
            _ => None,
        }
    };
    let (direction, left, right) = comparison(module, condition, condition.root, &[], DEPTH)?;
    // An item that the body does not change is a constant.
    let fixed = |value: Scalar| match value {
        Scalar::Item(item, more) if step(item) == Some(0) => {
            Some(Scalar::Constant(initial(item)?.checked_add(more)?))
        }
        other => Some(other),
    };
    let (item, more, limit, direction) = match (fixed(left)?, fixed(right)?) {
        (Scalar::Item(item, more), Scalar::Constant(limit)) => (item, more, limit, direction),
        (Scalar::Constant(limit), Scalar::Item(item, more)) => {
            let turned = match direction {
                "LT" => "GT",
                "LE" => "GE",
                "GT" => "LT",
                "GE" => "LE",
                other => other,
            };
            (item, more, limit, turned)
        }
        _ => return None,
    };
    let begin = i128::from(initial(item)?) + i128::from(more);
    let (limit, step) = (i128::from(limit), i128::from(step(item)?));
    let (distance, step) = match direction {
        "LT" => (limit - begin, step),
        "LE" => (limit - begin + 1, step),
        "GT" => (begin - limit, -step),
        "GE" => (begin - limit + 1, -step),
        "NE" if step != 0 && (limit - begin) % step == 0 => match step > 0 {
            true => (limit - begin, step),
            false => (begin - limit, -step),
        },
        _ => return None,
    };
    match step {
        1.. => u64::try_from((distance.max(0) + step - 1) / step).ok(),
        _ => None,
    }
}

/// A comparison, which may be inside of a fusion; `arguments` are the values of the parameters.
fn comparison<'a>(
    module: &'a Module,
    computation: &'a Computation,
    number: u32,
    arguments: &[Option<Scalar>],
    depth: usize,
) -> Option<(&'a str, Scalar, Scalar)> {
    let instruction = computation.instructions.get(number as usize)?;
    let depth = depth.checked_sub(1)?;
    let value = |number| scalar(module, computation, number, arguments, depth);
    match module.opcode(instruction) {
        "compare" => {
            let [left, right] = *module.operands(instruction) else {
                return None;
            };
            let direction = module.attribute(instruction, "direction")?;
            Some((direction, value(left)?, value(right)?))
        }
        "fusion" => {
            let arguments: Vec<_> = module
                .operands(instruction)
                .iter()
                .map(|&k| value(k))
                .collect();
            let body = &module.computations[module.called(instruction, "calls")? as usize];
            comparison(module, body, body.root, &arguments, depth)
        }
        "copy" | "bitcast" => comparison(
            module,
            computation,
            *module.operands(instruction).first()?,
            arguments,
            depth,
        ),
        _ => None,
    }
}

fn scalar(
    module: &Module,
    computation: &Computation,
    number: u32,
    arguments: &[Option<Scalar>],
    depth: usize,
) -> Option<Scalar> {
    let instruction = computation.instructions.get(number as usize)?;
    let depth = depth.checked_sub(1)?;
    let value = |k: usize| {
        let operand = *module.operands(instruction).get(k)?;
        scalar(module, computation, operand, arguments, depth)
    };
    match module.opcode(instruction) {
        "constant" => Some(Scalar::Constant(module.value(instruction)?.parse().ok()?)),
        "parameter" => *arguments.get(module.parameter(instruction)? as usize)?,
        "get-tuple-element" => {
            let from = &computation.instructions[*module.operands(instruction).first()? as usize];
            let index = module.index(instruction)?;
            match module.opcode(from) {
                "parameter" if arguments.is_empty() => Some(Scalar::Item(index, 0)),
                "tuple" => {
                    let item = *module.operands(from).get(index as usize)?;
                    scalar(module, computation, item, arguments, depth)
                }
                _ => None,
            }
        }
        "copy" | "bitcast" | "copy-start" | "copy-done" | "convert" | "reshape" => value(0),
        "add" => match (value(0)?, value(1)?) {
            (Scalar::Constant(a), Scalar::Constant(b)) => Some(Scalar::Constant(a.checked_add(b)?)),
            (Scalar::Item(item, a), Scalar::Constant(b))
            | (Scalar::Constant(b), Scalar::Item(item, a)) => {
                Some(Scalar::Item(item, a.checked_add(b)?))
            }
            _ => None,
        },
        "subtract" => match (value(0)?, value(1)?) {
            (Scalar::Constant(a), Scalar::Constant(b)) => Some(Scalar::Constant(a.checked_sub(b)?)),
            (Scalar::Item(item, a), Scalar::Constant(b)) => {
                Some(Scalar::Item(item, a.checked_sub(b)?))
            }
            _ => None,
        },
        "fusion" => {
            let arguments: Vec<_> = (0..module.operands(instruction).len()).map(value).collect();
            let body = &module.computations[module.called(instruction, "calls")? as usize];
            scalar(module, body, body.root, &arguments, depth)
        }
        _ => None,
    }
}
