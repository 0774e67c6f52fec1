//! The bytes of a text through a buffer of fixed size, however long its lines are.

use std::io::{self, Read};
use std::ops::Range;

use serde::Serialize;

/// The largest look-ahead, and the largest length of a single word.
pub(crate) const AHEAD: usize = 8 << 10;
/// The bytes before the current one that stay in the buffer, for excerpts in mistakes.
const BEHIND: usize = 2 * AHEAD;
const CAPACITY: usize = 256 << 10;
/// The width of the part of a line that an excerpt shows.
const SHOWN: usize = 72;
/// The largest part of it before the mistake.
const SHOWN_BEFORE: usize = 36;

/// A position in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in characters, counted from 1.
    pub column: u64,
    /// The byte offset in the text.
    #[serde(skip)]
    pub offset: u64,
}

/// A part of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text of the part.
    pub text: String,
    /// The marked range, in bytes of `text`.
    pub span: Range<usize>,
}

/// A byte that no text contains.
#[derive(Clone, Copy)]
pub(crate) struct BadByte {
    pub(crate) mark: Mark,
    pub(crate) byte: u8,
}

pub(crate) struct Source<R> {
    input: R,
    buffer: Vec<u8>,
    /// The end of the bytes in the buffer that were read from the input.
    end: usize,
    at: usize,
    ended: bool,
    /// The offset in the text of the buffer's first byte.
    base: u64,
    line: u64,
    /// The offset in the text of the line's first byte.
    line_start: u64,
    /// The number of bytes of the line so far that continue a character of several bytes.
    continuations: u64,
    /// The first bad byte since [`take_bad`](Self::take_bad).
    bad: Option<BadByte>,
}

impl<R: Read> Source<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; CAPACITY],
            end: 0,
            at: 0,
            ended: false,
            base: 0,
            line: 1,
            line_start: 0,
            continuations: 0,
            bad: None,
        }
    }

    /// Skips the byte order mark that some editors put before UTF-8; it is not a column.
    pub(crate) fn skip_mark(&mut self) {
        if self.at == 0 && self.buffer[..self.end].starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
            self.line_start = 3;
        }
    }

    /// Returns the buffered bytes from the current one on: at least `want` (at most [`AHEAD`]),
    /// unless the text ends before.
    pub(crate) fn rest(&mut self, want: usize) -> io::Result<&[u8]> {
        while self.end - self.at < want && !self.ended {
            self.fill()?;
        }
        Ok(&self.buffer[self.at..self.end])
    }

    /// Returns the next bytes, at most `most` (at most [`AHEAD`]).
    pub(crate) fn ahead(&mut self, count: usize) -> io::Result<&[u8]> {
        let rest = self.rest(count)?;
        Ok(&rest[..rest.len().min(count)])
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.end == self.buffer.len() {
            let drop = self.at.saturating_sub(BEHIND);
            self.buffer.copy_within(drop..self.end, 0);
            self.at -= drop;
            self.end -= drop;
            self.base += drop as u64;
        }
        let read = read_some(&mut self.input, &mut self.buffer[self.end..])?;
        self.end += read;
        self.ended = read == 0;
        Ok(())
    }

    #[inline]
    pub(crate) fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.at == self.end {
            self.rest(1)?;
        }
        Ok(self.buffer[self.at..self.end].first().copied())
    }

    /// Advances by one character, if there is one.
    pub(crate) fn bump(&mut self) -> io::Result<()> {
        match self.peek()? {
            None => {}
            Some(b'\n') => {
                self.at += 1;
                self.line += 1;
                self.line_start = self.offset();
                self.continuations = 0;
            }
            Some(b'\t' | b'\r' | b' '..=b'~') => self.at += 1,
            Some(byte) => self.unusual(byte)?,
        }
        Ok(())
    }

    /// Advances over a character beyond ASCII, or a byte that is not part of a character.
    fn unusual(&mut self, byte: u8) -> io::Result<()> {
        let mut ahead = self.ahead(4)?.utf8_chunks();
        let valid = ahead.next().map_or("", |chunk| chunk.valid());
        let len = match valid.chars().next() {
            // Some editors treat the form feed as a blank.
            Some(char) if !char.is_control() || char == '\u{c}' => char.len_utf8(),
            _ => {
                let mark = self.mark();
                self.bad.get_or_insert(BadByte { mark, byte });
                1
            }
        };
        self.at += len;
        self.continuations += len as u64 - 1;
        Ok(())
    }

    /// Advances by bytes of [`rest`](Self::rest) that are all printable ASCII.
    pub(crate) fn skip(&mut self, plain: usize) {
        self.at = self.end.min(self.at + plain);
    }

    /// Advances past the end of the line.
    pub(crate) fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let rest = self.rest(1)?;
            let plain = run(rest, is_plain);
            let last = rest.get(plain).copied();
            self.skip(plain);
            match last {
                None if self.peek()?.is_none() => return Ok(()),
                None => {}
                Some(byte) => {
                    self.bump()?;
                    if byte == b'\n' {
                        return Ok(());
                    }
                }
            }
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        let offset = self.offset();
        Mark {
            line: self.line,
            column: offset - self.line_start - self.continuations + 1,
            offset,
        }
    }

    fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Whether the line so far contains only blanks.
    pub(crate) fn at_line_start(&self) -> bool {
        let Some(start) = self.line_start.checked_sub(self.base) else {
            return false;
        };
        let before = &self.buffer[(start as usize).min(self.at)..self.at];
        before.iter().all(|&byte| is_blank(byte))
    }

    pub(crate) fn take_bad(&mut self) -> Option<BadByte> {
        self.bad.take()
    }

    /// Returns the part of the line around `mark`, with `len` bytes from there on marked, at most
    /// to the end of the line.
    pub(crate) fn excerpt(&mut self, mark: Mark, len: usize) -> io::Result<Excerpt> {
        // Read ahead, so that the excerpt does not end at the mistake; at the end of a pipe this
        // waits.
        self.rest(SHOWN)?;
        let at = match mark.offset.checked_sub(self.base) {
            Some(at) => (at as usize).min(self.end),
            // The buffer no longer contains that position.
            None => return Ok(Excerpt::default()),
        };
        let before = &self.buffer[at.saturating_sub(AHEAD)..at];
        let before = match before.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => &before[end + 1..],
            None => before,
        };
        let after = &self.buffer[at..self.end];
        let after = match after.iter().position(|&byte| byte == b'\n') {
            Some(end) => &after[..end],
            None => after,
        };
        let after = after.strip_suffix(b"\r").unwrap_or(after);
        Ok(cut(before, &after[..after.len().min(AHEAD)], len))
    }
}

/// Returns the part of a line that an excerpt shows, printable whatever the bytes are.
fn cut(before: &[u8], after: &[u8], len: usize) -> Excerpt {
    let before = String::from_utf8_lossy(before);
    let mut before = before.trim_start();
    if after.is_empty() {
        before = before.trim_end_matches('\r');
    }
    let skipped = before.chars().count().saturating_sub(SHOWN_BEFORE);
    let mut text = String::new();
    if skipped > 0 {
        text.push('…');
    }
    text.extend(before.chars().skip(skipped));
    let start = text.len();
    let (meant, rest) = after.split_at(len.min(after.len()));
    let room = SHOWN.saturating_sub(text.chars().count());
    let meant = String::from_utf8_lossy(meant);
    text.extend(meant.chars().take(room));
    let end = text.len();
    let room = room.saturating_sub(meant.chars().count());
    let rest = String::from_utf8_lossy(rest);
    text.extend(rest.chars().take(room));
    if rest.chars().count() > room || meant.chars().count() > SHOWN {
        text.push('…');
    }
    Excerpt {
        text,
        span: start..end,
    }
}

/// Reads bytes, also after a signal; 0 at the end of the input.
pub(crate) fn read_some(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// The number of bytes at the beginning of a text that are of a class.
pub(crate) fn run(text: &[u8], is_of_class: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_of_class(**byte)).count()
}

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0c)
}

/// Printable ASCII, which a [`Source`] need not examine.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\r')
}
