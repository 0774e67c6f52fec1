//! What is kept of an instruction until it ends.

use crate::graph::{Builder, Header};
use crate::source::Mark;

/// The number of bytes of a constant's value that are kept.
pub(super) const CONSTANT: usize = 64;
/// The number of bytes of a string that are kept.
const STRING: usize = 4 << 10;
/// Longer operands and attributes of one instruction are a mistake.
pub(super) const INSTRUCTION: usize = 64 << 20;

/// Makes graphs while the scanner reads.
#[derive(Default)]
pub(super) struct Capture {
    pub(super) builder: Builder,
    /// The instruction that is being read.
    pub(super) pending: Option<Pending>,
    /// The enclosing instructions, whose bodies are being read.
    pub(super) around: Vec<Option<Pending>>,
    /// The current limit of the text after the opcode; 0 without a graph.
    pub(super) limit: usize,
    string_end: usize,
    /// The buffer of the previous instruction, which the next one reuses.
    pub(super) spare: Vec<u8>,
    /// The text of a module's attribute, while one is read.
    pub(super) value: Option<Vec<u8>>,
    /// The number of mistakes before the module.
    pub(super) mistakes_before: usize,
}

pub(super) struct Pending {
    pub(super) header: Header,
    pub(super) mark: Mark,
    pub(super) name_length: usize,
    /// Whether the opcode was read, so that text is now kept.
    pub(super) is_open: bool,
    pub(super) text: Vec<u8>,
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
