//! Finds the reports in a text.
//!
//! ```text
//! for each line of the text:
//!     cut it at each `\n` of two characters that is before words of XLA: Python prints an
//!         exception so
//!     for each piece: look for words of XLA, wherever they are in it, because a log puts its own
//!         words before them
//!         a headline ("Ran out of memory …") begins a report; it may be wrapped
//!         a section ("Total hbm usage >= …") has a part in each line up to an empty one
//!         "Largest program allocations in …" and "Peak buffers:" begin its list
//!         in a list, "Size:" begins an allocation, and "Shape:", "Operator:", … describe it
//! leave out reports that say the same as one before: each host and each traceback repeats them
//! ```

use super::headline::{HEADLINES, Headline, SQUEEZED, squeezed};
use super::open::{Open, Stage, explain, set, size};
use super::sections::{BEGINNINGS, Section, Sums};
use super::{Report, Reports};

/// The number of bytes of a line that are read; the rest is skipped.
pub(super) const LONGEST_LINE: usize = 64 << 10;
/// The length of the words at which a headline begins, without blanks, at most.
const LONGEST_HEADLINE: usize = 80;
/// The number of different reports that are kept, and of allocations of each.
pub(super) const MOST: usize = 100;

#[derive(Default)]
pub(crate) struct Parser {
    /// The beginning of the line that is being read.
    line: Vec<u8>,
    /// The number of lines that ended.
    lines: u64,
    found: Reports,
    open: Option<Open>,
    /// The end of the lines before this one, without blanks, in which a headline may begin.
    tail: String,
}

/// Words of lists and their items. Every line is searched for them.
const WORDS: [&str; 13] = [
    "Largest program allocations in ",
    "Peak buffers:",
    "HLO temp  ",
    "Buffer ",
    "Unpadded size: ",
    "Size: ",
    "Entry Parameter Subshape: ",
    "Shape: ",
    "XLA label: ",
    "XLA Label: ",
    "Operator: ",
    "Allocation type: ",
    "=====",
];

/// All words that XLA prints, the longer ones first.
fn words() -> impl Iterator<Item = &'static str> {
    let beginnings = BEGINNINGS.iter().map(|(word, _)| *word);
    HEADLINES.into_iter().chain(beginnings).chain(WORDS)
}

impl Parser {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for (k, part) in bytes.split(|&byte| byte == b'\n').enumerate() {
            if k > 0 {
                self.end_line();
            }
            let room = LONGEST_LINE - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
        }
    }

    pub(crate) fn finish(mut self) -> Reports {
        self.end_line();
        self.close();
        self.found
    }

    fn end_line(&mut self) {
        self.lines += 1;
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let mut rest = &*text;
        if rest.trim_ascii().is_empty() {
            // It ends a section and a headline.
            self.tail.clear();
            if let Some(open) = &mut self.open {
                open.line("");
            }
            return;
        }
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(piece_len(rest));
            self.piece(piece);
            rest = after;
        }
    }

    fn piece(&mut self, piece: &str) {
        let Some((at, word)) = words()
            .filter_map(|word| Some((piece.find(word)?, word)))
            .min_by_key(|place| place.0)
        else {
            return self.other(piece);
        };
        self.tail.clear();
        let headline = self.open.as_mut().and_then(|open| open.headline.take());
        let before = &piece[..at];
        let after = piece[at + word.len()..].trim();
        let section = BEGINNINGS.iter().find(|(begins, _)| *begins == word);
        if let Some(&(_, sums)) = section {
            return self.section(sums, before, after);
        }
        match word {
            "Largest program allocations in " | "Peak buffers:" => {
                let space = after.trim_end_matches(':');
                let open = self.begin(Stage::List);
                set(&mut open.report.memory_space, Some(space));
                open.in_section = false;
            }
            _ if HEADLINES.contains(&word) => self.headline(word, before, after),
            _ => {
                if let Some(open) = &mut self.open {
                    open.headline = headline;
                    open.describe(word, after);
                    open.line(piece);
                }
            }
        }
    }

    fn headline(&mut self, word: &'static str, before: &str, after: &str) {
        let open = self.begin(Stage::Headline);
        open.headline = Headline::read(word, before, after, &mut open.report);
    }

    /// Begins a section. One without a size is other text.
    fn section(&mut self, sums: Sums, before: &str, after: &str) {
        let bytes = size(after);
        let needs_size = matches!(sums, Sums::Usage | Sums::Program | Sums::Capacity);
        let is_other =
            needs_size && bytes.is_none() || sums == Sums::Program && !before.contains("Program ");
        if is_other {
            return;
        }
        let is_known = |open: &Open| {
            open.report
                .sections
                .iter()
                .any(|section| section.sums == sums)
        };
        if self.open.as_ref().is_some_and(is_known) {
            self.close();
        }
        if matches!(sums, Sums::Usage | Sums::Assignment) {
            self.begin(Stage::Totals);
        }
        // The other sections alone are no report.
        let Some(open) = &mut self.open else {
            return;
        };
        if let (Sums::Usage, Some((_, space))) = (sums, before.rsplit_once("Total ")) {
            set(&mut open.report.memory_space, Some(space));
        }
        open.report.sections.push(Section::new(sums, bytes));
        open.in_section = true;
    }

    /// A line without a word: a part of a sum, or the next line of a wrapped headline.
    fn other(&mut self, piece: &str) {
        let open = self.open.as_mut();
        if open.is_some_and(|open| open.line(piece)) {
            return;
        }
        // A headline whose first words are wrapped.
        let line = squeezed(piece);
        let joined = format!("{}{line}", self.tail);
        let begins = |(word, alone): (&'static str, &String)| {
            let at = joined.find(alone)?;
            (at < self.tail.len()).then(|| (word, at + alone.len()))
        };
        let mut headlines = HEADLINES.into_iter().zip(&*SQUEEZED);
        if let Some((word, end)) = headlines.find_map(begins) {
            self.tail.clear();
            return self.headline(word, "", &joined[end..]);
        }
        let keep = (joined.len().saturating_sub(LONGEST_HEADLINE)..=joined.len())
            .find(|&at| joined.is_char_boundary(at));
        self.tail = joined[keep.unwrap_or(0)..].to_owned();
    }

    /// Returns the open report if it has not reached this stage, otherwise a new one.
    fn begin(&mut self, stage: Stage) -> &mut Open {
        if self.open.as_ref().is_some_and(|open| open.stage >= stage) {
            self.close();
        }
        let line = self.lines;
        let open = self.open.get_or_insert_with(|| Open {
            report: Report {
                line,
                times: 1,
                ..Report::default()
            },
            ..Open::default()
        });
        open.stage = stage;
        open
    }

    fn close(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        open.end_allocation();
        let mut report = open.report;
        // What is not listed is a kernel of the headline.
        report.allocations.iter_mut().for_each(explain);
        // The words alone, without a figure, belong to another text.
        if report.used_bytes.is_none()
            && report
                .sections
                .iter()
                .all(|section| section.bytes.is_none())
            && report.allocations.is_empty()
        {
            return;
        }
        let is_full = self.found.reports.len() == MOST;
        let known = self.found.reports.iter_mut().find(|known| {
            let same = Report {
                line: known.line,
                times: known.times,
                ..report.clone()
            };
            **known == same
        });
        match known {
            Some(known) => known.times += 1,
            None if is_full => self.found.left_out += 1,
            None => self.found.reports.push(report),
        }
    }
}

/// The length of the part of a line that ends at an escaped `\n` before words of XLA.
fn piece_len(line: &str) -> usize {
    const PARTS: [&str; 20] = [
        "Total ",
        "Program ",
        "Output size ",
        "reserved",
        "heap allocations",
        "program ",
        "arguments ",
        "output ",
        "global ",
        "scoped ",
        "overlays ",
        "Max free chunk",
        "Top-of-Memory",
        "Currently allocated:",
        "Available after",
        "parameter allocation:",
        "constant allocation:",
        "maybe_live_out allocation:",
        "preallocated temp allocation:",
        "total ",
    ];
    let begins = |&(at, _): &(usize, &str)| {
        let blank = |c: char| c == ' ' || c == '.' || c.is_ascii_digit();
        let text = line[at + 2..].trim_start_matches(blank);
        let words = words().map(str::trim_start);
        at > 0 && words.chain(PARTS).any(|word| text.starts_with(word))
    };
    line.match_indices("\\n")
        .find(begins)
        .map_or(line.len(), |(at, _)| at)
}
