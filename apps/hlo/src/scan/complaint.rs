//! Reports of mistakes in a text.

use std::io::{self, Read};

use super::{Mark, Mistake, Scanner, Step, Stop, is_name};
use crate::source::{AHEAD, Excerpt, run};
use crate::wrong::Wrong;

/// The position of a mistake, and its length in bytes.
type Place = (Mark, usize);

impl<R: Read> Scanner<'_, '_, R> {
    /// Reports a byte that no text contains.
    pub(super) fn bad_byte(&mut self) -> io::Result<()> {
        let Some(bad) = self.source.take_bad() else {
            return Ok(());
        };
        let message = format!("found {}, in text", words_for(bad.byte));
        let help = "the file may be damaged: copy it again as it is, in binary";
        self.note((bad.mark, 1), message, help)
    }

    /// Builds a mistake at a place.
    fn described(&mut self, at: Place, message: String, help: &str) -> io::Result<Mistake> {
        let (mark, len) = at;
        let excerpt = if self.findings.mistakes.wanted() {
            self.source.excerpt(mark, len)?
        } else {
            Excerpt::default()
        };
        Ok(Mistake {
            mark,
            message,
            excerpt,
            help: (!help.is_empty()).then(|| help.to_owned()),
        })
    }

    /// Reports a mistake. The reading continues at the current position.
    pub(super) fn note(&mut self, at: Place, message: String, help: &str) -> io::Result<()> {
        let mistake = self.described(at, message, help)?;
        self.findings.mistakes.add(mistake);
        Ok(())
    }

    /// Reports the mistake in a part of the graph.
    pub(super) fn told(&mut self, done: Result<(), Wrong>, at: Place) -> io::Result<()> {
        match done {
            Ok(()) => Ok(()),
            Err(wrong) => self.note(at, wrong.message, &wrong.help),
        }
    }

    /// Reports a mistake that ends the statement.
    pub(super) fn mistake<T>(&mut self, at: Place, message: String, help: &str) -> Step<T> {
        let mistake = self.described(at, message, help)?;
        Err(Stop::Mistake(Box::new(mistake)))
    }

    /// Reports a mistake of `len` bytes at the current position.
    pub(super) fn mistake_here<T>(&mut self, len: usize, message: String, help: &str) -> Step<T> {
        self.mistake((self.source.mark(), len), message, help)
    }

    /// Reports "expected …, found …" at the current position.
    pub(super) fn expected<T>(&mut self, what: &str, help: &str) -> Step<T> {
        let rest = self.source.rest(AHEAD)?;
        let word = run(rest, is_name);
        let (found, len) = match (rest.first(), word) {
            (None, _) => ("the end of the text".to_owned(), 0),
            (Some(b'\n' | b'\r'), _) => ("the end of the line".to_owned(), 0),
            (Some(&byte), 0) if byte.is_ascii_graphic() => (format!("`{}`", byte as char), 1),
            (Some(&byte), 0) => {
                match String::from_utf8_lossy(&rest[..rest.len().min(4)])
                    .chars()
                    .next()
                {
                    Some(char) if !char.is_control() && char != char::REPLACEMENT_CHARACTER => {
                        (format!("`{char}`"), char.len_utf8())
                    }
                    _ => (words_for(byte), 1),
                }
            }
            (Some(_), len) => {
                let text = String::from_utf8_lossy(&rest[..len]);
                (format!("`{}`", xlayout_words::shortened(&text, 40)), len)
            }
        };
        self.mistake_here(len, format!("expected {what}, found {found}"), help)
    }
}

/// Describes a byte that no text contains.
fn words_for(byte: u8) -> String {
    match byte {
        0 => "a NUL byte".to_owned(),
        1..0x80 => format!("the control character 0x{byte:02x}"),
        _ => format!("the byte 0x{byte:02x}, which is not UTF-8"),
    }
}
