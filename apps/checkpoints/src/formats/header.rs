//! A header of a file, which is JSON or similar. Mistakes in it are shown with carets, in a window
//! of one line, because headers may be megabytes long and contain any characters.

use std::collections::HashSet;
use std::fmt::{self, Display};
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use xlayout_words::floor_boundary;

use crate::error::{Error, Outcome, TextSpan};

/// The most characters that are shown on either side of a mistake.
const WINDOW: usize = 60;

/// The text of a header.
#[derive(Clone, Copy)]
pub(crate) struct Header<'a> {
    pub(crate) path: &'a Path,
    /// As it is in the file.
    pub(crate) shown: &'a str,
    /// The same text as JSON, with each byte at the same position.
    pub(crate) json: &'a str,
    /// The help for a header that cannot be read.
    pub(crate) damaged: &'static str,
}

/// A value in the JSON of a header. It borrows the text, so its position is known.
pub(crate) type Value<'a> = &'a RawValue;

impl<'a> Header<'a> {
    /// A text that is JSON itself.
    pub(crate) fn new(path: &'a Path, text: &'a str, damaged: &'static str) -> Self {
        Self {
            path,
            shown: text,
            json: text,
            damaged,
        }
    }

    /// The error that a value is wrong, and what to do.
    pub(crate) fn wrong(&self, value: Value<'_>, what: impl Display, help: impl Display) -> Error {
        let start = self.place_of(value.get());
        self.marked(start..start + value.get().len(), what, help)
    }

    /// The error that the value of a key is wrong, and what to do. The first key of this name is
    /// marked.
    pub(crate) fn about(&self, key: &str, message: impl Display, help: &str) -> Error {
        let key = format!("\"{key}\"");
        // A key that is written with escapes is not found. The beginning is marked then.
        let at = self.json.find(&key).unwrap_or(0);
        self.marked(at..at + key.len(), message, help)
    }

    /// Where a part of the JSON begins.
    fn place_of(&self, part: &str) -> usize {
        part.as_ptr() as usize - self.json.as_ptr() as usize
    }

    /// The error that these bytes of the header are wrong, and what to do.
    pub(crate) fn marked(
        &self,
        span: Range<usize>,
        what: impl Display,
        help: impl Display,
    ) -> Error {
        Error::file(what).at(self.window(span)).help(help)
    }

    /// A value as this type, or the error with this message and help.
    pub(crate) fn value<T: Deserialize<'a>>(
        &self,
        value: Value<'a>,
        message: impl Display,
        help: &str,
    ) -> Outcome<T> {
        let read = serde_json::from_str(value.get());
        read.map_err(|_| self.wrong(value, message, help))
    }

    /// An object with known fields.
    pub(crate) fn fields<T: Deserialize<'a>>(&self, text: &'a str, what: &str) -> Outcome<T> {
        serde_json::from_str(text).map_err(|error| self.of_serde(text, what, &error))
    }

    /// The entries of an object with any keys, each given once.
    pub(crate) fn entries(&self, text: &'a str, what: &str) -> Outcome<Vec<(String, Value<'a>)>> {
        struct Entries;
        impl<'a> Visitor<'a> for Entries {
            type Value = Vec<(String, Value<'a>)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                std::iter::from_fn(|| map.next_entry().transpose()).collect()
            }
        }
        let mut reader = serde_json::Deserializer::from_str(text);
        let entries = reader.deserialize_map(Entries);
        let entries = entries.and_then(|entries| reader.end().map(|()| entries));
        let entries = entries.map_err(|error| self.of_serde(text, what, &error))?;
        let mut seen = HashSet::new();
        match entries.iter().find(|(key, _)| !seen.insert(key)) {
            None => Ok(entries),
            Some((key, value)) => {
                let help = "one of the two would be lost; write the file again";
                Err(self.wrong(value, format_args!("`{key}` is given twice"), help))
            }
        }
    }

    /// The error of serde for a part of the JSON. The carets replace its line and column.
    fn of_serde(&self, part: &str, what: &str, error: &serde_json::Error) -> Error {
        let lines = part.split_inclusive('\n');
        let before: usize = lines.take(error.line() - 1).map(str::len).sum();
        let at = self.place_of(part) + (before + error.column()).saturating_sub(1);
        // After the last character, not after all blanks.
        let at = at.min(self.shown.trim_end().len());
        let mut message = error.to_string();
        message.truncate(message.find(" at line ").unwrap_or(message.len()));
        if self.json != self.shown {
            // The shown text is in Python's notation.
            let truth = "expected `True` or `False`";
            message = message
                .replace("`]`", "`)`")
                .replace("expected ident", truth);
        }
        self.marked(at..at + 1, format_args!("{what}: {message}"), self.damaged)
    }

    /// The bytes and the text around them, on one line: at most [`WINDOW`] characters before them,
    /// twice as many of themselves, and as many after them if all of them are shown.
    fn window(&self, span: Range<usize>) -> TextSpan {
        let text = self.shown;
        let start = floor_boundary(text, span.start);
        let end = floor_boundary(text, span.end).max(start);
        let before = text[..start].char_indices().nth_back(WINDOW - 1);
        let from = before.map_or(0, |(at, _)| at);
        // The byte that is `count` characters after the byte `at`.
        let after = |at: usize, count| {
            let next = text[at..].char_indices().nth(count);
            next.map_or(text.len(), |(more, _)| at + more)
        };
        let marked_end = after(start, 2 * WINDOW).min(end);
        let to = if marked_end < end {
            marked_end
        } else {
            after(end, WINDOW)
        };
        let on_one_line = |range: Range<usize>| text[range].chars().map(plain).collect::<String>();
        let mut shown = if from > 0 { "…" } else { "" }.to_owned() + &on_one_line(from..start);
        let mark = shown.len()..shown.len() + on_one_line(start..marked_end).len();
        shown += &on_one_line(start..to);
        if text[to..].trim().is_empty() {
            shown.truncate(shown.trim_end().len().max(mark.end))
        } else {
            shown.push('…')
        }
        TextSpan::of_line(self.path, 1, &shown, mark)
    }
}

/// The character, or one for it that does not move a terminal's cursor to another line.
fn plain(c: char) -> char {
    match c {
        '\n' | '\t' | '\r' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}
