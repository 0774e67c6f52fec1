//! The answer as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::json::{number, print};
use xlayout_hlo::diff::Diff;

pub(in super::super) fn write(out: &mut dyn Write, diff: &Diff) -> io::Result<()> {
    let (before, after) = diff.copied(false);
    let (fetched_before, fetched_after) = diff.copied(true);
    let (a, b) = (&diff.a, &diff.b);
    let mut answer = json!({
        "layouts": diff.layouts,
        "copies_added": diff.added,
        "copies_removed": diff.removed,
    });
    for (name, a, b) in [
        ("padding", Some(a.padding), Some(b.padding)),
        ("peak", a.peak, b.peak),
        ("copied", Some(before), Some(after)),
        ("moved", Some(fetched_before), Some(fetched_after)),
    ] {
        answer[format!("{name}_bytes")] = json!(a.zip(b).map(|(a, b)| difference(a, b)));
        answer[format!("{name}_bytes_a")] = json!(a.map(number));
        answer[format!("{name}_bytes_b")] = json!(b.map(number));
    }
    print(out, &answer)
}

/// B minus A. A string of digits if it has more than 64 bits.
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
