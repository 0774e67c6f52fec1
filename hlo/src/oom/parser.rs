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

/// Of a longer line the end is not read.
const LONGEST_LINE: usize = 64 << 10;
/// So many bytes of a name are kept.
const LONGEST_NAME: usize = 2 << 10;
/// So many different reports are kept, and so many allocations of each.
const MOST: usize = 100;

#[derive(Default)]
pub(crate) struct Parser {
    /// The beginning of the line that is being read.
    line: Vec<u8>,
    /// How many lines ended.
    lines: u64,
    found: Reports,
    open: Option<Open>,
}

/// A report that may go on.
#[derive(Default)]
struct Open {
    report: Report,
    /// Its headline was read.
    headed: bool,
    /// Its list has begun.
    in_list: bool,
    /// The allocation that is being described.
    allocation: Option<Described>,
}

/// What the text says of an allocation.
#[derive(Default)]
struct Described {
    size: Option<u64>,
    unpadded: Option<u64>,
    it: Allocation,
}

/// Words of XLA.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Space,
    OnHbm,
    Exceeding,
    Allocate,
    Attempt,
    Stats,
    Total,
    List,
    Temporary,
    Buffer,
    Size,
    Unpadded,
    Shape,
    Label,
    Operator,
    Kind,
    End,
}

const WORDS: [(&str, Word); 23] = [
    ("Ran out of memory in memory space ", Word::Space),
    ("Ran out of memory on HBM", Word::OnHbm),
    ("exceeding available bytes: ", Word::Exceeding),
    ("Out of memory while trying to allocate ", Word::Allocate),
    ("Out of memory allocating ", Word::Allocate),
    ("Attempting to allocate ", Word::Attempt),
    ("Attempting to reserve ", Word::Attempt),
    ("BufferAssignment OOM Debugging", Word::Stats),
    (" usage >= ", Word::Total),
    ("total allocation: ", Word::Total),
    ("Largest program allocations in ", Word::List),
    ("Peak buffers:", Word::List),
    ("HLO temp  ", Word::Temporary),
    ("Buffer ", Word::Buffer),
    ("Unpadded size: ", Word::Unpadded),
    ("Size: ", Word::Size),
    ("Entry Parameter Subshape: ", Word::Shape),
    ("Shape: ", Word::Shape),
    ("XLA label: ", Word::Label),
    ("XLA Label: ", Word::Label),
    ("Operator: ", Word::Operator),
    ("Allocation type: ", Word::Kind),
    ("=====", Word::End),
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
        {
            let text = String::from_utf8_lossy(&line);
            let mut rest = &*text;
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(piece_len(rest));
                self.piece(piece);
                rest = after;
            }
        }
        self.line = line;
        self.line.clear();
    }

    fn piece(&mut self, piece: &str) {
        let found = WORDS.iter().filter_map(|&(text, word)| {
            let at = piece.find(text)?;
            Some((at, word, &piece[..at], piece[at + text.len()..].trim()))
        });
        match found.min_by_key(|found| found.0) {
            Some((_, word, before, after)) => self.word(word, before, after),
            None => self.part(piece),
        }
    }

    /// Reads words of XLA, what is before them on the line, and what is after them.
    fn word(&mut self, word: Word, before: &str, after: &str) {
        match word {
            Word::Space | Word::OnHbm | Word::Exceeding | Word::Allocate | Word::Attempt => {
                self.headline(word, before, after);
            }
            Word::Stats => self.begin(|open| open.in_list || open.report.total.is_some()),
            Word::Total => {
                self.begin(|open| open.in_list || open.report.total.is_some());
                if let Some(Open { report, .. }) = &mut self.open {
                    report.total = size(after);
                    set(
                        &mut report.memory_space,
                        before
                            .rsplit(' ')
                            .next()
                            .filter(|_| before.contains("Total ")),
                    );
                }
            }
            Word::List => {
                self.begin(|open| open.in_list);
                if let Some(open) = &mut self.open {
                    open.in_list = true;
                    let space = after.trim_end_matches(':');
                    set(&mut open.report.memory_space, Some(space));
                }
            }
            _ => {
                if let Some(open) = &mut self.open {
                    open.describe(word, after);
                }
            }
        }
    }

    /// "Used 41.74G of 16.00G hbm", "HLO temporaries (33.25G) exceeds available HBM (15.75G)", …
    fn headline(&mut self, word: Word, before: &str, after: &str) {
        self.begin(|open| open.headed || open.in_list || open.report.total.is_some());
        let Some(Open { report, headed, .. }) = &mut self.open else {
            unreachable!("a report was begun")
        };
        *headed = true;
        let after_word = |word: &str| {
            after
                .find(word)
                .and_then(|at| size(&after[at + word.len()..]))
        };
        match word {
            Word::Space => {
                set(&mut report.memory_space, after.split(['.', ' ']).next());
                report.used = after_word("Used ");
                report.limit = after_word(" of ");
            }
            Word::OnHbm => {
                report.memory_space = "hbm".to_owned();
                report.used = after_word("HLO temporaries (");
                report.limit = after_word("available HBM (");
                report.temporary = report.used;
                let module = after.split("HLO module: ").nth(1);
                set(
                    &mut report.module,
                    module.and_then(|name| name.split(['.', ' ']).next()),
                );
            }
            Word::Exceeding => {
                report.memory_space = "hbm".to_owned();
                let parts = before.split("Hbm usage").skip(1);
                let parts = parts.filter_map(|part| size(part.trim_start_matches([':', ' '])));
                report.used = parts.reduce(u64::saturating_add);
                report.limit = size(after);
            }
            _ => {
                report.requested = size(after);
                report.free = after_word("There are ");
            }
        }
    }

    /// Begins a report, if none is open or if the open one ends here.
    fn begin(&mut self, ends: impl FnOnce(&Open) -> bool) {
        if self.open.as_ref().is_some_and(ends) {
            self.close();
        }
        let line = self.lines;
        self.open.get_or_insert_with(|| Open {
            report: Report {
                line,
                times: 1,
                ..Report::default()
            },
            ..Open::default()
        });
    }

    /// A line of the sum: "reserved  530.00M".
    fn part(&mut self, piece: &str) {
        let Some(Open {
            report,
            in_list: false,
            ..
        }) = &mut self.open
        else {
            return;
        };
        let mut words = piece.split_ascii_whitespace().rev();
        let (Some(last), Some(name)) = (words.next(), words.next()) else {
            return;
        };
        let part = match name {
            "reserved" => &mut report.reserved,
            "program" => &mut report.program,
            "arguments" => &mut report.arguments,
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
        // The words alone, without a figure, are those of another text.
        let figures = [report.used, report.requested, report.total];
        if figures.iter().all(Option::is_none) && report.allocations.is_empty() {
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
    fn describe(&mut self, word: Word, after: &str) {
        if word == Word::Temporary {
            let inside = |word: &str| after.split(word).nth(1).and_then(size);
            self.report.temporary = self.report.temporary.or(size(after));
            self.report.temporary_logical = inside("Unpadded (");
        }
        if !self.in_list {
            return;
        }
        match word {
            Word::Buffer | Word::End => self.end_allocation(),
            Word::Size => {
                self.end_allocation();
                self.allocation = Some(Described {
                    size: size(after),
                    ..Described::default()
                });
            }
            _ => {}
        }
        let Some(Described { unpadded, it, .. }) = &mut self.allocation else {
            return;
        };
        match word {
            Word::Unpadded => *unpadded = size(after),
            Word::Shape => set(&mut it.shape, Some(after)),
            Word::Label => set(&mut it.label, Some(after)),
            Word::Kind => set(&mut it.kind, Some(after)),
            Word::Operator => {
                set(&mut it.op_name, quoted(after, "op_name=\""));
                let file = quoted(after, "source_file=\"");
                let line = after.split("source_line=").nth(1);
                let line = line.and_then(|line| line.split(|c: char| !c.is_ascii_digit()).next());
                let source = file.map(|file| match line {
                    Some(line) => format!("{file}:{line}"),
                    None => file.to_owned(),
                });
                set(&mut it.source, source.as_deref());
            }
            _ => {}
        }
    }

    fn end_allocation(&mut self) {
        let Some(described) = self.allocation.take() else {
            return;
        };
        // A size that cannot be read is not that of an allocation.
        let Some(size) = described.size else { return };
        match self.report.allocations.len() < MOST {
            true => self.report.allocations.push(described.explained(size)),
            false => self.report.allocations_left_out += 1,
        }
    }
}

impl Described {
    /// The padding of the allocation, and what would waste less.
    fn explained(mut self, size: u64) -> Allocation {
        self.it.bytes = size;
        // XLA's figures have three digits and more.
        let is_size = |array: &DynLayout| (array.bytes() as u64).abs_diff(size) <= size / 100;
        let array = |shape: ArrayShape| DynLayout::new(shape).ok();
        let shape = self.it.shape.parse::<ArrayShape>().ok();
        let logical = shape
            .clone()
            .and_then(array)
            .map(|array| logical_bytes(&array));
        // Early compilers print no tiles: those that a TPU chooses make up the size.
        let candidates = [shape.clone(), shape.as_ref().and_then(on_tpu)];
        let found = candidates
            .into_iter()
            .flatten()
            .filter_map(array)
            .find(is_size);
        if let Some(array) = found {
            self.it.bytes = array.bytes() as u64;
            self.it.better = better(array.array_shape());
        }
        let logical = logical.or(self.unpadded).unwrap_or(self.it.bytes);
        self.it.logical_bytes = logical.min(self.it.bytes);
        self.it
    }
}

/// How long the part of a line is that ends before words of XLA after a `\n` of two characters.
fn piece_len(line: &str) -> usize {
    const PARTS: [&str; 4] = ["Total ", "reserved ", "program ", "arguments "];
    let begins = |&(at, _): &(usize, &str)| {
        let blank = |c: char| c == ' ' || c == '.' || c.is_ascii_digit();
        let text = line[at + 2..].trim_start_matches(blank);
        let words = WORDS.iter().map(|word| word.0.trim_start());
        at > 0 && words.chain(PARTS).any(|word| text.starts_with(word))
    };
    let found = line.match_indices("\\n").find(begins);
    found.map_or(line.len(), |(at, _)| at)
}

/// The bytes that a text begins with.
fn size(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    parse_size(text[..end.unwrap_or(text.len())].trim_end_matches('.')).ok()
}

/// What is between the quotes that this opens.
fn quoted<'a>(text: &'a str, open: &str) -> Option<&'a str> {
    let inside = &text[text.find(open)? + open.len()..];
    let quotes = inside.match_indices('"').map(|found| found.0);
    let mut ends = quotes.filter(|&at| !inside[..at].ends_with('\\'));
    Some(&inside[..ends.next().unwrap_or(inside.len())])
}

/// Keeps the first value, and a limited part of it.
fn set(field: &mut String, value: Option<&str>) {
    if let (true, Some(value)) = (field.is_empty(), value) {
        let mut end = value.len().min(LONGEST_NAME);
        while !value.is_char_boundary(end) {
            end -= 1;
        }
        field.push_str(&value[..end]);
    }
}
