//! XLA's reports of running out of memory, found in any text: a log, a traceback of Python, or the report alone.
//!
//! The time is linear in the length of the text, and the memory is limited: parts of long lines,
//! and most of many reports and of many allocations, are not kept.

use std::io::{self, Read};

use serde::Serialize;

mod parser;
#[cfg(test)]
mod tests;

use super::advice::Better;
pub(crate) use parser::Parser;

/// The reports of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reports {
    /// Each report once, in the order of the text.
    pub reports: Vec<Report>,
    /// The number of further reports.
    pub left_out: u64,
}

/// A report that XLA ran out of memory. A missing part is `None`, or empty. XLA rounds its figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The first line of its first occurrence, counted from 1.
    pub line: u64,
    /// The number of equal reports in the text.
    pub times: u64,
    /// `hbm`, `vmem`, …
    pub memory_space: String,
    /// The HLO module.
    pub module: String,
    /// The bytes that the program needs, or that it requested at run time.
    pub used_bytes: Option<u64>,
    /// The bytes that are available, or free at run time.
    pub limit_bytes: Option<u64>,
    /// The bytes of `reserved`, `program` and `arguments` together.
    pub total_bytes: Option<u64>,
    /// A part of `total`.
    pub reserved_bytes: Option<u64>,
    /// A part of `total`.
    pub program_bytes: Option<u64>,
    /// A part of `total`.
    pub argument_bytes: Option<u64>,
    /// Bytes of temporary buffers, with padding.
    pub temporary_bytes: Option<u64>,
    /// Bytes of the elements in temporary buffers.
    pub temporary_logical_bytes: Option<u64>,
    /// The largest allocations.
    pub allocations: Vec<Allocation>,
    /// The number of further allocations in the text.
    pub allocations_left_out: u64,
}

/// An allocation of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Allocation {
    /// Bytes with padding. Computed from the shape if XLA's rounded figure agrees.
    pub bytes: u64,
    /// Bytes of the elements alone.
    pub logical_bytes: u64,
    /// The shape as XLA prints it, with or without a layout.
    pub shape: String,
    /// A layout that allocates less.
    pub better: Option<Better>,
    /// The name that the program gives to the operation.
    pub op_name: String,
    /// File and line of the program.
    pub source: String,
    /// The instruction, or its beginning.
    pub label: String,
    /// `HLO temp`, `parameter`, …
    pub kind: String,
}

/// Finds the reports in a text.
///
/// # Errors
/// If the input cannot be read.
pub fn read(input: impl Read) -> io::Result<Reports> {
    let mut parser = Parser::default();
    let shown = Shown {
        input,
        parser: &mut parser,
    };
    io::copy(&mut { shown }, &mut io::sink())?;
    Ok(parser.finish())
}

/// A reader that shows a parser all that is read from it.
pub(crate) struct Shown<'a, R> {
    pub(crate) input: R,
    pub(crate) parser: &'a mut Parser,
}

impl<R: Read> Read for Shown<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.parser.push(&buffer[..read]);
        Ok(read)
    }
}
