//! The second pass over a binary module: the graph, computation by computation, callees first.
//!
//! ```text
//! the head: the name, the layouts of the entry, aliases, source lines
//! for each computation, callees first:
//!     the numbers of its instructions; in the sequence of the schedule, if there is one
//!     for each instruction: its message, its shape, its operands by their numbers
//! ```

use std::collections::HashMap;
use std::io;
use std::path::Path;

use prost::bytes::Bytes;
use xlayout_words::joined;

use super::computation::Computation;
use super::decode::{damaged, decode, in_part, is_damaged, place};
use super::instruction::{Instruction, alias_of, name, text};
use super::message::{HloModuleProto, Identity, InstructionSequence, StackFrameIndex};
use super::shape::Known;
use super::{Found, as_printed};
use crate::arrays::Arrays;
use crate::findings::{Extent, Findings};
use crate::graph::{Builder, Frames, Header};
use crate::mistake::Mistake;
use crate::modules::FirstLine;
use crate::scan::counted;
use crate::source::{Excerpt, Mark};
use crate::wrong::Wrong;

/// Reads the module into the findings.
///
/// # Errors
/// If the bytes are damaged.
pub(crate) fn read_module(
    found: Found,
    shown: &Path,
    findings: &mut Findings<'_>,
) -> io::Result<Extent> {
    let Found {
        file,
        module,
        computations,
    } = found;
    let names = computations
        .iter()
        .map(|computation| (computation.message.id, computation.name.clone()));
    let mut reading = Reading {
        names: names.collect(),
        builder: Builder::default(),
        extent: Extent {
            bytes: file.len() as u64,
            ..Extent::default()
        },
        file,
        findings,
        known: Known::default(),
    };
    reading.findings.mistakes.found_hlo();
    reading
        .head(&module, shown)
        .map_err(|error| in_part("the head", error))?;
    for number in as_printed(&computations, module.entry_computation_id) {
        let computation = &computations[number];
        reading
            .computation(computation, &module)
            .map_err(|error| computation.damaged(error))?;
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
    file: Bytes,
    findings: &'a mut Findings<'b>,
    builder: Builder,
    extent: Extent,
    /// The names of the computations, by their numbers.
    names: HashMap<i64, String>,
    known: Known,
}

/// The instructions of a computation.
struct Instructions<'a> {
    messages: &'a [Bytes],
    /// The places in the file of each number.
    places: HashMap<i64, usize>,
    /// The numbers in the graph of the instructions that were read.
    read: Vec<Option<u32>>,
}

impl Reading<'_, '_> {
    /// Reads everything before the computations.
    fn head(&mut self, module: &HloModuleProto, shown: &Path) -> io::Result<()> {
        self.builder.module(&name(&module.name), 0);
        self.builder.module.is_scheduled = module.schedule.is_some();
        let mut first = FirstLine {
            file: shown.to_owned(),
            line: 0,
            name: name(&module.name),
            has_entry: module.host_program_shape.is_some(),
            ..FirstLine::default()
        };
        if let Some(program) = &module.host_program_shape {
            for (number, shape) in (0..).zip(&program.parameters) {
                let what = format!("parameter {number} of the program");
                if let Some(mut arrays) =
                    self.shape(shape, &what, || what.clone(), Arrays::with_paths())?
                {
                    self.findings
                        .modules
                        .add_parts(&mut arrays, number, &mut first.parameters);
                }
            }
            if let Some(shape) = &program.result {
                let what = "the result of the program";
                if let Some(mut arrays) =
                    self.shape(shape, what, || what.to_owned(), Arrays::with_paths())?
                {
                    self.findings
                        .modules
                        .add_parts(&mut arrays, 0, &mut first.results);
                }
            }
        }
        self.findings.modules.add(first);
        let aliases = module.input_output_alias.iter();
        let aliases = aliases.flat_map(|aliases| aliases.entries.iter().map(alias_of));
        let attribute = "input_output_alias";
        let aliases = format!("{{{}}}", joined(aliases, ", "));
        let done = self.builder.module_attribute(attribute, &aliases);
        self.told(done, || attribute.to_owned());
        if let Some(index) = &module.stack_frame_index {
            self.builder.module.frames = frames(index);
        }
        Ok(())
    }

    /// Reads the shape of `what` into `found`. If no memory can hold the array, reports that at the
    /// `place` and returns `None`.
    fn shape(
        &mut self,
        message: &Bytes,
        what: &str,
        place: impl FnOnce() -> String,
        found: Arrays,
    ) -> io::Result<Option<Arrays>> {
        let tally = &mut self.findings.tally;
        let read = self.known.shape(message.clone(), what, tally, found)?;
        Ok(self.told(read, place))
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

    fn computation(
        &mut self,
        computation: &Computation,
        module: &HloModuleProto,
    ) -> io::Result<()> {
        let is_entry = match module.entry_computation_id {
            0 => computation.name == name(&module.entry_computation_name),
            id => computation.message.id == id,
        };
        // Without a graph to build, instructions are only counted.
        let has_graph = self.findings.take.is_some();
        let name = &computation.name;
        if has_graph {
            let done = self.builder.computation(name, is_entry);
            self.told(done, || format!("%{name}"));
        }
        self.extent.computations += 1;
        let schedule = module.schedule.as_ref();
        let schedule =
            schedule.and_then(|schedule| schedule.sequences.get(&computation.message.id));
        let mut instructions = Instructions {
            messages: &computation.message.instructions,
            places: computation.ids.iter().copied().zip(0..).collect(),
            read: vec![None; computation.ids.len()],
        };
        let root = instructions
            .places
            .get(&computation.message.root_id)
            .copied();
        for number in instructions.sequence(schedule) {
            let at = place(&self.file, &instructions.messages[number]);
            let what = format!("the instruction at byte {at}");
            self.instruction(&instructions, number, &what, root == Some(number), is_entry)
                .map_err(|error| {
                    if is_damaged(&error) {
                        damaged(format!("{what}: {error}"))
                    } else {
                        error
                    }
                })?;
            instructions.read[number] = self.builder.last();
        }
        if has_graph {
            let done = self.builder.close();
            self.told(done, || format!("%{name}"));
        }
        Ok(())
    }

    fn instruction(
        &mut self,
        instructions: &Instructions<'_>,
        number: usize,
        what: &str,
        is_root: bool,
        in_entry: bool,
    ) -> io::Result<()> {
        let instruction = Instruction::new(decode(&instructions.messages[number])?);
        let Some(shape) = &instruction.message.shape else {
            return Err(io::Error::other(instruction.shown() + " has no shape"));
        };
        self.extent.instructions += 1;
        let place = || format!("%{} = {}(…)", instruction.name, instruction.opcode_text);
        let Some(arrays) = self.shape(shape, what, place, Arrays::default())? else {
            self.builder.broken(&instruction.name, 0);
            return Ok(());
        };
        counted(self.findings, instruction.opcode, &arrays, in_entry);
        if self.findings.take.is_none() {
            return Ok(());
        }
        let builder = &mut self.builder;
        let (mut parts, mut wrong) = instruction.parts(builder, &self.names)?;
        if !instruction.opcode.has_no_operands() {
            for id in &instruction.message.operand_ids {
                let Some(&operand) = instructions.places.get(id) else {
                    let shown = instruction.shown();
                    let message =
                        format!("{shown} has operand {id}, which its computation does not have");
                    return Err(io::Error::other(message));
                };
                let (number, missing) = match instructions.read[operand] {
                    Some(number) => (number, None),
                    None => {
                        let operand: Identity = decode(&instructions.messages[operand])?;
                        builder.operand(&name(&operand.name), 0)
                    }
                };
                wrong = wrong.or(missing);
                parts.operands.push(number);
            }
        }
        let shapes = &mut builder.module.shapes;
        let header = Header {
            shape: shapes.nested(&arrays.leaves, &arrays.nesting),
            name: instruction.name.clone(),
            is_root,
            opcode: instruction.opcode,
            opcode_text: instruction.opcode_text.clone(),
            line: 0,
        };
        let done = builder.add(&header, parts, wrong);
        self.told(done, place);
        Ok(())
    }
}

impl Instructions<'_> {
    /// Returns the places of the instructions in the order in which they run. Those that the
    /// schedule lacks come last.
    fn sequence(&self, schedule: Option<&InstructionSequence>) -> Vec<usize> {
        let mut steps = vec![usize::MAX; self.messages.len()];
        let ids = schedule.map_or(&[][..], |schedule| &schedule.instruction_ids);
        for (step, id) in ids.iter().enumerate() {
            if let Some(&place) = self.places.get(id) {
                steps[place] = step;
            }
        }
        let mut sequence: Vec<usize> = (0..steps.len()).collect();
        sequence.sort_by_cached_key(|&place| steps[place]);
        sequence
    }
}

/// The tables of source lines. There is no entry for 0, nor for a number that is in no table.
fn frames(index: &StackFrameIndex) -> Frames {
    let number = |number: i32| u32::try_from(number).unwrap_or(0);
    let locations = index.file_locations.iter().map(|location| {
        [
            number(location.file_name_id),
            number(location.function_name_id),
            number(location.line),
        ]
    });
    let frames = index.stack_frames.iter();
    Frames {
        files: (1..).zip(index.file_names.iter().map(text)).collect(),
        functions: (1..).zip(index.function_names.iter().map(text)).collect(),
        locations: (1..).zip(locations).collect(),
        frames: (1..)
            .zip(frames.map(|frame| number(frame.file_location_id)))
            .collect(),
    }
}
