//! A part of an answer: a heading, and tables and sentences below it. It is written for a terminal,
//! and as JSON for a page.

use serde_json::{Value, json};

use crate::table::{Cell, DIM, HEADER, Table, Text, pairs};

/// A part of an answer.
#[derive(Debug, Default)]
pub struct Section {
    /// Empty where the title of the answer is its heading.
    heading: String,
    remark: String,
    /// Whether the texts in the last column are there to be copied.
    is_copied: bool,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Pairs(Vec<(&'static str, Cell)>),
    Table(Table),
    /// A text, and how far its second line is indented beyond the first one.
    Line(String, usize),
    /// A less important text.
    Note(String),
    Gap,
}

impl Section {
    pub(crate) fn new(heading: impl Into<String>, remark: impl Into<String>) -> Self {
        Self {
            heading: heading.into(),
            remark: remark.into(),
            ..Self::default()
        }
    }

    pub(crate) fn copied(self) -> Self {
        Self {
            is_copied: true,
            ..self
        }
    }

    fn with(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    pub(crate) fn pairs(self, rows: Vec<(&'static str, Cell)>) -> Self {
        self.with(Part::Pairs(rows))
    }

    pub(crate) fn table(self, table: Table) -> Self {
        self.with(Part::Table(table))
    }

    pub(crate) fn sentence(self, text: impl Into<String>) -> Self {
        self.line(text, 0)
    }

    pub(crate) fn line(self, text: impl Into<String>, indent: usize) -> Self {
        self.with(Part::Line(text.into(), indent))
    }

    pub(crate) fn note(self, text: impl Into<String>) -> Self {
        self.with(Part::Note(text.into()))
    }

    pub(crate) fn gap(self) -> Self {
        self.with(Part::Gap)
    }

    /// Writes it below an empty line and its heading, if it has one.
    pub(crate) fn write(&self, out: &mut Text) {
        if !self.heading.is_empty() {
            out.blank();
            write!(out, "{HEADER}{}{HEADER:#}", self.heading);
            if !self.remark.is_empty() {
                write!(out, "  {DIM}{}{DIM:#}", self.remark);
            }
            out.blank();
        }
        for part in &self.parts {
            match part {
                Part::Pairs(rows) => pairs(out, rows, 2),
                Part::Table(table) => table.write(out, 2),
                Part::Line(text, indent) => writeln!(out, "  {}", out.wrap(text, 2 + indent)),
                Part::Note(text) => writeln!(out, "  {DIM}{}{DIM:#}", out.wrap(text, 4)),
                Part::Gap => out.blank(),
            }
        }
    }

    /// The same for a page: `heading`, `remark`, whether the last column `is_copied`, and `parts`.
    /// A part has `pairs` (names and values), `rows` (with `head`, and which columns are numbers),
    /// or a `text`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let part = |part: &Part| match part {
            Part::Pairs(rows) => {
                let rows = rows.iter().map(|(name, value)| json!([name, value.text()]));
                Some(json!({"pairs": rows.collect::<Value>()}))
            }
            Part::Table(table) => Some(table.to_json()),
            Part::Line(text, _) => Some(json!({"text": text})),
            Part::Note(text) => Some(json!({"text": text, "is_note": true})),
            Part::Gap => None,
        };
        json!({
            "heading": self.heading,
            "remark": self.remark,
            "is_copied": self.is_copied,
            "parts": self.parts.iter().filter_map(part).collect::<Value>(),
        })
    }
}
