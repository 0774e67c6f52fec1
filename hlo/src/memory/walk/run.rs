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

use super::super::super::graph::Computation;
use super::super::stop::{NO_ARGUMENT, SECOND_PARAMETER, Stop};
use super::places::Results;
use super::special::{Branches, Loop};
use super::{At, Follow, Made, Next, Places, flat};

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

impl<'a> Open<'a> {
    /// The instruction that runs; none at the end.
    fn at(&self) -> Option<At<'a>> {
        let k = self.results.len();
        Some(At {
            computation: self.computation,
            instruction: self.computation.instructions.get(k)?,
            by: (self.number, k as u32),
        })
    }

    /// The places of an instruction.
    fn result(&self, of: u32) -> Places {
        match self.results.get(of) {
            Some(places) => places,
            None => unreachable!("the graph has an operand before its user, and the root in it"),
        }
    }
}

impl<'a> Follow<'a> {
    /// Runs the entry, and answers the places of its result.
    pub(super) fn run(&mut self, entry: u32) -> Made {
        let mut open = vec![self.open(entry, None)?];
        // The result of the computation that closed.
        let mut closed = Places::default();
        while let Some(last) = open.last_mut() {
            let Some(at) = last.at() else {
                closed = last.result(last.computation.root);
                self.held = last.held;
                open.pop();
                continue;
            };
            let step = match last.waits.take() {
                None => self.next(last, at)?,
                Some(Wait::Call) => Step::Gives(std::mem::take(&mut closed)),
                Some(Wait::Condition(init)) => {
                    self.use_all(&closed);
                    self.body(at, init)?
                }
                Some(Wait::Body(begun)) => self.repeated(at, begun, &closed)?,
                Some(Wait::Branch(branches)) => {
                    self.branched(at, branches, std::mem::take(&mut closed))?
                }
            };
            match step {
                Step::Gives(places) => self.give(last, at, places)?,
                Step::Runs(callee, arguments, wait) => {
                    last.waits = Some(wait);
                    open.push(self.open(callee, Some(arguments))?);
                }
            }
        }
        Ok(closed)
    }

    fn open(&self, number: u32, arguments: Option<Vec<Places>>) -> Result<Open<'a>, Stop> {
        // The parameters of a computation have different numbers.
        if let Some(k) = self.bodies[number as usize].second {
            self.fault((number, k), SECOND_PARAMETER)?;
        }
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
    fn next(&mut self, open: &Open<'a>, at: At<'a>) -> Next {
        let Some(parameter) = self.module.parameter(at.instruction) else {
            let operands = self.module.operands(at.instruction).iter();
            let operands: Vec<Places> = operands.map(|&of| open.result(of)).collect();
            // An instruction goes through the arrays of its operands.
            self.room(flat(&operands).count())?;
            return self.instruction(at, &operands);
        };
        let given = match &open.arguments {
            Some(arguments) => arguments.get(parameter as usize),
            None => self.parameters.get(&parameter).map(|(_, places)| places),
        };
        self.check(given.is_some(), at.by, NO_ARGUMENT)?;
        Ok(Step::Gives(given.cloned().unwrap_or_default()))
    }

    /// The instruction that is running has ended with this result.
    fn give(&mut self, open: &mut Open<'a>, at: At<'a>, mut result: Places) -> Result<(), Stop> {
        let arrays = self.module.shapes.count(at.instruction.shape);
        self.agree(at.by, result.len(), arrays)?;
        if result.len() != arrays {
            result = self.made(at)?;
        }
        if let Places::Several(all) = &result {
            self.hold(all.len())?;
        }
        open.results.push(result);
        self.walk.steps.push(at.by);
        Ok(())
    }
}
