//! The sums of a report: a line with a name and a total, and then its parts, one a line.
//!
//! ```text
//! Total hbm usage >= 10.94G:
//!     reserved(Infeed/Outfeed/Continuations) 529.00M
//!     program                    4.34G
//!
//! Program hbm requirement 4.34G:
//!     reserved           4.0K
//! ```
//!
//! The same name, such as `reserved`, means another part in each section, so the parts stay in
//! their sections. An empty line ends a section.

use serde::Serialize;

use super::open::size;

/// What a section sums up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sums {
    /// All memory in use, or what a program with its arguments needs.
    Usage,
    /// What a program needs without its arguments.
    Program,
    /// The memory of the device, and what of it is taken.
    Capacity,
    /// The pieces of free memory.
    Heap,
    /// What stays allocated: arguments and results.
    Persistent,
    /// The assignment of buffers.
    Assignment,
}

/// A section of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// What it sums up.
    pub sums: Sums,
    /// The total, if the text has it.
    pub bytes: Option<u64>,
    /// The parts, as far as they have sizes, in the order of the text.
    pub parts: Vec<Part>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Its name in the text.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
}

/// The most parts of a section that are kept; XLA writes about ten.
const MOST_PARTS: usize = 50;
/// The longest name of a part, in bytes.
const LONGEST_NAME: usize = 60;

/// The words at which a section begins. The total is before or behind them.
pub(super) const BEGINNINGS: [(&str, Sums); 6] = [
    (" usage >= ", Sums::Usage),
    (" requirement ", Sums::Program),
    ("HBM capacity ", Sums::Capacity),
    ("Heap allocator status:", Sums::Heap),
    ("Persistent allocations include", Sums::Persistent),
    ("BufferAssignment stats:", Sums::Assignment),
];

impl Section {
    pub(super) fn new(sums: Sums, bytes: Option<u64>) -> Self {
        Self {
            sums,
            bytes,
            parts: Vec::new(),
        }
    }

    /// Reads a line of the section; returns whether the section may continue.
    pub(super) fn line(&mut self, line: &str) -> bool {
        // On one line, as Python prints it in another exception, an empty line is `\\n\\n`.
        let line = unprefixed(line.trim_start_matches("\\n")).trim();
        let may_continue = !line.ends_with("\\n");
        let line = line.trim_end_matches("\\n");
        if line.is_empty() {
            return false;
        }
        let Some((name, bytes)) = part(line) else {
            return may_continue;
        };
        if self.sums == Sums::Assignment && name == "total allocation" {
            self.bytes = Some(bytes);
        } else if self.parts.len() < MOST_PARTS {
            let name = name.to_owned();
            self.parts.push(Part { name, bytes });
        }
        may_continue
    }

    /// The part whose name begins so.
    pub fn part(&self, name: &str) -> Option<u64> {
        Some(
            self.parts
                .iter()
                .find(|part| part.name.starts_with(name))?
                .bytes,
        )
    }
}

/// The name and the size of `HLO temp   3.93G (97.4% utilization: …)`.
fn part(line: &str) -> Option<(&str, u64)> {
    let is_size = |word: &str| {
        let has_unit = word.ends_with(|last: char| last.is_ascii_alphabetic());
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        (has_unit && is_number).then(|| size(word)).flatten()
    };
    // The last line of a quoted text ends with an escape and the quote.
    let line = line.split(['\\', '\'', '"']).next().unwrap_or_default();
    let mut words = line.split_ascii_whitespace();
    words.next()?;
    let (word, bytes) = words.find_map(|word| Some((word, is_size(word)?)))?;
    // The word is a part of the line.
    let at = word.as_ptr() as usize - line.as_ptr() as usize;
    let name = line[..at].trim().trim_end_matches(':').trim();
    (name.len() <= LONGEST_NAME).then_some((name, bytes))
}

/// A line of a log without the words that the log puts before it: they end with the place in a
/// source file, `…/tpu_program.cc:76] `.
fn unprefixed(line: &str) -> &str {
    match line.split_once("] ") {
        Some((_, rest)) => rest,
        None if line.ends_with(']') && line.contains(".cc:") => "",
        None => line,
    }
}
