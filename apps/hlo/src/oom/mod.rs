//! XLA's reports of running out of memory, found in any text: a log, a traceback of Python, or the
//! report alone.
//!
//! The time is linear in the length of the text, and the memory is limited: parts of long lines,
//! and most of many reports and of many allocations, are not kept.

use std::io::{self, Read};

use serde::Serialize;

mod forms;
mod headline;
mod open;
mod parser;
mod sections;
mod squeezed;
#[cfg(test)]
mod tests;

use super::advice::Better;
use super::source::read_some;
pub use forms::Cause;
pub(crate) use parser::Parser;
pub use sections::{Part, Section, Sums};

/// The kind of an allocation that is the result of a kernel, which is in another memory.
pub(crate) const RESULT_OF_KERNEL: &str = "result of the kernel";

/// The kind of an array of which the text does not say the type, so that its bytes are not known.
pub(crate) const OF_UNKNOWN_TYPE: &str = "of a type that the text does not say";

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
    /// What ran out of memory.
    pub cause: Cause,
    /// `hbm`, `vmem`, …
    pub memory_space: String,
    /// The HLO module.
    pub module: String,
    /// The bytes that the program needs, or that it requested at run time.
    pub used_bytes: Option<u64>,
    /// The bytes that are available, or free at run time.
    pub limit_bytes: Option<u64>,
    /// The bytes beyond what is available, where the text says them. The two figures above are
    /// rounded.
    pub excess_bytes: Option<u64>,
    /// The largest piece of free memory.
    pub largest_free_bytes: Option<u64>,
    /// What PyTorch has reserved and no tensor uses.
    pub kept_bytes: Option<u64>,
    /// The sums of the text with their parts.
    pub sections: Vec<Section>,
    /// The results of the program.
    pub output_bytes: Option<u64>,
    /// What of the results shares the memory of arguments.
    pub shared_output_bytes: Option<u64>,
    /// The temporary buffers of the program.
    pub temporary: Option<Temporary>,
    /// The largest allocations.
    pub allocations: Vec<Allocation>,
    /// The number of further allocations in the text.
    pub allocations_left_out: u64,
}

impl Report {
    /// The section that sums this up.
    #[must_use]
    pub fn section(&self, sums: Sums) -> Option<&Section> {
        self.sections.iter().find(|section| section.sums == sums)
    }

    /// The bytes that are too much, as the text says or as its figures give.
    #[must_use]
    pub fn excess(&self) -> Option<u64> {
        self.excess_bytes
            .or_else(|| self.used_bytes?.checked_sub(self.limit_bytes?))
    }

    /// Whether enough memory is free, but not in one piece.
    #[must_use]
    pub fn is_fragmented(&self) -> bool {
        let figures = self.used_bytes.zip(self.limit_bytes);
        figures.is_some_and(|(used, free)| {
            let is_enough = used <= self.kept_bytes.map_or(free, |kept| kept.max(free))
                && self.cause.is_request();
            is_enough && self.largest_free_bytes.is_none_or(|piece| used > piece)
        })
    }
}

/// The temporary buffers of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Temporary {
    /// All of them, with padding and fragmentation.
    pub bytes: u64,
    /// The elements alone.
    pub logical_bytes: Option<u64>,
    /// With padding.
    pub padded_bytes: Option<u64>,
    /// Gaps between buffers, which no layout removes.
    pub fragmentation_bytes: Option<u64>,
}

/// An allocation of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Allocation {
    /// Bytes with padding, if they are known. Computed from the shape if XLA's rounded figure
    /// agrees.
    pub bytes: Option<u64>,
    /// Bytes of the elements alone, if they are known.
    pub logical_bytes: Option<u64>,
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
pub fn read(mut input: impl Read) -> io::Result<Reports> {
    let mut parser = Parser::default();
    let mut bytes = vec![0; 64 << 10];
    loop {
        match read_some(&mut input, &mut bytes)? {
            0 => return Ok(parser.finish()),
            length => parser.push(&bytes[..length]),
        }
    }
}
