//! The instructions of the computation that is being printed, in the sequence of the schedule if there is one.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use super::messages::HloInstructionProto;
use super::size::{self, Room};
use super::store::{self, Field, Fields, Store};
use super::{Computation, decode, print};

/// The names of the instructions of a computation, and where these are in the file. 24 bytes and the name for each.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Sorted by the numbers of the instructions.
    all: Vec<Instruction>,
    texts: String,
}

/// All places are below 2^32, since a proto has at most 2 GiB.
#[derive(Clone, Copy, Debug)]
struct Instruction {
    id: i64,
    /// Where it begins in the file, and its length.
    start: u32,
    length: u32,
    /// Where the name is in `texts`.
    name: u32,
    name_length: u32,
}

impl Names {
    /// The name of the instruction with this number.
    pub(super) fn get(&self, id: i64) -> Option<&str> {
        let one = self.all[self.place(id)?];
        let start = one.name as usize;
        Some(&self.texts[start..start + one.name_length as usize])
    }

    fn place(&self, id: i64) -> Option<usize> {
        self.all.binary_search_by_key(&id, |one| one.id).ok()
    }

    fn read(store: &mut Store, mut fields: Fields) -> io::Result<Self> {
        let mut names = Self::default();
        while let Some(field) = store.next(&mut fields)? {
            let (2, Field::Bytes(range)) = field else {
                continue;
            };
            let (mut id, mut name) = (0, 0..0);
            let mut rest = Fields(range.clone());
            while let Some(field) = store.next(&mut rest)? {
                match field {
                    (1, Field::Bytes(bytes)) => name = bytes,
                    (35, Field::Number(number)) => id = number as i64,
                    _ => {}
                }
            }
            let begin = names.texts.len();
            names.texts += &store.name(&name)?;
            // A byte that is no UTF-8 becomes three.
            let lengths = [
                begin as u64,
                names.texts.len() as u64,
                range.start,
                range.end,
            ];
            let [name, end, start, behind] = lengths.map(u32::try_from);
            let (Ok(name), Ok(end), Ok(start), Ok(behind)) = (name, end, start, behind) else {
                return Err(store::damaged("its names have more than 4 GiB".to_owned()));
            };
            names.all.push(Instruction {
                id,
                start,
                length: behind - start,
                name,
                name_length: end - name,
            });
        }
        // Equal numbers stay in the sequence of the file.
        names.all.sort_by_key(|one| one.id);
        Ok(names)
    }
}

/// A longer instruction is one with a large constant, most often.
const LONG: u32 = 64 << 10;
/// More than this has no instruction, but for its constant.
const LONGEST: u64 = 64 << 20;

/// The bytes of an instruction without those of its constant: a long one is not a scalar, and is printed as `{...}`.
fn without_literal(store: &mut Store, all: Range<u64>) -> io::Result<Vec<u8>> {
    let (mut kept, mut room) = (Vec::new(), Room::new());
    let what = || format!("the instruction at byte {}", all.start);
    let mut fields = Fields(all.clone());
    loop {
        let begin = fields.0.start;
        let Some((tag, _)) = store.next(&mut fields)? else {
            return Ok(kept);
        };
        let field = begin..fields.0.start;
        let length = field.end - field.start;
        if tag == LITERAL && length > u64::from(LONG) / 2 {
            continue;
        }
        if kept.len() as u64 + length > LONGEST {
            return Err(io::Error::other(format!("{} has more than 64 MiB", what())));
        }
        room.take(store, Fields(field.clone()), &size::INSTRUCTION, &what)?;
        kept.extend_from_slice(store.bytes(&field)?);
    }
}

/// The number of the field `literal` of `HloInstructionProto`.
const LITERAL: u64 = 8;

/// A computation of which an instruction at a time is printed. Those outside of the schedule come last.
pub(super) struct Printer {
    root_id: i64,
    names: Names,
    /// Places in `names`.
    sequence: std::vec::IntoIter<u32>,
}

impl Printer {
    /// # Errors
    /// If the proto cannot be read, or is damaged.
    pub(super) fn new(
        store: &mut Store,
        computation: &Computation,
        schedule: Option<Range<u64>>,
    ) -> io::Result<Self> {
        let names = Names::read(store, computation.fields.clone())?;
        let mut steps = vec![u32::MAX; names.all.len()];
        let mut step = 0;
        let mut rest = Fields(schedule.unwrap_or_default());
        while let Some((tag, field)) = store.next(&mut rest)? {
            if tag == 1 {
                store.numbers(field, &mut |id| {
                    if let Some(place) = names.place(id) {
                        steps[place] = step;
                    }
                    step += 1;
                })?;
            }
        }
        let mut sequence: Vec<u32> = (0..steps.len() as u32).collect();
        sequence.sort_unstable_by_key(|&k| (steps[k as usize], names.all[k as usize].start));
        Ok(Self {
            root_id: computation.root_id,
            names,
            sequence: sequence.into_iter(),
        })
    }

    /// Prints the next instruction, or the end of the computation; answers whether more follows.
    ///
    /// # Errors
    /// If the proto is damaged.
    pub(super) fn next(
        &mut self,
        text: &mut String,
        store: &mut Store,
        computations: &HashMap<i64, String>,
    ) -> io::Result<bool> {
        let Some(place) = self.sequence.next() else {
            *text += "}\n\n";
            return Ok(false);
        };
        let Instruction { start, length, .. } = self.names.all[place as usize];
        let start = u64::from(start);
        let all = start..start + u64::from(length);
        let one: io::Result<HloInstructionProto> = match length {
            // So few bytes take little memory, whatever they are.
            0..LONG => decode(store.bytes(&all)?),
            _ => decode(&without_literal(store, all)?),
        };
        let one = one
            .map_err(|error| store::damaged(format!("the instruction at byte {start}: {error}")))?;
        let is_root = one.id == self.root_id;
        print::instruction(text, &one, is_root, &self.names, computations)?;
        Ok(true)
    }
}
