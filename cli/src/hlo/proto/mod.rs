//! Binary modules: `HloProto` and `HloModuleProto`, as `.hlo.pb` files hold them.
//!
//! A module is printed as XLA prints it, instruction by instruction, and read as text. So both forms give the same answers. Left
//! out is what no answer depends on, such as windows, shardings and large constants.
//!
//! The bytes of the file are held once: in a proto, what comes first may be about what comes last. Everything else is decoded when it
//! is printed.

mod messages;
mod print;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};

use prost::Message;
use prost::bytes::Bytes;

use messages::{ComputationCalls, HloComputationProto, HloModuleProto, HloProto};
use print::Printer;

/// XLA's own limit for a proto.
const LARGEST: u64 = 2 << 30;

/// A module as text, of which an instruction at a time is made.
pub(super) struct Text {
    module: HloModuleProto,
    names: HashMap<i64, String>,
    next: usize,
    /// The computation that is being printed.
    open: Option<Printer>,
    text: String,
    at: usize,
}

/// Reads a binary module. `None` if the bytes are none.
///
/// # Errors
/// If they cannot be read, or are more than a proto may have.
pub(super) fn read(input: impl Read) -> io::Result<Option<Text>> {
    let bytes = all(input)?;
    module(&bytes).map(Text::new).transpose()
}

/// What XLA assigned to the arrays of a binary module: the bytes of each memory space. `None` if it does not say.
///
/// # Errors
/// If the bytes cannot be read.
pub(super) fn assigned(input: impl Read) -> io::Result<Option<BTreeMap<i8, u128>>> {
    let bytes = all(input)?;
    let Some(assignment) = HloProto::decode(bytes)
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

fn all(input: impl Read) -> io::Result<Bytes> {
    let mut bytes = Vec::new();
    input.take(LARGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST {
        true => Err(io::Error::other(
            "it has more than 2 GiB, the limit of a proto",
        )),
        false => Ok(bytes.into()),
    }
}

/// The module in the bytes, by itself or in a `HloProto`.
fn module(bytes: &Bytes) -> Option<HloModuleProto> {
    let is_module = |module: &HloModuleProto| !module.computations.is_empty();
    // In a HloModuleProto, field 1 is a name; in a HloProto, a module.
    let inside = HloProto::decode(bytes.clone()).ok();
    let inside = inside.and_then(|hlo| HloModuleProto::decode(hlo.hlo_module?).ok());
    inside
        .filter(is_module)
        .or_else(|| HloModuleProto::decode(bytes.clone()).ok().filter(is_module))
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
            open: None,
            text,
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

fn damaged(computation: usize, error: &prost::DecodeError) -> io::Error {
    io::Error::other(format!(
        "computation {computation} of the proto is damaged: {error}"
    ))
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() {
            self.text.clear();
            self.at = 0;
            if let Some(open) = &mut self.open {
                if !open.next(&mut self.text, &self.names)? {
                    self.open = None;
                }
                continue;
            }
            let Some(computation) = self.module.computations.get_mut(self.next) else {
                return Ok(0);
            };
            // It is not needed again.
            let computation = std::mem::take(computation);
            let damaged = |error| damaged(self.next, &error);
            let computation = HloComputationProto::decode(computation).map_err(damaged)?;
            let printer = Printer::new(&mut self.text, &self.module, self.next, computation)?;
            self.open = Some(printer);
            self.next += 1;
        }
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}
