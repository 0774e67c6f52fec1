//! The parts that the scanner passes to the graph: names, shapes, operands, attributes.
//!
//! The text of an instruction after the opcode is kept until the instruction ends. Only the
//! beginnings of constants and strings are kept, so that memory does not depend on their lengths.

use std::borrow::Cow;
use std::io::{self, Read};

use super::{Scanner, Step};
use crate::graph::{Builder, Header, Table};
use crate::opcode::Opcode;
use crate::source::{AHEAD, Mark};
use crate::wrong::Wrong;

/// The number of bytes of a constant's value that are kept.
const CONSTANT: usize = 64;
/// The number of bytes of a string that are kept.
const STRING: usize = 4 << 10;
/// Longer operands and attributes of one instruction are a mistake.
const INSTRUCTION: usize = 64 << 20;

/// Makes graphs while the scanner reads.
#[derive(Default)]
pub(super) struct Capture {
    builder: Builder,
    /// The instruction that is being read.
    pending: Option<Pending>,
    /// The enclosing instructions, whose bodies are being read.
    around: Vec<Option<Pending>>,
    /// The current limit of the text after the opcode; 0 without a graph.
    limit: usize,
    string_end: usize,
    /// The buffer of the previous instruction, which the next one reuses.
    spare: Vec<u8>,
    /// The text of a module's attribute, while one is read.
    value: Option<Vec<u8>>,
    /// The number of mistakes before the module.
    mistakes_before: usize,
}

struct Pending {
    header: Header,
    mark: Mark,
    name_length: usize,
    /// Whether the opcode was read, so that text is now kept.
    is_open: bool,
    text: Vec<u8>,
}

impl Capture {
    fn text(&mut self) -> Option<&mut Vec<u8>> {
        if self.value.is_some() {
            return self.value.as_mut();
        }
        let pending = self.pending.as_mut()?;
        pending.is_open.then_some(&mut pending.text)
    }

    #[inline]
    pub(super) fn keep(&mut self, more: &[u8]) {
        if self.limit > 0 {
            self.keep_below(more, self.limit);
        }
    }

    fn keep_below(&mut self, more: &[u8], limit: usize) {
        if let Some(text) = self.text() {
            let room = limit.saturating_sub(text.len());
            text.extend_from_slice(&more[..more.len().min(room)]);
        }
    }

    /// The outermost bracket closes. If it ends the operands of a constant, the limit of a constant
    /// no longer applies.
    pub(super) fn end_of_group(&mut self) {
        if self.limit == CONSTANT
            && let Some(text) = self.text()
            && text.len() >= CONSTANT
        {
            // The kept text may end inside brackets.
            text.truncate(1);
            text.extend_from_slice(b"...");
        }
        if self.limit > 0 {
            self.limit = INSTRUCTION;
        }
    }

    pub(super) fn begin_string(&mut self) {
        self.keep(b"\"");
        let length = self.text().map_or(0, |text| text.len());
        self.string_end = self.limit.min(length + STRING);
    }

    pub(super) fn keep_string(&mut self, more: &[u8]) {
        let limit = self.string_end;
        // Do not separate the two characters of an escape.
        let length = self.text().map_or(0, |text| text.len());
        if more.first() == Some(&b'\\') && length + more.len() > limit {
            self.string_end = 0
        } else {
            self.keep_below(more, limit)
        }
    }

    /// Ends an instruction that cannot be read.
    pub(super) fn broken(&mut self) {
        if let Some(Pending { header, .. }) = self.pending.take() {
            self.builder.broken(&header.name, header.line);
        }
    }
}

impl<R: Read> Scanner<'_, '_, R> {
    /// Ends the instruction that is being read.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let Some(mut pending) = self.graph.pending.take() else {
            return Ok(());
        };
        let text = lossy(&pending.text);
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
