//! The sentence of a report that says what was needed and what there was.
//!
//! A terminal wraps it at any place, also inside of a word, so its words are compared without
//! blanks, and the lines behind it are taken to it until it is complete.

use std::sync::LazyLock;

use super::open::{set, size};
use super::parser::LONGEST_LINE;
use super::{Allocation, Report};

/// The words at which a headline begins.
pub(super) const HEADLINES: [&str; 9] = [
    "Ran out of memory in memory space ",
    "Ran out of memory on HBM",
    "exceeding available bytes: ",
    "Out of memory while trying to allocate ",
    "Out of memory allocating ",
    "Attempting to allocate ",
    "Attempting to reserve ",
    "Could not allocate ",
    "unlikely to have enough memory. Requires ",
];

/// The headlines without blanks.
pub(super) static SQUEEZED: LazyLock<[String; 9]> = LazyLock::new(|| HEADLINES.map(squeezed));

/// The most lines that a terminal makes of a headline.
const MOST_LINES: usize = 16;

/// A headline that may continue on the next line.
pub(super) struct Headline {
    word: &'static str,
    /// The text behind the word without blanks.
    text: String,
    lines: usize,
}

/// A text without blanks.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

impl Headline {
    /// Reads a headline: `before` and `after` are the text around its word.
    pub(super) fn read(
        word: &'static str,
        before: &str,
        after: &str,
        report: &mut Report,
    ) -> Option<Self> {
        let headline = Self {
            word,
            text: squeezed(after),
            lines: 1,
        };
        if word == "exceeding available bytes: " {
            set(&mut report.memory_space, Some("hbm"));
            let parts = before
                .split("Hbm usage")
                .skip(1)
                .filter_map(|part| size(part.trim_start_matches([':', ' '])));
            report.used_bytes = parts.reduce(u64::saturating_add);
            report.limit_bytes = size(after);
            return None;
        }
        headline.fill(report);
        (!headline.is_complete(report)).then_some(headline)
    }

    /// Takes the next line to the headline; returns whether it may continue.
    pub(super) fn line(&mut self, line: &str, report: &mut Report) -> bool {
        let line = squeezed(line);
        self.lines += 1;
        if line.is_empty() || self.text.len() + line.len() > LONGEST_LINE {
            return false;
        }
        self.text += &line;
        self.fill(report);
        self.lines < MOST_LINES && !self.is_complete(report)
    }

    fn is_complete(&self, report: &Report) -> bool {
        match self.word {
            "Ran out of memory in memory space " => report.excess_bytes.is_some(),
            "Ran out of memory on HBM" | "unlikely to have enough memory. Requires " => {
                report.limit_bytes.is_some()
            }
            _ => report.used_bytes.is_some(),
        }
    }

    fn fill(&self, report: &mut Report) {
        let text = &*self.text;
        let behind = |word: &str| leading_size(text.split_once(word)?.1);
        // The number before these words.
        let before = |word: &str| {
            let (text, _) = text.split_once(word)?;
            text.rsplit(|c: char| !c.is_ascii_digit())
                .next()?
                .parse()
                .ok()
        };
        // A name that the text ends with may go on in the next line.
        let name = |text: &str| {
            let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
            Some(text[..end].to_owned())
        };
        let (used, limit) = match self.word {
            "Ran out of memory in memory space " => {
                let space = name(text);
                let space = space
                    .as_deref()
                    .and_then(|space| space.split("while").next());
                set(&mut report.memory_space, space);
                if let Some((_, kernel)) = text.split_once("onstackfor") {
                    on_stack(kernel, report);
                }
                let used = text.split_once("Used").map(|(_, rest)| rest);
                let limit = used.and_then(|used| leading_size(used.split_once("of")?.1));
                put(&mut report.excess_bytes, behind("capacityby"));
                (used.and_then(leading_size), limit)
            }
            "Ran out of memory on HBM" => {
                set(&mut report.memory_space, Some("hbm"));
                let module = text
                    .split_once("HLOmodule:")
                    .map(|(_, rest)| rest)
                    .and_then(|rest| rest.split('.').next());
                set(&mut report.module, module);
                (behind("HLOtemporaries("), behind("availableHBM("))
            }
            "unlikely to have enough memory. Requires " => (leading_size(text), behind("has")),
            "Could not allocate " => {
                put(&mut report.largest_free_bytes, before("bytesallocatable"));
                (leading_size(text), before("bytesavailable"))
            }
            _ => {
                put(
                    &mut report.largest_free_bytes,
                    behind("regionoffreememoryis"),
                );
                (leading_size(text), behind("Thereare"))
            }
        };
        report.is_request = self.word.starts_with("Attempting") || self.word.starts_with("Could");
        if text.contains("_HBM") {
            set(&mut report.memory_space, Some("hbm"));
        }
        put(&mut report.used_bytes, used);
        put(&mut report.limit_bytes, limit);
    }
}

/// The bytes at the beginning of a text without blanks: `64.00Gof15.48Ghbm`. `None` if the text
/// ends before the unit.
fn leading_size(text: &str) -> Option<u64> {
    const UNITS: [&str; 15] = [
        "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "bytes", "byte", "K", "M", "G", "T", "P", "E",
        "B",
    ];
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let unit = UNITS
        .into_iter()
        .find(|unit| text[end..].starts_with(unit))?;
    size(&text[..end + unit.len()])
}

/// Sets a figure that is known. A line that ends inside of a number is read again with the next
/// one.
fn put(field: &mut Option<u64>, value: Option<u64>) {
    *field = value.or(*field);
}

/// Reads the kernel, without blanks: `%k.18=bf16[2048,4096]{1,0:T(8,128)(2,1)}custom-call(%a,…`.
fn on_stack(kernel: &str, report: &mut Report) {
    let Some((label, rest)) = kernel.split_once('=') else {
        return;
    };
    let end = match rest.find('{') {
        // The layout has no braces inside.
        Some(_) => rest.find('}').map(|end| end + 1),
        None => rest.find(']').map(|end| end + 1),
    };
    let shape = end.map_or("", |end| &rest[..end]);
    report.allocations = vec![Allocation {
        shape: shape.to_owned(),
        label: label.to_owned(),
        kind: format!("stack of {label}"),
        ..Allocation::default()
    }];
}
