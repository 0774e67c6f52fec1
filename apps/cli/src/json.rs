//! JSON: numbers of any size, objects made of two, and how it is written.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

/// A number; a string of digits if it has more than 64 bits.
pub(crate) fn number(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}

/// Adds the entries of another object after those of this one.
pub(crate) fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
        object.extend(more);
    }
    object
}

/// Writes a value in several lines.
pub(crate) fn print(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
