//! How JSON is written.

use std::io::{self, Write};

use serde::Serialize;
pub use xlayout_view::json::{number, with};

/// Writes a value in several lines.
pub fn print(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
