//! The computations that are running: the entry, and those that calls, loops and branches in it
//! run.
//!
//! ```text
//! open = [the entry]
//! while a computation is open:
//!     if it has another instruction: the instruction gives its places, or runs a computation
//!     else: the computation closes, and the instruction that ran it gives its places, or runs the
//!         next computation:
//!         the body after the condition of a loop, the next branch
//!     a computation that runs is opened
//! ```
//!
//! The stack of open computations is on the heap, so calls may be nested to any depth. No
//! computation is open twice, because callees come before their callers.

use super::super::stop::{NO_ARGUMENT, SECOND_PARAMETER, Stop};
use super::places::{Item, Results};
use super::step::{NextStep, Wait};
use super::{At, Follow, Made, Next, Places, flat};
use crate::graph::Computation;

/// A computation that is running.
struct Open<'a> {
    number: u32,
    computation: &'a Computation,
    /// The arguments; `None` in the entry, which has its own.
    arguments: Option<Vec<Places>>,
    results: Results,
    /// What the current instruction waits for, if it runs a computation.
    waits: Option<Wait>,
    /// The number of items held before this computation.
    held: usize,
}

impl<'a> Open<'a> {
    /// The current instruction; `None` at the end.
    fn at(&self) -> Option<At<'a>> {
        let k = self.results.len();
        Some(At {
            computation: self.computation,
            instruction: self.computation.instructions.get(k)?,
            by: (self.number, k as u32),
        })
    }

    /// The places of an instruction.
    fn result(&self, instruction: u32) -> Places {
        self.results.get(instruction).unwrap_or_else(|| {
            unreachable!("the graph has an operand before its user, and the root in it")
        })
    }
}

impl<'a> Follow<'a> {
    /// Follows the entry: its parameters live from the beginning, its result lives to the end, and
    /// results may take the memory of parameters.
    pub(super) fn entry(&mut self, number: u32) -> Result<(), Stop> {
        let module = self.module;
        let entry = &module.computations[number as usize];
        for (k, instruction) in (0..).zip(&entry.instructions) {
            let Some(parameter) = module.parameter(instruction) else {
                continue;
            };
            let at = At {
                computation: entry,
                instruction,
                by: (number, k),
            };
            let places = self.made(at)?;
            for &value in places.iter().flatten() {
                self.walk.values[value as usize].fixed = true;
                self.walk.parameters.push(value);
            }
            let is_new = !self.parameters.contains_key(&parameter);
            self.check(is_new, at.by, SECOND_PARAMETER)?;
            self.parameters
                .entry(parameter)
                .or_insert((instruction.shape, places));
        }
        let result = self.run(number)?;
        let root = entry.root();
        let end = self.now();
        self.walk.results = result.iter().copied().flatten().collect();
        for &value in result.iter().flatten() {
            self.walk.values[value as usize].used = end;
        }
        let parameters = std::mem::take(&mut self.parameters);
        for alias in &module.aliases {
            let parameter = parameters.get(&alias.parameter);
            let from = match parameter {
                Some((shape, places)) => self.place(*shape, &alias.index).of(places),
                None => Item::Missing,
            };
            let to = self.place(root.shape, &alias.result).of(&result);
            match (from, to) {
                (Item::Array(from), Item::Array(to)) if self.share(from, to) => {
                    self.walk.donated.push(from);
                }
                (Item::Missing, _) | (_, Item::Missing) if !module.is_damaged => {
                    return Err(Stop::Alias(alias.parameter));
                }
                _ => {}
            }
        }
        for (whole, parts) in std::mem::take(&mut self.parts).into_iter().rev() {
            let used = self.walk.values[whole as usize].used;
            for part in parts {
                self.use_at(part, used);
            }
        }
        Ok(())
    }

    /// Runs the entry, and returns the places of its result.
    fn run(&mut self, entry: u32) -> Made {
        let mut open = vec![self.open(entry, None)?];
        // The result of the computation that ended.
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
                Some(Wait::Call) => NextStep::Gives(std::mem::take(&mut closed)),
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
                NextStep::Gives(places) => self.give(last, at, places)?,
                NextStep::Runs(callee, arguments, wait) => {
                    last.waits = Some(wait);
                    open.push(self.open(callee, Some(arguments))?);
                }
            }
        }
        Ok(closed)
    }

    fn open(&self, number: u32, arguments: Option<Vec<Places>>) -> Result<Open<'a>, Stop> {
        // Two parameters of a computation must not have the same number.
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

    /// Handles the next instruction of a computation.
    fn next(&mut self, open: &Open<'a>, at: At<'a>) -> Next {
        let Some(parameter) = self.module.parameter(at.instruction) else {
            let operands: Vec<Places> = self
                .module
                .operands(at.instruction)
                .iter()
                .map(|&operand| open.result(operand))
                .collect();
            // An instruction visits the arrays of its operands.
            self.room(flat(&operands).count())?;
            return self.instruction(at, &operands);
        };
        let given = match &open.arguments {
            Some(arguments) => arguments.get(parameter as usize),
            None => self.parameters.get(&parameter).map(|(_, places)| places),
        };
        self.check(given.is_some(), at.by, NO_ARGUMENT)?;
        Ok(NextStep::Gives(given.cloned().unwrap_or_default()))
    }

    /// Ends the current instruction with this result.
    fn give(&mut self, open: &mut Open<'a>, at: At<'a>, mut result: Places) -> Result<(), Stop> {
        let arrays = self.module.shapes.count(at.instruction.shape);
        self.agree(at.by, result.len(), arrays)?;
        if result.len() != arrays {
            result = self.made(at)?;
        }
        if let Places::Several(all) = &result {
            self.hold(all.len())?;
        }
        // The entry alone has no arguments.
        if open.arguments.is_none() {
            for &value in result.iter().flatten() {
                self.walk.values[value as usize].in_entry = true;
            }
        }
        open.results.push(result);
        self.walk.steps.push(at.by);
        Ok(())
    }
}
