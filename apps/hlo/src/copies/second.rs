//! Why an array is copied into another memory, in the layout and the memory space that it has.
//!
//! XLA's `CopyInsertion` adds such a copy where a memory cannot have two values at the same time.
//! So the memory of the copy is followed to what takes it, the nearest first, through operations
//! that pass memory on: the state of a loop, the result of a branch or of the entry, an update in
//! place. If nothing takes it, what the memory of the source belongs to is the reason: a loop or a
//! parameter. Otherwise the reason is not known.

use std::collections::VecDeque;

use hashbrown::HashSet;

use super::context::Context;
use super::find::Move;
use super::ties::beside;
use super::value::{Side, Value};
use crate::opcode::Opcode;

/// The cause that is not found.
pub(super) const NOT_KNOWN: &str = "not known";

/// The largest number of values that are followed.
const MOST: usize = 128;

/// What a memory belongs to.
enum MemoryOwner {
    /// A loop, or the entry.
    Side(Side),
    /// The conditional that the value is a result of, from one of its branches.
    Conditional(Value),
    /// The operation that overwrites it.
    Update(Value),
}

/// Returns why an array has a second copy.
pub(super) fn words(context: &Context<'_>, second: &Move) -> String {
    let (taken_by, _) = owner(context, second.target, false);
    let (given_by, met) = owner(context, second.source, true);
    match (&taken_by, &given_by) {
        (Some(MemoryOwner::Conditional(at)), _) => {
            let branch = second.at.computation;
            let is_operand =
                |value: &Value| value.computation == branch && context.number(*value).is_some();
            let what = if met.iter().any(is_operand) {
                "the branch returns its operand"
            } else {
                "a second copy"
            };
            let name = context.name(*at);
            format!("result of {name}: {what}, and the result has memory of its own")
        }
        (Some(MemoryOwner::Update(at)), _) => {
            format!(
                "update in place by {}: a second copy, which is overwritten",
                context.name(*at)
            )
        }
        (Some(MemoryOwner::Side(side @ Side::Loop(_))), _)
        | (_, Some(MemoryOwner::Side(side @ Side::Loop(_)))) => {
            format!("{}: a second copy", side.words(context))
        }
        (Some(MemoryOwner::Side(Side::Result { donated: true, .. })), _)
        | (_, Some(MemoryOwner::Side(Side::Parameter { donated: true, .. }))) => {
            "donation: a second copy, because the first one is overwritten".to_owned()
        }
        (_, Some(MemoryOwner::Side(side))) | (Some(MemoryOwner::Side(side)), _) => {
            format!("{}: a second copy", side.words(context))
        }
        _ => format!("{NOT_KNOWN}: a second copy in the same layout"),
    }
}

/// Returns what the memory of a value belongs to, and the values that were met on the way.
/// `back` follows what gives the value, else what takes it.
fn owner(context: &Context<'_>, value: Value, back: bool) -> (Option<MemoryOwner>, HashSet<Value>) {
    let mut seen = HashSet::from([value]);
    let mut next = VecDeque::from([value]);
    while let Some(value) = next.pop_front() {
        if let Some(side) = Side::of_entry(context, value, back) {
            return (Some(MemoryOwner::Side(side)), seen);
        }
        for (by, there) in beside(context, value, back) {
            let is_inside = value.computation != by.computation;
            let passes = match context.opcode(by) {
                Opcode::While => return (Some(MemoryOwner::Side(Side::Loop(by))), seen),
                Opcode::Conditional if !back && is_inside => {
                    return (Some(MemoryOwner::Conditional(by)), seen);
                }
                Opcode::Conditional => !back || is_inside,
                Opcode::Tuple
                | Opcode::GetTupleElement
                | Opcode::Bitcast
                | Opcode::Call
                | Opcode::Done(Opcode::Copy)
                | Opcode::OptimizationBarrier => true,
                _ if !back && context.overwrites(by, value) => {
                    return (Some(MemoryOwner::Update(by)), seen);
                }
                _ => false,
            };
            for value in there.filter(|_| passes).into_iter().flatten() {
                if seen.len() < MOST && seen.insert(value) {
                    next.push_back(value);
                }
            }
        }
    }
    (None, seen)
}
