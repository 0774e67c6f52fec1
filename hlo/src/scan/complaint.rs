//! The words for what is wrong in a text.

use std::io::Read;

use super::super::source::{AHEAD, Excerpt};
use super::{Mark, Mistake, Scanner, Step, Stop, is_name};

impl<R: Read> Scanner<'_, R> {
    /// Notes a byte that no text holds.
    pub(super) fn bad_byte(&mut self) {
        let Some(bad) = self.source.take_bad() else {
            return;
        };
        let what = words_for(bad.byte);
        if let Ok(excerpt) = self.source.excerpt(bad.mark, 1) {
            self.mistakes.add(Mistake {
                mark: bad.mark,
                message: format!("found {what}, in text"),
                excerpt,
                help: Some("the file may be damaged: copy it again as it is, in binary".to_owned()),
            });
        }
    }

    /// A mistake at `mark`, where `len` bytes are meant.
    pub(super) fn mistake<T>(
        &mut self,
        mark: Mark,
        len: usize,
        message: String,
        help: &str,
    ) -> Step<T> {
        let excerpt = match self.mistakes.wanted() {
            true => self.source.excerpt(mark, len)?,
            false => Excerpt::default(),
        };
        Err(Stop::Mistake(Box::new(Mistake {
            mark,
            message,
            excerpt,
            help: (!help.is_empty()).then(|| help.to_owned()),
        })))
    }

    /// "expected …, found …", here.
    pub(super) fn expected<T>(&mut self, what: &str, help: &str) -> Step<T> {
        let mark = self.source.mark();
        let rest = self.source.rest(AHEAD)?;
        let word = rest.iter().take_while(|&&b| is_name(b)).count();
        let (found, len) = match (rest.first(), word) {
            (None, _) => ("the end of the text".to_owned(), 0),
            (Some(b'\n' | b'\r'), _) => ("the end of the line".to_owned(), 0),
            (Some(&byte), 0) if byte.is_ascii_graphic() => (format!("`{}`", byte as char), 1),
            (Some(&byte), 0) => {
                let text = String::from_utf8_lossy(&rest[..rest.len().min(4)]);
                match text.chars().next() {
                    Some(char) if !char.is_control() && char != char::REPLACEMENT_CHARACTER => {
                        (format!("`{char}`"), char.len_utf8())
                    }
                    _ => (words_for(byte), 1),
                }
            }
            (Some(_), len) => {
                let text = String::from_utf8_lossy(&rest[..len]);
                (format!("`{}`", crate::words::shortened(&text, 40)), len)
            }
        };
        self.mistake(mark, len, format!("expected {what}, found {found}"), help)
    }
}

/// A byte that no text holds.
fn words_for(byte: u8) -> String {
    match byte {
        0 => "a NUL byte".to_owned(),
        1..0x80 => format!("the control character 0x{byte:02x}"),
        _ => format!("the byte 0x{byte:02x}, which is not UTF-8"),
    }
}
