//! Builds a graph from its parts, in the order of the text.
//!
//! A reader calls `module`, `computation`, `instruction`, `close` in the order in which it finds
//! them. The builder resolves names. An undefined name is an error of the instruction that uses it;
//! an instruction without an opcode replaces the missing one, so that each mistake is reported
//! once.

use hashbrown::HashMap;

use super::aliases::aliases;
use super::frames::Table;
use super::origins::{Origin, OriginId};
use super::shapes::ShapeId;
use super::texts::Text;
use crate::opcode::Opcode;
use crate::wrong::Wrong;

use super::{Computation, Instruction, Module, VALUE, tail};

/// The largest nesting depth of bodies inside instructions.
const MOST_NESTED: usize = 128;

/// What comes before the operands of an instruction.
#[derive(Default)]
pub(crate) struct Header {
    /// The name, with or without `%`.
    pub(crate) name: String,
    pub(crate) is_root: bool,
    pub(crate) opcode: Opcode,
    pub(crate) opcode_text: String,
    pub(crate) shape: ShapeId,
    pub(crate) line: u64,
}

/// What an instruction holds besides its header.
#[derive(Default)]
pub(crate) struct Parts {
    /// The operands: numbers of instructions in the computation.
    pub(crate) operands: Vec<u32>,
    /// The called computations: the role and the number of each.
    pub(super) called: Vec<(Text, u32)>,
    /// The attributes that are kept.
    pub(super) kept: Vec<(Text, Text)>,
    pub(crate) origin: Origin,
}

#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) module: Module,
    /// Whether the module contains anything.
    begun: bool,
    /// The last computation that ended and is no body inside of an instruction.
    last_ended: Option<u32>,
    /// The open computation, preceded by those around it if bodies are inside instructions.
    pub(super) open: Vec<Open>,
    /// The number of computations and bodies that were begun.
    pub(super) begun_bodies: u32,
    /// For each text: the computation or body, counted from 1 in the order of their beginnings, in
    /// which it names an instruction, and that instruction.
    pub(super) names: Vec<(u32, u32)>,
    pub(super) computations: HashMap<String, u32>,
}

#[derive(Default)]
pub(super) struct Open {
    pub(super) computation: Computation,
    is_entry: bool,
    root: Option<u32>,
    /// The number of the computation or body, counted from 1.
    pub(super) number: u32,
    /// The meanings, in the enclosing bodies, of names that this body redefines.
    pub(super) hidden: Vec<(Text, (u32, u32))>,
    /// The bodies that were printed inside the instruction that is being read.
    bodies: Vec<(Text, u32)>,
    /// The attribute whose value this body is.
    role: Text,
}

impl Builder {
    /// Begins a module. The previous one must have been taken.
    pub(crate) fn module(&mut self, name: &str, line: u64) {
        self.begun = true;
        name.clone_into(&mut self.module.name);
        self.module.line = line;
    }

    /// Reads an attribute of the module.
    ///
    /// # Errors
    /// If an item of `input_output_alias` cannot be read. The other items are kept.
    pub(crate) fn module_attribute(&mut self, name: &str, value: &str) -> Result<(), Wrong> {
        match name {
            "is_scheduled" => self.module.is_scheduled = value == "true",
            "num_partitions" => self.module.partitions = value.parse().unwrap_or(0),
            "input_output_alias" => {
                let (aliases, wrong) = aliases(value);
                self.module.aliases = aliases;
                return wrong.map_or(Ok(()), Err);
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a line of a table of source locations.
    pub(crate) fn table_line(&mut self, table: Table, line: &str) {
        self.begun = true;
        self.module.frames.line(table, line);
    }

    /// Begins a computation; an open one ends.
    ///
    /// # Errors
    /// If another computation has this name.
    pub(crate) fn computation(&mut self, name: &str, is_entry: bool) -> Result<(), Wrong> {
        self.close_all();
        self.begun = true;
        let name = plain(name);
        self.begin(Open {
            is_entry,
            ..Open::new(name)
        });
        if self.computations.contains_key(name) {
            Err(Wrong::twice("computations", name))
        } else {
            Ok(())
        }
    }

    /// Ends the open computation or body.
    ///
    /// # Errors
    /// If it has no instruction.
    pub(crate) fn close(&mut self) -> Result<(), Wrong> {
        let mut done = Ok(());
        if let Some(open) = self.open.last()
            && open.computation.instructions.is_empty()
        {
            let name = xlayout_words::shortened(&open.computation.name, 60);
            let message =
                format!("the computation `{name}` has no instruction, and therefore no result");
            done = Err(Wrong::new(message, "was a part of the text left out?"));
            self.broken("", 0);
        }
        let Some(mut open) = self.open.pop() else {
            return done;
        };
        self.show(std::mem::take(&mut open.hidden));
        let last = open.computation.instructions.len().saturating_sub(1) as u32;
        open.computation.root = open.root.unwrap_or(last);
        let number = self.module.computations.len() as u32;
        match self.open.last_mut() {
            Some(around) => around.bodies.push((open.role, number)),
            None => {
                self.computations
                    .insert(open.computation.name.clone(), number);
                self.last_ended = Some(number);
                if open.is_entry {
                    self.module.entry = Some(number);
                }
            }
        }
        self.module.computations.push(open.computation);
        done
    }

    /// Ends everything that is open. The reader reports the missing end, so that other mistakes in
    /// it, such as a computation without instructions, are not reported as well.
    fn close_all(&mut self) {
        while !self.open.is_empty() {
            let _ = self.close();
        }
    }

    /// Begins a body that is printed inside an instruction, as its attribute `role`.
    ///
    /// # Errors
    /// If too many bodies are open.
    pub(crate) fn open_body(&mut self, around: &str, role: &str) -> Result<(), Wrong> {
        let role = self.module.texts.add(role);
        self.begin(Open {
            role,
            ..Open::new(plain(around))
        });
        if self.open.len() > MOST_NESTED {
            let message = format!("bodies are nested more than {MOST_NESTED} deep");
            Err(Wrong::new(message, ""))
        } else {
            Ok(())
        }
    }

    /// Adds an instruction whose text cannot be read.
    pub(crate) fn broken(&mut self, name: &str, line: u64) {
        let header = Header {
            name: name.to_owned(),
            line,
            ..Header::default()
        };
        // Another instruction may have the same name. The mistake in the text was reported already.
        let _ = self.instruction(&header, "");
    }

    /// Of instructions outside of a computation, the operands that no line above defines, with the
    /// shapes that are printed before their names.
    pub(crate) fn undefined<'t>(
        &mut self,
        header: &Header,
        rest: &'t str,
    ) -> Vec<(&'t str, &'t str)> {
        let is_alone = self
            .open
            .last()
            .is_none_or(|open| open.computation.name.is_empty());
        if !is_alone || header.opcode.has_no_operands() {
            return Vec::new();
        }
        let operands = tail::parts(tail::split(rest).0).into_iter().map(|operand| {
            let name = tail::operand(operand);
            let shape = operand[..operand.len() - name.len()].trim_end_matches('%');
            (name, shape.trim_end())
        });
        let texts = &mut self.module.texts;
        let operands: Vec<_> = operands
            .map(|(name, shape)| (texts.add(name), name, shape))
            .collect();
        let is_undefined = |(text, _, shape): &(Text, &str, &str)| {
            !shape.is_empty() && self.named(*text).is_none()
        };
        let mut undefined: Vec<(&str, &str)> = Vec::new();
        for operand in operands.iter().filter(|operand| is_undefined(operand)) {
            if undefined.iter().all(|known| known.0 != operand.1) {
                undefined.push((operand.1, operand.2));
            }
        }
        undefined
    }

    /// Adds an instruction. `rest` is what follows the opcode: operands in parentheses, and
    /// attributes.
    ///
    /// # Errors
    /// If a name is not defined above, or is defined twice. The instruction is added all the same.
    pub(crate) fn instruction(&mut self, header: &Header, rest: &str) -> Result<(), Wrong> {
        if self.open.is_empty() {
            // Instructions outside a computation get one around them.
            self.begin(Open::new(""));
        }
        let mut error = None;
        let (operands, attributes) = tail::split(rest);
        let mut parts = Parts::default();
        if !header.opcode.has_no_operands() {
            for operand in tail::parts(operands) {
                let (number, wrong) = self.operand(tail::operand(operand), header.line);
                parts.operands.push(number);
                error = error.or(wrong);
            }
        } else if !operands.is_empty() {
            if header.opcode == Opcode::Parameter && operands.trim().parse::<u32>().is_err() {
                let shown = xlayout_words::shortened(operands.trim(), 60);
                let help = "parameters are counted from 0, as in `parameter(0)`";
                error = Some(Wrong::new(
                    format!("`{shown}` is no number of a parameter"),
                    help,
                ));
            }
            self.keep(&mut parts, VALUE, operands.trim());
        }
        for attribute in attributes {
            error = error.or(self.attribute(attribute, &mut parts));
        }
        self.add(header, parts, error)
    }

    /// Adds an instruction whose parts were read. `wrong` is a mistake in them.
    ///
    /// # Errors
    /// The mistake in the instruction, which is added all the same.
    pub(crate) fn add(
        &mut self,
        header: &Header,
        mut parts: Parts,
        mut wrong: Option<Wrong>,
    ) -> Result<(), Wrong> {
        self.begun = true;
        if header.opcode == Opcode::Tuple && wrong.is_none() {
            wrong = self.tuple(header.shape, &parts.operands);
        }
        let module = &mut self.module;
        let name = module.texts.add(plain(&header.name));
        let opcode = module.texts.add(&header.opcode_text);
        module.opcodes.insert(opcode, header.opcode);
        let origin = OriginId(module.origins.add(parts.origin));
        if let Some(open) = self.open.last_mut() {
            parts.called.append(&mut open.bodies);
            let lists = module
                .lists
                .add(&parts.operands, &parts.called, &parts.kept);
            if lists.is_none() {
                wrong = wrong.or(Some(Wrong::too_many("operands and attributes")));
            }
            let instructions = &mut open.computation.instructions;
            let number = instructions.len() as u32;
            instructions.push(Instruction {
                name,
                opcode,
                shape: header.shape,
                lists: lists.unwrap_or_default(),
                origin,
                line: u32::try_from(header.line).unwrap_or(0),
            });
            if header.is_root {
                open.root = Some(number);
            }
            // The first one keeps the name, which earlier instructions refer to.
            if self.named(name).is_none() {
                self.give(name, number);
            } else {
                let name = self.module.texts.get(name);
                wrong = wrong.or(Some(Wrong::twice("instructions of the computation", name)));
            }
        }
        wrong.or_else(|| self.module.full()).map_or(Ok(()), Err)
    }

    /// The number of the instruction that was added last.
    pub(crate) fn last(&self) -> Option<u32> {
        let count = self.open.last()?.computation.instructions.len() as u32;
        count.checked_sub(1)
    }

    /// Returns the number of an operand, and the mistake if its name is undefined.
    pub(crate) fn operand(&mut self, name: &str, line: u64) -> (u32, Option<Wrong>) {
        let text = self.module.texts.add(name);
        if let Some(number) = self.named(text) {
            return (number, None);
        }
        let missing = Header {
            name: name.to_owned(),
            line,
            ..Header::default()
        };
        // This function returns the mistake itself.
        let _ = self.add(&missing, Parts::default(), None);
        let what = "instruction above in this computation";
        (self.last().unwrap_or(0), Some(Wrong::missing(what, name)))
    }

    /// Ends the module and returns it, if it contains anything. Without an ENTRY, the last
    /// computation is the entry, as in XLA's reader.
    pub(crate) fn take(&mut self) -> Option<Module> {
        self.close_all();
        let last = self.last_ended.take();
        if let (None, Some(number)) = (self.module.entry, last) {
            self.module.entry = last;
            // Instructions alone have no name, and are all that there is to run.
            let is_named = !self.module.computations[number as usize].name.is_empty();
            self.module.is_entry_assumed = is_named;
        }
        self.computations.clear();
        // The next module numbers its texts anew.
        self.names = Vec::new();
        self.begun_bodies = 0;
        let module = std::mem::take(&mut self.module);
        std::mem::take(&mut self.begun).then_some(module)
    }
}

impl Open {
    fn new(name: &str) -> Self {
        Self {
            computation: Computation {
                name: name.to_owned(),
                ..Computation::default()
            },
            ..Self::default()
        }
    }
}

/// A name without its `%`.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix('%').unwrap_or(name)
}
