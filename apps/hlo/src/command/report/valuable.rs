//! The three most valuable findings, by bytes.

use crate::advice::{Better, better};
use crate::layout;

use super::super::arrays::Arrays;
use crate::command::words::bytes;
use xlayout_command::table::{Cell, HEADER, Table, Text};

/// The most findings that the report ends with.
const TOLD: usize = 3;

/// Padding that another layout would save, and data that copies move, both of what ENTRY allocates.
pub(super) fn write(out: &mut Text, findings: &Arrays) {
    let mut found: Vec<(u128, String)> = Vec::new();
    for array in &findings.tally.arrays {
        if array.in_entry > 0
            && array.allocated > array.logical
            && let Some(Better {
                shape,
                allocated_bytes,
                ..
            }) = better(&array.array)
        {
            let each = u128::from(array.allocated.saturating_sub(allocated_bytes));
            let text = format!(
                "padding of {}; {} would save it",
                array.shape,
                layout(&shape)
            );
            found.push((each * u128::from(array.in_entry), text));
        }
        if array.moved > 0 {
            // A copy reads as much as it writes, or about as much.
            let moved = 2 * u128::from(array.allocated) * u128::from(array.moved);
            let what = match array.moved {
                1 => "a copy or transpose to".to_owned(),
                many => format!("{many} copies or transposes to"),
            };
            found.push((moved, format!("moved by {what} {}", array.shape)));
        }
    }
    found.retain(|(bytes, _)| *bytes > 0);
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    if found.is_empty() {
        return;
    }
    found.truncate(TOLD);
    let copies = found.iter().any(|(_, text)| text.starts_with("moved"));
    writeln!(out, "{HEADER}Most valuable findings{HEADER:#}, in ENTRY");
    let mut table = Table::new(">|");
    for (value, text) in found {
        table.row([Cell::from(bytes(value)), Cell::from(text)]);
    }
    table.write(out, 2);
    if copies {
        let more = "`xlayout hlo copies` says why data is moved, and what removes it.";
        writeln!(out, "  {more}");
    }
    out.blank();
}
