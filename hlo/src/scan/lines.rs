//! Statements of several lines: instructions that are wrapped, and computations that are printed inside of
//! an instruction.
//!
//! XLA's own reader takes a line break for a blank. Here a line break ends an instruction unless the text
//! shows that it goes on, so that a line that is cut short costs no other line.
//!
//! XLA's canonical text repeats the computations of an instruction as its attributes, besides printing them
//! by themselves:
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
//! The instructions of such a body are read, but not counted: they are counted where XLA prints them first.

use std::io::{self, Read};

use super::super::source::is_blank;
use super::skip::{LOOKED_AT, begins_statement};
use super::{Brace, Scanner, Step};

impl<R: Read> Scanner<'_, '_, R> {
    /// What follows the line break that is the next byte, without blanks; nothing where the text ends.
    fn next_line(&mut self) -> io::Result<&[u8]> {
        let rest = self.source.rest(LOOKED_AT)?;
        let rest = &rest[1.min(rest.len())..rest.len().min(LOOKED_AT)];
        let blanks = rest.iter().take_while(|&&b| is_blank(b)).count();
        Ok(&rest[blanks..])
    }

    /// Whether the text ends behind the line break that is the next byte, or something else begins there: a
    /// statement, the end of a computation, an empty line.
    pub(super) fn new_statement_follows(&mut self) -> io::Result<bool> {
        let line = self.next_line()?;
        Ok(matches!(line, [] | [b'\n' | b'}', ..]) || begins_statement(line))
    }

    /// Whether an instruction ends at the line break that is the next byte, outside of all brackets. `before` is
    /// the last byte that is not a blank. A comma and `=` go on, and so does a line that begins with a comma.
    pub(super) fn ends_here(&mut self, before: u8) -> io::Result<bool> {
        if self.new_statement_follows()? {
            return Ok(true);
        }
        if !matches!(before, b',' | b'=') {
            return Ok(!self.next_line()?.starts_with(b","));
        }
        // A body is a statement of its own.
        self.body_may_follow = self.body_follows()?;
        Ok(self.body_may_follow)
    }

    /// Passes blanks in an instruction, and line breaks where it goes on behind them.
    pub(super) fn gap(&mut self) -> Step {
        self.blanks(false)?;
        while self.source.peek()? == Some(b'\n') && !self.new_statement_follows()? {
            self.source.bump()?;
            self.blanks(false)?;
        }
        Ok(())
    }

    /// Whether nothing but `{` is on the line behind the line break that is the next byte.
    pub(super) fn body_follows(&mut self) -> io::Result<bool> {
        let Some(rest) = self.next_line()?.strip_prefix(b"{") else {
            return Ok(false);
        };
        let first = rest.iter().find(|&&b| !is_blank(b));
        Ok(first == Some(&b'\n'))
    }

    /// A list of bodies begins: `branch_computations={`.
    pub(super) fn open_bodies(&mut self) {
        self.bodies.push(Brace::List);
        self.body_may_follow = true;
    }

    /// Begins with a body, if one may be here and the next byte is its `{`.
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
        let rest = self.source.rest(LOOKED_AT)?;
        let rest = &rest[..rest.len().min(LOOKED_AT)];
        let line = rest.split(|&b| b == b'\n').next().unwrap_or_default();
        Ok(matches!(line.trim_ascii(), b"}" | b"},"))
    }
}
