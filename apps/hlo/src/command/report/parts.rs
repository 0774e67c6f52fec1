//! What the answers for people have in common.

use anstyle::{AnsiColor, Style};

use crate::command::words::counted;
pub(crate) use crate::page::report::{BAD, advice, waste};
use xlayout_command::table::{self, Text};

/// The style of good results.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What is said if nothing in a module is marked as ENTRY.
pub(crate) const NO_ENTRY: &str =
    "No computation is marked ENTRY: the last one is taken for it, as by XLA.";

/// The most modules that have a line each.
pub(super) const MODULES: usize = 3;

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
