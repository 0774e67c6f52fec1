//! The buffers that are alive at each step of the schedule, for each memory space.
//!
//! | part | what it does |
//! |---|---|
//! | `walk` | follows the schedule: which arrays are made, which share memory, when each is used |
//! | `shared` | updates in place |
//! | `reuse` | results in the memory of an operand that ends |
//! | `stop` | why a module cannot be followed |
//! | `few` | lists that mostly have one item |
//! | `peak` | buffers, memory over time, the peak |
//! | `rise` | the peaks with other layouts of parameters and results |
//! | `counted` | what XLA counts as the peak |
//! | `allocated` | what ENTRY allocates, at one time or not |
//! | `assignment` | what XLA itself assigned, from files beside the module |

mod allocated;
pub(super) mod assignment;
mod counted;
mod few;
mod peak;
mod reuse;
mod rise;
mod shared;
mod stop;
#[cfg(test)]
mod tests;
mod walk;

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use xlayout::ArrayShape;

use super::advice::{Better, better};
use super::error::Error;
use super::graph::Module;
use super::tally::{Leaf, Tally, text_if_any};
pub use allocated::{OfEntry, allocated};
use assignment::Assignment;
use peak::Buffer;
pub(super) use rise::{Direct, rise};
pub(super) use shared::Updates;
use stop::Stop;
use walk::Walk;
use xlayout_words::{number, numbers};

/// The memory of a module.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Answer {
    /// The file of the module.
    pub file: String,
    /// The name of the module.
    pub module: String,
    /// The sum of the peaks of all memory spaces.
    #[serde(rename = "peak_bytes", serialize_with = "number")]
    pub peak: u128,
    /// The sum over the memory spaces of the bytes that are alive at the peak.
    #[serde(rename = "live_bytes", serialize_with = "number")]
    pub live: u128,
    /// What ENTRY allocates over the whole schedule.
    pub entry: OfEntry,
    /// Whether the instructions run in the order of the text.
    pub is_scheduled: bool,
    /// Whether no computation is marked as ENTRY, so that the last one is taken for it.
    pub is_entry_assumed: bool,
    /// The number of instructions that run, with those of calls at each call.
    pub steps: usize,
    /// The file with the sizes that XLA allocates, if there is one.
    pub assigned_by: Option<String>,
    /// The number of arrays whose size is known only at run time.
    pub without_size: u64,
    /// Whether the module fits in the memory of a device, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fit: Option<Fit>,
    /// The memory spaces, by number.
    pub spaces: Vec<Space>,
}

/// Whether a module fits in the memory of a device.
#[derive(Clone, Debug, Serialize)]
pub struct Fit {
    /// Whether it fits.
    pub fits: bool,
    /// The memory of the device.
    pub limit_bytes: u64,
    /// The bytes that the module needs: the peak of the default memory space.
    #[serde(rename = "needed_bytes", serialize_with = "number")]
    pub needed: u128,
    /// The bytes above the limit.
    #[serde(rename = "excess_bytes", serialize_with = "number")]
    pub excess: u128,
}

impl Answer {
    /// Compares the default memory space, which is the device's own memory, with a limit.
    pub fn compare(&mut self, limit: u64) {
        let needed = self
            .spaces
            .iter()
            .find(|space| space.space == 0)
            .map_or(0, |space| space.peak.max(space.live));
        let excess = needed.saturating_sub(limit.into());
        self.fit = Some(Fit {
            fits: excess == 0,
            limit_bytes: limit,
            needed,
            excess,
        });
    }
}

/// A memory space.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Space {
    /// Its number.
    pub space: i8,
    /// The bytes that XLA allocates, if a file says them; otherwise those that it counts for
    /// `peak_memory_in_bytes`.
    #[serde(rename = "peak_bytes", serialize_with = "number")]
    pub peak: u128,
    /// The most bytes that are alive at one step.
    #[serde(rename = "live_bytes", serialize_with = "number")]
    pub live: u128,
    /// The first instruction at which `live` bytes are alive.
    pub at: String,
    /// The computation of this instruction.
    pub computation: String,
    /// The number of buffers that are alive at the peak.
    pub alive: usize,
    /// The largest of them.
    pub buffers: Vec<Alive>,
    /// The most bytes that are alive in each part of the schedule; the parts have equal lengths.
    #[serde(serialize_with = "numbers")]
    pub timeline: Vec<u128>,
    /// The instruction of each part of the schedule at which these bytes are alive; empty unless
    /// requested.
    #[serde(skip)]
    pub instructions: Vec<String>,
    /// The largest buffers of the whole schedule; empty unless requested.
    #[serde(skip)]
    pub lasting: Vec<Lasting>,
}

/// A buffer, and the parts of the schedule in which it is alive.
#[derive(Clone, Debug, Serialize)]
pub struct Lasting {
    /// The buffer as it is when it is made.
    pub buffer: Alive,
    /// Ranges of the parts at whose instruction the buffer is alive; both ends are included.
    pub parts: Vec<(u32, u32)>,
}

/// A buffer that is alive at the peak.
#[derive(Clone, Debug, Serialize)]
pub struct Alive {
    /// The instruction that owns the memory at the peak.
    pub instruction: String,
    /// The computation of this instruction.
    pub computation: String,
    /// `donated`, `parameter`, `constant`, `result` or `temporary`.
    pub kind: &'static str,
    /// The array with its layout; `None` if it has none.
    #[serde(serialize_with = "text_if_any")]
    pub shape: Option<Arc<ArrayShape>>,
    /// Bytes with padding.
    pub bytes: u64,
    /// Bytes of the elements alone.
    pub logical_bytes: u64,
    /// The name that the program gives to the operation.
    pub op_name: String,
    /// File and line of the program.
    pub source: String,
    /// A layout that allocates less; only for the first [`MOST_ADVISED`] buffers.
    pub better: Option<Better>,
}

/// The number of buffers of each memory space for which a better layout is searched.
pub const MOST_ADVISED: usize = 100;

/// The memory of a module, if it can be followed, and errors for what cannot be read or followed.
pub type Answered = (Option<Answer>, Vec<Error>);

/// Returns the memory of a module, and errors. The peaks are those that XLA assigned, if a file
/// beside the module contains them. A damaged file gives an error and does not prevent the answer.
pub fn answer_beside(path: &Path, module: &Module, tally: &Tally, rows: usize) -> Answered {
    beside(path, module, tally, (rows, 0))
}

/// Does the same as [`answer_beside`], and adds the largest `rows` buffers of the whole schedule.
pub fn answer_over_time(path: &Path, module: &Module, tally: &Tally, rows: usize) -> Answered {
    beside(path, module, tally, (rows, rows))
}

fn beside(path: &Path, module: &Module, tally: &Tally, rows: (usize, usize)) -> Answered {
    let (assignment, mut errors) = match assignment::beside(path) {
        Ok(assignment) => (assignment, Vec::new()),
        Err(error) => (None, vec![error]),
    };
    let answer = match answer(module, tally, assignment.as_ref(), rows) {
        Ok(mut answer) => {
            answer.file = path.display().to_string();
            Some(answer)
        }
        Err(stop) => {
            errors.push(stop.error(path, module));
            None
        }
    };
    (answer, errors)
}

/// The sum of the peaks of all memory spaces; `None` if the module cannot be followed, or XLA's
/// assignment cannot be read.
pub(super) fn peak(path: &Path, module: &Module, tally: &Tally) -> Option<u128> {
    match answer_beside(path, module, tally, 0) {
        (Some(answer), errors) if errors.is_empty() => Some(answer.peak),
        _ => None,
    }
}

/// Returns the memory of a module, with a limited number of buffers of each space: those at the
/// peak, and those of the whole schedule.
fn answer(
    module: &Module,
    tally: &Tally,
    assignment: Option<&Assignment>,
    (rows, lasting): (usize, usize),
) -> Result<Answer, Stop> {
    let walk = walk::walk(module, tally)?;
    let buffers = peak::buffers(&walk);
    let counted = counted::counted(&walk, &buffers);
    let mut spaces = Vec::new();
    let peaks = peak::spaces(buffers.iter(&walk), walk.steps.len());
    let entry = allocated::of_entry(&walk, tally, &buffers, &peaks);
    for space in peaks {
        let own = |buffer: &Buffer<'_>| buffer.space == space.space && buffer.bytes > 0;
        let own = || buffers.iter(&walk).filter(own);
        let mut alive: Vec<_> = own().filter(|buffer| buffer.is_alive(space.at)).collect();
        alive.sort_by_cached_key(|buffer| Reverse(buffer.bytes));
        let (computation, at) = names(module, walk.steps.get(space.at as usize));
        let assigned = assignment
            .and_then(|all| all.spaces.get(&space.space))
            .or(counted.get(&space.space));
        let mut largest = Vec::new();
        if lasting > 0 {
            largest.extend(own());
            largest.sort_by_cached_key(|buffer| Reverse(buffer.bytes));
            largest.truncate(lasting);
        }
        let instruction = |step: &u32| names(module, walk.steps.get(*step as usize)).1;
        let instructions = match lasting {
            0 => Vec::new(),
            _ => space.steps.iter().map(instruction).collect(),
        };
        let lasts = |buffer: &Buffer<'_>| {
            let alive = buffer.alive();
            Lasting {
                buffer: describe(module, tally, &walk, buffer, alive[0].0).0,
                parts: parts(&alive, &space.steps),
            }
        };
        let at_peak = |(k, buffer): (usize, &Buffer<'_>)| {
            let (mut alive, leaf) = describe(module, tally, &walk, buffer, space.at);
            if k < MOST_ADVISED && alive.logical_bytes < alive.bytes {
                alive.better = tally.of(leaf).and_then(|array| better(&array.array));
            }
            alive
        };
        spaces.push(Space {
            space: space.space,
            peak: assigned.copied().unwrap_or_default(),
            live: space.peak,
            at,
            computation,
            lasting: largest.iter().map(lasts).collect(),
            instructions,
            timeline: space.timeline.clone(),
            alive: alive.len(),
            buffers: alive.iter().take(rows).enumerate().map(at_peak).collect(),
        });
    }
    // XLA may allocate in a space that no instruction shows.
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
        file: String::new(),
        peak: spaces.iter().map(|space| space.peak).sum(),
        live: spaces.iter().map(|space| space.live).sum(),
        module: module.name.clone(),
        entry,
        is_scheduled: module.is_scheduled,
        is_entry_assumed: module.is_entry_assumed,
        steps: walk.steps.len(),
        spaces,
        fit: None,
        assigned_by: assignment.map(|all| all.file.display().to_string()),
        without_size: walk.without_size,
    })
}

/// Returns the parts of the schedule whose chosen step is in `alive`.
fn parts(alive: &[(u32, u32)], steps: &[u32]) -> Vec<(u32, u32)> {
    let part = |&(from, to): &(u32, u32)| {
        let first = steps.partition_point(|step| *step < from);
        let end = steps.partition_point(|step| *step <= to);
        (first < end).then(|| (first as u32, end as u32 - 1))
    };
    alive.iter().filter_map(part).collect()
}

/// Returns the names of the computation and of the instruction that run at a step.
fn names(module: &Module, step: Option<&(u32, u32)>) -> (String, String) {
    let Some(&step) = step else {
        return Default::default();
    };
    let (computation, instruction) = module.at(step);
    (
        computation.name.clone(),
        module.name(instruction).to_owned(),
    )
}

/// Describes a buffer at a step, and returns the array that is in it then.
fn describe(
    module: &Module,
    tally: &Tally,
    walk: &Walk,
    buffer: &Buffer<'_>,
    at: u32,
) -> (Alive, Leaf) {
    let alive = |&&value: &&u32| {
        let value = &walk.values[value as usize];
        value.fixed || (value.made..=value.used).contains(&at)
    };
    // The value that owns the memory at this step; in a branch, the first value.
    let number = buffer.values.iter().find(alive);
    let value = &walk.values[*number.unwrap_or(&buffer.values[0]) as usize];
    let (computation, instruction) = module.at(value.by);
    // The lists are sorted.
    let any = |all: &[u32]| {
        buffer
            .values
            .iter()
            .any(|value| all.binary_search(value).is_ok())
    };
    let kind = match () {
        () if any(&walk.donated) => "donated",
        () if any(&walk.parameters) => "parameter",
        () if value.fixed => "constant",
        () if any(&walk.results) => "result",
        () => "temporary",
    };
    let (shape, logical) = match tally.of(value.leaf()) {
        Some(array) => (Some(array.array.clone()), array.logical),
        None => (None, value.bytes),
    };
    let source = module.source(instruction).map(|place| place.to_string());
    let alive = Alive {
        instruction: module.name(instruction).to_owned(),
        computation: computation.name.clone(),
        kind,
        shape,
        bytes: buffer.bytes,
        logical_bytes: logical.min(buffer.bytes),
        op_name: module.op_name(instruction).to_owned(),
        source: source.unwrap_or_default(),
        better: None,
    };
    (alive, value.leaf())
}
