//! `xlayout hlo memory`: what is alive at each step of the schedule, for each memory space.
//!
//! | part | what it does |
//! |---|---|
//! | `walk` | follows the schedule: which arrays are made, which share memory, when each is used |
//! | `shared` | updates in place |
//! | `reuse` | results in the memory of an operand that ends |
//! | `stop` | why a module cannot be followed |
//! | `few` | lists that mostly have one item |
//! | `peak` | buffers, memory over time, the peak |
//! | `counted` | what XLA counts as the peak |
//! | `assignment` | what XLA itself assigned, from files beside the module |
//! | `report`, `json` | the answer |

mod arguments;
pub(super) mod assignment;
mod counted;
mod few;
pub(super) mod json;
mod peak;
pub(super) mod report;
mod reuse;
mod shared;
mod stop;
#[cfg(test)]
mod tests;
mod walk;

use std::cmp::Reverse;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) use arguments::{ABOUT, Arguments};

use super::graph::Module;
use super::tally::{Leaf, Tally};
use crate::failure::{Failure, Outcome};
use assignment::Assignment;
use peak::Buffer;
use stop::Stop;
use walk::Walk;

/// The memory of a module.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) file: PathBuf,
    pub(super) module: String,
    pub(super) is_scheduled: bool,
    pub(super) steps: usize,
    pub(super) spaces: Vec<Space>,
    /// The file by which XLA says what it allocates, if there is one.
    pub(super) assigned_by: Option<PathBuf>,
    /// How many arrays have a size that only the run time knows.
    pub(super) without_size: u64,
}

/// A memory space.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    pub(super) space: i8,
    /// What XLA allocates, where it says so; otherwise what it counts for `peak_memory_in_bytes`.
    pub(super) peak: u128,
    /// The most that is alive.
    pub(super) live: u128,
    pub(super) at: String,
    pub(super) computation: String,
    /// The most that is alive in each part of the schedule, parts being equally long.
    pub(super) timeline: Vec<u128>,
    /// How many buffers are alive at the peak.
    pub(super) alive: usize,
    /// The largest of them.
    pub(super) buffers: Vec<Alive>,
}

/// A buffer that is alive at the peak.
#[derive(Clone, Debug)]
pub(super) struct Alive {
    pub(super) instruction: String,
    pub(super) computation: String,
    pub(super) kind: &'static str,
    pub(super) shape: String,
    pub(super) bytes: u64,
    pub(super) logical: u64,
    pub(super) op_name: String,
    pub(super) source: String,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let rows = match (arguments.top, arguments.common.json) {
        (Some(top), _) => top.0,
        (None, true) => usize::MAX,
        (None, false) => 10,
    };
    let common = &arguments.common;
    let found = super::modules(
        &arguments.files,
        common.all_mistakes,
        &common.html,
        &mut |path, module, tally| answer_beside(path, &module, tally, rows),
    );
    let mut answers = Vec::new();
    let mut refused = None;
    for (answer, failure) in found.all {
        answers.extend(answer);
        refused = Failure::both(refused, failure);
    }
    if !answers.is_empty() {
        match common.json {
            _ if common.html.is_stdout() => {}
            true => json::write(out, &answers)?,
            false => report::write(out, &answers)?,
        }
        common.html.write(found.page, out)?;
        out.flush()?;
    }
    super::ended(found.mistakes, Failure::both(refused, found.failures))
}

/// The memory of a module by what XLA assigned, if a file beside the module says it; and what is wrong. Without a damaged file there is
/// an answer, too.
pub(super) fn answer_beside(
    path: &Path,
    module: &Module,
    tally: &Tally,
    rows: usize,
) -> (Option<Answer>, Option<Failure>) {
    let (assignment, failure) = match assignment::beside(path) {
        Ok(assignment) => (assignment, None),
        Err(failure) => (None, Some(failure)),
    };
    match answer(module, tally, assignment.as_ref(), rows) {
        // A text that is no module has no array; the reader says so itself.
        Ok(answer) if answer.module.is_empty() && answer.spaces.is_empty() => (None, failure),
        Err(Stop::NoEntry) if module.name.is_empty() => (None, failure),
        Ok(mut answer) => {
            path.clone_into(&mut answer.file);
            (Some(answer), failure)
        }
        Err(stop) => {
            let stop = stop.failure(path, module);
            let all = match failure {
                Some(before) => before.and(stop),
                None => stop,
            };
            (None, Some(all))
        }
    }
}

/// The answer as JSON.
pub(super) fn value(answer: &Answer) -> serde_json::Value {
    json::one(answer)
}

/// The sum of the peaks of all memory spaces; none if the module cannot be followed, or what XLA assigned cannot be read.
pub(super) fn peak(path: &Path, module: &Module, tally: &Tally) -> Option<u128> {
    match answer_beside(path, module, tally, 0) {
        (Some(answer), None) => Some(answer.peak()),
        _ => None,
    }
}

/// The memory of a module, with a limited number of buffers for each space.
fn answer(
    module: &Module,
    tally: &Tally,
    assignment: Option<&Assignment>,
    rows: usize,
) -> Result<Answer, Stop> {
    let walk = walk::walk(module, tally)?;
    let buffers = peak::buffers(&walk);
    let counted = counted::counted(&walk, &buffers);
    let mut spaces = Vec::new();
    for space in peak::spaces(buffers.iter(&walk), walk.steps.len()) {
        let mut alive: Vec<Buffer<'_>> = buffers
            .iter(&walk)
            .filter(|buffer| buffer.space == space.space && buffer.bytes > 0)
            .filter(|buffer| buffer.is_alive(space.at))
            .collect();
        alive.sort_by_key(|buffer| Reverse(buffer.bytes));
        let (computation, at) = names(module, walk.steps.get(space.at as usize));
        let assigned = assignment.and_then(|all| all.spaces.get(&space.space));
        spaces.push(Space {
            space: space.space,
            peak: assigned
                .or(counted.get(&space.space))
                .copied()
                .unwrap_or_default(),
            live: space.peak,
            at,
            computation,
            timeline: space.timeline,
            alive: alive.len(),
            buffers: (alive.iter().take(rows))
                .map(|buffer| describe(module, tally, &walk, buffer, space.at))
                .collect(),
        });
    }
    // A space in which XLA allocates what no instruction shows.
    for (&space, &peak) in assignment.iter().flat_map(|all| &all.spaces) {
        if spaces.iter().all(|known| known.space != space) {
            spaces.push(Space {
                space,
                peak,
                ..Space::default()
            });
        }
    }
    spaces.sort_by_key(|space| space.space);
    Ok(Answer {
        file: PathBuf::new(),
        module: module.name.clone(),
        is_scheduled: module.is_scheduled,
        steps: walk.steps.len(),
        spaces,
        assigned_by: assignment.map(|all| all.file.clone()),
        without_size: walk.without_size,
    })
}

impl Answer {
    pub(super) fn peak(&self) -> u128 {
        self.spaces.iter().map(|space| space.peak).sum()
    }

    pub(super) fn live(&self) -> u128 {
        self.spaces.iter().map(|space| space.live).sum()
    }
}

/// Of a computation, and of an instruction in it.
fn names(module: &Module, step: Option<&(u32, u32)>) -> (String, String) {
    let Some(&(computation, instruction)) = step else {
        return Default::default();
    };
    let computation = &module.computations[computation as usize];
    let instruction = &computation.instructions[instruction as usize];
    let name = module.name(instruction);
    (computation.name.clone(), name.to_owned())
}

fn describe(module: &Module, tally: &Tally, walk: &Walk, buffer: &Buffer<'_>, at: u32) -> Alive {
    let alive = |&&value: &&u32| {
        let value = &walk.values[value as usize];
        value.fixed || (value.made..=value.used).contains(&at)
    };
    // The one that holds the memory at this step; in a branch, the first one.
    let value = buffer.values.iter().find(alive).or(buffer.values.first());
    let Some(&number) = value else {
        unreachable!("a buffer is made for its first value")
    };
    let value = &walk.values[number as usize];
    let (computation, name) = names(module, Some(&value.by));
    let instruction = &module.computations[value.by.0 as usize].instructions[value.by.1 as usize];
    // They are sorted.
    let any = |all: &[u32]| {
        let mut values = buffer.values.iter();
        values.any(|value| all.binary_search(value).is_ok())
    };
    let kind = match () {
        () if any(&walk.donated) => "donated",
        () if any(&walk.parameters) => "parameter",
        () if value.fixed => "constant",
        () if any(&walk.results) => "result",
        () => "temporary",
    };
    let (shape, logical) = match value.leaf() {
        Leaf::Array(number) => {
            let array = &tally.arrays[number as usize];
            (array.shape.to_string(), array.logical)
        }
        _ => (String::new(), value.bytes),
    };
    let source = module.source(instruction).map(|place| match place.line {
        0 => place.file.to_owned(),
        line => format!("{}:{line}", place.file),
    });
    Alive {
        instruction: name,
        computation,
        kind,
        shape,
        bytes: buffer.bytes,
        logical: logical.min(buffer.bytes),
        op_name: module.op_name(instruction).to_owned(),
        source: source.unwrap_or_default(),
    }
}
