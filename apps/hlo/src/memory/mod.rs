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
use peak::{Buffer, Buffers};
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
    beside(path, module, tally, Rows::at_peak(rows))
}

/// Does the same as [`answer_beside`], and adds the largest `rows` buffers of the whole schedule.
pub fn answer_over_time(path: &Path, module: &Module, tally: &Tally, rows: usize) -> Answered {
    let rows = Rows {
        at_peak: rows,
        lasting: rows,
    };
    beside(path, module, tally, rows)
}

fn beside(path: &Path, module: &Module, tally: &Tally, rows: Rows) -> Answered {
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

/// How many buffers of each memory space are described.
#[derive(Clone, Copy)]
struct Rows {
    at_peak: usize,
    /// Those of the whole schedule.
    lasting: usize,
}

impl Rows {
    /// Those at the peak only.
    const fn at_peak(at_peak: usize) -> Self {
        Self {
            at_peak,
            lasting: 0,
        }
    }
}

/// Returns the memory of a module, with the largest buffers of each space.
fn answer(
    module: &Module,
    tally: &Tally,
    assignment: Option<&Assignment>,
    rows: Rows,
) -> Result<Answer, Stop> {
    let walk = walk::walk(module, tally)?;
    let buffers = peak::buffers(&walk);
    let counted = counted::counted(&walk, &buffers);
    let peaks = peak::spaces(buffers.iter(&walk), walk.steps.len());
    let entry = allocated::of_entry(&walk, tally, &buffers, &peaks);
    let followed = Followed {
        module,
        tally,
        walk: &walk,
    };
    let mut spaces = Vec::new();
    for used in &peaks {
        let assigned = assignment.and_then(|all| all.spaces.get(&used.space));
        let peak = assigned.or(counted.get(&used.space)).copied();
        spaces.push(followed.space(used, &buffers, peak.unwrap_or_default(), rows));
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

/// A module whose schedule was followed.
struct Followed<'a> {
    module: &'a Module,
    tally: &'a Tally,
    walk: &'a Walk,
}

impl Followed<'_> {
    /// Describes a memory space and the largest of its buffers. `peak` is what XLA allocates in it.
    fn space(&self, used: &peak::Space, buffers: &Buffers, peak: u128, rows: Rows) -> Space {
        let own = |buffer: &Buffer<'_>| buffer.space == used.space && buffer.bytes > 0;
        let own = || buffers.iter(self.walk).filter(own);
        let mut alive: Vec<_> = own().filter(|buffer| buffer.is_alive(used.at)).collect();
        alive.sort_by_cached_key(|buffer| Reverse(buffer.bytes));
        let at_peak = |(k, buffer): (usize, &Buffer<'_>)| {
            let (mut alive, leaf) = self.describe(buffer, used.at);
            if k < MOST_ADVISED && alive.logical_bytes < alive.bytes {
                let array = self.tally.of(leaf);
                alive.better = array.and_then(|array| better(&array.array));
            }
            alive
        };
        let shown = alive.iter().take(rows.at_peak).enumerate();
        let (computation, at) = self.names(used.at);
        let mut space = Space {
            space: used.space,
            peak,
            live: used.peak,
            at,
            computation,
            alive: alive.len(),
            buffers: shown.map(at_peak).collect(),
            timeline: used.timeline.clone(),
            ..Space::default()
        };
        if rows.lasting > 0 {
            let mut largest: Vec<_> = own().collect();
            largest.sort_by_cached_key(|buffer| Reverse(buffer.bytes));
            largest.truncate(rows.lasting);
            let lasting = |buffer: &Buffer<'_>| {
                let alive = buffer.alive();
                Lasting {
                    buffer: self.describe(buffer, alive[0].0).0,
                    parts: parts(&alive, &used.steps),
                }
            };
            space.lasting = largest.iter().map(lasting).collect();
            space.instructions = used.steps.iter().map(|step| self.names(*step).1).collect();
        }
        space
    }

    /// Returns the names of the computation and of the instruction that run at a step.
    fn names(&self, step: u32) -> (String, String) {
        let Some(&place) = self.walk.steps.get(step as usize) else {
            return Default::default();
        };
        let (computation, instruction) = self.module.at(place);
        (
            computation.name.clone(),
            self.module.name(instruction).to_owned(),
        )
    }

    /// Describes a buffer at a step, and returns the array that is in it then.
    fn describe(&self, buffer: &Buffer<'_>, step: u32) -> (Alive, Leaf) {
        let Self {
            module,
            tally,
            walk,
        } = self;
        let owns = |number: &&u32| {
            let value = &walk.values[**number as usize];
            value.fixed || (value.made..=value.used).contains(&step)
        };
        // The value that owns the memory at this step; in a branch, the first value.
        let number = buffer.values.iter().find(owns);
        let value = &walk.values[*number.unwrap_or(&buffer.values[0]) as usize];
        let (computation, instruction) = module.at(value.by);
        // Whether a value of the buffer is in a sorted list.
        let is_in = |sorted: &[u32]| {
            let mut values = buffer.values.iter();
            values.any(|value| sorted.binary_search(value).is_ok())
        };
        let kind = if is_in(&walk.donated) {
            "donated"
        } else if is_in(&walk.parameters) {
            "parameter"
        } else if value.fixed {
            "constant"
        } else if is_in(&walk.results) {
            "result"
        } else {
            "temporary"
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
}
