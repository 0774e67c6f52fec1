//! Finds the reports in a text.
//!
//! ```text
//! for each line of the text:
//!     cut it at each `\n` of two characters that is before words of XLA: Python prints an exception so
//!     for each piece: look for words of XLA, wherever they are in it, because a log puts its own words before them
//!         a headline ("Ran out of memory …") begins a report
//!         "Largest program allocations in …" and "Peak buffers:" begin its list
//!         in a list, "Size:" begins an allocation, and "Shape:", "Operator:", … describe it
//! leave out reports that say the same as one before: each host and each traceback repeats them
//! ```

use xlayout::{ArrayLayout, ArrayShape, DynLayout};

use super::super::advice::{better, on_tpu};
use super::super::size::parse_size;
use super::super::tally::logical_bytes;
use super::{Allocation, Report, Reports};

/// The number of bytes of a line that are read; the rest is skipped.
const LONGEST_LINE: usize = 64 << 10;
/// The number of bytes of a name that are kept.
const LONGEST_NAME: usize = 2 << 10;
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
}

/// A report that may continue.
#[derive(Default)]
struct Open {
    report: Report,
    stage: Stage,
    /// The allocation that is being described.
    allocation: Option<Allocation>,
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

/// Words that XLA prints. Every line is searched for them.
const WORDS: [&str; 22] = [
    "Ran out of memory in memory space ",
    "Ran out of memory on HBM",
    "exceeding available bytes: ",
    "Out of memory while trying to allocate ",
    "Out of memory allocating ",
    "Attempting to allocate ",
    "Attempting to reserve ",
    " usage >= ",
    "total allocation: ",
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
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(piece_len(rest));
            self.piece(piece);
            rest = after;
        }
    }

    fn piece(&mut self, piece: &str) {
        let places = WORDS
            .iter()
            .filter_map(|word| Some((piece.find(word)?, *word)));
        let Some((at, word)) = places.min_by_key(|place| place.0) else {
            return self.part(piece);
        };
        let (before, after) = (&piece[..at], piece[at + word.len()..].trim());
        match word {
            " usage >= " | "total allocation: " => {
                let report = self.begin(Stage::Totals);
                report.total_bytes = size(after);
                if let Some((_, space)) = before.rsplit_once("Total ") {
                    set(&mut report.memory_space, Some(space));
                }
            }
            "Largest program allocations in " | "Peak buffers:" => {
                let space = after.trim_end_matches(':');
                set(&mut self.begin(Stage::List).memory_space, Some(space));
            }
            _ if WORDS[..7].contains(&word) => {
                headline(self.begin(Stage::Headline), word, before, after)
            }
            _ => {
                if let Some(open) = &mut self.open {
                    open.describe(word, after);
                }
            }
        }
    }

    /// Returns the open report if it has not reached this stage, otherwise a new one.
    fn begin(&mut self, stage: Stage) -> &mut Report {
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
        &mut open.report
    }

    /// Reads a line of the sum: "reserved  530.00M".
    fn part(&mut self, piece: &str) {
        let Some(open) = self
            .open
            .as_mut()
            .filter(|open| open.stage == Stage::Totals)
        else {
            return;
        };
        let mut words = piece.split_ascii_whitespace().rev();
        let (Some(last), name) = (words.next(), words.next()) else {
            return;
        };
        let part = match name {
            Some("reserved") => &mut open.report.reserved_bytes,
            Some("program") => &mut open.report.program_bytes,
            Some("arguments") => &mut open.report.argument_bytes,
            _ => return,
        };
        *part = part.or(size(last));
    }

    fn close(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        open.end_allocation();
        let report = open.report;
        // The words alone, without a figure, belong to another text.
        if report.used_bytes.or(report.total_bytes).is_none() && report.allocations.is_empty() {
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
    fn describe(&mut self, word: &str, after: &str) {
        if word == "HLO temp  " {
            let logical = after.split("Unpadded (").nth(1);
            self.report.temporary_bytes = self.report.temporary_bytes.or(size(after));
            self.report.temporary_logical_bytes = logical.and_then(size);
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
        match self.report.allocations.len() < MOST {
            true => self.report.allocations.push(allocation),
            false => self.report.allocations_left_out += 1,
        }
    }
}

/// Reads "Used 41.74G of 16.00G hbm", "HLO temporaries (33.25G) exceeds available HBM (15.75G)", …
fn headline(report: &mut Report, word: &str, before: &str, after: &str) {
    let behind = |word: &str| after.split_once(word).map(|(_, rest)| rest);
    let name = |text: &str| text.split(['.', ' ']).next().map(str::to_owned);
    let (used, limit) = match word {
        "Ran out of memory in memory space " => {
            set(&mut report.memory_space, name(after).as_deref());
            (behind("Used "), behind(" of "))
        }
        "Ran out of memory on HBM" => {
            set(&mut report.memory_space, Some("hbm"));
            set(
                &mut report.module,
                behind("HLO module: ").and_then(name).as_deref(),
            );
            (behind("HLO temporaries ("), behind("available HBM ("))
        }
        _ => (Some(after), behind("There are ")),
    };
    (report.used_bytes, report.limit_bytes) = (used.and_then(size), limit.and_then(size));
    if word == "exceeding available bytes: " {
        set(&mut report.memory_space, Some("hbm"));
        let parts = before.split("Hbm usage").skip(1);
        let parts = parts.filter_map(|part| size(part.trim_start_matches([':', ' '])));
        (report.used_bytes, report.limit_bytes) = (parts.reduce(u64::saturating_add), size(after));
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
    let is_size = |array: &DynLayout| (array.bytes() as u64).abs_diff(it.bytes) <= it.bytes / 100;
    let candidates = [Some(shape.clone()), on_tpu(&shape)];
    let mut arrays = candidates.into_iter().flatten().filter_map(array);
    if let Some(array) = arrays.find(is_size) {
        it.bytes = array.bytes() as u64;
        it.better = better(array.array_shape());
    }
    let logical = array(shape).map_or(it.logical_bytes, |array| logical_bytes(&array));
    it.logical_bytes = logical.min(it.bytes);
}

/// The length of the part of a line that ends at an escaped `\n` before words of XLA.
fn piece_len(line: &str) -> usize {
    const PARTS: [&str; 4] = ["Total ", "reserved ", "program ", "arguments "];
    let begins = |&(at, _): &(usize, &str)| {
        let blank = |c: char| c == ' ' || c == '.' || c.is_ascii_digit();
        let text = line[at + 2..].trim_start_matches(blank);
        let words = WORDS.iter().map(|word| word.trim_start());
        at > 0 && words.chain(PARTS).any(|word| text.starts_with(word))
    };
    let found = line.match_indices("\\n").find(begins);
    found.map_or(line.len(), |(at, _)| at)
}

/// The number of bytes at the beginning of a text.
fn size(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    parse_size(text[..end.unwrap_or(text.len())].trim_end_matches('.')).ok()
}

/// The text between the quote at the end of `open` and the next one.
fn quoted<'a>(text: &'a str, open: &str) -> Option<&'a str> {
    let inside = &text[text.find(open)? + open.len()..];
    let quotes = inside.match_indices('"').map(|found| found.0);
    let mut ends = quotes.filter(|&at| !inside[..at].ends_with('\\'));
    Some(&inside[..ends.next().unwrap_or(inside.len())])
}

/// Sets a field that is still empty, up to a limited length.
fn set(field: &mut String, value: Option<&str>) {
    if let (true, Some(value)) = (field.is_empty(), value) {
        let mut end = value.len().min(LONGEST_NAME);
        while !value.is_char_boundary(end) {
            end -= 1;
        }
        field.push_str(&value[..end]);
    }
}
