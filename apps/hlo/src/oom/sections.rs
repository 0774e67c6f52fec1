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

use super::Temporary;
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
    /// What an allocator has, and what of it is in use.
    Allocator,
    /// What an allocator keeps in bins, and what of it is in use.
    Bins,
    /// The pieces of an allocator that are in use, and the largest one.
    Chunks,
    /// Its free pieces, and the largest one.
    FreeChunks,
    /// What a compiled program takes, as JAX's `memory_analysis()` says. What is not 0 of the host
    /// is beside the sum.
    Compiled,
}

/// A section of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// What it sums up.
    pub sums: Sums,
    /// The total, if the text has it.
    pub bytes: Option<u64>,
    /// The parts, in the order of the text.
    pub parts: Vec<Part>,
    /// What is behind the figure of the temporary buffers.
    #[serde(skip)]
    pub(super) temporary: Option<Temporary>,
    /// The beginning of a line that may go on in the next one.
    #[serde(skip)]
    rest: String,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Its name in the text.
    pub name: String,
    /// Its bytes, unless the text says that they are unknown.
    pub bytes: Option<u64>,
}

/// The most parts of a section that are kept; XLA writes about ten.
const MOST_PARTS: usize = 50;
/// The longest name of a part, in bytes.
const LONGEST_NAME: usize = 60;
/// The longest line, in bytes, that may go on in the next one.
const LONGEST_LINE: usize = 1 << 10;

/// The words at which a section begins. The total is before or behind them.
pub(super) const BEGINNINGS: [(&str, Sums); 17] = [
    (" usage >= ", Sums::Usage),
    (" requirement ", Sums::Program),
    ("HBM capacity ", Sums::Capacity),
    ("Heap allocator status:", Sums::Heap),
    ("Persistent allocations include", Sums::Persistent),
    ("BufferAssignment stats:", Sums::Assignment),
    // Neuron's runtime.
    ("current utilization:", Sums::Assignment),
    ("Stats:", Sums::Allocator),
    ("AllocatorStats", Sums::Allocator),
    ("'bytes_in_use': ", Sums::Allocator),
    ("CompiledMemoryStats(", Sums::Compiled),
    ("Bin (", Sums::Bins),
    ("Chunk at ", Sums::Chunks),
    ("InUse at ", Sums::Chunks),
    ("Sum Total of in-use chunks: ", Sums::Chunks),
    ("Free at ", Sums::FreeChunks),
    ("Free  at ", Sums::FreeChunks),
];

/// What people call the fields of JAX's figures. What is shared is a part of the results.
const NAMES: [(&str, &str); 7] = [
    ("bytes_limit", "Limit"),
    ("bytes_in_use", "InUse"),
    ("argument_size_in_bytes", "arguments"),
    ("output_size_in_bytes", "results"),
    ("alias_size_in_bytes", SHARED),
    ("temp_size_in_bytes", "temporary arrays"),
    ("generated_code_size_in_bytes", "code"),
];
const SHARED: &str = "shared";

impl Section {
    pub(crate) fn new(sums: Sums, bytes: Option<u64>) -> Self {
        Self {
            sums,
            bytes,
            parts: Vec::new(),
            temporary: None,
            rest: String::new(),
        }
    }

    /// Reads the text of a line; returns whether the section may continue.
    pub(super) fn text(&mut self, line: &str) -> bool {
        let is_number = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let is_dict = self.sums == Sums::Allocator && (is_number || line.contains("': "));
        if is_dict || self.sums == Sums::Compiled {
            let fields = line.replace("': ", "=");
            for field in fields.split(|c: char| !c.is_ascii_alphanumeric() && !"_=".contains(c)) {
                // A number without a name is what the section begins with.
                let (name, bytes) = field.split_once('=').unwrap_or(("bytes_in_use", field));
                let known = NAMES.iter().find(|row| row.0 == name);
                let name = known.map_or(name, |row| row.1).to_owned();
                if let Ok(bytes) = bytes.parse() {
                    let bytes = Some(bytes);
                    self.add(Part { name, bytes }, "");
                }
            }
            return !line.contains([')', '}']);
        }
        let joined = std::mem::take(&mut self.rest) + line;
        // In one line, as Python prints an exception, two line breaks are an empty line.
        let begin = joined.trim_start_matches("\\n");
        let (lines, may_continue) = match begin.split_once("\\n\\n") {
            Some((lines, _)) => (lines, false),
            None => (begin, true),
        };
        let mut lines = lines.replace("\\n", "  ").replace(';', " ");
        if self.sums == Sums::Allocator {
            for unit in [" KiB", " MiB", " GiB", " TiB"] {
                lines = lines.replace(unit, unit.trim_start());
            }
        }
        if self.sums == Sums::Assignment {
            // Neuron's, in powers of 1024.
            for unit in ["KB", "MB", "GB"] {
                lines = lines.replace(unit, &unit[..1]);
            }
        }
        let mut text = &*lines;
        while let Some((part, detail, after)) = part(text, self.sums) {
            let is_open = detail.matches('(').count() > detail.matches(')').count();
            if is_open && may_continue && after.is_empty() && text.len() < LONGEST_LINE {
                // The terminal wrapped it inside of the parentheses.
                self.rest = text.to_owned();
                return true;
            }
            self.add(part, detail);
            text = after;
        }
        may_continue
    }

    fn add(&mut self, mut part: Part, detail: &str) {
        if self.sums == Sums::Allocator {
            part.name = part.name.replace(' ', "");
        }
        if part.name == "HLO temp" && self.temporary.is_none() {
            self.temporary = part.bytes.map(|bytes| temporary(bytes, detail));
        }
        match (self.sums, &*part.name) {
            (Sums::Assignment, "total allocation" | "total") | (Sums::Allocator, "Limit") => {
                self.bytes = part.bytes;
            }
            (Sums::Allocator, "NumAllocs" | "num_allocs") => {}
            _ if self.parts.len() < MOST_PARTS => self.parts.push(part),
            _ => {}
        }
    }

    /// Adds what a line says of one bin or one piece: its bytes, and of a bin those in use.
    pub(super) fn piece(&mut self, line: &str) -> Option<()> {
        if self.sums == Sums::Chunks && !line.contains(" of ") {
            // The sum, which lines before it may have given.
            self.bytes = self.bytes.or(size(line));
            return self.bytes.map(drop);
        }
        let (bytes, part) = if self.sums == Sums::Bins {
            let before = |words: &str| {
                let (before, _) = line.split_once(words)?;
                size(before.rsplit(' ').next()?)
            };
            (before(" allocated for chunks")?, before(" in use in bin")?)
        } else {
            let (address, bytes) = line.split_once(" of size ")?;
            let address = address.strip_prefix("0x").unwrap_or(address);
            let is_address = address.bytes().all(|byte| byte.is_ascii_hexdigit());
            let bytes = size(bytes).filter(|_| is_address && !address.is_empty())?;
            (bytes, bytes)
        };
        self.bytes = Some(self.bytes.unwrap_or(0).saturating_add(bytes));
        let name = if self.sums == Sums::Bins {
            "in use"
        } else {
            "the largest"
        };
        let known = self.part(name).unwrap_or(0);
        let part = match self.sums {
            Sums::Bins => known.saturating_add(part),
            _ => known.max(part),
        };
        self.parts = vec![Part {
            name: name.to_owned(),
            bytes: Some(part),
        }];
        Some(())
    }

    /// Sums up what a compiled program takes on the device; returns the results, and what of them
    /// is in the memory of arguments.
    pub(super) fn sum_up(&mut self) -> Option<(u64, Option<u64>)> {
        let results = self.part("results")?;
        let shared = self.part(SHARED);
        let new = match shared {
            Some(shared) => results.checked_sub(shared)?,
            None => results,
        };
        let is_told = |part: &Part| part.name != SHARED && part.bytes != Some(0);
        self.parts.retain(is_told);
        for part in &mut self.parts {
            if part.name == "results" {
                part.bytes = Some(new);
            }
        }
        let is_summed = |part: &&Part| NAMES.iter().any(|row| row.1 == part.name);
        let bytes = self
            .parts
            .iter()
            .filter(is_summed)
            .filter_map(|part| part.bytes);
        self.bytes = Some(bytes.fold(0, u64::saturating_add));
        let whole = self.parts.iter_mut().find(|part| part.name == "results");
        if let (None, Some(part)) = (shared, whole) {
            part.name += ", shared or not,";
        }
        Some((results, shared))
    }

    /// The part whose name begins so.
    pub fn part(&self, name: &str) -> Option<u64> {
        let mut parts = self.parts.iter();
        parts.find(|part| part.name.starts_with(name))?.bytes
    }
}

/// The first part of a text, `HLO temp   3.93G (97.4% utilization: …)`, what is in the brackets
/// behind its size, and the text behind them.
fn part(text: &str, sums: Sums) -> Option<(Part, &str, &str)> {
    // The last line of a quoted text ends with the quote.
    let text = text.split(['\'', '"']).next().unwrap_or_default();
    let mut words = text.split_ascii_whitespace();
    let mut before = words.next()?;
    let is_size = |word: &str| {
        let has_unit = word.ends_with(|last: char| last.is_ascii_alphabetic());
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        (is_number && (has_unit || sums == Sums::Allocator))
            .then(|| size(word))
            .flatten()
    };
    let (word, mut bytes) = words.find_map(|word| {
        let is_unknown = (before, word) == ("unknown", "size");
        before = word;
        let bytes = is_size(word);
        (is_unknown || bytes.is_some()).then_some((word, bytes))
    })?;
    // The word is a part of the text.
    let at = word.as_ptr() as usize - text.as_ptr() as usize;
    let name = text[..at].trim();
    let name = if bytes.is_some() {
        name
    } else {
        name.strip_suffix("unknown")?.trim_end()
    };
    let name = name.trim_matches([':', '*', ' ']);
    let rest = &text[at + word.len()..];
    let after = behind_brackets(rest);
    let detail = &rest[..rest.len() - after.len()];
    // `529.00M (  554,696,704 bytes)`
    let exact = detail
        .trim()
        .strip_prefix('(')
        .and_then(|exact| exact.strip_suffix("bytes)"));
    let exact = exact.and_then(|exact| exact.trim().replace(',', "").parse().ok());
    bytes = exact.or(bytes);
    let is_name = !name.is_empty() && name.len() <= LONGEST_NAME;
    let name = name.to_owned();
    is_name.then_some((Part { name, bytes }, detail, after))
}

/// A text without the brackets at its beginning, and what is in them.
fn behind_brackets(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, char) in text.char_indices() {
        match char {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 || char.is_whitespace() => {}
            _ => return &text[at..],
        }
    }
    ""
}

/// The temporary buffers: `(97.4% utilization: Unpadded (3.81G) Padded (3.92G), 0.4% fragmentation
/// (14.68M))`, wrapped at any place.
fn temporary(bytes: u64, detail: &str) -> Temporary {
    let detail: String = detail.split_whitespace().collect();
    let inside = |word: &str| size(detail.split_once(word)?.1);
    Temporary {
        bytes,
        logical_bytes: inside("Unpadded("),
        padded_bytes: inside(")Padded("),
        fragmentation_bytes: inside("fragmentation("),
    }
}
