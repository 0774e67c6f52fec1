//! Follows the schedule of a module: which arrays are made, and when each is used.
//!
//! ```text
//! steps of each computation are counted first, callees before callers: too many are an error
//! run(entry), with a list of computations in the heap in place of recursion:
//!     for each instruction of the computation, in the sequence of the schedule:
//!         while, conditional, call:   run the computations that it calls, then go on
//!         tuple, get-tuple-element, bitcast, …: the places of the operands, rearranged; no array
//!             is made
//!         …-start, …-done:            the operands stay in use until the end of the operation
//!         otherwise:                  a new value for each array of the result, made at this step
//!                                     an update in place shares the memory of its operand
//!         each operand's values are used at this step
//!     the root's places are those of the result
//! ```
//!
//! A called computation runs in the place of the call, so the body of a loop is visited once,
//! before the loop ends. XLA's `HloLiveRange` gives the same order.

mod bodies;
mod items;
mod places;
mod run;
mod special;
mod step;
mod values;

use hashbrown::HashMap;
use std::num::NonZero;
use std::rc::Rc;

use super::reuse;
use super::shared::Updates;
use super::stop::{ALIASING, Fault, NO_ITEM, NO_NUMBER, NO_OPERAND, Stop};
use crate::graph::{Computation, Instruction, Module, ShapeId};
use crate::opcode::Opcode;
use crate::tally::{Leaf, Tally};
use bodies::Body;
use places::{Item, Places};
use step::{NextStep, Wait};

/// An array that an instruction makes, a part of the entry's parameters, or a part of the result of
/// a loop or a branch.
///
/// A large module has a million of them; each takes 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// The number of the array in the tally, plus 1; `None` without a layout.
    pub(super) array: Option<NonZero<u32>>,
    pub(super) space: i8,
    pub(super) bytes: u64,
    /// The number of the computation, and that of the instruction there.
    pub(super) by: (u32, u32),
    pub(super) made: u32,
    pub(super) used: u32,
    /// Whether the value is alive during the whole schedule.
    pub(super) fixed: bool,
    /// Whether an instruction of ENTRY gives it.
    pub(super) in_entry: bool,
}

impl Value {
    pub(super) fn leaf(&self) -> Leaf {
        match self.array {
            Some(number) => Leaf::Array(number.get() - 1),
            None => Leaf::WithoutLayout(self.bytes),
        }
    }
}

/// The result of the walk. Times are numbers of steps.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) values: Vec<Value>,
    /// Pairs of values that share one memory. The values of a pair are in one memory space.
    pub(super) same: Vec<(u32, u32)>,
    /// Pairs of values that XLA treats as one: what a loop passes on unchanged.
    pub(super) identical: Vec<(u32, u32)>,
    /// Pairs of an operand and a result that may take its memory, if nothing needs the operand
    /// afterwards.
    pub(super) reuse: Vec<(u32, u32)>,
    /// Further ranges of steps at which a value is needed in a branch, besides that from its making
    /// to its last use. Sorted by value.
    pub(super) branches: Vec<(u32, u32, u32)>,
    /// The instruction that runs at each step.
    pub(super) steps: Vec<(u32, u32)>,
    /// The values of the results; sorted, as the next two lists.
    pub(super) results: Vec<u32>,
    pub(super) parameters: Vec<u32>,
    /// Parameters whose memory a result takes.
    pub(super) donated: Vec<u32>,
    /// The number of arrays whose size is known only at run time.
    pub(super) without_size: u64,
}

/// The largest number of steps: more take gigabytes. A fuzzer, which gives each input seconds,
/// skips large modules.
const MOST_STEPS: u64 = if cfg!(fuzzing) { 50_000 } else { 8_000_000 };

/// An instruction that runs.
#[derive(Clone, Copy)]
struct At<'a> {
    computation: &'a Computation,
    instruction: &'a Instruction,
    /// The number of the computation, and that of the instruction there.
    by: (u32, u32),
}

impl At<'_> {
    /// The shape of an operand.
    fn shape_of(self, module: &Module, operand: usize) -> Option<ShapeId> {
        let number = *module.operands(self.instruction).get(operand)?;
        Some(self.computation.instructions[number as usize].shape)
    }
}

/// The places of a result, or why the walk stops.
type Made = Result<Places, Stop>;
/// The next step, or why the walk stops.
type Next = Result<NextStep, Stop>;

struct Follow<'a> {
    module: &'a Module,
    tally: &'a Tally,
    walk: Walk,
    /// The counts of each computation.
    bodies: Vec<Body>,
    updates: Updates,
    /// The reuse in the fusion bodies that were examined.
    passing: reuse::Passing,
    /// The parameters of the entry by number, with their shapes. In a damaged text several may have
    /// one number; the first one counts.
    parameters: HashMap<u32, (ShapeId, Places)>,
    /// For each tuple: where its items begin among its arrays, and the number of arrays.
    begins: HashMap<ShapeId, Rc<[u32]>>,
    /// Values that others contain without a copy: these must live as long.
    parts: Vec<(u32, Vec<u32>)>,
    /// The number of items in the lists of `parts`.
    in_parts: usize,
    /// The number of items in the lists of the computations that are running.
    held: usize,
}

/// Follows a module from its entry.
///
/// # Errors
/// If it has no entry, or if its calls make it too large.
pub(super) fn walk(module: &Module, tally: &Tally) -> Result<Walk, Stop> {
    let entry = module.entry.ok_or(Stop::NoEntry)?;
    let bodies = bodies::of(module);
    // Nested calls may give an enormous number of steps, so they are counted before they are
    // followed.
    if bodies[entry as usize].steps > MOST_STEPS {
        return Err(Stop::Long(MOST_STEPS));
    }
    let mut follow = Follow {
        module,
        tally,
        walk: Walk::default(),
        bodies,
        updates: Updates::new(module),
        passing: reuse::Passing::default(),
        parameters: HashMap::new(),
        begins: HashMap::new(),
        parts: Vec::new(),
        in_parts: 0,
        held: 0,
    };
    follow.entry(entry)?;
    let mut walk = follow.walk;
    walk.branches.sort_unstable();
    for values in [&mut walk.results, &mut walk.parameters, &mut walk.donated] {
        values.sort_unstable();
    }
    Ok(walk)
}

impl<'a> Follow<'a> {
    /// Returns the arrays of an instruction that is not a parameter, or the computation that must
    /// run for it first.
    fn instruction(&mut self, at: At<'a>, operands: &[Places]) -> Next {
        let module = self.module;
        let by = at.by;
        let shape = at.instruction.shape;
        Ok(NextStep::Gives(match module.opcode(at.instruction) {
            Opcode::Parameter => {
                self.fault(by, NO_NUMBER)?;
                self.made(at)?
            }
            // A tuple of another shape is a mistake that the reader reported.
            Opcode::Tuple if flat(operands).count() == module.shapes.count(shape) => {
                flat(operands).collect()
            }
            Opcode::GetTupleElement => {
                let item = at.shape_of(module, 0).zip(module.index(at.instruction));
                let range = item.and_then(|(tuple, index)| self.item(tuple, index));
                let tuple = self.first(by, operands)?;
                match range.and_then(|range| tuple.get(range)) {
                    Some(item) => Places::from(item),
                    None => {
                        self.fault(by, NO_ITEM)?;
                        self.made(at)?
                    }
                }
            }
            Opcode::Bitcast
            | Opcode::OptimizationBarrier
            | Opcode::AddDependency
            | Opcode::Domain => self.first(by, operands)?,
            Opcode::Constant => {
                let places = self.made(at)?;
                for &value in places.iter().flatten() {
                    self.walk.values[value as usize].fixed = true;
                }
                places
            }
            Opcode::While => return self.repeat(at, operands),
            Opcode::Conditional => return self.conditional(at, operands),
            Opcode::Call => match module.called(at.instruction, "to_apply") {
                Some(callee) => {
                    let taken = self.bodies[callee as usize].parameters;
                    self.at_most(by, operands.len(), taken)?;
                    return Ok(NextStep::Runs(callee, operands.to_vec(), Wait::Call));
                }
                None => {
                    self.fault(by, Fault::NoCallee("to_apply"))?;
                    self.other(at, operands)?
                }
            },
            // The operand is the second item of copy-start.
            Opcode::Start(Opcode::Copy) => self.start(at, operands, 1)?,
            // The data are the first item; the token after them has no item.
            Opcode::Send => self.start(at, &operands[..operands.len().min(1)], 0)?,
            // The in-place form has as operands its source, its target and two offsets, and no item
            // holds all of them.
            Opcode::Start(Opcode::CollectivePermute) if operands.len() == 4 => {
                self.other(at, operands)?
            }
            Opcode::Start(Opcode::AllReduce) | Opcode::Recv => self.other(at, operands)?,
            Opcode::Start(_) => self.start(at, operands, 0)?,
            Opcode::Done(Opcode::Copy | Opcode::Recv) => self.done(at, operands, 0)?,
            // The final token is the third item; the second is the context.
            Opcode::Done(Opcode::Send) => self.done(at, operands, 2)?,
            Opcode::Done(Opcode::AllReduce) | Opcode::Update(Opcode::Async) => {
                let first = self.first(by, operands)?;
                self.use_all(&first);
                first
            }
            Opcode::Done(_) => self.done(at, operands, 1)?,
            _ => self.other(at, operands)?,
        }))
    }

    /// An operation without its own rule makes new arrays, except for updates in place.
    fn other(&mut self, at: At<'a>, operands: &[Places]) -> Made {
        operands.iter().for_each(|of| self.use_all(of));
        if self.module.target(at.instruction).contains("ConcatBitcast") {
            return self.joined(at, operands);
        }
        let leaves = self.module.leaves(at.instruction);
        let places = self.in_place(at, operands, &leaves)?;
        let places = self.filled(at.by, leaves, |k| places[k].map(Some))?;
        for (operand, item) in self.passing.of(self.module, at.instruction) {
            let Some(&[Some(from)]) = operands.get(operand).map(|of| &**of) else {
                continue;
            };
            self.room(places.len())?;
            let may = |k: usize| item.is_none_or(|item| item == k);
            let to = places.iter().enumerate().filter(|&(k, _)| may(k));
            self.walk
                .reuse
                .extend(to.filter_map(|(_, &to)| Some((from, to?))));
        }
        Ok(places)
    }

    /// Returns the values of the arrays of a result that take the memory of operands; `None` for
    /// the others.
    fn in_place(
        &mut self,
        at: At<'a>,
        operands: &[Places],
        leaves: &[Leaf],
    ) -> Result<Vec<Option<u32>>, Stop> {
        let mut places: Vec<Option<u32>> = vec![None; leaves.len()];
        let all = self.updates.of(self.module, at.instruction);
        self.check(all.is_some(), at.by, ALIASING)?;
        // The first result that takes the memory of each operand.
        let mut firsts: HashMap<u32, u32> = HashMap::new();
        for shared in &*all.unwrap_or_default() {
            let to = self.place(at.instruction.shape, &shared.result);
            self.check(to != Item::Missing, at.by, NO_ITEM)?;
            let number = shared.parameter as usize;
            let operand = operands.get(number).zip(at.shape_of(self.module, number));
            let Some((of, operand)) = operand else {
                self.fault(at.by, NO_OPERAND)?;
                continue;
            };
            let from = self.place(operand, &shared.index);
            self.check(from != Item::Missing, at.by, NO_ITEM)?;
            let (Item::Array(to), Item::Array(from)) = (to, from) else {
                continue;
            };
            let Some(from) = of.get(from).copied().flatten() else {
                continue;
            };
            let value = self.walk.values[from as usize];
            let same = match leaves[to] {
                Leaf::Array(number) => {
                    let array = &self.tally.arrays[number as usize];
                    (array.memory_space, array.allocated) == (value.space, value.bytes)
                }
                leaf => leaf == value.leaf(),
            };
            // As in XLA, a separate value in the same memory.
            if same && let Some(new) = self.add(leaves[to], at.by)? {
                self.share(new, from);
                places[to] = Some(new);
                // Several results in the memory of one operand are one value in XLA.
                let first = *firsts.entry(from).or_insert(new);
                if first != new {
                    self.walk.identical.push((first, new));
                }
            }
        }
        Ok(places)
    }
}

/// The places of the arrays of all operands.
fn flat(operands: &[Places]) -> impl Iterator<Item = Option<u32>> {
    operands.iter().flat_map(|places| places.iter().copied())
}
