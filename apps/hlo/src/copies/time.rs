//! How many bytes of main-memory traffic delay a program, so that a bandwidth gives a time.
//!
//! ```text
//! a copy that nothing hides:
//!     at least    what it reads from and writes to the main memory
//!     at most     all that it reads and writes: the other memories of a device are faster
//! a copy that runs beside operations that compute, or may do so:
//!     at least    nothing
//!     at most     the same
//! the memory of the host is on one side:
//!     at most     not known: the way to it has another bandwidth
//! ```

use serde::Serialize;

use super::context::Context;
use super::find::Move;
use super::value::Value;
use crate::opcode::Opcode;
use xlayout_words::{number, number_if_any, sum};

/// Whether other operations run while data are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Overlap {
    /// No: the copy is not asynchronous, or nothing that computes runs between its start and its
    /// end.
    Exposed,
    /// Yes: the copy is asynchronous, and this many operations that compute run between its start
    /// and its end.
    Hidden(u32),
    /// The copy is asynchronous, but the module has no schedule.
    Unknown,
}

/// The bytes from which a bandwidth gives a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// The least bytes.
    #[serde(rename = "least_bytes", serialize_with = "number")]
    pub least: u128,
    /// The most bytes; `None` if unknown.
    #[serde(rename = "most_bytes", serialize_with = "number_if_any")]
    pub most: Option<u128>,
}

impl Default for Traffic {
    /// No bytes.
    fn default() -> Self {
        Self {
            least: 0,
            most: Some(0),
        }
    }
}

impl Traffic {
    /// Returns the least seconds, and the most if known, at `bandwidth` bytes per second.
    #[must_use]
    pub fn seconds(self, bandwidth: u64) -> (f64, Option<f64>) {
        let seconds = |bytes: u128| bytes as f64 / bandwidth as f64;
        (seconds(self.least), self.most.map(seconds))
    }
}

impl std::ops::AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.least = sum([self.least, other.least]);
        self.most = self.most.zip(other.most).map(|(a, b)| sum([a, b]));
    }
}

/// The memory space of the main memory.
const MAIN: i8 = 0;
/// The memory space of the host: `Layout::kHostMemorySpace` of XLA.
pub(super) const HOST: i8 = 5;

/// Whether other operations run while this one moves data.
pub(super) fn overlap(context: &Context<'_>, copy: &Move) -> Overlap {
    if !matches!(context.opcode(copy.at), Opcode::Start(_)) {
        return Overlap::Exposed;
    }
    let Some(end) = end(context, copy.at).filter(|_| context.module.is_scheduled) else {
        return Overlap::Unknown;
    };
    match context.computing_before(end) - context.computing_before(copy.at) {
        0 => Overlap::Exposed,
        between => Overlap::Hidden(between),
    }
}

/// The bytes of all executions; those of one execution if the number is unknown.
pub(super) fn traffic(context: &Context<'_>, copy: &Move, overlap: Overlap) -> Traffic {
    let from = context.space(copy.from);
    let to = context.space(copy.to);
    let in_main = |space: i8, bytes: u128| if space == MAIN { bytes } else { 0 };
    let times = u128::from(copy.times.count.unwrap_or(1));
    Traffic {
        least: match overlap {
            Overlap::Exposed if !copy.times.at_most => {
                times.saturating_mul(in_main(from, copy.read) + in_main(to, copy.written))
            }
            _ => 0,
        },
        most: (from != HOST && to != HOST).then(|| copy.total()),
    }
}

/// The end of an asynchronous operation: `…-done`, after any number of `…-update`; `None` for any
/// other operation.
pub(super) fn end(context: &Context<'_>, start: Value) -> Option<Value> {
    let mut at = start;
    // An operand is defined before its user, so this ends.
    loop {
        at = context
            .users(at)
            .into_iter()
            .find(|&user| matches!(context.opcode(user), Opcode::Update(_) | Opcode::Done(_)))?;
        if let Opcode::Done(_) = context.opcode(at) {
            return Some(at);
        }
    }
}
