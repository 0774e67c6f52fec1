//! The parts that the scanner passes to the graph: names, shapes, operands, attributes.
//!
//! The text of an instruction after the opcode is kept until the instruction ends. Only the
//! beginnings of constants and strings are kept, so that memory does not depend on their lengths.

use std::borrow::Cow;
use std::io::{self, Read};

use super::capture::{CONSTANT, INSTRUCTION, Pending};
use super::{Scanner, Step};
use crate::graph::{Header, Node, Table};
use crate::opcode::Opcode;
use crate::source::{AHEAD, Mark};
use crate::wrong::Wrong;

impl<R: Read> Scanner<'_, '_, R> {
    /// Ends the instruction that is being read.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let Some(mut pending) = self.graph.pending.take() else {
            return Ok(());
        };
        let text = lossy(&pending.text);
        // In a part of a module, what is above may be left out.
        for (name, shape) in self.graph.builder.undefined(&pending.header, &text) {
            let Ok(leaf) = self.findings.tally.leaf(shape.as_bytes()) else {
                continue;
            };
            let builder = &mut self.graph.builder;
            let given = Header {
                name: name.to_owned(),
                line: pending.header.line,
                shape: builder.module.shapes.add(Node::Leaf(leaf)),
                opcode: Opcode::Unknown,
                opcode_text: "operand".to_owned(),
                ..Header::default()
            };
            // A second operand of the name is the same one.
            let _ = builder.instruction(&given, "()");
        }
        let done = self.graph.builder.instruction(&pending.header, &text);
        self.told(done, (pending.mark, pending.name_length))?;
        if pending.text.len() >= INSTRUCTION {
            let mebibytes = INSTRUCTION >> 20;
            let message =
                format!("an instruction of more than {mebibytes} MiB of operands and attributes");
            return self.note((pending.mark, pending.name_length), message, "");
        }
        pending.text.clear();
        self.graph.spare = pending.text;
        Ok(())
    }

    /// Begins an instruction after its name.
    pub(super) fn graph_begin(&mut self, is_root: bool) -> io::Result<()> {
        self.flush()?;
        self.graph.pending = self.findings.take.is_some().then(|| Pending {
            header: Header {
                name: lossy(&self.word).into_owned(),
                is_root,
                line: self.begin.line,
                ..Header::default()
            },
            mark: self.begin,
            name_length: self.word.len() + if is_root { 5 } else { 0 },
            is_open: false,
            text: std::mem::take(&mut self.graph.spare),
        });
        Ok(())
    }

    /// Begins the operands and attributes, after the shape and the opcode.
    pub(super) fn graph_head(&mut self, opcode: Opcode) {
        if let Some(pending) = &mut self.graph.pending {
            self.graph.limit = match opcode {
                Opcode::Constant => CONSTANT,
                _ => INSTRUCTION,
            };
            let shapes = &mut self.graph.builder.module.shapes;
            pending.header.shape = shapes.nested(&self.arrays.leaves, &self.arrays.nesting);
            pending.header.opcode = opcode;
            pending.header.opcode_text = lossy(&self.word).into_owned();
            pending.is_open = true;
        }
    }

    pub(super) fn graph_computation(&mut self, name: &str, entry: bool, mark: Mark) -> Step {
        self.flush()?;
        if self.findings.take.is_none() {
            return Ok(());
        }
        self.graph.around.clear();
        let done = self.graph.builder.computation(name, entry);
        Ok(self.told(done, (mark, 0))?)
    }

    /// Begins a body of the current instruction.
    pub(super) fn graph_open_body(&mut self) -> io::Result<()> {
        if self.findings.take.is_none() {
            return Ok(());
        }
        let graph = &mut self.graph;
        let (name, role) = match &graph.pending {
            Some(pending) => {
                let text = lossy(&pending.text);
                (pending.header.name.clone(), last_key(&text).to_owned())
            }
            None => Default::default(),
        };
        graph.around.push(graph.pending.take());
        let done = graph.builder.open_body(&name, &role);
        self.told(done, (self.begin, 1))
    }

    /// Ends a computation or a body at its brace. A mistake is reported at `mark`.
    pub(super) fn graph_close(&mut self, mark: Mark) -> io::Result<()> {
        let done = self.end_body()?;
        self.told(done, (mark, 1))
    }

    fn end_body(&mut self) -> io::Result<Result<(), Wrong>> {
        self.flush()?;
        self.graph.pending = self.graph.around.pop().flatten();
        Ok(self.graph.builder.close())
    }

    pub(super) fn graph_module(&mut self, mark: Mark) {
        self.graph.builder.module(&lossy(&self.word), mark.line);
    }

    /// Ends the module and passes it on.
    pub(super) fn end_module(&mut self) -> io::Result<()> {
        for _ in 0..=self.graph.around.len() {
            // The missing end of the enclosing computation is reported. That covers a body without
            // instructions.
            let _ = self.end_body()?;
        }
        let findings = &mut *self.findings;
        if self.entry.is_none() && self.last.enter(findings) {
            self.extent.entries_assumed += 1;
        }
        let mistakes = findings.mistakes.in_file();
        let before = std::mem::replace(&mut self.graph.mistakes_before, mistakes);
        if let (Some(mut module), Some(take)) = (self.graph.builder.take(), &mut findings.take) {
            // The missing end of a computation is reported next.
            module.is_damaged = mistakes > before || self.computation.is_some();
            take.module(&findings.modules.file, module, &findings.tally);
        }
        Ok(())
    }

    /// Reads the value of an attribute of the module, after its name.
    pub(super) fn graph_module_attribute(&mut self, mark: Mark) -> Step {
        let name = lossy(&self.word).into_owned();
        self.graph.value = self.findings.take.is_some().then(Vec::new);
        self.graph.limit = if self.graph.value.is_some() {
            INSTRUCTION
        } else {
            0
        };
        let done = self.value();
        let value = self.graph.value.take().unwrap_or_default();
        let value = lossy(&value);
        let value = value.trim().strip_prefix('=').unwrap_or(&value).trim();
        let wrong = self.graph.builder.module_attribute(&name, value);
        // A mistake in the brackets is reported already.
        if done.is_ok() && self.findings.take.is_some() {
            self.told(wrong, (mark, name.len()))?;
        }
        done
    }

    /// Reads a line of a table of source locations.
    pub(super) fn table_line(&mut self, table: Table) -> io::Result<()> {
        if self.findings.take.is_some() {
            let line = self.source.ahead(AHEAD)?.split(|&b| b == b'\n').next();
            let line = lossy(line.unwrap_or_default());
            self.graph.builder.table_line(table, &line);
        }
        self.source.skip_line()
    }
}

/// Decodes UTF-8 and replaces invalid bytes. Most texts are valid, and a check is faster than a
/// search for invalid bytes.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The name of the attribute at the end of `…, calls=` or `…, branch_computations={`.
fn last_key(text: &str) -> &str {
    let text = text.trim_end_matches([' ', '{', '}', ',', '=']);
    let at = text.rfind([' ', ',', ')']).map_or(0, |at| at + 1);
    &text[at..]
}
