//! JSON whose values know their places in the text, and whose keys may be given twice.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A key and what comes after it.
pub(super) struct Entry<'a> {
    pub(super) key: String,
    pub(super) value: &'a RawValue,
}

/// The entries of an object, in their sequence.
pub(super) fn object(text: &str) -> Result<Vec<Entry<'_>>, serde_json::Error> {
    struct Entries;
    impl<'a> Visitor<'a> for Entries {
        type Value = Vec<Entry<'a>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some((key, value)) = map.next_entry()? {
                entries.push(Entry { key, value });
            }
            Ok(entries)
        }
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let entries = reader.deserialize_map(Entries)?;
    reader.end()?;
    Ok(entries)
}

/// Where a value of a text is in it.
pub(super) fn span(text: &str, value: &RawValue) -> Range<usize> {
    let start = (value.get().as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    // A value is a part of the text that it was read from.
    if start > text.len() {
        0..text.len()
    } else {
        start..start + value.get().len()
    }
}

/// The byte of a text that an error is about.
pub(super) fn place(text: &str, error: &serde_json::Error) -> usize {
    let line = error.line().saturating_sub(1);
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    before + error.column().saturating_sub(1)
}

/// What is wrong, without the line and the column, which carets show.
pub(super) fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
