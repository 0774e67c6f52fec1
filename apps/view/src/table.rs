//! Answers for people: lines, and tables with aligned columns. Escape codes of colours do not
//! count.

use std::fmt::{self, Write as _};

use anstyle::Style;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::words::wrapped;

/// The names of columns.
pub const HEADER: Style = Style::new().bold();
/// The style of less important text.
pub const DIM: Style = Style::new().dimmed();

/// A text for people, of at most [`width`](Self::width) columns. `write!` and `writeln!` add to it,
/// and cannot fail.
///
/// It is written without styles; [`styled`](Self::styled) has them.
#[derive(Clone, Debug)]
pub struct Text {
    styled: String,
    width: usize,
}

/// The width where none is asked for.
pub(crate) const WIDTH: usize = 80;

impl Default for Text {
    fn default() -> Self {
        Self::new(WIDTH)
    }
}

impl Text {
    /// An empty text.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self {
            styled: String::new(),
            width,
        }
    }

    /// What `write` writes.
    #[must_use]
    pub fn of(width: usize, write: impl FnOnce(&mut Self)) -> Self {
        let mut text = Self::new(width);
        write(&mut text);
        text
    }

    /// The columns of its lines, in which words are wrapped.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The text with the styles of its words, as the escape codes of terminals.
    #[must_use]
    pub fn styled(&self) -> &str {
        &self.styled
    }

    /// The text without styles.
    #[must_use]
    pub fn plain(&self) -> String {
        plain(&self.styled)
    }

    /// Ends the line.
    pub fn blank(&mut self) {
        self.styled.push('\n');
    }

    /// What `write!` calls.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        if self.styled.write_fmt(text).is_err() {
            unreachable!("a string takes any text, and no value that is written here fails");
        }
    }

    /// Writes a line behind `indent` blanks. What does not fit is below it, two columns further in.
    pub fn line(&mut self, indent: usize, text: impl fmt::Display) {
        let text = self.wrap(&text.to_string(), indent + 2);
        writeln!(self, "{:indent$}{text}", "");
    }

    /// Writes lines of this width.
    pub fn paragraph(&mut self, text: impl fmt::Display) {
        let text = self.wrap(&text.to_string(), 0);
        writeln!(self, "{text}");
    }

    /// Lines of this width, all but the first with `indent` blanks before them.
    #[must_use]
    pub fn wrap(&self, text: &str, indent: usize) -> String {
        wrapped(text, self.width, indent)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plain())
    }
}

/// One text of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// A text in a style.
    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }
}

impl Cell {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::styled(text, Style::new())
    }
}

/// A table; texts hold no colours of their own.
#[derive(Debug)]
pub struct Table {
    /// Whether the text of a column is aligned on the right.
    rights: Vec<bool>,
    /// Whether the first row has the names of columns.
    has_header: bool,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without names of columns. There is a `|` between them, and a `>` before each that is
    /// aligned on the right: `|>`.
    pub fn new(columns: &str) -> Self {
        Self {
            rights: columns
                .split('|')
                .map(|name| name.starts_with('>'))
                .collect(),
            has_header: false,
            rows: Vec::new(),
        }
    }

    /// A table with names of columns: `layout|>bytes`.
    pub fn with_header(columns: &str) -> Self {
        let mut table = Self::new(columns);
        let names = columns.split('|').map(|name| name.trim_start_matches('>'));
        table.row(names.map(|name| Cell::styled(name, HEADER)));
        table.has_header = true;
        table
    }

    /// Adds a row.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// `head`, which is null without names of columns, `rows`, and which columns are `right`.
    pub(crate) fn to_json(&self) -> Value {
        let texts = |row: &Vec<Cell>| row.iter().map(|cell| json!(cell.text)).collect();
        let mut rows: Vec<Value> = self.rows.iter().map(texts).collect();
        let head = self.has_header.then(|| rows.remove(0));
        json!({"head": head, "rows": rows, "right": self.rights})
    }

    /// Writes the rows, `indent` blanks before each and two between columns.
    pub fn write(&self, out: &mut Text, indent: usize) {
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

/// Writes names with their texts, which may take several lines of the text.
pub fn pairs(out: &mut Text, rows: &[(&str, Cell)], indent: usize) {
    let names = rows.iter().map(|row| row.0.width());
    let longest = names.max().unwrap_or(0);
    for (name, value) in rows {
        let blanks = longest - name.width();
        let style = value.style;
        let text = out.wrap(&value.text, indent + longest + 2);
        writeln!(
            out,
            "{:indent$}{DIM}{name}{DIM:#}{:blanks$}  {style}{text}{style:#}",
            "", ""
        );
    }
}

/// Writes lines that begin with `title`, which has the style of a header.
pub fn titled(out: &mut Text, title: &str, lines: &str) {
    let rest = lines.strip_prefix(title).unwrap_or(lines);
    writeln!(out, "{HEADER}{title}{HEADER:#}{rest}");
}

/// The text without the escape codes of styles.
pub(crate) fn plain(styled: &str) -> String {
    let mut parts = styled.split("\x1b[");
    let mut plain = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let end = part.find('m').map_or(part.len(), |at| at + 1);
        plain += &part[end..];
    }
    plain
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
            Text::of(80, |out| table.write(out, 2)).plain(),
            "  layout  bytes  why\n  f32[2]      8  dense\n  ü       1,024\n",
        );
    }
}
