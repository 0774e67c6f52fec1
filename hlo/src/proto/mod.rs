//! Binary modules: `HloProto` and `HloModuleProto`, as `.hlo.pb` files hold them.
//!
//! A module is printed as XLA prints it, instruction by instruction, and read as text. So both forms give the same answers. Left
//! out is what no answer depends on, such as windows, shardings and large constants.
//!
//! The file is read twice: first for what the computations are called, where they are, and which of them call which; then a computation
//! at a time, as it is printed. Of the open one, the names of its instructions are held, and where they are.

mod computation;
mod instructions;
mod messages;
mod print;
mod size;
mod store;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Seek};
use std::ops::Range;

use computation::Computation;
use instructions::Printer;
use messages::{BufferAllocationProto, HloModuleProto};
use size::Room;
use store::{Field, Fields, Store, is_cut, is_damaged};

/// More than this is no module without its computations, and is not held.
const HEAD: u64 = 64 << 20;

/// A module as text, of which an instruction at a time is made.
pub(super) struct Text {
    store: Store,
    module: Module,
    names: HashMap<i64, String>,
    /// The computation that is printed next.
    next: usize,
    /// The computation that is being printed.
    open: Option<Printer>,
    text: String,
    at: usize,
}

/// What the first reading finds in a module.
struct Module {
    /// The module without computations and schedule.
    head: HloModuleProto,
    computations: Vec<Computation>,
    /// The numbers of the instructions of each computation, as they run; none if the module has no schedule.
    schedule: Option<HashMap<i64, Range<u64>>>,
}

/// What bytes are.
pub(super) enum Binary {
    Module(Box<Text>),
    /// No module, and why. They are cut short if they end inside of a field.
    Other {
        why: String,
        is_cut: bool,
    },
}

/// Reads a binary module. If `file` is given, it holds these bytes, and is read instead.
///
/// # Errors
/// If they cannot be read, if they are more than a proto may have, or if the module is damaged.
pub(super) fn read<F: Read + Seek + 'static>(
    input: impl Read,
    file: Option<F>,
) -> io::Result<Binary> {
    let mut store = match file {
        Some(file) => Store::of_file(file)?,
        None => Store::of_stream(input)?,
    };
    match found(&mut store) {
        Ok(module) => Text::new(store, module).map(|text| Binary::Module(Box::new(text))),
        Err(error) if is_damaged(&error) => Ok(Binary::Other {
            why: error.to_string(),
            is_cut: is_cut(&error),
        }),
        Err(error) => Err(error),
    }
}

/// What XLA assigned to the arrays of a binary module: the bytes of each memory space. `None` if it does not say.
///
/// # Errors
/// If the bytes cannot be read.
pub(super) fn assigned<F: Read + Seek + 'static>(
    input: impl Read,
    file: Option<F>,
) -> io::Result<Option<BTreeMap<i8, u128>>> {
    let mut store = match file {
        Some(file) => Store::of_file(file)?,
        None => Store::of_stream(input)?,
    };
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
    while let Some(field) = store.next(&mut hlo)? {
        let (3, Field::Bytes(assignment)) = field else {
            continue;
        };
        let mut assignment = Fields(assignment);
        while let Some(field) = store.next(&mut assignment)? {
            let (3, Field::Bytes(allocation)) = field else {
                continue;
            };
            let allocation = allocated(store, Fields(allocation))?;
            let (Ok(space), Ok(size)) = (
                i8::try_from(allocation.color),
                u64::try_from(allocation.size),
            ) else {
                return Err(io::Error::other(
                    "an allocation has a size or a memory space that cannot be",
                ));
            };
            *spaces.entry(space).or_default() += u128::from(size);
        }
    }
    Ok(())
}

/// The size and the memory space of an allocation. The arrays that are assigned to it may be many, and are passed over.
fn allocated(store: &mut Store, mut fields: Fields) -> io::Result<BufferAllocationProto> {
    let mut allocation = BufferAllocationProto::default();
    while let Some(field) = store.next(&mut fields)? {
        match field {
            (2, Field::Number(size)) => allocation.size = size as i64,
            (8, Field::Number(color)) => allocation.color = color as i64,
            _ => {}
        }
    }
    Ok(allocation)
}

/// The module in the bytes, by itself or in a `HloProto`. The error of bytes that hold none is [damaged](is_damaged).
fn found(store: &mut Store) -> io::Result<Module> {
    // In a HloModuleProto, field 1 is a name; in a HloProto, a module.
    let (mut all, mut first) = (store.fields(), None);
    while let Some(field) = store.next(&mut all)? {
        if let (1, Field::Bytes(bytes)) = field {
            first = Some(bytes);
        }
    }
    let fields = match first {
        Some(bytes) if is_message(store, &bytes)? => Fields(bytes),
        _ => store.fields(),
    };
    let module = module(store, fields).map_err(|error| match is_cut(&error) {
        // The file has all of its own fields. What is cut is inside of one of them.
        true => store::damaged(error.to_string()),
        false => error,
    })?;
    match module.computations.is_empty() {
        true => Err(store::damaged("it has no computation".to_owned())),
        false => Ok(module),
    }
}

/// Whether the bytes are a message and no name: the first field of a module has a number below 4, so its key is no letter.
fn is_message(store: &mut Store, bytes: &Range<u64>) -> io::Result<bool> {
    let first = bytes.start..bytes.end.min(bytes.start + 1);
    Ok(matches!(store.bytes(&first)?, [0..b' ']))
}

fn module(store: &mut Store, mut fields: Fields) -> io::Result<Module> {
    let (mut head, mut room) = (Vec::new(), Room::new());
    let (mut computations, mut schedule) = (Vec::new(), None);
    loop {
        let begin = fields.0.start;
        let Some((tag, field)) = store.next(&mut fields)? else {
            break;
        };
        match (tag, field) {
            (3, Field::Bytes(bytes)) => {
                let number = computations.len();
                computations.push(Computation::new(store, number, Fields(bytes))?);
            }
            (7, Field::Bytes(bytes)) => {
                let sequences = schedule.get_or_insert_with(HashMap::new);
                sequences_of(store, Fields(bytes), sequences)?;
            }
            (1 | 2 | 4 | 6 | 8 | 17, _) => {
                let bytes = begin..fields.0.start;
                if head.len() as u64 + bytes.end - bytes.start > HEAD {
                    return Err(store::damaged("its head has more than 64 MiB".to_owned()));
                }
                let what = || format!("field {tag} of the module, at byte {begin},");
                room.take(store, Fields(bytes.clone()), &size::HEAD, &what)?;
                head.extend_from_slice(store.bytes(&bytes)?);
            }
            _ => {}
        }
    }
    Ok(Module {
        head: decode::<HloModuleProto>(&head)?,
        computations,
        schedule,
    })
}

/// Decodes a message; the error says which field is wrong.
fn decode<M: prost::Message + Default>(bytes: &[u8]) -> io::Result<M> {
    xlayout_proto::decode(bytes).map_err(|error| store::damaged(error.message().to_string()))
}

/// Where the sequence of each computation is: `HloScheduleProto.sequences`.
fn sequences_of(
    store: &mut Store,
    mut schedule: Fields,
    sequences: &mut HashMap<i64, Range<u64>>,
) -> io::Result<()> {
    while let Some(field) = store.next(&mut schedule)? {
        let (1, Field::Bytes(entry)) = field else {
            continue;
        };
        let (mut id, mut sequence) = (0, 0..0);
        let mut entry = Fields(entry);
        while let Some(field) = store.next(&mut entry)? {
            match field {
                (1, Field::Number(number)) => id = number as i64,
                (2, Field::Bytes(bytes)) => sequence = bytes,
                _ => {}
            }
        }
        sequences.insert(id, sequence);
    }
    Ok(())
}

impl Text {
    fn new(store: Store, mut module: Module) -> io::Result<Self> {
        let computations = std::mem::take(&mut module.computations);
        let names = computations.iter().map(|one| (one.id, one.name.clone()));
        let names = names.collect();
        let numbers = computations.iter().enumerate();
        let numbers = numbers.map(|(k, one)| (one.id, k)).collect();
        let entry = HashMap::get(&numbers, &module.head.entry_computation_id).copied();
        let calls: Vec<&[i64]> = computations.iter().map(|one| &one.calls[..]).collect();
        let sequence = callees_first(entry, &calls, &numbers);
        let mut computations: Vec<Option<Computation>> =
            computations.into_iter().map(Some).collect();
        let printed = sequence.into_iter().filter_map(|k| computations[k].take());
        module.computations = printed.collect();
        let text = print::head(&module.head, module.schedule.is_some())?;
        // It was printed.
        module.head.stack_frame_index = None;
        Ok(Self {
            store,
            module,
            names,
            next: 0,
            open: None,
            text,
            at: 0,
        })
    }
}

/// The computations in the sequence in which XLA prints them: what an instruction calls comes before it, and the entry is the last.
/// Those that the entry does not reach come first.
fn callees_first(
    entry: Option<usize>,
    calls: &[&[i64]],
    numbers: &HashMap<i64, usize>,
) -> Vec<usize> {
    let mut seen = vec![false; calls.len()];
    let mut visit = |root: usize| {
        let mut sequence = Vec::new();
        // A computation, and which of its calls comes next.
        let mut open = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            open.push((root, 0));
        }
        while let Some((at, next)) = open.last_mut() {
            match calls[*at].get(*next) {
                None => {
                    sequence.push(*at);
                    open.pop();
                }
                Some(id) => {
                    *next += 1;
                    if let Some(&callee) = numbers.get(id)
                        && !std::mem::replace(&mut seen[callee], true)
                    {
                        open.push((callee, 0));
                    }
                }
            }
        }
        sequence
    };
    let reached = entry.map(&mut visit).unwrap_or_default();
    let mut all: Vec<usize> = (0..calls.len()).flat_map(visit).collect();
    all.extend(reached);
    all
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() {
            self.text.clear();
            self.at = 0;
            if let Some(open) = &mut self.open {
                let more = open.next(&mut self.text, &mut self.store, &self.names);
                // The open computation is the one before the next.
                let computation = &self.module.computations[self.next - 1];
                if !more.map_err(|error| computation.damaged(error))? {
                    self.open = None;
                }
                continue;
            }
            let Some(computation) = self.module.computations.get(self.next) else {
                return Ok(0);
            };
            let sequences = self.module.schedule.as_ref();
            let sequence = sequences.and_then(|all| all.get(&computation.id)).cloned();
            let head = &self.module.head;
            let is_entry = match head.entry_computation_id {
                0 => computation.name == head.entry_computation_name,
                id => computation.id == id,
            };
            print::begin(&mut self.text, &computation.name, is_entry);
            let printer = Printer::new(&mut self.store, computation, sequence);
            self.open = Some(printer.map_err(|error| computation.damaged(error))?);
            self.next += 1;
        }
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}
