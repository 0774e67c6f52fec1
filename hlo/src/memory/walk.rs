//! Follows the schedule of a module: which arrays are made, and when each is used.
//!
//! ```text
//! steps of each computation are counted first, callees before callers: too many are an error
//! run(entry), with a list of computations in the heap in place of recursion:
//!     for each instruction of the computation, in the sequence of the schedule:
//!         while, conditional, call:   run the computations that it calls, then go on
//!         tuple, get-tuple-element, bitcast, …: the places of the operands, rearranged; no array is made
//!         …-start, …-done:            the operands stay in use until the end of the operation
//!         otherwise:                  a new value for each array of the result, made at this step
//!                                     an update in place shares the memory of its operand
//!         each operand's values are used at this step
//!     the root's places are those of the result
//! ```
//!
//! A call runs at its place in the sequence, so a body comes once before its loop. XLA's `HloLiveRange` makes the same
//! sequence.

mod bodies;
mod checks;
mod entry;
mod parts;
mod places;
mod run;
mod special;
mod values;

use hashbrown::HashMap;
use std::num::NonZero;
use std::rc::Rc;

use super::super::graph::{Computation, Instruction, Module, ShapeId};
use super::super::tally::{Leaf, Tally};
use super::reuse;
use super::shared::Updates;
use super::stop::{ALIASING, Fault, NO_ITEM, NO_NUMBER, NO_OPERAND, Stop};
use bodies::Body;
use parts::Item;
use places::Places;
use run::{Step, Wait};
pub(super) use values::PAIRS;

/// An array that an instruction makes, a part of the entry's parameters, or a part of the result of a loop or a branch.
///
/// A large module has a million of them: this is 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// The number of the array in the tally, plus 1; none without a layout.
    pub(super) array: Option<NonZero<u32>>,
    pub(super) space: i8,
    pub(super) bytes: u64,
    /// The number of the computation, and of the instruction in it.
    pub(super) by: (u32, u32),
    pub(super) made: u32,
    pub(super) used: u32,
    /// It is there from the beginning to the end.
    pub(super) fixed: bool,
}

impl Value {
    pub(super) fn leaf(&self) -> Leaf {
        match self.array {
            Some(number) => Leaf::Array(number.get() - 1),
            None => Leaf::WithoutLayout(self.bytes),
        }
    }
}

/// What was found on the way. Times are numbers of steps.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) values: Vec<Value>,
    /// Values that take one memory. Those of a pair are in one memory space.
    pub(super) same: Vec<(u32, u32)>,
    /// Values that XLA takes for one: what a loop passes on as it is.
    pub(super) identical: Vec<(u32, u32)>,
    /// An operand and a result that may take its memory, if nothing needs the operand any more.
    pub(super) reuse: Vec<(u32, u32)>,
    /// Times at which a value is needed in a branch, besides those from where it is made to where it is used. Sorted by value.
    pub(super) branches: Vec<(u32, u32, u32)>,
    /// Which instruction runs at each step.
    pub(super) steps: Vec<(u32, u32)>,
    /// Sorted, as the next two.
    pub(super) results: Vec<u32>,
    pub(super) parameters: Vec<u32>,
    /// Parameters whose memory a result takes.
    pub(super) donated: Vec<u32>,
    /// How many arrays have a size that only the run time knows.
    pub(super) without_size: u64,
}

/// More steps take gigabytes. A fuzzer, which gives each input seconds, takes no module that is a large one.
const MOST_STEPS: u64 = if cfg!(fuzzing) { 50_000 } else { 8_000_000 };

/// An instruction that runs.
#[derive(Clone, Copy)]
struct At<'a> {
    computation: &'a Computation,
    instruction: &'a Instruction,
    /// The number of the computation, and of the instruction in it.
    by: (u32, u32),
}

impl At<'_> {
    /// The shape of an operand.
    fn shape_of(self, module: &Module, operand: usize) -> Option<ShapeId> {
        let number = *module.operands(self.instruction).get(operand)?;
        Some(self.computation.instructions[number as usize].shape)
    }
}

/// The places of a result.
type Made = Result<Places, Stop>;
/// What an instruction does.
type Next = Result<Step, Stop>;

struct Follow<'a> {
    module: &'a Module,
    tally: &'a Tally,
    walk: Walk,
    /// Of each computation.
    bodies: Vec<Body>,
    updates: Updates,
    /// Of the bodies of fusions that were asked for.
    passing: reuse::Passing,
    /// Those of the entry by number, with their shapes. In a damaged text several may have one number, and the first one counts.
    parameters: HashMap<u32, (ShapeId, Places)>,
    /// Where the items of a tuple begin among its arrays, and how many arrays there are.
    begins: HashMap<ShapeId, Rc<[u32]>>,
    /// Values that others are made of without a copy: those must not end before.
    parts: Vec<(u32, Vec<u32>)>,
    /// How many items the lists in `parts` have.
    in_parts: usize,
    /// How many items the lists have that the computations on the way hold.
    held: usize,
}

/// Follows a module from its entry.
///
/// # Errors
/// If it has no entry, or if calls make it too large.
pub(super) fn walk(module: &Module, tally: &Tally) -> Result<Walk, Stop> {
    let entry = module.entry.ok_or(Stop::NoEntry)?;
    let bodies = bodies::of(module);
    // Calls of calls may be more than any number of steps: they are counted before they are followed.
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
    /// What an instruction gives that is not a parameter, or the computation that runs for it first.
    fn instruction(&mut self, at: At<'a>, operands: &[Places]) -> Next {
        let (module, by, shape) = (self.module, at.by, at.instruction.shape);
        let opcode = module.opcode(at.instruction);
        Ok(Step::Gives(match opcode {
            "parameter" => {
                self.fault(by, NO_NUMBER)?;
                self.made(at)?
            }
            // A tuple of another shape is a mistake, which the reader reported.
            "tuple" if flat(operands).count() == module.shapes.count(shape) => {
                flat(operands).collect()
            }
            "get-tuple-element" => {
                let item = at.shape_of(module, 0).zip(module.index(at.instruction));
                let range = item.and_then(|(tuple, index)| self.item(tuple, index));
                let of = self.first(by, operands)?;
                match range.and_then(|range| of.get(range)) {
                    Some(item) => Places::from(item),
                    None => {
                        self.fault(by, NO_ITEM)?;
                        self.made(at)?
                    }
                }
            }
            "bitcast" | "optimization-barrier" | "add-dependency" | "domain" => {
                self.first(by, operands)?
            }
            "constant" => {
                let places = self.made(at)?;
                for &value in places.iter().flatten() {
                    self.walk.values[value as usize].fixed = true;
                }
                places
            }
            "while" => return self.repeat(at, operands),
            "conditional" => return self.conditional(at, operands),
            "call" => match module.called(at.instruction, "to_apply") {
                Some(callee) => {
                    let taken = self.bodies[callee as usize].parameters;
                    self.at_most(by, operands.len(), taken)?;
                    return Ok(Step::Runs(callee, operands.to_vec(), Wait::Call));
                }
                None => {
                    self.fault(by, Fault::NoCallee("to_apply"))?;
                    self.other(at, operands)?
                }
            },
            // The operand is the second item of copy-start.
            "copy-start" => self.start(at, operands, 1)?,
            // Its data are the first item; the token after them has no item of its own.
            "send" => self.start(at, &operands[..operands.len().min(1)], 0)?,
            // One in place has its source, its target and two offsets as operands, and no item holds all of them.
            "collective-permute-start" if operands.len() == 4 => self.other(at, operands)?,
            "all-reduce-start" | "recv" => self.other(at, operands)?,
            _ if opcode.ends_with("-start") => self.start(at, operands, 0)?,
            "copy-done" | "recv-done" => self.done(at, operands, 0)?,
            // The token that ends it is the third item; the second is the context.
            "send-done" => self.done(at, operands, 2)?,
            "all-reduce-done" | "async-update" => {
                let first = self.first(by, operands)?;
                self.use_all(&first);
                first
            }
            _ if opcode.ends_with("-done") => self.done(at, operands, 1)?,
            _ => self.other(at, operands)?,
        }))
    }

    /// An operation without a rule of its own: new arrays, but for updates in place.
    fn other(&mut self, at: At<'a>, operands: &[Places]) -> Made {
        operands.iter().for_each(|of| self.use_all(of));
        let target = (self.module).attribute(at.instruction, "custom_call_target");
        if target.is_some_and(|target| target.contains("ConcatBitcast")) {
            return self.joined(at, operands);
        }
        let leaves = self.module.leaves(at.instruction);
        let mut places: Vec<Option<u32>> = vec![None; leaves.len()];
        let all = self.updates.of(self.module, at.instruction);
        self.check(all.is_some(), at.by, ALIASING)?;
        // The first result in the memory of each operand.
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
            // A value of its own, as in XLA, but in the same memory.
            if same && let Some(new) = self.add(leaves[to], at.by)? {
                self.share(new, from);
                places[to] = Some(new);
                // Several results in the memory of one operand are one value for XLA.
                let first = *firsts.entry(from).or_insert(new);
                if first != new {
                    self.walk.identical.push((first, new));
                }
            }
        }
        let places = self.filled(at.by, leaves, |k| places[k].map(Some))?;
        for (operand, item) in self.passing.of(self.module, at.instruction) {
            let Some(&[Some(from)]) = operands.get(operand).map(|of| &**of) else {
                continue;
            };
            self.room(places.len())?;
            let may = |k: usize| item.is_none_or(|item| item == k);
            let to = places.iter().enumerate().filter(|&(k, _)| may(k));
            let pairs = to.filter_map(|(_, &to)| Some((from, to?)));
            self.walk.reuse.extend(pairs);
        }
        Ok(places)
    }
}

/// The places of the arrays of all operands.
fn flat(operands: &[Places]) -> impl Iterator<Item = Option<u32>> {
    operands.iter().flat_map(|one| one.iter().copied())
}
