//! Why advice may not pay, although it removes copies.
//!
//! ```text
//! all copies are inside of fusions: Fused
//! an operation cuts, joins or reverses an array along a dimension that becomes more minor: Slower
//! a convolution reads the copy, too: Read
//! parameters and results take more memory, and it is not known that the peak is no higher: Larger
//! the copies are of what is needed in fast memory, too, so that moves to slow memory remain: Moved
//! the copies fetch parameters into fast memory, which moves may do in their place: Fetched
//! the copies are of what is fetched, but for a parameter that is all that gets another layout,
//! or of what another copy makes beside fetches of slices: Chain
//! the loop takes slices of a parameter itself, which may be converted as a whole then: Whole
//! the copy is of what a loop carries on, too, and the loop may copy that instead: State
//! ```
//!
//! Each rule was seen in modules that the TPU compiler made again with the layouts of the advice:
//! `cli/check_advice.py`.

use xlayout::shape::ElementType;

use smallvec::smallvec;

use super::change::{Change, Cure, Entry, Sizes, change_of, growth};
use super::context::Context;
use super::find::{Kind, Move};
use super::ties::follow;
use super::value::Value;
use crate::memory;
use crate::opcode::Opcode;
use xlayout_words::sum;

/// Why advice may not pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// All copies are inside fusions, which read and write the same arrays with and without the
    /// copies.
    Fused,
    /// This instruction cuts, joins or reverses an array along a dimension that becomes more minor.
    Slower(String),
    /// This convolution reads the copied value. The compiler may let it read the major dimensions
    /// in another order, or make a copy for it.
    Read(String),
    /// The parameters and results take this many bytes more for their whole lifetime.
    Larger(u128),
    /// Something else needs the arrays in fast memory: the moves from there remain, and read and
    /// write as much as the copies.
    Moved,
    /// The copies fetch parameters into fast memory. Moves may do that instead, and read and write
    /// as much.
    Fetched,
    /// Another copy or a fetch, this instruction, makes the copied value. With more room in fast
    /// memory the compiler fetched more of other arrays, and the peak was higher.
    Chain(String),
    /// A loop takes slices of a parameter. The compiler may convert the whole parameter before the
    /// loop, instead of the slices.
    Whole,
    /// A loop carries on the value that is copied in it, and may copy that value a second time.
    State,
}

impl Doubt {
    /// Returns the reason in words. `bytes` formats a number of bytes.
    #[must_use]
    pub fn words(&self, bytes: impl Fn(u128) -> String) -> String {
        match self {
            Self::Fused => {
                "the fusion reads and writes its arrays with and without the copy".to_owned()
            }
            Self::Slower(name) => format!(
                "%{name} cuts, joins or reverses an array along a dimension that becomes more minor"
            ),
            Self::Read(name) => format!("the compiler may copy for %{name}, which reads it, too"),
            Self::Larger(more) => format!(
                "parameters and results take {} more, as long as they live",
                bytes(*more)
            ),
            Self::Moved => {
                "a move between memory spaces remains, which reads and writes as much".to_owned()
            }
            Self::Fetched => {
                "a fetch into fast memory may take its place, which reads and writes as much"
                    .to_owned()
            }
            Self::Chain(name) => format!(
                "%{name} makes what is copied, and the compiler may fetch more into fast memory beside it"
            ),
            Self::Whole => {
                "the compiler may convert all of the parameter before the loop".to_owned()
            }
            Self::State => {
                "the loop carries on what is copied, and may copy that instead".to_owned()
            }
        }
    }
}

/// Returns why advice that removes these copies may not pay; `None` if it is known to pay.
/// `is_only`: there is no other advice. `saved` are the bytes of the copies outside fusions,
/// `fetched` those of fetches that replace them.
pub(super) fn doubt(
    context: &Context<'_>,
    cure: &Cure,
    is_only: bool,
    removed: &[&Move],
    saved: u128,
    fetched: u128,
) -> Option<Doubt> {
    if saved == 0 {
        return Some(Doubt::Fused);
    }
    if let Some(slower) = cure.slower {
        let name = context.text(slower).to_owned();
        return Some(if context.opcode(slower).is_product() {
            Doubt::Read(name)
        } else {
            Doubt::Slower(name)
        });
    }
    if let Ok(more @ 1..) = u128::try_from(growth(context, cure))
        && rise(context, cure, removed).is_none_or(|more| more > 0)
    {
        return Some(Doubt::Larger(more));
    }
    let written_back = removed.iter().map(|copy| match place(context, copy) {
        (from, 0) if from != 0 && is_needed(context, copy) => moved(context, copy, copy.from),
        _ => 0,
    });
    let removes = |copy: &Value| cure.removes.contains(copy) || cure.may_remove.contains(copy);
    let mut makers = removed.iter().map(|copy| context.names(copy.source).1);
    let has_slices = |copy: Value| {
        context
            .computation(copy.computation)
            .instructions
            .iter()
            .any(|instruction| context.module.opcode(instruction) == Opcode::Start(&Opcode::Slice))
    };
    let is_chain = |maker: &Value| match context.opcode(*maker) {
        Opcode::Copy => !removes(maker) && has_slices(*maker),
        // A parameter whose own layout changes is fetched as before. With more advice there was
        // more room in fast memory, and the peak was higher (`w1 - g1.T`, `w2 - g2.T`).
        Opcode::Done(Opcode::Copy) => {
            let start = context.operand(*maker, 0);
            let from = start.and_then(|start| context.operand(start, 0));
            !is_only || !from.is_some_and(|from| is_changed(context, cure, from))
        }
        _ => false,
    };
    let chain = makers.find(is_chain);
    let are_all_rearranged = removed.iter().all(|copy| copy.kind == Kind::Rearrange);
    let mut changes = cure.changes.iter();
    if sum(written_back) >= saved {
        Some(Doubt::Moved)
    } else if fetched >= saved {
        Some(Doubt::Fetched)
    } else if are_all_rearranged && changes.any(|change| is_carried(context, change)) {
        Some(Doubt::Whole)
    } else if removed.iter().all(|copy| is_state(context, copy)) {
        Some(Doubt::State)
    } else {
        chain.map(|copy| Doubt::Chain(context.text(copy).to_owned()))
    }
}

/// Returns how many bytes the advice adds to the peak of memory; `None` unless a removed copy is
/// next to each parameter and result that takes more memory.
fn rise(context: &Context<'_>, cure: &Cure, removed: &[&Move]) -> Option<i128> {
    let larger = cure
        .changes
        .iter()
        .filter(|change| change.sizes.growth() > 0);
    let numbers = |value: Value| (value.computation, value.instruction);
    let direct = |change: &Change| {
        let Sizes {
            bytes_before: before,
            bytes_after: after,
            ..
        } = change.sizes;
        let bytes = (before as i128, after as i128);
        match change.entry {
            Entry::Parameter(number) => {
                let copies = |copy: &&&Move| {
                    let (_, maker) = context.names(copy.source);
                    context.is_entry(maker.computation) && context.number(maker) == Some(number)
                };
                let copy = removed.iter().find(copies)?;
                // A parameter whose memory a result takes does not live as long.
                (!context.module.is_donated(number)).then_some(memory::Direct {
                    space: place(context, copy).0,
                    bytes,
                    array: copy.to,
                    maker: numbers(copy.at),
                    copy: None,
                    is_free: true,
                })
            }
            Entry::Result(item) => {
                let (_, giver) = context.names(context.result(item)?);
                let copy = removed.iter().find(|copy| copy.at == giver)?;
                Some(memory::Direct {
                    space: place(context, copy).1,
                    bytes,
                    array: copy.from,
                    maker: numbers(context.names(copy.source).1),
                    copy: Some(numbers(giver)),
                    is_free: !is_needed(context, copy),
                })
            }
        }
    };
    let all: Vec<_> = larger.map(direct).collect::<Option<_>>()?;
    memory::rise(context.module, context.tally, &all)
}

/// Returns the bytes that a fetch into fast memory may read and write in place of the copy of a
/// parameter whose layout changes. A value that only goes to results was not fetched.
pub(super) fn fetched(context: &Context<'_>, cure: &Cure, copy: &Move) -> u128 {
    let is_used = || context.fixed(copy.target, false).is_used;
    match place(context, copy) {
        (0, to) if to != 0 && is_changed(context, cure, copy.source) && is_used() => {
            // The copy may also convert elements, but a fetch does not.
            moved(context, copy, copy.from).max(moved(context, copy, copy.to))
        }
        _ => 0,
    }
}

/// Whether a value is a parameter of the entry whose layout changes.
fn is_changed(context: &Context<'_>, cure: &Cure, value: Value) -> bool {
    let (_, maker) = context.names(value);
    let changes = |number| change_of(&cure.changes, Entry::Parameter(number)).is_some();
    context.is_entry(maker.computation) && context.number(maker).is_some_and(changes)
}

/// The memory spaces before and after a copy.
fn place(context: &Context<'_>, copy: &Move) -> (i8, i8) {
    (context.space(copy.from), context.space(copy.to))
}

/// The bytes that all executions of a copy would read and write for this array.
fn moved(context: &Context<'_>, copy: &Move, array: u32) -> u128 {
    let times = u128::from(copy.times.count.unwrap_or(1));
    (2 * context.allocated(array)).saturating_mul(times)
}

/// Whether the source of the copy is needed in its memory space by another user, a loop that reads
/// it, or the operation that gives it.
fn is_needed(context: &Context<'_>, copy: &Move) -> bool {
    let (names, maker) = context.names(copy.source);
    let is_other = |user: &Value| *user != copy.at && !names.contains(user);
    let mut users = names.iter().flat_map(|&name| context.users_of(name));
    users.any(|user| is_other(&user))
        || match context.opcode(maker) {
            Opcode::While => is_read(context, maker, names[names.len() - 1].item),
            // An asynchronous operation, such as a collective, always gives its result in fast
            // memory.
            Opcode::Conditional | Opcode::Call | Opcode::Done(_) => true,
            _ => false,
        }
}

/// Whether the body of a loop reads an item of its state. An update in place is not a read.
fn is_read(context: &Context<'_>, at: Value, item: Option<u32>) -> bool {
    let body = context.called(at, "body");
    let state = body.and_then(|body| context.parameter(body, 0));
    let Some(state) = state.zip(item).map(|(state, item)| state.of_item(item)) else {
        return true;
    };
    let read = follow(context, state, usize::MAX, |user, value| {
        match context.opcode(user) {
            Opcode::GetTupleElement | Opcode::Bitcast => Some(true),
            Opcode::Tuple => Some(false),
            Opcode::DynamicUpdateSlice if context.operand(user, 0) == Some(value) => Some(false),
            _ => None,
        }
    });
    read.is_none()
}

/// Whether a parameter of elements that may be converted to bf16 is carried by a loop as it is.
fn is_carried(context: &Context<'_>, change: &Change) -> bool {
    let Entry::Parameter(number) = change.entry else {
        return false;
    };
    if change.now.element_type != ElementType::F32 {
        return false;
    }
    let Some(parameter) = context
        .module
        .entry
        .and_then(|main| context.parameter(main, number))
    else {
        return false;
    };
    let users = context.users(parameter).into_iter();
    let mut users = users.flat_map(|user| match context.opcode(user) {
        Opcode::Bitcast => context.users(user),
        _ => smallvec![user],
    });
    users.any(|user| context.opcode(user) == Opcode::Tuple)
}

/// Whether a copy is in a loop that carries its source on.
fn is_state(context: &Context<'_>, copy: &Move) -> bool {
    let root = context.root(copy.at.computation);
    let (names, _) = context.names(copy.source);
    copy.kind == Kind::Layout
        && copy.times.count != Some(1)
        && names
            .iter()
            .any(|&name| context.users_of(name).contains(&root))
}
