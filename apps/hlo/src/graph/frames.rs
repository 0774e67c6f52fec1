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

/// A table.
#[derive(Clone, Copy)]
pub(crate) enum Table {
    FileNames,
    FunctionNames,
    FileLocations,
    StackFrames,
}

impl Table {
    pub(crate) fn of_name(name: &[u8]) -> Option<Self> {
        match name {
            b"FileNames" => Some(Self::FileNames),
            b"FunctionNames" => Some(Self::FunctionNames),
            b"FileLocations" => Some(Self::FileLocations),
            b"StackFrames" => Some(Self::StackFrames),
            _ => None,
        }
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
        let Ok(number) = number.parse() else {
            return;
        };
        let rest = rest.trim();
        let name = || rest.trim_matches('"').to_owned();
        match table {
            Table::FileNames => self.files.extend([(number, name())]),
            Table::FunctionNames => self.functions.extend([(number, name())]),
            Table::FileLocations => {
                let file = field(rest, "file_name_id");
                let function = field(rest, "function_name_id");
                let line = field(rest, "line");
                if let (Some(file), Some(function), Some(line)) = (file, function, line) {
                    self.locations.insert(number, [file, function, line]);
                }
            }
            Table::StackFrames => {
                if let Some(location) = field(rest, "file_location_id") {
                    self.frames.insert(number, location);
                }
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

/// The number behind a name: 95 behind `line` in `{file_name_id=1 line=95}`.
fn field(fields: &str, name: &str) -> Option<u32> {
    tail::field(fields, name)?.parse().ok()
}
