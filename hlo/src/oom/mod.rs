//! XLA's reports of running out of memory, found in any text: a log, a traceback of Python, or the report alone.
//!
//! The time is linear in the text, and the memory is limited: a part of a long line, of many reports and of many
//! allocations is not kept.

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
    /// Each report once, in the sequence of the text.
    pub reports: Vec<Report>,
    /// How many more there are.
    pub left_out: u64,
}

/// XLA ran out of memory. What it does not say is `None`, or empty. XLA rounds its figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The line where it begins first, from 1.
    pub line: u64,
    /// How often the text says the same.
    pub times: u64,
    /// `hbm`, `vmem`, …
    pub memory_space: String,
    /// The HLO module.
    pub module: String,
    /// What the program needs, or asked for at run time.
    #[serde(rename = "used_bytes")]
    pub used: Option<u64>,
    /// What there is, or is free at run time.
    #[serde(rename = "limit_bytes")]
    pub limit: Option<u64>,
    /// The sum with what the device reserves, and with the arguments.
    #[serde(rename = "total_bytes")]
    pub total: Option<u64>,
    /// A part of `total`.
    #[serde(rename = "reserved_bytes")]
    pub reserved: Option<u64>,
    /// A part of `total`.
    #[serde(rename = "program_bytes")]
    pub program: Option<u64>,
    /// A part of `total`.
    #[serde(rename = "argument_bytes")]
    pub arguments: Option<u64>,
    /// What is temporary, with padding.
    #[serde(rename = "temporary_bytes")]
    pub temporary: Option<u64>,
    /// The elements of what is temporary.
    #[serde(rename = "temporary_logical_bytes")]
    pub temporary_logical: Option<u64>,
    /// The largest allocations.
    pub allocations: Vec<Allocation>,
    /// How many more the text has.
    pub allocations_left_out: u64,
}

/// An allocation of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Allocation {
    /// With padding. By the shape, if XLA's rounded figure is of the same size.
    pub bytes: u64,
    /// The elements alone.
    pub logical_bytes: u64,
    /// XLA's text; without a layout where XLA leaves it out.
    pub shape: String,
    /// What would waste less.
    pub better: Option<Better>,
    /// The name that the program gives to the operation.
    pub op_name: String,
    /// File and line of the program.
    pub source: String,
    /// The instruction, or the beginning of it.
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

/// An input that shows what is read of it to a parser.
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
