//! Binary modules: `HloProto` and `HloModuleProto`, as `.hlo.pb` files hold them.
//!
//! A module is printed as XLA prints it, computation by computation, and read as text. So both forms give the same answers. Left
//! out is what no answer depends on, such as windows, shardings and large constants.

mod messages;
mod print;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};

use prost::Message;

use messages::{ComputationCalls, HloComputationProto, HloModuleProto, HloProto};

/// XLA's own limit for a proto.
const LARGEST: u64 = 2 << 30;

/// A module as text, of which a computation at a time is made.
pub(super) struct Text {
    module: HloModuleProto,
    names: HashMap<i64, String>,
    next: usize,
    text: Vec<u8>,
    at: usize,
}

/// Reads a binary module. `None` if the bytes are none.
///
/// # Errors
/// If they cannot be read, or are more than a proto may have.
pub(super) fn read(input: impl Read) -> io::Result<Option<Text>> {
    let bytes = all(input)?;
    let module = module(&bytes);
    drop(bytes);
    module.map(Text::new).transpose()
}

/// What XLA assigned to the arrays of a binary module: the bytes of each memory space. `None` if it does not say.
///
/// # Errors
/// If the bytes cannot be read.
pub(super) fn assigned(input: impl Read) -> io::Result<Option<BTreeMap<i8, u128>>> {
    let bytes = all(input)?;
    let Some(assignment) = HloProto::decode(&bytes[..])
        .ok()
        .and_then(|hlo| hlo.buffer_assignment)
    else {
        return Ok(None);
    };
    let mut spaces = BTreeMap::new();
    for allocation in assignment.buffer_allocations {
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
    Ok((!spaces.is_empty()).then_some(spaces))
}

fn all(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(LARGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST {
        true => Err(io::Error::other(
            "it has more than 2 GiB, the limit of a proto",
        )),
        false => Ok(bytes),
    }
}

/// The module in the bytes, by itself or in a `HloProto`.
fn module(bytes: &[u8]) -> Option<HloModuleProto> {
    let is_module = |module: &HloModuleProto| !module.computations.is_empty();
    // In a HloModuleProto, field 1 is a name; in a HloProto, a module.
    let inside = HloProto::decode(bytes).ok().and_then(|hlo| hlo.hlo_module);
    let inside = inside.and_then(|inside| HloModuleProto::decode(&inside[..]).ok());
    inside
        .filter(is_module)
        .or_else(|| HloModuleProto::decode(bytes).ok().filter(is_module))
}

impl Text {
    fn new(mut module: HloModuleProto) -> io::Result<Self> {
        let (mut names, mut numbers, mut calls) = (HashMap::new(), HashMap::new(), Vec::new());
        for (k, computation) in module.computations.iter().enumerate() {
            let of =
                ComputationCalls::decode(&computation[..]).map_err(|error| damaged(k, &error))?;
            names.insert(of.id, of.name);
            numbers.insert(of.id, k);
            let called = of
                .instructions
                .into_iter()
                .flat_map(|one| one.called_computation_ids);
            calls.push(called.collect::<Vec<i64>>());
        }
        let entry = numbers.get(&module.entry_computation_id).copied();
        let mut computations = Vec::with_capacity(module.computations.len());
        for k in callees_first(entry, &calls, &numbers) {
            computations.push(std::mem::take(&mut module.computations[k]));
        }
        module.computations = computations;
        let text = print::head(&module)?;
        // It was printed.
        module.stack_frame_index = None;
        Ok(Self {
            module,
            names,
            next: 0,
            text: text.into_bytes(),
            at: 0,
        })
    }
}

/// The computations in the sequence in which XLA prints them: what an instruction calls comes before it, and the entry is the last.
/// Those that the entry does not reach stand first.
fn callees_first(
    entry: Option<usize>,
    calls: &[Vec<i64>],
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

/// Puts instructions into the sequence of the schedule, if the computation has one. Instructions outside of it stand last.
fn scheduled(module: &HloModuleProto, computation: &mut HloComputationProto) {
    let schedule = module.schedule.as_ref();
    let Some(sequence) = schedule.and_then(|schedule| schedule.sequences.get(&computation.id))
    else {
        return;
    };
    let places: HashMap<i64, usize> = (sequence.instruction_ids.iter().enumerate())
        .map(|(k, &id)| (id, k))
        .collect();
    let last = usize::MAX;
    let instructions = &mut computation.instructions;
    instructions.sort_by_key(|one| places.get(&one.id).copied().unwrap_or(last));
}

fn damaged(computation: usize, error: &prost::DecodeError) -> io::Error {
    io::Error::other(format!(
        "computation {computation} of the proto is damaged: {error}"
    ))
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() {
            let Some(computation) = self.module.computations.get_mut(self.next) else {
                return Ok(0);
            };
            // It is not needed again.
            let computation = std::mem::take(computation);
            let computation = HloComputationProto::decode(&computation[..])
                .map_err(|error| damaged(self.next, &error))?;
            self.text = print::computation(&self.module, &self.names, computation)?.into_bytes();
            self.at = 0;
            self.next += 1;
        }
        let rest = &self.text[self.at..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}
