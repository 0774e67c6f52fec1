//! The answer as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::diff::Diff;
use xlayout_command::json::{number, print};

pub(crate) fn write(out: &mut dyn Write, diff: &Diff) -> io::Result<()> {
    let a = diff.a.figures;
    let b = diff.b.figures;
    let mut answer = json!({
        "layouts": diff.layouts,
        "copies_added": diff.added,
        "copies_removed": diff.removed,
    });
    for (name, a, b) in [
        ("padding", a.padding, b.padding),
        ("peak", a.peak, b.peak),
        ("copied", Some(a.copied), Some(b.copied)),
        ("moved", Some(a.moved), Some(b.moved)),
    ] {
        answer[format!("{name}_bytes")] = json!(a.zip(b).map(|(a, b)| difference(a, b)));
        answer[format!("{name}_bytes_a")] = json!(a.map(number));
        answer[format!("{name}_bytes_b")] = json!(b.map(number));
    }
    print(out, &answer)
}

/// B minus A. A string of digits if it has more than 64 bits.
fn difference(a: u128, b: u128) -> Value {
    let (sign, size) = if b >= a { ("", b - a) } else { ("-", a - b) };
    match i64::try_from(size) {
        Ok(size) => json!(if sign.is_empty() { size } else { -size }),
        Err(_) => json!(format!("{sign}{size}")),
    }
}
