//! Tables: aligned columns. Escape codes of colours do not count.

use std::io::{self, Write};

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
    pub(crate) fn write(&self, out: &mut dyn Write, indent: usize) -> io::Result<()> {
        let mut widths = vec![0; self.rights.len()];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.text.width().max(*width);
            }
        }
        for row in &self.rows {
            write!(out, "{:indent$}", "")?;
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
                )?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Writes names with their texts, which may take several lines up to [`width`].
pub(crate) fn pairs<N: AsRef<str>>(
    out: &mut dyn Write,
    rows: &[(N, Cell)],
    indent: usize,
) -> io::Result<()> {
    let names = rows.iter().map(|row| row.0.as_ref().width());
    let longest = names.max().unwrap_or(0);
    for (name, value) in rows {
        let name = name.as_ref();
        let blanks = longest - name.width();
        let style = value.style;
        let text = wrapped(&value.text, width(), indent + longest + 2);
        writeln!(
            out,
            "{:indent$}{DIM}{name}{DIM:#}{:blanks$}  {style}{text}{style:#}",
            "", ""
        )?;
    }
    Ok(())
}

/// Writes how many rows are not shown; nothing if all are shown.
pub(crate) fn more(out: &mut dyn Write, indent: usize, all: usize, shown: usize) -> io::Result<()> {
    match all.saturating_sub(shown) {
        0 => Ok(()),
        more => {
            let more = grouped(more as u64);
            writeln!(out, "{:indent$}{DIM}… {more} more: `--top all`{DIM:#}", "")
        }
    }
}

/// Writes lines that begin with `title`, which has the style of a header.
pub(crate) fn titled(out: &mut dyn Write, title: &str, lines: &str) -> io::Result<()> {
    let rest = lines.strip_prefix(title).unwrap_or(lines);
    writeln!(out, "{HEADER}{title}{HEADER:#}{rest}")
}

/// Lines of at most [`width`] columns, all but the first with `indent` blanks before them.
pub(crate) fn wrap(text: &str, indent: usize) -> String {
    wrapped(text, width(), indent)
}

/// The written text without colours.
pub(crate) fn text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    match write(&mut out) {
        Ok(()) => plain(&String::from_utf8_lossy(&out)),
        Err(_) => unreachable!("a vector takes any bytes"),
    }
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
        let mut text = Vec::new();
        table.write(&mut text, 2).unwrap();
        let text = anstream::adapter::strip_bytes(&text).into_vec();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "  layout  bytes  why\n  f32[2]      8  dense\n  ü       1,024\n",
        );
    }
}
