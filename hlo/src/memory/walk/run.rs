//! The computations that are running: the entry, and those that calls, loops and branches in it run.
//!
//! ```text
//! open = [the entry]
//! while a computation is open:
//!     if it has another instruction: the instruction gives its places, or runs a computation
//!     else: the computation closes, and the instruction that ran it gives its places, or runs the next computation:
//!         the body after the condition of a loop, the next branch
//!     a computation that runs is opened
//! ```
//!
//! The list of open computations is in the heap, so calls may be nested to any depth. No computation is open twice,
//! because callees come before their callers.

use super::super::super::graph::{Computation, Instruction};
use super::super::stop::{Fault, Stop};
use super::places::Results;
use super::special::{Branches, Loop};
use super::{Follow, Places, items};

/// What an instruction does.
pub(super) enum Step {
    /// It gives its arrays.
    Gives(Places),
    /// A computation of this number runs first, with these arguments.
    Runs(u32, Vec<Places>, Wait),
}

/// What is done with the result of the computation that runs.
pub(super) enum Wait {
    /// It is the result of the call.
    Call,
    /// The condition of a loop ran, with these arguments; then comes the body.
    Condition(Places),
    Body(Loop),
    Branch(Box<Branches>),
}

/// A computation of which some instructions ran.
struct Open<'a> {
    number: u32,
    computation: &'a Computation,
    /// None in the entry, which has its own.
    arguments: Option<Vec<Places>>,
    results: Results,
    /// What the instruction waits for that runs a computation now.
    waits: Option<Wait>,
    /// How many items were held before.
    held: usize,
}

impl Open<'_> {
    /// The number of the computation, and of the instruction that runs.
    fn at(&self) -> (u32, u32) {
        (self.number, self.results.len() as u32)
    }
}

impl<'a> Follow<'a> {
    /// Runs the entry, and answers the places of its result.
    pub(super) fn run(&mut self, entry: u32) -> Result<Places, Stop> {
        let mut open = vec![self.open(entry, None)?];
        loop {
            let Some(last) = open.last_mut() else {
                unreachable!("the entry is the last computation that closes")
            };
            let (_, at) = last.at();
            let step = match last.computation.instructions.get(at as usize) {
                Some(instruction) => self.next(last, instruction)?,
                None => {
                    let Some(result) = last.results.get(last.computation.root) else {
                        unreachable!("the root is an instruction of the computation")
                    };
                    self.held = last.held;
                    open.pop();
                    let Some(caller) = open.last_mut() else {
                        return Ok(result);
                    };
                    self.ran(caller, result)?
                }
            };
            // That of the step: the callee was closed.
            let Some(last) = open.last_mut() else {
                unreachable!("the step is one of an open computation")
            };
            match step {
                Step::Gives(places) => self.give(last, places)?,
                Step::Runs(callee, arguments, wait) => {
                    last.waits = Some(wait);
                    open.push(self.open(callee, Some(arguments))?);
                }
            }
        }
    }

    fn open(&self, number: u32, arguments: Option<Vec<Places>>) -> Result<Open<'a>, Stop> {
        self.numbers(number)?;
        let computation = &self.module.computations[number as usize];
        Ok(Open {
            number,
            computation,
            arguments,
            results: Results::with_capacity(computation.instructions.len()),
            waits: None,
            held: self.held,
        })
    }

    /// The next instruction of a computation.
    fn next(&mut self, open: &Open<'a>, instruction: &Instruction) -> Result<Step, Stop> {
        let by = open.at();
        let Some(parameter) = self.module.parameter(instruction) else {
            let operands = self.module.operands(instruction).iter();
            let operands: Vec<Places> = operands
                .map(|&operand| match open.results.get(operand) {
                    Some(places) => places,
                    None => unreachable!("the graph has an operand before its user"),
                })
                .collect();
            // An instruction goes through the arrays of its operands.
            self.room(items(&operands))?;
            return self.instruction(open.computation, instruction, by, &operands);
        };
        let given = match &open.arguments {
            Some(arguments) => arguments.get(parameter as usize),
            None => self.parameters.get(&parameter).map(|(_, places)| places),
        };
        Ok(Step::Gives(match given {
            Some(places) => places.clone(),
            None => {
                self.fault(by, Fault::NoArgument)?;
                Places::default()
            }
        }))
    }

    /// A computation ran, and the instruction of the caller goes on.
    fn ran(&mut self, caller: &mut Open<'a>, result: Places) -> Result<Step, Stop> {
        let by = caller.at();
        let instruction = &caller.computation.instructions[by.1 as usize];
        match caller.waits.take() {
            Some(Wait::Call) => Ok(Step::Gives(result)),
            Some(Wait::Condition(init)) => {
                self.use_all(&result);
                self.body(instruction, by, init)
            }
            Some(Wait::Body(begun)) => self.repeated(instruction, by, begun, &result),
            Some(Wait::Branch(branches)) => self.branched(instruction, by, branches, result),
            None => unreachable!("a computation runs for an instruction that waits for it"),
        }
    }

    /// The instruction that is running has ended with this result.
    fn give(&mut self, open: &mut Open<'a>, mut result: Places) -> Result<(), Stop> {
        let by = open.at();
        let shape = open.computation.instructions[by.1 as usize].shape;
        let arrays = self.module.shapes.count(shape);
        self.agree(by, result.len(), arrays)?;
        if result.len() != arrays {
            result = self.made(shape, by)?;
        }
        if let Places::Several(all) = &result {
            self.hold(all.len())?;
        }
        open.results.push(result);
        self.walk.steps.push(by);
        Ok(())
    }
}
