//! Answers for people in the terminal.

use std::io;

pub use xlayout_view::table::{Cell, DIM, HEADER, Table, Text, pairs, titled};

use xlayout_view::words::{grouped, wrapped};

/// The greatest width of text: 80, or the width of a narrower terminal.
pub fn width() -> usize {
    let terminal = terminal_size::terminal_size();
    terminal.map_or(80, |(width, _)| usize::from(width.0).clamp(40, 80))
}

/// What `write` writes.
pub fn text(write: impl FnOnce(&mut Text)) -> Text {
    Text::of(width(), write)
}

/// Prints the text that `write` writes.
pub fn print(out: &mut dyn io::Write, write: impl FnOnce(&mut Text)) -> io::Result<()> {
    out.write_all(text(write).styled().as_bytes())
}

/// Reads how many rows are shown: the value of `--top`.
pub fn top(text: &str) -> Result<usize, &'static str> {
    match text {
        "all" => Ok(usize::MAX),
        _ => text.parse().map_err(|_| "write a number of rows, or `all`"),
    }
}

/// Writes how many rows are not shown; nothing if all are shown.
pub fn more(out: &mut Text, indent: usize, all: usize, shown: usize) {
    if let Some(more @ 1..) = all.checked_sub(shown) {
        let more = grouped(more as u64);
        writeln!(out, "{:indent$}{DIM}… {more} more: `--top all`{DIM:#}", "");
    }
}

/// Lines of at most [`width`] columns, all but the first with `indent` blanks before them.
pub fn wrap(text: &str, indent: usize) -> String {
    wrapped(text, width(), indent)
}

/// The text without colours.
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}
