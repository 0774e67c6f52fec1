//! An instruction: its result and its operation are read, the rest is passed over.

use std::io::Read;

use super::{Scanner, Step};

impl<R: Read> Scanner<'_, R> {
    /// Reads an instruction whose name was read.
    pub(super) fn instruction(&mut self, is_root: bool) -> Step {
        self.graph_begin(is_root)?;
        let done = self.instruction_text();
        match done {
            Ok(()) => Ok(self.graph_end()?),
            Err(stop) => {
                self.graph_broken();
                Err(stop)
            }
        }
    }

    fn instruction_text(&mut self) -> Step {
        self.in_table = None;
        self.gap()?;
        if self.source.peek()? != Some(b'=') {
            let help = "an instruction is `%name = SHAPE operation(operands), attributes`";
            return self.expected("`=` and a shape behind the name", help);
        }
        self.source.bump()?;
        self.gap()?;
        self.shape(None)?;
        self.gap()?;
        self.read_word()?;
        if self.word.is_empty() || self.source.peek()? != Some(b'(') {
            if !self.word.is_empty() {
                self.gap()?;
            }
            let what = match self.word.is_empty() {
                true => "an operation and `(` behind the shape",
                false => "`(` and operands behind the operation",
            };
            if self.source.peek()? != Some(b'(') {
                return self.expected(what, "as in `%sum = f32[2]{0} add(%a, %b)`");
            }
        }
        self.mistakes.found_hlo();
        self.graph_head();
        if !self.bodies.is_empty() {
            return self.attributes();
        }
        self.extent.instructions += 1;
        let in_entry = self.computation.as_ref().is_some_and(|c| c.entry);
        if (in_entry || !self.scope.entry) && (self.scope.views || !is_view(&self.word, in_entry)) {
            for &leaf in &self.leaves {
                self.tally.count(leaf, in_entry);
            }
        }
        if in_entry && !is_view(&self.word, true) {
            let moved = matches!(&*self.word, b"copy" | b"transpose");
            for (&leaf, &item) in self.leaves.iter().zip(&self.items) {
                if !is_passed(&self.word, item) {
                    self.tally.own(leaf, moved);
                }
            }
        }
        self.leaves.clear();
        self.attributes()
    }
}

/// Whether an item of a result is the operand: of an update in place, or of an asynchronous operation. Its number is that in the
/// outermost tuple: several operands are a tuple in the first item.
pub(crate) fn is_passed(operation: &[u8], item: u32) -> bool {
    match operation {
        b"dynamic-update-slice" => true,
        b"copy-start" => item == 1,
        b"send" => item == 0,
        b"all-reduce-start" | b"recv" => false,
        _ => operation.ends_with(b"-start") && item == 0,
    }
}

/// Whether an operation gives no memory of its own, but that of its operands or of a caller.
pub(crate) fn is_view(operation: &[u8], in_entry: bool) -> bool {
    match operation {
        b"parameter" => !in_entry,
        b"tuple"
        | b"get-tuple-element"
        | b"bitcast"
        | b"while"
        | b"conditional"
        | b"call"
        | b"opt-barrier"
        | b"optimization-barrier"
        | b"add-dependency"
        | b"domain"
        | b"after-all" => true,
        _ => operation.ends_with(b"-done") || operation.ends_with(b"-update"),
    }
}
