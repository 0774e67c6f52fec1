//! Answers for people: lines, and tables with aligned columns. Escape codes of colours do not count.

use std::fmt::{self, Write as _};
use std::io;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::words::{grouped, wrapped};

/// The greatest width of text: 80, or the width of a narrower terminal.
pub(crate) fn width() -> usize {
    let terminal = terminal_size::terminal_size();
    terminal.map_or(80, |(width, _)| usize::from(width.0).clamp(40, 80))
}

/// The names of columns.
pub(crate) const HEADER: Style = Style::new().bold();
/// The style of less important text.
pub(crate) const DIM: Style = Style::new().dimmed();

/// An answer for people, with the escape codes of its styles. `writeln!` adds a line.
#[derive(Debug, Default)]
pub(crate) struct Text(pub(crate) String);

impl Text {
    /// What `write` writes.
    pub(crate) fn of(write: impl FnOnce(&mut Self)) -> Self {
        let mut text = Self::default();
        write(&mut text);
        text
    }

    /// The text without colours.
    pub(crate) fn plain(&self) -> String {
        plain(&self.0)
    }

    pub(crate) fn blank(&mut self) {
        self.0.push('\n');
    }

    pub(crate) fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        if self.0.write_fmt(text).is_err() {
            unreachable!("a string takes any text, and no value that is written here fails");
        }
    }
}

/// Prints the text that `write` writes.
pub(crate) fn print(out: &mut dyn io::Write, write: impl FnOnce(&mut Text)) -> io::Result<()> {
    out.write_all(Text::of(write).0.as_bytes())
}

/// One text of a table.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::styled(text, Style::new())
    }
}

/// A table; texts hold no colours of their own.
#[derive(Debug)]
pub(crate) struct Table {
    /// Whether the text of a column is aligned on the right.
    rights: Vec<bool>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without names of columns. There is a `|` between them, and a `>` before each that is aligned on the right: `|>`.
    pub(crate) fn new(columns: &str) -> Self {
        Self {
            rights: columns
                .split('|')
                .map(|name| name.starts_with('>'))
                .collect(),
            rows: Vec::new(),
        }
    }

    /// A table with names of columns: `layout|>bytes`.
    pub(crate) fn with_header(columns: &str) -> Self {
        let mut table = Self::new(columns);
        let names = columns.split('|').map(|name| name.trim_start_matches('>'));
        table.row(names.map(|name| Cell::styled(name, HEADER)));
        table
    }

    pub(crate) fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Writes the rows, `indent` blanks before each and two between columns.
    pub(crate) fn write(&self, out: &mut Text, indent: usize) {
        let mut widths = vec![0; self.rights.len()];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.text.width().max(*width);
            }
        }
        for row in &self.rows {
            write!(out, "{:indent$}", "");
            let last = row.iter().rposition(|cell| !cell.text.is_empty());
            for (k, cell) in row.iter().enumerate().take(last.map_or(0, |k| k + 1)) {
                let blanks = widths.get(k).map_or(0, |width| width - cell.text.width());
                let right = self.rights.get(k) == Some(&true);
                let (before, after) = match (right, Some(k) == last) {
                    (true, _) => (blanks, 0),
                    (false, true) => (0, 0),
                    (false, false) => (0, blanks),
                };
                let style = cell.style;
                let gap = if k > 0 { 2 } else { 0 };
                write!(
                    out,
                    "{:gap$}{:before$}{style}{}{style:#}{:after$}",
                    "", "", cell.text, ""
                );
            }
            out.blank();
        }
    }
}

/// Writes names with their texts, which may take several lines up to [`width`].
pub(crate) fn pairs(out: &mut Text, rows: &[(&str, Cell)], indent: usize) {
    let names = rows.iter().map(|row| row.0.width());
    let longest = names.max().unwrap_or(0);
    for (name, value) in rows {
        let blanks = longest - name.width();
        let style = value.style;
        let text = wrapped(&value.text, width(), indent + longest + 2);
        writeln!(
            out,
            "{:indent$}{DIM}{name}{DIM:#}{:blanks$}  {style}{text}{style:#}",
            "", ""
        );
    }
}

/// Writes how many rows are not shown; nothing if all are shown.
pub(crate) fn more(out: &mut Text, indent: usize, all: usize, shown: usize) {
    if let Some(more @ 1..) = all.checked_sub(shown) {
        let more = grouped(more as u64);
        writeln!(out, "{:indent$}{DIM}… {more} more: `--top all`{DIM:#}", "");
    }
}

/// Writes lines that begin with `title`, which has the style of a header.
pub(crate) fn titled(out: &mut Text, title: &str, lines: &str) {
    let rest = lines.strip_prefix(title).unwrap_or(lines);
    writeln!(out, "{HEADER}{title}{HEADER:#}{rest}");
}

/// Lines of at most [`width`] columns, all but the first with `indent` blanks before them.
pub(crate) fn wrap(text: &str, indent: usize) -> String {
    wrapped(text, width(), indent)
}

/// The text without colours.
pub(crate) fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_nothing_trails() {
        let mut table = Table::with_header("layout|>bytes|why");
        table.row(["f32[2]", "8", "dense"]);
        table.row(["ü", "1,024", ""]);
        assert_eq!(
            Text::of(|out| table.write(out, 2)).plain(),
            "  layout  bytes  why\n  f32[2]      8  dense\n  ü       1,024\n",
        );
    }
}
