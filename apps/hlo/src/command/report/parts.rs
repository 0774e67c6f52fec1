//! What the answers for people have in common.

use anstyle::{AnsiColor, Style};

use crate::Bytes;
use crate::advice::{Better, Change};
use crate::command::words::{bytes, counted, percent};
use xlayout_command::table::{self, Cell, Text};

/// The style of good results.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// The style of results that need attention.
pub(crate) const BAD: Style = AnsiColor::Yellow.on_default();

/// What is said if nothing in a module is marked as ENTRY.
pub(crate) const NO_ENTRY: &str =
    "No computation is marked ENTRY: the last one is taken for it, as by XLA.";

/// The most modules that have a line each.
pub(super) const MODULES: usize = 3;

pub(crate) fn advice(better: &Better, saving: u128) -> String {
    let layout = crate::layout(&better.shape);
    let what = match better.change {
        Change::SmallerTile => ", a smaller tile",
        Change::Tile | Change::MinorToMajor => "",
    };
    format!("→ {layout} saves {}{what}", bytes(saving))
}

pub(super) fn more(out: &mut Text, all: usize, shown: usize) {
    table::more(out, 2, all, shown);
    out.blank();
}

/// The note that arrays of unknown size are not counted, if there are any.
pub(crate) fn without_size(count: u64) -> Option<String> {
    let arrays = counted(count, "array");
    let note = format!("Not counted: {arrays} with a size that only the run time knows (`?`).");
    (count > 0).then_some(note)
}

/// Padding in percent.
pub(crate) fn waste(sum: Bytes) -> Cell {
    let text = percent(sum.padding(), sum.allocated);
    // A quarter and more.
    if sum.padding() * 4 >= sum.allocated && sum.padding() > 0 {
        Cell::styled(text, BAD)
    } else {
        text.into()
    }
}
