//! The source lines of a module: the tables before the computations.
//!
//! ```text
//! FileNames
//! 1 "model.py"
//!
//! FileLocations
//! 1 {file_name_id=1 function_name_id=1 line=95 end_line=95 column=14 end_column=42}
//!
//! StackFrames
//! 1 {file_location_id=1 parent_frame_id=1}
//! ```

use std::collections::HashMap;

use super::tail;

/// The tables.
const TABLES: [&[u8]; 4] = [
    b"FileNames",
    b"FunctionNames",
    b"FileLocations",
    b"StackFrames",
];

/// Which table, by its place in [`TABLES`].
#[derive(Clone, Copy)]
pub(crate) struct Table(usize);

impl Table {
    pub(crate) fn of_name(name: &[u8]) -> Option<Self> {
        TABLES.iter().position(|known| *known == name).map(Self)
    }
}

/// A line of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine<'a> {
    /// The file.
    pub file: &'a str,
    /// The function; may be empty.
    pub function: &'a str,
    /// The line; 0 if unknown.
    pub line: u32,
}

impl std::fmt::Display for SourceLine<'_> {
    /// Writes `file:line`; only the file if the line is unknown.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => f.write_str(self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Frames {
    pub(crate) files: HashMap<u32, String>,
    pub(crate) functions: HashMap<u32, String>,
    /// File, function and line.
    pub(crate) locations: HashMap<u32, [u32; 3]>,
    /// The location of each frame; only the innermost frame of a stack is used.
    pub(crate) frames: HashMap<u32, u32>,
}

impl Frames {
    /// Reads a line of a table; a line of another form gives no source line.
    pub(crate) fn line(&mut self, table: Table, line: &str) {
        let Some((number, rest)) = line.trim().split_once(' ') else {
            return;
        };
        let (Ok(number), rest) = (number.parse(), rest.trim()) else {
            return;
        };
        let name = || rest.trim_matches('"').to_owned();
        match table.0 {
            0 => self.files.extend([(number, name())]),
            1 => self.functions.extend([(number, name())]),
            2 => {
                let [file, function, line] =
                    ["file_name_id", "function_name_id", "line"].map(|name| field(rest, name));
                if let (Some(file), Some(function), Some(line)) = (file, function, line) {
                    self.locations.insert(number, [file, function, line]);
                }
            }
            _ => {
                self.frames
                    .extend(field(rest, "file_location_id").map(|at| (number, at)));
            }
        }
    }

    /// The innermost line of a stack.
    pub(crate) fn place(&self, frame: u32) -> Option<SourceLine<'_>> {
        let [file, function, line] = self.locations.get(self.frames.get(&frame)?)?;
        Some(SourceLine {
            file: self.files.get(file)?,
            function: self.functions.get(function).map_or("", |name| name),
            line: *line,
        })
    }
}

/// The value of `line` in `{file_name_id=1 line=95}`.
fn field(fields: &str, name: &str) -> Option<u32> {
    tail::field(fields, name)?.parse().ok()
}
