//! Statements of several lines: wrapped instructions, and computations that are printed inside an
//! instruction.
//!
//! XLA's own reader treats a line break as a blank. Here a line break ends an instruction unless
//! the text shows that it continues, so that a line that is cut short affects no other line.
//!
//! XLA's canonical text repeats the computations of an instruction as its attributes, besides
//! printing them separately:
//!
//! ```text
//!   sum = f32[2]{0} fusion(f32[2]{0} x), kind=kLoop, calls=
//!   {
//!     ROOT y = f32[2]{0} add(f32[2]{0} x, f32[2]{0} x)
//!   }
//!   one = f32[2]{0} conditional(…), branch_computations={
//!   {
//!     ROOT y = …
//!   },
//!   {
//!     ROOT y = …
//!   }
//! }
//! ```
//!
//! The instructions of such a body are read, but not counted: they are counted where XLA prints the
//! computation by itself.

use std::io::{self, Read};

use super::skip::{LOOKED_AT, begins_statement};
use super::{Brace, Scanner, Step};
use crate::source::{is_blank, run};

impl<R: Read> Scanner<'_, '_, R> {
    /// Returns the text after the next byte, a line break, without leading blanks; empty at the end
    /// of the text.
    fn next_line(&mut self) -> io::Result<&[u8]> {
        let rest = self.source.ahead(LOOKED_AT)?.get(1..).unwrap_or_default();
        Ok(&rest[run(rest, is_blank)..])
    }

    /// The next byte is a line break. Returns whether the text ends after it, or something else
    /// begins there: a statement, the end of a computation, an empty line.
    pub(super) fn new_statement_follows(&mut self) -> io::Result<bool> {
        let line = self.next_line()?;
        Ok(matches!(line, [] | [b'\n' | b'}', ..]) || begins_statement(line))
    }

    /// The next byte is a line break outside all brackets. Returns whether the instruction ends
    /// there. `last_byte` is the last one that is not a blank. The instruction continues after a
    /// comma and `=`, and before a line that begins with a comma.
    pub(super) fn ends_here(&mut self, last_byte: u8) -> io::Result<bool> {
        if self.new_statement_follows()? {
            return Ok(true);
        }
        if !matches!(last_byte, b',' | b'=') {
            return Ok(!self.next_line()?.starts_with(b","));
        }
        // A body is a separate statement, so the instruction ends before it.
        self.body_may_follow = self.body_follows()?;
        Ok(self.body_may_follow)
    }

    /// Skips blanks in an instruction, and line breaks after which the instruction continues.
    pub(super) fn gap(&mut self) -> Step {
        self.blanks(false)?;
        while self.source.peek()? == Some(b'\n') && !self.new_statement_follows()? {
            self.source.bump()?;
            self.blanks(false)?;
        }
        Ok(())
    }

    /// The next byte is a line break. Returns whether the line after it contains only `{`.
    pub(super) fn body_follows(&mut self) -> io::Result<bool> {
        let Some(rest) = self.next_line()?.strip_prefix(b"{") else {
            return Ok(false);
        };
        let first_after_blanks = rest.iter().find(|&&b| !is_blank(b));
        Ok(first_after_blanks == Some(&b'\n'))
    }

    /// Begins a list of bodies: `branch_computations={`.
    pub(super) fn open_bodies(&mut self) {
        self.bodies.push(Brace::List);
        self.body_may_follow = true;
    }

    /// Begins a body, if one may be here and the next byte is its `{`. Returns whether it does.
    pub(super) fn open_body(&mut self) -> io::Result<bool> {
        let opens = self.body_may_follow && self.source.peek()? == Some(b'{');
        self.body_may_follow = false;
        if opens {
            self.source.bump()?;
            self.bodies.push(Brace::Body);
        }
        Ok(opens)
    }

    /// Whether this line ends a body: `}` or `},`, indented.
    pub(super) fn end_of_body_follows(&mut self) -> io::Result<bool> {
        if self.bodies.is_empty() {
            return Ok(false);
        }
        let line = self
            .source
            .ahead(LOOKED_AT)?
            .split(|&b| b == b'\n')
            .next()
            .unwrap_or_default();
        Ok(matches!(line.trim_ascii(), b"}" | b"},"))
    }
}
