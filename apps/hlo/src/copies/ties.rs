//! Which values must have the same layout, and through which operations.
//!
//! An operation that computes element by element, or that only passes data on, has no layout of its
//! own: the layout of its operand determines that of its result, and the reverse. Such a pair is a
//! [`Tie`]. An operation without ties fixes layouts: a convolution, a sort, a custom call, a loop.

use std::collections::HashSet;

use smallvec::smallvec;

use super::context::{Context, Values};
use super::relation::{Order, Relation, groups, order, sizes};
use super::value::Value;
use crate::opcode::Opcode;

/// Two values of which each takes the layout of the other.
pub(super) struct Tie {
    pub(super) operand: Value,
    pub(super) result: Value,
    pub(super) relation: Relation,
}

fn same(operand: Value, result: Value) -> Tie {
    Tie {
        operand,
        result,
        relation: Relation::Same,
    }
}

/// Returns the ties of an instruction between a value and others; `None` if the instruction fixes
/// layouts.
///
/// The value is the result, an operand, or a parameter or the result of a computation that the
/// instruction calls.
pub(super) fn ties(context: &Context<'_>, at: Value, value: Value) -> Option<Vec<Tie>> {
    let at = at.whole();
    let module = context.module;
    let instruction = context.instruction(at);
    let opcode = module.opcode(instruction);
    let first = || context.operand(at, 0);
    let single = |operand, result, relation| {
        vec![Tie {
            relation,
            ..same(operand, result)
        }]
    };
    let pair = |(a, b)| (smallvec![a], smallvec![b]);
    Some(match opcode {
        _ if opcode.is_source() => Vec::new(),
        Opcode::GetTupleElement => {
            vec![same(first()?.of_item(module.index(instruction)?), at)]
        }
        Opcode::Tuple => match value.item {
            Some(item) if value.of_item(0) == at.of_item(0) => {
                vec![same(context.operand(at, item as usize)?, value)]
            }
            _ => context
                .places(at, value)
                .into_iter()
                .map(|item| same(value, at.of_item(item)))
                .collect(),
        },
        Opcode::Start(Opcode::Copy) => vec![same(first()?, at.of_item(0))],
        Opcode::Done(Opcode::Copy) => vec![same(first()?.of_item(0), at)],
        Opcode::Start(Opcode::Slice) => vec![same(first()?, at.of_item(1))],
        Opcode::Done(Opcode::Slice) => vec![same(first()?.of_item(1), at)],
        Opcode::Fusion | Opcode::Call | Opcode::Conditional | Opcode::While => {
            calls(context, at, value)?
        }
        Opcode::OptimizationBarrier => {
            let item = |other: Value| Value {
                item: value.item,
                ..other
            };
            vec![same(item(first()?), item(at))]
        }
        Opcode::CustomCall => match module.target(instruction) {
            "ConcatBitcast" => vec![same(value, at), same(first()?, at)],
            "AllocateBuffer" => Vec::new(),
            // Values and indices have the layout of the operand.
            "TopK" => {
                let results = 0..module.shapes.items(instruction.shape).len() as u32;
                let first = first()?;
                results.map(|item| same(first, at.of_item(item))).collect()
            }
            _ => return None,
        },
        Opcode::Slice
        | Opcode::DynamicSlice
        | Opcode::Reverse
        | Opcode::Copy
        | Opcode::Pad
        | Opcode::AllReduce
        | Opcode::BitcastConvert
        | Opcode::ReducePrecision => {
            let from = context.value_shape(first()?)?;
            let to = context.value_shape(at)?;
            if from.dims.len() == to.dims.len() {
                vec![same(first()?, at)]
            } else {
                return None;
            }
        }
        Opcode::DynamicUpdateSlice => {
            vec![same(first()?, at), same(context.operand(at, 1)?, at)]
        }
        Opcode::Transpose | Opcode::Broadcast => {
            let mapping = module
                .numbers(instruction, "dimensions")?
                .into_iter()
                .enumerate()
                .map(|(k, dim)| {
                    let dim = usize::try_from(dim).ok()?;
                    let is_transpose = opcode == Opcode::Transpose;
                    Some(if is_transpose { (dim, k) } else { (k, dim) })
                });
            let groups = mapping.map(|dims| dims.map(pair)).collect::<Option<_>>()?;
            single(first()?, at, Relation::Groups(groups))
        }
        Opcode::Reduce => {
            let removed = module.numbers(instruction, "dimensions")?;
            let rank = context.value_shape(first()?)?.dims.len();
            let dimensions = (0..rank)
                .filter(|&dim| !removed.contains(&(dim as i64)))
                .enumerate()
                .map(|(to, from)| (from, to));
            // Several arrays may be reduced at once.
            context.array(at)?;
            single(
                first()?,
                at,
                Relation::Groups(dimensions.map(pair).collect()),
            )
        }
        Opcode::Reshape => {
            let a = sizes(context, first()?)?;
            let b = sizes(context, at)?;
            let rows = |sizes: &[i64]| (0..sizes.len()).collect::<Order>();
            single(first()?, at, groups(&rows(&a), &a, &rows(&b), &b)?)
        }
        Opcode::Bitcast => {
            let a = sizes(context, first()?)?;
            let b = sizes(context, at)?;
            let left = order(context, first()?)?;
            let right = order(context, at)?;
            single(first()?, at, groups(&left, &a, &right, &b)?)
        }
        _ if opcode.is_elementwise() || opcode == Opcode::Concatenate => {
            let rank = context.value_shape(at)?.dims.len();
            // An operand is tied to the result; the result to all operands.
            let operands: Values = if value == at {
                module
                    .operands(instruction)
                    .iter()
                    .map(|&k| Value::new(at.computation, k))
                    .collect()
            } else {
                smallvec![value]
            };
            let same_rank = |operand: &Value| {
                let shape = context.value_shape(*operand);
                shape.is_some_and(|shape| shape.dims.len() == rank)
            };
            operands
                .into_iter()
                .filter(same_rank)
                .map(|operand| same(operand, at))
                .collect()
        }
        _ => return None,
    })
}

/// The ties of an instruction that calls computations. The state of a loop has the same layout
/// before, in and after the loop.
fn calls(context: &Context<'_>, at: Value, value: Value) -> Option<Vec<Tie>> {
    let module = context.module;
    let instruction = context.instruction(at);
    let opcode = module.opcode(instruction);
    let item = |other: Value| Value {
        item: value.item,
        ..other
    };
    let root = |body: u32| item(context.root(body));
    let mut all = Vec::new();
    let is_result = value.of_item(0) == at.of_item(0);
    let role = match opcode {
        Opcode::Fusion => "calls",
        Opcode::Call => "to_apply",
        _ => "",
    };
    let mut bodies = module
        .all_called(instruction)
        .enumerate()
        .filter(|(_, (own, _))| role.is_empty() || module.texts.get(*own) == role)
        .peekable();
    bodies.peek()?;
    for (k, (_, body)) in bodies {
        let is_condition =
            opcode == Opcode::While && module.called(instruction, "condition") == Some(body);
        // Maps a parameter of the computation to the operand, and the operand to the parameter.
        let operand = |parameter: u32| match opcode {
            Opcode::Conditional => context.operand(at, k + 1),
            _ => context.operand(at, parameter as usize),
        };
        if is_result {
            if !is_condition {
                all.push(same(root(body), value));
            }
        } else if value.computation == body {
            if !is_condition && root(body) == value {
                all.push(same(value, item(at)));
            }
            if let Some(number) = context.number(value) {
                all.push(same(item(operand(number)?), value));
            }
        }
        if value.computation == at.computation && !is_result {
            for place in context.places(at, value.whole()) {
                let number = match opcode {
                    Opcode::Conditional if place as usize == k + 1 => 0,
                    Opcode::Conditional => continue,
                    _ => place,
                };
                all.push(same(value, item(context.parameter(body, number)?)));
            }
        }
    }
    if opcode == Opcode::While {
        if is_result {
            all.push(same(item(context.operand(at, 0)?), value));
        } else if value.computation == at.computation {
            all.push(same(value, item(at)));
        }
    }
    Some(all)
}

/// A computation with more callers is not followed to its callers.
const MOST_CALLERS: usize = 64;

/// The instructions that give a value: its own, or the callers of the computation whose parameter
/// it is.
pub(super) fn givers(context: &Context<'_>, value: Value) -> Values {
    let own = value.whole();
    let is_parameter = context.opcode(own) == Opcode::Parameter;
    if is_parameter && !context.is_entry(value.computation) {
        callers(context, value)
    } else {
        smallvec![own]
    }
}

/// The instructions that use a value: users, and the callers of the computation whose result it is.
pub(super) fn takers(context: &Context<'_>, value: Value) -> Values {
    let mut all = context.users_of(value);
    if context.is_root(value) && !context.is_entry(value.computation) {
        all.extend(callers(context, value));
    }
    all
}

/// Returns the instructions that give a value (if `back`) or use it, each with the values there
/// that have the layout of this one; `None` for an instruction that fixes layouts.
pub(super) fn beside(
    context: &Context<'_>,
    value: Value,
    back: bool,
) -> impl Iterator<Item = (Value, Option<Values>)> {
    let all = if back {
        givers(context, value)
    } else {
        takers(context, value)
    };
    all.into_iter().map(move |by| {
        let there = |tie: Tie| {
            if back {
                (tie.result == value).then_some(tie.operand)
            } else {
                (tie.operand == value).then_some(tie.result)
            }
        };
        let ties = ties(context, by, value);
        (
            by,
            ties.map(|ties| ties.into_iter().filter_map(there).collect()),
        )
    })
}

/// Follows a value to its users, including those in fusions. `see` is called for each other user
/// and returns whether that user is the same value; its `None` ends the search. So does a value
/// that is the result of its computation, or one with too many users.
pub(super) fn follow(
    context: &Context<'_>,
    value: Value,
    most_users: usize,
    mut see: impl FnMut(Value, Value) -> Option<bool>,
) -> Option<()> {
    let mut next = vec![value];
    // One value may be several parameters of a fusion.
    let mut seen = HashSet::new();
    let mut left = most_users;
    while let Some(value) = next.pop() {
        if context.is_root(value) {
            return None;
        }
        if !seen.insert(value) {
            continue;
        }
        for user in context.users_of(value) {
            left = left.checked_sub(1)?;
            if context.opcode(user) == Opcode::Fusion {
                let body = context.called(user, "calls")?;
                next.extend(
                    context
                        .places(user, value)
                        .into_iter()
                        .filter_map(|place| context.parameter(body, place)),
                );
            } else if see(user, value)? {
                next.push(user);
            }
        }
    }
    Some(())
}

fn callers(context: &Context<'_>, value: Value) -> Values {
    let callers = &context.callers[value.computation as usize];
    callers.iter().take(MOST_CALLERS).copied().collect()
}
