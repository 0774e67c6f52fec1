//! The source lines of a module: tables before the computations.
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

use super::{SourceLine, tail};

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    FileNames,
    FunctionNames,
    FileLocations,
    StackFrames,
}

impl Table {
    pub(crate) fn of_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"FileNames" => Self::FileNames,
            b"FunctionNames" => Self::FunctionNames,
            b"FileLocations" => Self::FileLocations,
            b"StackFrames" => Self::StackFrames,
            _ => return None,
        })
    }
}

#[derive(Debug, Default)]
pub(crate) struct Frames {
    pub(crate) files: HashMap<u32, String>,
    pub(crate) functions: HashMap<u32, String>,
    pub(crate) locations: HashMap<u32, Location>,
    /// The location of each frame; of a stack only the innermost one is asked for.
    pub(crate) frames: HashMap<u32, u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Location {
    pub(crate) file: u32,
    pub(crate) function: u32,
    pub(crate) line: u32,
}

impl Frames {
    /// Reads a line of a table; one that has another form gives no source line.
    pub(crate) fn line(&mut self, table: Table, line: &str) {
        let Some((number, rest)) = line.trim().split_once(' ') else {
            return;
        };
        let (Ok(number), rest) = (number.parse(), rest.trim()) else {
            return;
        };
        let name = || rest.trim_matches('"').to_owned();
        match table {
            Table::FileNames => self.files.extend([(number, name())]),
            Table::FunctionNames => self.functions.extend([(number, name())]),
            Table::FileLocations => self.locations.extend(location(rest).map(|at| (number, at))),
            Table::StackFrames => {
                let location = field(rest, "file_location_id");
                self.frames.extend(location.map(|at| (number, at)));
            }
        }
    }

    /// The innermost line of a stack.
    pub(crate) fn place(&self, frame: u32) -> Option<SourceLine<'_>> {
        let location = self.locations.get(self.frames.get(&frame)?)?;
        let function = self.functions.get(&location.function);
        Some(SourceLine {
            file: self.files.get(&location.file)?,
            function: function.map_or("", |name| name),
            line: location.line,
        })
    }
}

fn location(fields: &str) -> Option<Location> {
    Some(Location {
        file: field(fields, "file_name_id")?,
        function: field(fields, "function_name_id")?,
        line: field(fields, "line")?,
    })
}

/// `line` of `{file_name_id=1 line=95}`.
fn field(fields: &str, name: &str) -> Option<u32> {
    tail::field(fields, name)?.parse().ok()
}
