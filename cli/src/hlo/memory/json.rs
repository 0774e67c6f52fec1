//! The answer as JSON.

use std::io::{self, Write};

use serde_json::json;
use xlayout_hlo::memory::Answer;

pub(in super::super) fn write(out: &mut dyn Write, answers: &[Answer]) -> io::Result<()> {
    match answers {
        [one] => serde_json::to_writer_pretty(&mut *out, one)?,
        all => serde_json::to_writer_pretty(&mut *out, &json!({ "modules": all }))?,
    }
    writeln!(out)
}
