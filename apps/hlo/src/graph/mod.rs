//! A module as a graph: computations, instructions, and which instruction uses which.
//!
//! | part | what it does |
//! |---|---|
//! | `mod` | the model, and the questions that analyses ask it |
//! | `shapes` | shapes of results: arrays and tuples, each distinct one once |
//! | `lists` | operands, called computations and attributes of all instructions; users |
//! | `texts` | names and other texts, each distinct one once |
//! | `origins` | where the program has operations, each distinct place once |
//! | `aliases` | results in the memory of parameters or operands |
//! | `frames` | the source lines: FileNames, FunctionNames, FileLocations, StackFrames |
//! | `build` | makes the graph from the parts that a reader finds |
//! | `attributes` | the attributes of an instruction; results in the memory of parameters |
//! | `names` | what names mean while a computation is open; whether a tuple is made of its operands |
//! | `tail` | takes the operands and attributes of an instruction apart |
//!
//! The text is read by the scanner of `hlo`; another reader calls [`build::Builder`] in the same
//! way.
//!
//! Three rules hold in every graph. An operand is defined before its user, and a called computation
//! before its caller. So there are no cycles, and a loop over the instructions meets operands
//! first. A computation has an instruction, which gives its result: where the text has none, one
//! without an opcode takes its place.

use hashbrown::HashMap;

mod aliases;
mod attributes;
mod build;
mod frames;
mod lists;
mod names;
mod origins;
mod shapes;
pub(super) mod tail;
#[cfg(test)]
pub(super) mod tests;
mod texts;

pub(crate) use aliases::of_operands;
pub(crate) use build::{Builder, Header, Parts};
pub use frames::SourceLine;
pub(crate) use frames::{Frames, Table};
pub(crate) use lists::Grouped;
use lists::{Lists, Span};
use origins::{Distinct, OriginId};
pub(crate) use origins::{Origin, Source};
pub(crate) use shapes::{Node, ShapeId, Shapes};
pub(crate) use texts::{Text, Texts};

use super::opcode::Opcode;
use super::tally::Leaf;
use super::wrong::Wrong;

/// A module of HLO.
#[derive(Debug, Default)]
pub struct Module {
    /// Its name; empty for instructions without a module.
    pub name: String,
    /// The line of the text on which it begins.
    line: u64,
    /// Whether the order of the instructions is the one in which they run.
    pub(crate) is_scheduled: bool,
    /// Whether an instruction shows that the compiler is the one for CPUs.
    pub(crate) is_of_cpu: bool,
    /// Whether the text contains a mistake, so that parts may be missing.
    pub(crate) is_damaged: bool,
    /// Results that take the memory of parameters.
    pub(crate) aliases: Vec<Alias>,
    /// Callees come before their callers.
    pub(crate) computations: Vec<Computation>,
    /// The number of the entry computation.
    pub(crate) entry: Option<u32>,
    /// On how many devices the program runs as parts; 0 if the module does not say it.
    pub(crate) partitions: u64,
    /// Whether no computation is marked as the entry, so that it is the last one.
    pub is_entry_assumed: bool,
    /// The operands, called computations and attributes of all instructions.
    lists: Lists,
    origins: Distinct<Origin>,
    /// The opcodes, by their texts.
    opcodes: HashMap<Text, Opcode>,
    pub(crate) texts: Texts,
    pub(crate) shapes: Shapes,
    pub(crate) frames: Frames,
}

/// A part of the result that takes the memory of a part of a parameter: `{0}: (1, {}, may-alias)`.
/// For an instruction, the operands are the parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alias {
    /// The index in the result; empty if it is not a tuple.
    pub(crate) result: Box<[u32]>,
    pub(crate) parameter: u32,
    /// The index in the parameter.
    pub(crate) index: Box<[u32]>,
}

#[derive(Debug, Default)]
pub(crate) struct Computation {
    /// The name, without `%`. A body that is printed inside an instruction has the name of the
    /// instruction.
    pub(crate) name: String,
    /// The instructions: operands come before their users. If the module is scheduled, this is the
    /// order in which they run.
    pub(crate) instructions: Vec<Instruction>,
    /// The number of the instruction that gives the result; the last one if none is marked.
    pub(crate) root: u32,
}

/// An instruction: 24 bytes. A module may have millions of them, so the module holds their lists.
#[derive(Debug)]
pub struct Instruction {
    /// The name, without `%`.
    pub(crate) name: Text,
    /// The text of the opcode; empty if the instruction could not be read.
    pub(crate) opcode: Text,
    pub(crate) shape: ShapeId,
    lists: Span,
    origin: OriginId,
    /// The line of the text; 0 from line 2^32 on.
    pub(crate) line: u32,
}

/// The name of the attribute, and the number of the called computation.
type Called = (Text, u32);

/// The name of the attribute that holds the number of a parameter or the value of a short constant.
const VALUE: &str = "";

impl Module {
    /// The error if no numbers are left for the texts, the places or the shapes.
    fn full(&self) -> Option<Wrong> {
        let limited = [
            (
                &self.texts.numbers,
                "distinct names and values of attributes",
            ),
            (&self.origins.numbers, "distinct places of the program"),
            (self.shapes.numbers(), "distinct shapes"),
        ];
        let (_, what) = limited.iter().find(|(numbers, _)| numbers.is_full())?;
        Some(Wrong::too_many(what))
    }

    pub(crate) fn entry(&self) -> Option<&Computation> {
        self.computations.get(self.entry? as usize)
    }

    /// The computation and the instruction with these numbers.
    pub(crate) fn at(&self, numbers: (u32, u32)) -> (&Computation, &Instruction) {
        let computation = &self.computations[numbers.0 as usize];
        (computation, &computation.instructions[numbers.1 as usize])
    }

    /// The name of an instruction, without `%`.
    pub fn name(&self, instruction: &Instruction) -> &str {
        self.texts.get(instruction.name)
    }

    /// The operands: numbers of instructions in the same computation.
    pub(crate) fn operands(&self, instruction: &Instruction) -> &[u32] {
        self.lists.operands(instruction.lists)
    }

    /// The computations that an instruction calls: the name of the attribute and the number of the
    /// computation.
    pub(crate) fn all_called(
        &self,
        instruction: &Instruction,
    ) -> impl ExactSizeIterator<Item = Called> {
        self.lists.called(instruction.lists)
    }

    /// What an instruction does; `Unread` if it could not be read.
    pub fn opcode(&self, instruction: &Instruction) -> Opcode {
        let opcode = self.opcodes.get(&instruction.opcode);
        opcode.copied().unwrap_or_default()
    }

    /// The opcode as the text has it; empty if the instruction could not be read.
    pub fn opcode_text(&self, instruction: &Instruction) -> &str {
        self.texts.get(instruction.opcode)
    }

    /// The name that the program gives to the operation.
    pub fn op_name(&self, instruction: &Instruction) -> &str {
        self.texts.get(self.op_name_text(instruction))
    }

    pub(crate) fn op_name_text(&self, instruction: &Instruction) -> Text {
        self.origins.get(instruction.origin.0).op_name
    }

    /// An attribute as written, such as `{1,0}` for `dimensions={1,0}`.
    ///
    /// Not kept: metadata, shardings, and backend_config but for `known_trip_count`.
    pub(crate) fn attribute<'a>(
        &'a self,
        instruction: &Instruction,
        name: &str,
    ) -> Option<&'a str> {
        let mut attributes = self.lists.attributes(instruction.lists);
        let (_, value) = attributes.find(|(key, _)| self.texts.get(*key) == name)?;
        Some(self.texts.get(value))
    }

    /// The value of a constant with a short text, or the number of a parameter.
    pub(crate) fn value<'a>(&'a self, instruction: &Instruction) -> Option<&'a str> {
        self.attribute(instruction, VALUE)
    }

    /// The number of a parameter.
    pub(crate) fn parameter(&self, instruction: &Instruction) -> Option<u32> {
        if !self.is_parameter(instruction) {
            return None;
        }
        self.value(instruction)?.parse().ok()
    }

    /// Whether it is a parameter, with or without a number.
    pub(crate) fn is_parameter(&self, instruction: &Instruction) -> bool {
        self.opcode(instruction) == Opcode::Parameter
    }

    /// Whether a result of the entry takes memory of this parameter.
    pub(crate) fn is_donated(&self, parameter: u32) -> bool {
        self.aliases
            .iter()
            .any(|alias| alias.parameter == parameter)
    }

    /// What a custom call calls; empty for another instruction.
    pub(crate) fn target(&self, instruction: &Instruction) -> &str {
        self.attribute(instruction, "custom_call_target")
            .unwrap_or_default()
            .trim_matches('"')
    }

    /// The index of the item that a get-tuple-element takes.
    pub(crate) fn index(&self, instruction: &Instruction) -> Option<u32> {
        self.attribute(instruction, "index")?.parse().ok()
    }

    /// A list of numbers such as `dimensions={1,0}`.
    pub(crate) fn numbers(&self, instruction: &Instruction, name: &str) -> Option<Vec<i64>> {
        tail::numbers(self.attribute(instruction, name)?)
    }

    /// The computation that an instruction calls in this role, such as `body` or `calls`.
    pub(crate) fn called(&self, instruction: &Instruction, role: &str) -> Option<u32> {
        let mut called = self.all_called(instruction);
        let (_, number) = called.find(|(key, _)| self.texts.get(*key) == role)?;
        Some(number)
    }

    /// File, function and line of the operation in the program.
    pub fn source(&self, instruction: &Instruction) -> Option<SourceLine<'_>> {
        match self.origins.get(instruction.origin.0).source {
            Source::Unknown => None,
            Source::Frame(frame) => self.frames.place(frame),
            Source::Line(file, line) => Some(SourceLine {
                file: self.texts.get(file),
                function: "",
                line,
            }),
        }
    }

    /// The users of each instruction of a computation.
    pub(crate) fn users(&self, computation: &Computation) -> Grouped {
        Grouped::users(
            computation
                .instructions
                .iter()
                .map(|instruction| self.operands(instruction)),
        )
    }

    /// The arrays of a result, with those of all tuple items.
    pub(crate) fn leaves(&self, instruction: &Instruction) -> Vec<Leaf> {
        self.shapes.leaves(instruction.shape)
    }
}

/// Returns what the roots reach, callees before their callers, in the order of the calls. What is
/// marked in `seen` was returned before; the rest is marked there. A loop instead of recursion, so
/// that calls may be nested to any depth.
pub(crate) fn callees_first<C: IntoIterator<Item = usize>>(
    roots: impl IntoIterator<Item = usize>,
    seen: &mut [bool],
    callees: impl Fn(usize) -> C,
) -> Vec<usize> {
    let mut finished = Vec::new();
    for root in roots {
        // Each open computation, with those of its callees that are not visited yet.
        let mut open = Vec::new();
        let mut next = Some(root);
        while next.is_some() || !open.is_empty() {
            if let Some(computation) = next.take()
                && !std::mem::replace(&mut seen[computation], true)
            {
                open.push((computation, callees(computation).into_iter()));
            }
            // The root was seen before.
            let Some((computation, callees_left)) = open.last_mut() else {
                break;
            };
            next = callees_left.next();
            if next.is_none() {
                finished.push(*computation);
                open.pop();
            }
        }
    }
    finished
}

impl Computation {
    pub(crate) fn root(&self) -> &Instruction {
        &self.instructions[self.root as usize]
    }
}
