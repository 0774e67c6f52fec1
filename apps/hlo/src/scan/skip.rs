//! Skips signatures, operands, attributes, and constants of any length.

use std::io::{self, Read};

use super::{Scanner, Step, is_name};
use crate::source::{AHEAD, is_blank, run};

/// The largest number of open brackets.
const MOST_OPEN: usize = 1 << 16;

const HEADER: &str = "a computation begins with `%name (parameters) -> SHAPE {`";

/// The class of a byte in skipped text.
#[derive(Clone, Copy)]
enum Class {
    /// Insignificant.
    Plain,
    /// Significant only outside brackets: a blank, a comma, `=`.
    Top,
    Opens,
    Closes,
    /// A quote, a line break, a slash, a byte beyond ASCII.
    Special,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Special; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        classes[byte as usize] = match byte {
            b' ' | b',' => Class::Top,
            b'(' | b'[' | b'{' => Class::Opens,
            b')' | b']' | b'}' => Class::Closes,
            b'"' | b'/' => Class::Special,
            _ => Class::Plain,
        };
        byte += 1;
    }
    classes
};

impl<R: Read> Scanner<'_, '_, R> {
    /// Skips a signature and the `{` after it.
    pub(super) fn signature(&mut self) -> Step {
        // A blank precedes the brace of the body; the brace of a layout follows `]`.
        let mut before = b' ';
        let mut open = 0_usize;
        loop {
            let Some(byte) = self.source.peek()? else {
                return self.expected("`{` and the instructions of the computation", HEADER);
            };
            match byte {
                b'\n' if self.new_statement_follows()? => {
                    return self.expected("`{` behind the signature", HEADER);
                }
                b'{' if open == 0 && before != b']' => {
                    self.source.bump()?;
                    return Ok(());
                }
                b'/' if self.comment()? => continue,
                b'(' | b'[' | b'{' => open += 1,
                b')' | b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            before = byte;
            self.source.bump()?;
        }
    }

    /// Skips the rest of an instruction: operands and attributes.
    pub(super) fn attributes(&mut self) -> Step {
        self.pass(false)
    }

    /// Skips the value of an attribute, but not the comma after it.
    pub(super) fn value(&mut self) -> Step {
        self.pass(true)
    }

    /// Skips text to the end of the instruction, or of the value of one attribute: to the line
    /// break, comma or `}` outside all brackets, or to the next statement on the line.
    fn pass(&mut self, one_value: bool) -> Step {
        // The end of the first line, if brackets are open there.
        let mut line_end = None;
        let mut open: Vec<u8> = Vec::new();
        let mut before = b' ';
        loop {
            let rest = self.source.rest(1)?;
            let plain = run_length(rest, open.is_empty());
            if plain > 0 {
                before = rest[plain - 1];
                self.graph.keep(&rest[..plain]);
                self.source.skip(plain);
            }
            let Some(byte) = self.source.peek()? else {
                if open.is_empty() {
                    return Ok(());
                }
                return self.unclosed(line_end.unwrap_or(self.source.mark()), &open);
            };
            match byte {
                b'\n' if open.is_empty() => {
                    if self.ends_here(before)? {
                        return Ok(());
                    }
                    self.graph.keep(b" ");
                    self.source.bump()?;
                }
                b'\n' if before == b'{' && open.len() == 1 && self.body_follows()? => {
                    self.open_bodies();
                    return Ok(());
                }
                // A constant may continue over many lines, but contains no statement.
                b'\n' => {
                    let line_end = *line_end.get_or_insert(self.source.mark());
                    self.graph.keep(b" ");
                    self.source.bump()?;
                    let inner = open.last().copied();
                    if self.statement_follows()? || (inner != Some(b'{') && self.brace_follows()?) {
                        return self.unclosed(line_end, &open);
                    }
                }
                b',' if open.is_empty() && one_value => return Ok(()),
                b' ' if open.is_empty() && before != b',' => {
                    self.graph.keep(b" ");
                    self.source.bump()?;
                    if self.statement_follows()? {
                        return Ok(());
                    }
                    continue;
                }
                b'}' if open.is_empty() => return Ok(()),
                b'(' | b'[' | b'{' if open.len() < MOST_OPEN => {
                    open.push(byte);
                    self.graph.keep(&[byte]);
                    self.source.bump()?;
                }
                b'(' | b'[' | b'{' => {
                    return self.mistake_here(
                        1,
                        format!("more than {MOST_OPEN} open brackets"),
                        "",
                    );
                }
                b')' | b']' | b'}' => {
                    if open.last().map(|&b| partner(b)) != Some(byte) {
                        let (message, help) = match open.last() {
                            None => (format!("`{}` closes nothing", byte as char), String::new()),
                            Some(&b) => (
                                format!("`{}` closes `{}`", byte as char, b as char),
                                format!("expected `{}`", partner(b) as char),
                            ),
                        };
                        return self.mistake_here(1, message, &help);
                    }
                    open.pop();
                    if open.is_empty() {
                        self.graph.end_of_group();
                    }
                    self.graph.keep(&[byte]);
                    self.source.bump()?;
                }
                b'"' => self.string()?,
                b'/' if self.comment()? => {}
                _ => {
                    self.graph.keep(&[byte]);
                    self.source.bump()?;
                }
            }
            // After a comma, blanks and line breaks do not end the instruction.
            if !is_blank(byte) && byte != b'\n' {
                before = byte;
            }
        }
    }

    fn string(&mut self) -> Step {
        let mark = self.source.mark();
        self.graph.begin_string();
        self.source.bump()?;
        loop {
            let rest = self.source.rest(2)?;
            let is_plain = |byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
            let plain = run(rest, is_plain);
            self.graph.keep_string(&rest[..plain]);
            self.source.skip(plain);
            match self.source.rest(2)? {
                [b'"', ..] => {
                    self.graph.keep(b"\"");
                    self.source.skip(1);
                    return Ok(());
                }
                [] | [b'\n', ..] => {
                    let message = "the string has no end on its line".to_owned();
                    return self.mistake((mark, 1), message, "it ends with `\"`");
                }
                &[b'\\', next @ b' '..=b'~', ..] => {
                    self.graph.keep_string(&[b'\\', next]);
                    self.source.skip(2);
                }
                _ => {
                    let begin = self.source.mark().offset;
                    let bytes = self.source.ahead(4)?.to_vec();
                    self.source.bump()?;
                    let len = (self.source.mark().offset - begin) as usize;
                    self.graph.keep_string(&bytes[..len]);
                }
            }
        }
    }

    fn unclosed<T>(&mut self, mark: super::Mark, open: &[u8]) -> Step<T> {
        let expected: String = open
            .iter()
            .rev()
            .take(8)
            .map(|&byte| partner(byte) as char)
            .collect();
        let message = format!("the instruction ends without `{expected}`");
        self.mistake((mark, 0), message, "was the line cut short?")
    }

    /// Whether an instruction, a computation or a module begins here; a line of a constant does not
    /// look like one.
    fn statement_follows(&mut self) -> io::Result<bool> {
        Ok(begins_statement(self.source.ahead(LOOKED_AT)?))
    }

    /// Whether this line contains only `}`, in its first column.
    fn brace_follows(&mut self) -> io::Result<bool> {
        Ok(matches!(
            self.source.rest(3)?,
            [b'}'] | [b'}', b'\n', ..] | [b'}', b'\r', b'\n', ..] | [b'}', b',', b' ', ..]
        ))
    }

    /// Skips to the next line on which a statement may begin.
    pub(super) fn recover(&mut self) -> io::Result<()> {
        while self.source.peek()?.is_some() {
            let new_line = self.source.mark().line > self.begin.line;
            if new_line && self.source.at_line_start() && !self.constant_follows()? {
                return Ok(());
            }
            self.source.skip_line()?;
        }
        Ok(())
    }

    /// Whether this line seems to continue a constant.
    fn constant_follows(&mut self) -> io::Result<bool> {
        if self.brace_follows()? || self.end_of_body_follows()? {
            return Ok(false);
        }
        let first = self.source.rest(AHEAD)?.iter().find(|&&b| !is_blank(b));
        Ok(first.is_some_and(|&b| b.is_ascii_digit() || b"{}()-,\"".contains(&b)))
    }
}

/// The number of bytes of a line that are examined to classify it.
pub(super) const LOOKED_AT: usize = 512;

/// Whether an instruction, a computation or a module begins here, after blanks.
pub(super) fn begins_statement(text: &[u8]) -> bool {
    let text = &text[run(text, is_blank)..];
    let len = run(text, is_name);
    let (word, behind) = text.split_at(len);
    let keyword = matches!(word, b"ROOT" | b"ENTRY" | b"HloModule");
    match behind {
        [b' ', b'=', ..] => word.iter().any(|b| b.is_ascii_alphabetic()),
        [b' ', ..] => keyword || word.starts_with(b"%"),
        // The text ends inside a long name.
        [] => len > 64,
        _ => false,
    }
}

/// The number of leading bytes that are insignificant, on the top level or inside brackets.
fn run_length(text: &[u8], top: bool) -> usize {
    run(text, |byte| match CLASSES[usize::from(byte)] {
        Class::Plain => true,
        Class::Top => !top,
        _ => false,
    })
}

fn partner(bracket: u8) -> u8 {
    match bracket {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}
