//! Binary modules: `HloProto` and `HloModuleProto`, as `.hlo.pb` files hold them.
//!
//! The reader calls the same builder as the scanner does for a text, so both forms give the same
//! answers. It skips what no answer depends on, such as windows, shardings and large constants.
//!
//! The file is read in two passes: first the names and positions of the computations, and which of
//! them call which; then one computation at a time. Of the open computation, the numbers and
//! positions of its instructions are in memory.
//!
//! | part | what it does |
//! |---|---|
//! | `store` | the bytes at any place, field by field |
//! | `computation` | what the first reading finds of a computation |
//! | `shape` | shapes; limits of memory |
//! | `instruction` | the fields of an instruction |
//! | `build` | the second reading: the module goes to the builder |

mod build;
mod computation;
mod instruction;
mod shape;
mod store;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Seek};
use std::ops::Range;

use super::graph::callees_first;
pub(super) use build::read_module;
use computation::Computation;
use store::{Field, Fields, Store, is_cut, is_damaged};

/// The result of the first pass over a module.
#[derive(Default)]
struct Module {
    name: String,
    entry_name: String,
    entry_id: i64,
    /// The positions of the program's shape, the aliases and the tables of source lines.
    program: Option<Range<u64>>,
    aliases: Option<Range<u64>>,
    frames: Option<Range<u64>>,
    computations: Vec<Computation>,
    /// The numbers of the instructions of each computation, in the order in which they run; `None`
    /// if the module has no schedule.
    schedule: Option<HashMap<i64, Range<u64>>>,
}

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
    store: Store,
    module: Module,
}

/// Reads a binary module. A given `file` contains the same bytes, and is read instead.
///
/// # Errors
/// If the bytes cannot be read, exceed the limit of a proto, or contain a damaged module.
pub(super) fn read<F: Read + Seek + 'static>(
    input: impl Read,
    file: Option<F>,
) -> io::Result<Binary> {
    let mut store = Store::of(input, file)?;
    match found(&mut store) {
        Ok(module) => Ok(Binary::Module(Box::new(Found { store, module }))),
        Err(error) if is_damaged(&error) => Ok(Binary::Other {
            why: error.to_string(),
            is_cut: is_cut(&error),
        }),
        Err(error) => Err(error),
    }
}

/// Returns the bytes that XLA assigned in each memory space of a binary module; `None` if it does
/// not contain them.
///
/// # Errors
/// If the bytes cannot be read.
pub(super) fn assigned<F: Read + Seek + 'static>(
    input: impl Read,
    file: Option<F>,
) -> io::Result<Option<BTreeMap<i8, u128>>> {
    let mut store = Store::of(input, file)?;
    let mut spaces = BTreeMap::new();
    match sum(&mut store, &mut spaces) {
        Err(error) if is_damaged(&error) => return Ok(None),
        done => done?,
    }
    Ok((!spaces.is_empty()).then_some(spaces))
}

/// Adds up `HloProto.buffer_assignment.buffer_allocations`.
fn sum(store: &mut Store, spaces: &mut BTreeMap<i8, u128>) -> io::Result<()> {
    let mut hlo = store.fields();
    while let Some(assignment) = store.message(&mut hlo, 3)? {
        let mut assignment = Fields(assignment);
        while let Some(allocation) = store.message(&mut assignment, 3)? {
            // The assigned arrays may be many; they are skipped.
            let [(size, _), (color, _)] = store.last(allocation, [2, 8])?;
            let (Ok(space), Ok(size)) = (i8::try_from(color), u64::try_from(size)) else {
                return Err(io::Error::other(
                    "an allocation has a size or a memory space that cannot be",
                ));
            };
            *spaces.entry(space).or_default() += u128::from(size);
        }
    }
    Ok(())
}

/// Finds the module in the bytes, alone or in a `HloProto`. If there is none, the error is
/// [damaged](is_damaged).
fn found(store: &mut Store) -> io::Result<Module> {
    // In a HloModuleProto, field 1 is a name; in a HloProto, a module.
    let [(_, first)] = store.last(store.fields().0, [1])?;
    let fields = match first {
        Some(bytes) if is_message(store, &bytes)? => Fields(bytes),
        _ => store.fields(),
    };
    let module = module(store, fields).map_err(|error| match is_cut(&error) {
        // All fields of the file are complete, so the cut is inside one of them.
        true => store::damaged(error.to_string()),
        false => error,
    })?;
    match module.computations.is_empty() {
        true => Err(store::damaged("it has no computation".to_owned())),
        false => Ok(module),
    }
}

/// Whether the bytes are a message and not a name: the first field of a module has a number below
/// 4, so its key is not a letter.
fn is_message(store: &mut Store, bytes: &Range<u64>) -> io::Result<bool> {
    let first = bytes.start..bytes.end.min(bytes.start + 1);
    Ok(matches!(store.bytes(&first)?, [0..b' ']))
}

fn module(store: &mut Store, mut fields: Fields) -> io::Result<Module> {
    let mut module = Module::default();
    while let Some((tag, field)) = store.next(&mut fields)? {
        match (tag, field) {
            (1, Field::Bytes(name)) => module.name = store.name(&name)?,
            (2, Field::Bytes(name)) => module.entry_name = store.name(&name)?,
            (3, Field::Bytes(bytes)) => {
                let number = module.computations.len();
                let computation = Computation::new(store, number, Fields(bytes))?;
                module.computations.push(computation);
            }
            (4, Field::Bytes(program)) => module.program = Some(program),
            (6, Field::Number(id)) => module.entry_id = id as i64,
            (7, Field::Bytes(bytes)) => {
                let sequences = module.schedule.get_or_insert_with(HashMap::new);
                sequences_of(store, Fields(bytes), sequences)?;
            }
            (8, Field::Bytes(aliases)) => module.aliases = Some(aliases),
            (17, Field::Bytes(frames)) => module.frames = Some(frames),
            _ => {}
        }
    }
    Ok(module)
}

/// Returns the position of the order of each computation: `HloScheduleProto.sequences`.
fn sequences_of(
    store: &mut Store,
    mut schedule: Fields,
    sequences: &mut HashMap<i64, Range<u64>>,
) -> io::Result<()> {
    while let Some(entry) = store.message(&mut schedule, 1)? {
        let [(id, _), (_, sequence)] = store.last(entry, [1, 2])?;
        sequences.insert(id, sequence.unwrap_or_default());
    }
    Ok(())
}

/// Returns the computations in the order in which XLA prints them: called ones before their
/// callers, the entry last. Those that the entry does not reach come first.
fn as_printed(computations: &[Computation], entry: i64) -> Vec<usize> {
    let numbers = computations.iter().enumerate();
    let numbers: HashMap<i64, usize> = numbers.map(|(k, one)| (one.id, k)).collect();
    let mut seen = vec![false; computations.len()];
    let callees = |at: usize| {
        let calls = computations[at].calls.iter();
        calls.filter_map(|id| numbers.get(id).copied())
    };
    let reached = callees_first(numbers.get(&entry).copied(), &mut seen, callees);
    let mut all = callees_first(0..computations.len(), &mut seen, callees);
    all.extend(reached);
    all
}
