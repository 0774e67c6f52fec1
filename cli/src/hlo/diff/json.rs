//! The answer as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::super::json::number;
use xlayout_hlo::diff::Diff;

pub(in super::super) fn write(out: &mut dyn Write, diff: &Diff) -> io::Result<()> {
    let (before, after) = diff.copied(false);
    let (fetched_before, fetched_after) = diff.copied(true);
    let (a, b) = (&diff.a, &diff.b);
    let answer = json!({
        "layouts": diff.layouts,
        "copies_added": diff.added,
        "copies_removed": diff.removed,
        "padding_bytes": difference(a.padding, b.padding),
        "padding_bytes_a": number(a.padding),
        "padding_bytes_b": number(b.padding),
        "peak_bytes": a.peak.zip(b.peak).map(|(a, b)| difference(a, b)),
        "peak_bytes_a": a.peak.map(number),
        "peak_bytes_b": b.peak.map(number),
        "copied_bytes": difference(before, after),
        "copied_bytes_a": number(before),
        "copied_bytes_b": number(after),
        "moved_bytes": difference(fetched_before, fetched_after),
        "moved_bytes_a": number(fetched_before),
        "moved_bytes_b": number(fetched_after),
    });
    serde_json::to_writer_pretty(&mut *out, &answer)?;
    writeln!(out)
}

/// What is more in B; negative if it is less. As a string of digits where it has more than 64 bits.
fn difference(a: u128, b: u128) -> Value {
    let (sign, size) = match b >= a {
        true => ("", b - a),
        false => ("-", a - b),
    };
    match i64::try_from(size) {
        Ok(size) => json!(if sign.is_empty() { size } else { -size }),
        Err(_) => json!(format!("{sign}{size}")),
    }
}
