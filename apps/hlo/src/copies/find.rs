//! The operations that move data without computing.

use serde::Serialize;
use xlayout::ArrayShape;
use xlayout::bitcast::ElementTypes;
use xlayout::xla::shape_util;

use super::context::{Context, same_but_for_space};
use super::relation::{bytes, with_sizes};
use super::times::Times;
use super::value::Value;
use crate::graph::Instruction;
use crate::opcode::Opcode;

/// The number of copies, those of most bytes, for which advice is searched.
pub(super) const MOST_COPIES: usize = 256;

/// An operation that moves data without computing.
#[derive(Clone)]
pub(crate) struct Move {
    pub(crate) at: Value,
    /// The array that is moved, or the first of several arrays.
    pub(crate) source: Value,
    /// The array that the move gives.
    pub(crate) target: Value,
    /// Numbers of arrays in the tally.
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Bytes in one execution, with padding.
    pub(crate) read: u128,
    pub(crate) written: u128,
    pub(crate) times: Times,
    pub(crate) kind: Kind,
    /// The fusion around the operation, if the fusion only moves data.
    pub(crate) owner: Option<Value>,
}

/// What a copy changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The order of the elements in memory. With other layouts around it, the operation would be
    /// free.
    Layout,
    /// Only the memory space, such as for a prefetch.
    MemorySpace,
    /// The array: a part of one, several joined into one, or a second copy of one.
    Rearrange,
}

impl Kind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Layout => "layout",
            Self::MemorySpace => "memory_space",
            Self::Rearrange => "rearrange",
        }
    }
}

impl Move {
    pub(super) fn bytes(&self) -> u128 {
        self.read + self.written
    }

    /// Bytes that all executions read and write; those of one execution if the number is unknown.
    pub(crate) fn total(&self) -> u128 {
        self.bytes()
            .saturating_mul(self.times.count.unwrap_or(1).into())
    }
}

/// The moves of a module, those of most bytes first.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) moves: Vec<Move>,
    /// Changes of layout inside fusions that compute: they take no memory of their own.
    pub(super) fused: Vec<Move>,
    /// The number of operations that cannot be classified, because the text gives no layout to
    /// their arrays.
    pub(super) without_layout: u64,
}

pub(crate) fn find(context: &Context<'_>) -> Found {
    let module = context.module;
    let moves = moves(context);
    let mut found = Found::default();
    for &number in &context.sequence {
        let number = number as usize;
        let computation = &module.computations[number];
        let runs = context.times[number];
        let fused = context.fused[number];
        let runs_here = runs.count != Some(0);
        if !runs_here && fused.count == Some(0) {
            continue;
        }
        // The operations that an asynchronous one runs are listed as one move, as for a fusion.
        let mut callers = context.callers[number].iter();
        let is_begun = |&caller: &Value| context.opcode(caller) == Opcode::Start(&Opcode::Async);
        let is_whole = moves[number] && callers.all(is_begun);
        if runs_here && is_whole && !context.is_entry(number as u32) {
            continue;
        }
        for k in 0..computation.instructions.len() {
            let at = Value::new(number as u32, k as u32);
            if runs_here && is_move(context, &moves, at) {
                match move_of(context, at, runs) {
                    Some(moved) => found.moves.push(moved),
                    None => found.without_layout += 1,
                }
            } else if !runs_here && context.opcode(at) == Opcode::Copy {
                let moved = move_of(context, at, fused).filter(|moved| moved.kind == Kind::Layout);
                let owner = match context.callers[number][..] {
                    [caller] if moves[number] && context.runs(caller.computation) => Some(caller),
                    _ => None,
                };
                found
                    .fused
                    .extend(moved.map(|moved| Move { owner, ..moved }));
            }
        }
    }
    for moves in [&mut found.moves, &mut found.fused] {
        // Equal moves stay in the order of the calls.
        moves.sort_by_cached_key(|moved| std::cmp::Reverse(moved.total()));
    }
    found
}

/// Whether each computation only moves data when it is the body of a fusion. Callees come before
/// callers.
fn moves(context: &Context<'_>) -> Vec<bool> {
    let module = context.module;
    let mut moves: Vec<bool> = Vec::with_capacity(module.computations.len());
    for computation in &module.computations {
        let mut instructions = computation.instructions.iter();
        let all = instructions.all(|instruction| match module.opcode(instruction) {
            Opcode::Parameter
            | Opcode::Constant
            | Opcode::Bitcast
            | Opcode::Copy
            | Opcode::Transpose
            | Opcode::Reshape
            | Opcode::Tuple
            | Opcode::GetTupleElement => true,
            opcode if opcode.rearranges() => true,
            Opcode::Fusion => module
                .called(instruction, "calls")
                .is_some_and(|k| moves[k as usize]),
            // The start index of a slice may be computed, scalars from scalars. A sum gives a
            // scalar, too, but not from scalars.
            _ => {
                let mut operands = module
                    .operands(instruction)
                    .iter()
                    .map(|&k| &computation.instructions[k as usize]);
                is_scalar(context, instruction)
                    && operands.all(|operand| is_scalar(context, operand))
            }
        });
        moves.push(all && !is_scalar(context, computation.root()));
    }
    moves
}

/// Whether all arrays of the result have no dimensions.
fn is_scalar(context: &Context<'_>, instruction: &Instruction) -> bool {
    let leaves = context.module.leaves(instruction);
    let arrays = leaves.iter().map(|&leaf| context.tally.of(leaf));
    !leaves.is_empty() && { arrays }
        .all(|array| array.is_some_and(|array| array.array.dims.is_empty()))
}

/// Whether the operation moves data, and is not free.
fn is_move(context: &Context<'_>, moves: &[bool], at: Value) -> bool {
    let module = context.module;
    let instruction = context.instruction(at);
    match module.opcode(instruction).begun() {
        Opcode::Copy => true,
        Opcode::Fusion | Opcode::Async => {
            let body = module.called(instruction, "calls");
            body.is_some_and(|body| moves[body as usize])
        }
        Opcode::Transpose | Opcode::Reshape => !is_bitcast(context, at),
        opcode => opcode.rearranges(),
    }
}

/// Whether a transpose or a reshape moves nothing.
fn is_bitcast(context: &Context<'_>, at: Value) -> bool {
    let Some((from, to)) = context.sides(at) else {
        return false;
    };
    let compared = ElementTypes::Compared;
    let answer = match context.opcode(at) {
        Opcode::Transpose => {
            let mapping = context
                .module
                .numbers(context.instruction(at), "dimensions");
            let Some(mapping) = mapping else { return false };
            shape_util::transpose_is_bitcast(from, to, &mapping, compared)
        }
        _ => shape_util::reshape_is_bitcast(from, to, compared),
    };
    answer.unwrap_or(false)
}

/// Describes an operation as a move; `None` if its arrays have no layouts.
fn move_of(context: &Context<'_>, at: Value, times: Times) -> Option<Move> {
    let opcode = context.opcode(at);
    let instruction = context.instruction(at);
    // An asynchronous operation gives a tuple: source, destination, context. For a copy the
    // destination comes first.
    let begun = opcode.begun();
    let target = match opcode {
        Opcode::Start(Opcode::Copy) => at.of_item(0),
        Opcode::Start(_) => at.of_item(1),
        _ => first_array(context, at)?,
    };
    let to = context.array(target)?;
    let mut read = 0;
    let mut source = None;
    for (k, &operand) in context.module.operands(instruction).iter().enumerate() {
        // The operands after the array are the start indices of the slice.
        if k > 0 && matches!(begun, Opcode::DynamicSlice | Opcode::Copy) {
            break;
        }
        let operand = Value::new(at.computation, operand);
        let Some(first) = first_array(context, operand) else {
            continue;
        };
        if begun == Opcode::Fusion && is_scalar(context, context.instruction(operand)) {
            continue;
        }
        source = source.or(Some(first));
        read += read_of(context, at, k, operand);
    }
    let source = source?;
    let from = context.array(source)?;
    let written = if opcode != begun {
        context.allocated(to)
    } else {
        allocated(context, at)
    };
    let kind = kind(context, at, from, to);
    Some(Move {
        at,
        source,
        target,
        from,
        to,
        read,
        written,
        times,
        kind,
        owner: None,
    })
}

/// The value itself, or the first item of its tuple that is an array with a layout.
fn first_array(context: &Context<'_>, value: Value) -> Option<Value> {
    if context.array(value).is_some() {
        return Some(value);
    }
    let items = context.module.shapes.items(context.shape(value)).len() as u32;
    let mut items = (0..items).map(|item| value.of_item(item));
    items.find(|&item| context.array(item).is_some())
}

/// The bytes that all arrays of a result allocate.
fn allocated(context: &Context<'_>, value: Value) -> u128 {
    context
        .module
        .leaves(context.instruction(value))
        .iter()
        .filter_map(|&leaf| context.tally.of(leaf))
        .map(|array| u128::from(array.allocated))
        .sum()
}

/// The bytes that are read of an operand: those of the slices taken of it, or all.
fn read_of(context: &Context<'_>, at: Value, number: usize, operand: Value) -> u128 {
    let all = allocated(context, operand);
    let part = match context.opcode(at).begun() {
        opcode if opcode.is_slice() => sliced(context, at, operand),
        Opcode::Fusion | Opcode::Async => {
            let body = context.called(at, "calls");
            let parameter =
                body.and_then(|body| context.parameter(body, u32::try_from(number).ok()?));
            parameter.and_then(|parameter| {
                context
                    .users(parameter)
                    .iter()
                    .map(|&user| {
                        let is_slice = context.opcode(user).is_slice();
                        let is_of_parameter = context.operand(user, 0) == Some(parameter);
                        (is_slice && is_of_parameter).then(|| sliced(context, user, parameter))?
                    })
                    .sum()
            })
        }
        _ => None,
    };
    part.map_or(all, |part| part.min(all))
}

/// The bytes of the part that a slice reads, in the layout of the array.
fn sliced(context: &Context<'_>, slice: Value, array: Value) -> Option<u128> {
    let shape = context.value_shape(array)?;
    let instruction = context.instruction(slice);
    let sizes: Vec<i64> = match context.module.attribute(instruction, "slice") {
        // Count from the first to the last element, with the skipped elements between them.
        Some(list) => list
            .trim_matches(['{', '}'])
            .split("],")
            .map(|range| {
                let mut numbers = range.trim_matches([' ', '[', ']']).split(':');
                let mut number = || numbers.next()?.trim().parse::<i64>().ok();
                let start = number()?;
                number()?.checked_sub(start)
            })
            .collect::<Option<_>>()?,
        None => context.module.numbers(instruction, "dynamic_slice_sizes")?,
    };
    if sizes.len() != shape.dims.len() {
        return None;
    }
    bytes(&with_sizes(shape, &sizes)?)
}

fn kind(context: &Context<'_>, at: Value, from: u32, to: u32) -> Kind {
    let a = context.array_shape(from);
    let b = context.array_shape(to);
    let (Some(la), Some(lb)) = (&a.layout, &b.layout) else {
        return Kind::Rearrange;
    };
    let opcode = context.opcode(at);
    let cuts = match opcode {
        _ if opcode.rearranges() => return Kind::Rearrange,
        _ if matches!(opcode.begun(), Opcode::Transpose | Opcode::Reshape) => return Kind::Layout,
        _ if opcode.begun() == Opcode::Fusion => context.called(at, "calls").is_none_or(|body| {
            context
                .computation(body)
                .instructions
                .iter()
                .filter(|instruction| {
                    context.module.is_parameter(instruction) && !is_scalar(context, instruction)
                })
                .count()
                != 1
        }),
        _ => false,
    };
    let same_elements = a.element_type == b.element_type;
    if same_elements && a.dims == b.dims && !cuts {
        return if !same_but_for_space(la, lb) {
            Kind::Layout
        } else if la.memory_space != lb.memory_space {
            Kind::MemorySpace
        } else {
            Kind::Rearrange
        };
    }
    // `None` for a size without a bound: the number of elements is unknown.
    let elements = |shape: &ArrayShape| {
        let mut sizes = shape.dims.iter().map(|dim| dim.bound());
        sizes.try_fold(1_i128, |all, size| Some(all.saturating_mul(size?.into())))
    };
    match opcode {
        // A part that is fetched into another memory space.
        Opcode::Start(_) if la.memory_space != lb.memory_space => Kind::MemorySpace,
        Opcode::Copy if a.dims == b.dims => Kind::Layout,
        _ if !cuts && elements(a).is_some() && elements(a) == elements(b) => Kind::Layout,
        _ => Kind::Rearrange,
    }
}
