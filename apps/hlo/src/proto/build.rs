//! The second reading of a binary module: the graph, computation by computation, callees first.
//!
//! ```text
//! the head: the name, the layouts of the entry, aliases, source lines
//! for each computation, callees first:
//!     the numbers of its instructions, and where they are; in the sequence of the schedule, if there is one
//!     for each instruction: its fields, its shape, its operands by their numbers
//! ```

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::Path;

use super::computation::Computation;
use super::instruction::{Instruction, alias_of, plain, text};
use super::shape::Known;
use super::store::{self, Field, Fields, Store};
use super::{Found, Module, as_printed};
use crate::arrays::Arrays;
use crate::findings::{Extent, Findings};
use crate::graph::{Builder, Header};
use crate::mistake::Mistake;
use crate::modules::FirstLine;
use crate::scan::counted;
use crate::source::{Excerpt, Mark};
use crate::wrong::Wrong;

/// Reads the module into the findings.
///
/// # Errors
/// If the bytes cannot be read, or are damaged.
pub(crate) fn read_module(
    found: Found,
    shown: &Path,
    findings: &mut Findings<'_>,
) -> io::Result<Extent> {
    let Found { store, mut module } = found;
    let computations = std::mem::take(&mut module.computations);
    let names = computations.iter().map(|one| (one.id, one.name.clone()));
    let mut reading = Reading {
        names: names.collect(),
        builder: Builder::default(),
        extent: Extent {
            bytes: store.length,
            ..Extent::default()
        },
        store,
        findings,
        known: Known::default(),
    };
    reading.findings.mistakes.found_hlo();
    reading.head(&module, shown)?;
    for k in as_printed(&computations, module.entry_id) {
        let computation = &computations[k];
        let done = reading.computation(computation, &module);
        done.map_err(|error| computation.damaged(error))?;
    }
    let Findings {
        take,
        tally,
        mistakes,
        ..
    } = reading.findings;
    if let (Some(mut module), Some(take)) = (reading.builder.take(), take) {
        module.is_damaged = mistakes.in_file() > 0;
        take.module(shown, module, tally);
    }
    Ok(reading.extent)
}

struct Reading<'a, 'b> {
    store: Store,
    findings: &'a mut Findings<'b>,
    builder: Builder,
    extent: Extent,
    /// The names of the computations, by their numbers.
    names: HashMap<i64, String>,
    known: Known,
}

/// The positions of the instructions of a computation.
struct Places {
    /// Number, offset in the file, and length; sorted by number. All offsets are below 2^32, since
    /// a proto has at most 2 GiB.
    all: Vec<(i64, u32, u32)>,
    /// The numbers in the graph of the instructions that were read.
    read: Vec<Option<u32>>,
}

impl Places {
    fn find(&self, id: i64) -> Option<usize> {
        self.all.binary_search_by_key(&id, |place| place.0).ok()
    }

    fn range(&self, place: usize) -> Range<u64> {
        let (_, start, length) = self.all[place];
        u64::from(start)..u64::from(start) + u64::from(length)
    }
}

impl Reading<'_, '_> {
    /// Reads everything before the computations.
    fn head(&mut self, module: &Module, shown: &Path) -> io::Result<()> {
        self.builder.module(&plain(&module.name), 0);
        self.builder.module.is_scheduled = module.schedule.is_some();
        let mut first = FirstLine {
            file: shown.to_owned(),
            line: 0,
            name: plain(&module.name),
            has_entry: module.program.is_some(),
            ..FirstLine::default()
        };
        let mut program = Fields(module.program.clone().unwrap_or_default());
        let mut number = 0;
        while let Some(field) = self.store.next(&mut program)? {
            let (tag @ (1 | 2), Field::Bytes(message)) = field else {
                continue;
            };
            let what = match tag {
                1 => format!("parameter {number} of the program"),
                _ => "the result of the program".to_owned(),
            };
            self.store.begin(what.clone());
            if let Some(mut arrays) = self.shape(message, &what)? {
                let (number, all) = match tag {
                    1 => (number, &mut first.parameters),
                    _ => (0, &mut first.results),
                };
                self.findings.modules.parts(&mut arrays, number, all);
            }
            number += u32::from(tag == 1);
        }
        self.findings.modules.add(first);
        self.store.begin("the head of the module".to_owned());
        let mut aliases = Vec::new();
        let mut rest = Fields(module.aliases.clone().unwrap_or_default());
        while let Some(alias) = self.store.message(&mut rest, 1)? {
            self.store.take(200)?;
            aliases.push(alias_of(&mut self.store, alias)?);
        }
        let name = "input_output_alias";
        let aliases = format!("{{{}}}", aliases.join(", "));
        let done = self.builder.module_attribute(name, &aliases);
        self.told(done, || name.to_owned());
        let mut counts = [0_u32; 5];
        let mut rest = Fields(module.frames.clone().unwrap_or_default());
        while let Some(field) = self.store.next(&mut rest)? {
            let (tag @ 1..=4, Field::Bytes(entry)) = field else {
                continue;
            };
            counts[tag as usize] += 1;
            let number = counts[tag as usize];
            self.store
                .take(64 + if tag < 3 { entry.end - entry.start } else { 0 })?;
            let frames = &mut self.builder.module.frames;
            if let 1 | 2 = tag {
                let names = [&mut frames.files, &mut frames.functions];
                names[tag as usize - 1].insert(number, text(&mut self.store, &entry)?);
                continue;
            }
            // 0 means that there is no entry; so does a number that no table contains.
            let numbers = self.store.last(entry, [1, 2, 3])?;
            let numbers = numbers.map(|n| u32::try_from(n.0).unwrap_or(0));
            match tag {
                3 => frames.locations.extend([(number, numbers)]),
                _ => frames.frames.extend([(number, numbers[0])]),
            }
        }
        Ok(())
    }

    /// Reads a shape. If no memory can hold the array, reports that and returns `None`.
    fn shape(&mut self, message: Range<u64>, place: &str) -> io::Result<Option<Arrays>> {
        let tally = &mut self.findings.tally;
        let read = self.known.shape(&mut self.store, message, tally)?;
        Ok(self.told(read, || place.to_owned()))
    }

    /// Reports the mistake in a part.
    fn told<T>(&mut self, done: Result<T, Wrong>, place: impl FnOnce() -> String) -> Option<T> {
        let tell = |wrong: Wrong| {
            let text = place();
            self.findings.mistakes.add(Mistake {
                mark: Mark::default(),
                message: wrong.message,
                excerpt: Excerpt {
                    span: 0..text.len(),
                    text,
                },
                help: (!wrong.help.is_empty()).then(|| wrong.help.into_owned()),
            });
        };
        done.map_err(tell).ok()
    }

    fn computation(&mut self, computation: &Computation, module: &Module) -> io::Result<()> {
        let is_entry = match module.entry_id {
            0 => computation.name == module.entry_name,
            id => computation.id == id,
        };
        // Without a graph to build, instructions are only counted.
        let has_graph = self.findings.take.is_some();
        let name = plain(&computation.name);
        if has_graph {
            let done = self.builder.computation(&name, is_entry);
            self.told(done, || format!("%{name}"));
        }
        self.extent.computations += 1;
        let sequences = module.schedule.as_ref();
        let schedule = sequences.and_then(|all| all.get(&computation.id)).cloned();
        let mut places = self.places(computation.fields.clone())?;
        for place in self.sequence(&places, schedule.unwrap_or_default())? {
            let range = places.range(place as usize);
            let begin = range.start;
            let is_root = places.all[place as usize].0 == computation.root_id;
            self.instruction(&places, range, is_root, is_entry)
                .map_err(|error| {
                    let what = format!("the instruction at byte {begin}: {error}");
                    match store::is_damaged(&error) {
                        true => store::damaged(what),
                        false => error,
                    }
                })?;
            places.read[place as usize] = self.builder.last();
        }
        if has_graph {
            let done = self.builder.close();
            self.told(done, || format!("%{name}"));
        }
        Ok(())
    }

    fn places(&mut self, mut fields: Fields) -> io::Result<Places> {
        let mut all = Vec::new();
        while let Some(range) = self.store.message(&mut fields, 2)? {
            let [(id, _)] = self.store.last(range.clone(), [35])?;
            let (Ok(start), Ok(end)) = (u32::try_from(range.start), u32::try_from(range.end))
            else {
                unreachable!("a proto has at most 2 GiB, as the store checks");
            };
            all.push((id, start, end - start));
        }
        // The sort is stable: equal numbers keep the order of the file.
        all.sort_by_key(|place| place.0);
        let read = vec![None; all.len()];
        Ok(Places { all, read })
    }

    /// Returns the instructions in the order in which they run. Those that the schedule lacks come
    /// last.
    fn sequence(&mut self, places: &Places, schedule: Range<u64>) -> io::Result<Vec<u32>> {
        let mut steps = vec![u32::MAX; places.all.len()];
        let mut step = 0;
        let mut rest = Fields(schedule);
        while let Some((tag, field)) = self.store.next(&mut rest)? {
            if tag == 1 {
                self.store.numbers(field, &mut |id| {
                    if let Some(place) = places.find(id) {
                        steps[place] = step;
                    }
                    step += 1;
                })?;
            }
        }
        let mut sequence: Vec<u32> = (0..steps.len() as u32).collect();
        sequence.sort_unstable_by_key(|&k| (steps[k as usize], places.all[k as usize].1));
        Ok(sequence)
    }

    fn instruction(
        &mut self,
        places: &Places,
        range: Range<u64>,
        is_root: bool,
        in_entry: bool,
    ) -> io::Result<()> {
        let what = format!("the instruction at byte {}", range.start);
        self.store.begin(what);
        let instruction = Instruction::read(&mut self.store, range)?;
        let Some(message) = instruction.shape.clone() else {
            return Err(io::Error::other(instruction.shown() + " has no shape"));
        };
        self.extent.instructions += 1;
        let place = || format!("%{} = {}(…)", instruction.name, instruction.opcode);
        let Some(arrays) = self.shape(message, &place())? else {
            self.builder.broken(&instruction.name, 0);
            return Ok(());
        };
        counted(self.findings, &instruction.opcode, &arrays, in_entry);
        if self.findings.take.is_none() {
            return Ok(());
        }
        let (store, builder) = (&mut self.store, &mut self.builder);
        let (mut parts, mut wrong) = instruction.parts(store, builder, &self.names)?;
        if !["parameter", "constant", "iota"].contains(&&*instruction.opcode) {
            for &id in &instruction.operands {
                let Some(operand) = places.find(id) else {
                    let shown = instruction.shown();
                    let message =
                        format!("{shown} has operand {id}, which its computation does not have");
                    return Err(io::Error::other(message));
                };
                let (number, missing) = match places.read[operand] {
                    Some(number) => (number, None),
                    None => {
                        let range = places.range(operand);
                        let name = Instruction::read(store, range)?.name;
                        builder.operand(&name, 0)
                    }
                };
                wrong = wrong.or(missing);
                parts.operands.push(number);
            }
        }
        let shapes = &mut builder.module.shapes;
        let header = Header {
            name: instruction.name.clone(),
            is_root,
            opcode: instruction.opcode.clone(),
            shape: shapes.nested(&arrays.leaves, &arrays.nesting),
            line: 0,
        };
        let done = builder.add(&header, parts, wrong);
        self.told(done, place);
        Ok(())
    }
}
