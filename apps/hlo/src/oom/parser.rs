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

use xlayout::{ArrayLayout, ArrayShape, DynLayout};

use super::headline::{HEADLINES, Headline, SQUEEZED, squeezed};
use super::sections::{BEGINNINGS, Section, Sums};
use super::{Allocation, Report, Reports, Temporary};
use crate::advice::{better, on_tpu};
use crate::size::parse_size;
use crate::tally::logical_bytes;

/// The number of bytes of a line that are read; the rest is skipped.
pub(super) const LONGEST_LINE: usize = 64 << 10;
/// The number of bytes of a name that are kept.
const LONGEST_NAME: usize = 2 << 10;
/// The length of the words at which a headline begins, without blanks, at most.
const LONGEST_HEADLINE: usize = 80;
/// The number of different reports that are kept, and of allocations of each.
const MOST: usize = 100;

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

/// A report that may continue.
#[derive(Default)]
struct Open {
    report: Report,
    stage: Stage,
    /// The allocation that is being described.
    allocation: Option<Allocation>,
    /// The headline, while it is not complete.
    headline: Option<Headline>,
    /// Whether the last section may continue.
    in_section: bool,
}

/// How far a report has been read.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd)]
enum Stage {
    #[default]
    Begun,
    Headline,
    Totals,
    List,
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

impl Open {
    /// Reads a line of a section or of a wrapped headline; returns whether it is one.
    fn line(&mut self, line: &str) -> bool {
        if let Some(headline) = &mut self.headline {
            if !headline.line(line, &mut self.report) {
                self.headline = None;
            }
            return true;
        }
        let section = self.report.sections.last_mut();
        let Some(section) = section.filter(|_| self.in_section) else {
            return false;
        };
        self.in_section = section.line(line);
        true
    }

    fn describe(&mut self, word: &str, after: &str) {
        if word == "HLO temp  " && self.report.temporary.is_none() {
            let inside = |word: &str| size(after.split_once(word)?.1);
            self.report.temporary = size(after).map(|bytes| Temporary {
                bytes,
                logical_bytes: inside("Unpadded ("),
                padded_bytes: inside(" Padded ("),
                fragmentation_bytes: inside("fragmentation ("),
            });
        }
        if matches!(word, "Buffer " | "=====" | "Size: ") {
            self.end_allocation();
        }
        if let ("Size: ", Stage::List, Some(bytes)) = (word, self.stage, size(after)) {
            self.allocation = Some(Allocation {
                bytes,
                logical_bytes: bytes,
                ..Allocation::default()
            });
        }
        let Some(it) = &mut self.allocation else {
            return;
        };
        match word {
            "Unpadded size: " => it.logical_bytes = size(after).unwrap_or(it.bytes),
            "Shape: " | "Entry Parameter Subshape: " => set(&mut it.shape, Some(after)),
            "XLA label: " | "XLA Label: " => set(&mut it.label, Some(after)),
            "Allocation type: " => set(&mut it.kind, Some(after)),
            "Operator: " => {
                set(&mut it.op_name, quoted(after, "op_name=\""));
                set(&mut it.source, quoted(after, "source_file=\""));
                if let Some((_, line)) = after.split_once("source_line=") {
                    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
                    it.source += &format!(":{}", &line[..digits]);
                }
            }
            _ => {}
        }
    }

    fn end_allocation(&mut self) {
        let Some(mut allocation) = self.allocation.take() else {
            return;
        };
        explain(&mut allocation);
        if self.report.allocations.len() < MOST {
            self.report.allocations.push(allocation)
        } else {
            self.report.allocations_left_out += 1
        }
    }
}

/// Sets the exact sizes of an allocation, and a layout that allocates less.
fn explain(it: &mut Allocation) {
    let array = |shape: ArrayShape| DynLayout::new(shape).ok();
    let Ok(shape) = it.shape.parse::<ArrayShape>() else {
        it.logical_bytes = it.logical_bytes.min(it.bytes);
        return;
    };
    // XLA rounds to three digits or more. Early compilers print no tiles; with the tiles that a TPU
    // chooses the size agrees.
    // What a kernel allocates has no figure.
    let is_size = |array: &DynLayout| {
        it.bytes == 0 || (array.bytes() as u64).abs_diff(it.bytes) <= it.bytes / 100
    };
    let mut arrays = [Some(shape.clone()), on_tpu(&shape)]
        .into_iter()
        .flatten()
        .filter_map(array);
    if let Some(array) = arrays.find(is_size) {
        it.bytes = array.bytes() as u64;
        it.better = better(array.array_shape());
    }
    let logical = array(shape).map_or(it.logical_bytes, |array| logical_bytes(&array));
    it.logical_bytes = logical.min(it.bytes);
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

/// The number of bytes at the beginning of a text.
pub(super) fn size(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    parse_size(text[..end.unwrap_or(text.len())].trim_end_matches('.')).ok()
}

/// The text between the quote at the end of `open` and the next one.
fn quoted<'a>(text: &'a str, open: &str) -> Option<&'a str> {
    let inside = &text[text.find(open)? + open.len()..];
    let mut ends = inside
        .match_indices('"')
        .map(|found| found.0)
        .filter(|&at| !inside[..at].ends_with('\\'));
    Some(&inside[..ends.next().unwrap_or(inside.len())])
}

/// Sets a field that is still empty, up to a limited length.
pub(super) fn set(field: &mut String, value: Option<&str>) {
    if let (true, Some(value)) = (field.is_empty(), value) {
        let mut end = value.len().min(LONGEST_NAME);
        while !value.is_char_boundary(end) {
            end -= 1;
        }
        field.push_str(&value[..end]);
    }
}
