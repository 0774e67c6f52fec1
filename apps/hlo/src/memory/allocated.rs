//! What ENTRY allocates: the memory of all arrays that its instructions give.
//!
//! ```text
//! buffers = the values of the walk, grouped by shared memory, as for the peak
//! for each buffer with a value that is a result of an instruction of ENTRY:
//!     it counts once, as its largest such value
//! ```
//!
//! This is the one definition of what `hlo` counts. It is a sum over all of the schedule. The peak
//! is a sum at one step, and also has what loops, branches and calls allocate inside:
//!
//! ```text
//! alive at the peaks = entry + without_layout - idle + inner
//! ```

use std::path::Path;

use serde::Serialize;

use super::peak::{Buffer, Buffers, Space};
use super::stop::Stop;
use super::walk::{self, Walk};
use super::{number, peak};
use crate::error::Error;
use crate::graph::{Instruction, Module};
use crate::tally::{Bytes, Tally};

/// What ENTRY allocates, and how it differs from what is alive at the peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OfEntry {
    /// The arrays that ENTRY allocates; those in one memory are one.
    #[serde(flatten)]
    pub bytes: Bytes,
    /// Bytes of ENTRY that are not alive at the peak of their memory space.
    #[serde(rename = "idle_bytes", serialize_with = "number")]
    pub idle: u128,
    /// Bytes that are alive at the peaks, and are inside of loops, branches and calls.
    #[serde(rename = "inner_bytes", serialize_with = "number")]
    pub inner: u128,
    /// Bytes that ENTRY allocates for arrays whose layout the text does not give.
    #[serde(rename = "without_layout_bytes", serialize_with = "number")]
    pub without_layout: u128,
}

/// Calls `each` for every array that ENTRY allocates, with its number in the tally and the
/// instruction that makes it. Arrays that share memory are one: updates in place, aliases, what
/// loops carry, donated parameters, and operands whose last use gives their memory to a result.
///
/// # Errors
/// If the module cannot be followed.
pub fn allocated(
    path: &Path,
    module: &Module,
    tally: &Tally,
    mut each: impl FnMut(u32, &Instruction),
) -> Result<(), Error> {
    let walk = match walk::walk(module, tally) {
        Ok(walk) => walk,
        // Without a computation nothing is allocated.
        Err(Stop::NoEntry) => return Ok(()),
        Err(stop) => return Err(stop.error(path, module)),
    };
    for buffer in peak::buffers(&walk).iter(&walk) {
        if let Some((array, by)) = owner(&walk, &buffer).flatten() {
            each(array, module.at(by).1);
        }
    }
    Ok(())
}

/// An array by its number in the tally, and the numbers of its computation and its instruction.
type ArrayOwner = (u32, (u32, u32));

/// The array of ENTRY that stands for a buffer: `None` if the buffer is not of ENTRY,
/// `Some(None)` if its arrays have no layout.
fn owner(walk: &Walk, buffer: &Buffer<'_>) -> Option<Option<ArrayOwner>> {
    let mut of_entry = buffer
        .values
        .iter()
        .map(|&value| &walk.values[value as usize])
        .filter(|value| value.in_entry)
        .peekable();
    of_entry.peek()?;
    if buffer.bytes == 0 {
        return Some(None);
    }
    let arrays = of_entry.filter_map(|value| Some((value, value.leaf().array()?)));
    // Of equal ones the first.
    let largest = arrays.reduce(|largest, next| {
        if next.0.bytes > largest.0.bytes {
            next
        } else {
            largest
        }
    });
    Some(largest.map(|(value, array)| (array, value.by)))
}

/// Sums what ENTRY allocates, and how that differs from what is alive at the peaks of `spaces`.
pub(super) fn of_entry(walk: &Walk, tally: &Tally, buffers: &Buffers, spaces: &[Space]) -> OfEntry {
    let mut sum = OfEntry::default();
    for buffer in buffers.iter(walk) {
        let space = spaces.iter().find(|space| space.space == buffer.space);
        let is_alive = space.is_some_and(|space| buffer.is_alive(space.at));
        let bytes = u128::from(buffer.bytes);
        match owner(walk, &buffer) {
            Some(owner) => {
                match owner {
                    Some((array, _)) => sum.bytes += tally.arrays[array as usize].times(1),
                    None => sum.without_layout += bytes,
                }
                sum.idle += if is_alive { 0 } else { bytes };
            }
            None if is_alive => sum.inner += bytes,
            None => {}
        }
    }
    sum
}
