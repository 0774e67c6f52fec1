//! Binary modules: `HloProto` and `HloModuleProto`, as `.hlo.pb` files hold them.
//!
//! The reader calls the same builder as the scanner does for a text, so both forms give the same
//! answers. It skips what no answer depends on, such as windows, shardings and large constants.
//!
//! The file is in memory, and is decoded in two passes: first the computations, and which of them
//! call which; then one instruction at a time.
//!
//! # Memory
//! The file is in memory, with the places and numbers of all instructions, 40 bytes for each; of
//! the open computation also where they are in the graph. What else is decoded is one message at
//! a time. Measured with `xlayout hlo --all` and `/usr/bin/time`, files of 100 MB, in bytes of
//! memory for each byte of the file, which is included:
//!
//! | module | memory |
//! |---|---|
//! | of a TPU, `tests/data/dump` repeated: 170 bytes for each instruction | 1.8 |
//! | of a CPU, the same: 120 bytes | 2.1 |
//! | an operand, a name and a layout: 100 bytes | 2.4 |
//! | bytes that are made to take much, see [`message`] | at most 150 |
//!
//! | part | what it does |
//! |---|---|
//! | `message` | the messages, and what they take of memory |
//! | `decode` | messages from bytes |
//! | `computation` | what the first pass finds of a computation |
//! | `shape` | shapes |
//! | `instruction` | the parts of an instruction |
//! | `build` | the second pass: the module goes to the builder |

mod build;
mod computation;
mod decode;
mod instruction;
mod message;
mod shape;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};

use prost::bytes::Bytes;

use super::graph::callees_first;
pub(super) use build::read_module;
use computation::Computation;
use decode::{damaged, decode, is_damaged};
use message::{BufferAssignment, HloModuleProto, HloProto};

/// The largest file. It is in memory as long as it is read.
const LARGEST: u64 = 1 << 30;

/// What the bytes contain.
pub(super) enum Binary {
    Module(Box<Found>),
    /// No module, with the reason. `is_cut` is set if the bytes end inside a field.
    Other {
        why: String,
        is_cut: bool,
    },
}

/// A module after the first pass.
pub(super) struct Found {
    file: Bytes,
    module: HloModuleProto,
    computations: Vec<Computation>,
}

/// Reads a binary module.
///
/// # Errors
/// If the bytes cannot be read, are too many, or contain a damaged module.
pub(super) fn read(input: impl Read) -> io::Result<Binary> {
    match found(whole(input, LARGEST)?) {
        Ok(module) => Ok(Binary::Module(Box::new(module))),
        Err(error) if is_damaged(&error) => Ok(Binary::Other {
            why: error.to_string(),
            is_cut: error.kind() == io::ErrorKind::UnexpectedEof,
        }),
        Err(error) => Err(error),
    }
}

/// Returns the bytes that XLA assigned in each memory space of a binary module; `None` if it does
/// not contain them.
///
/// # Errors
/// If the bytes cannot be read, or if an allocation cannot be.
pub(super) fn assigned(input: impl Read) -> io::Result<Option<BTreeMap<i8, u128>>> {
    let file: io::Result<HloProto> = decode(&whole(input, LARGEST)?);
    let assignment = file.and_then(|file| decode(&file.buffer_assignment));
    let Ok(BufferAssignment { buffer_allocations }) = assignment else {
        return Ok(None);
    };
    let mut spaces = BTreeMap::new();
    for allocation in buffer_allocations {
        let space = i8::try_from(allocation.color);
        let size = u64::try_from(allocation.size);
        let (Ok(space), Ok(size)) = (space, size) else {
            return Err(io::Error::other(
                "an allocation has a size or a memory space that cannot be",
            ));
        };
        *spaces.entry(space).or_default() += u128::from(size);
    }
    Ok((!spaces.is_empty()).then_some(spaces))
}

fn whole(input: impl Read, most: u64) -> io::Result<Bytes> {
    let mut file = Vec::new();
    input.take(most + 1).read_to_end(&mut file)?;
    if file.len() as u64 > most {
        Err(io::Error::other(format!(
            "it has more than {} MiB, and a binary module is read into memory; the module as text, \
             which `--xla_dump_hlo_as_text` writes, may have any length",
            most >> 20
        )))
    } else {
        Ok(file.into())
    }
}

/// Finds the module in the bytes, alone or in a `HloProto`. If there is none, the error is
/// [damaged](is_damaged).
fn found(file: Bytes) -> io::Result<Found> {
    let whole: HloProto = decode(&file).map_err(|error| {
        let words = error.to_string();
        // prost calls a number without its end, or none at all, invalid.
        let is_cut = ["buffer underflow", "invalid varint"]
            .iter()
            .any(|cut| words.ends_with(cut));
        if is_cut {
            io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!("it ends at byte {}, inside of a field", file.len()),
            )
        } else {
            error
        }
    })?;
    // In a HloModuleProto, field 1 is a name; in a HloProto, a module, whose first field has a
    // number below 4, so that its key is not a letter.
    let module: HloModuleProto = match whole.hlo_module.first() {
        Some(..b' ') => decode(&whole.hlo_module)?,
        _ => decode(&file)?,
    };
    let computations: io::Result<Vec<Computation>> = module
        .computations
        .iter()
        .enumerate()
        .map(|(number, bytes)| Computation::new(&file, number, bytes))
        .collect();
    if module.computations.is_empty() {
        Err(damaged("it has no computation"))
    } else {
        Ok(Found {
            computations: computations?,
            module,
            file,
        })
    }
}

/// Returns the computations in the order in which XLA prints them: called ones before their
/// callers, the entry last. Those that the entry does not reach come first.
fn as_printed(computations: &[Computation], entry: i64) -> Vec<usize> {
    let numbers: HashMap<i64, usize> = computations
        .iter()
        .enumerate()
        .map(|(number, computation)| (computation.message.id, number))
        .collect();
    let mut seen = vec![false; computations.len()];
    let callees = |at: usize| {
        computations[at]
            .calls
            .iter()
            .filter_map(|id| numbers.get(id).copied())
    };
    let reached = callees_first(numbers.get(&entry).copied(), &mut seen, callees);
    let mut all = callees_first(0..computations.len(), &mut seen, callees);
    all.extend(reached);
    all
}
