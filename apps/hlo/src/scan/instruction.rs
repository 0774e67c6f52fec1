//! An instruction: the result and the opcode are read, the rest is skipped.

use std::io::Read;

use super::{Scanner, Step};
use crate::arrays::Arrays;
use crate::findings::Findings;
use crate::opcode::Opcode;

impl<R: Read> Scanner<'_, '_, R> {
    /// Reads an instruction after its name.
    pub(super) fn instruction(&mut self, is_root: bool) -> Step {
        self.graph_begin(is_root)?;
        let done = self.instruction_text();
        if done.is_err() {
            self.graph.broken();
        } else if !self.body_may_follow {
            // The text of the instruction ends here.
            self.flush()?;
        }
        done
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
        self.shape()?;
        self.gap()?;
        self.read_word()?;
        if self.word.is_empty() || self.source.peek()? != Some(b'(') {
            let mut what = "an operation and `(` behind the shape";
            if !self.word.is_empty() {
                self.gap()?;
                what = "`(` and operands behind the operation";
            }
            if self.source.peek()? != Some(b'(') {
                return self.expected(what, "as in `%sum = f32[2]{0} add(%a, %b)`");
            }
        }
        self.findings.mistakes.found_hlo();
        let opcode = Opcode::from(&*String::from_utf8_lossy(&self.word));
        self.graph_head(opcode);
        if !self.bodies.is_empty() {
            return self.attributes();
        }
        self.extent.instructions += 1;
        let in_entry = self.computation.as_ref().is_some_and(|c| c.entry);
        counted(self.findings, opcode, &self.arrays, in_entry);
        if self.entry.is_none() {
            let is_headed = self.computation.is_some();
            self.last
                .add(self.findings.scope, opcode, &self.arrays, is_headed);
        }
        self.attributes()
    }
}

/// Counts the arrays of a result.
pub(crate) fn counted(
    findings: &mut Findings<'_>,
    opcode: Opcode,
    arrays: &Arrays,
    in_entry: bool,
) {
    let Findings { tally, scope, .. } = findings;
    if (in_entry || !scope.entry) && (scope.views || !opcode.is_view(in_entry)) {
        for &leaf in &arrays.leaves {
            tally.count(leaf, in_entry);
        }
    }
    if in_entry && opcode.moves_array() {
        for &leaf in &arrays.leaves {
            tally.count_move(leaf);
        }
    }
}
