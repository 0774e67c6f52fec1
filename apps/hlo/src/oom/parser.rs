//! Finds the reports in a text.
//!
//! ```text
//! for each line of the text, without what a log puts before it:
//!     divide it before each sentence, section, list and item that XLA writes: exceptions are also
//!         printed on one line
//!     a sentence ("Ran out of memory …") begins a report; it may be wrapped
//!     a section ("Total hbm usage >= …") has parts, up to an empty line
//!     "Largest program allocations in …" and "Peak buffers:" begin its list
//!     "Bin (", "Chunk at" and their like are lines of an allocator's dump, which are added up
//!     in a list, "Size:" begins an allocation, and "Shape:", "Operator:", … describe it
//! leave out reports that say the same as one before: each host and each traceback repeats them
//! ```

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::forms::{BEGINNINGS, FORMS, Form};
use super::headline::Headline;
use super::open::{Open, Stage, explain, set, size};
use super::sections::{self, Section, Sums};
use super::squeezed::{Squeezed, squeezed};
use super::{Cause, Report, Reports};
use crate::marks::{marks_of, without_colours};

/// The number of bytes of a line that are read; of the rest only the last are.
pub(super) const LONGEST_LINE: usize = 64 << 10;
/// The number of bytes at the end of a long line that are read.
const LONGEST_END: usize = 4 << 10;
/// How much of the lines before a sentence is kept: it may begin there.
const LONGEST_TAIL: usize = 512;
/// The number of different failures that are kept, and of allocations of each.
pub(super) const MOST: usize = 100;
/// The number of different warnings that are kept.
const MOST_WARNINGS: usize = 20;

#[derive(Default)]
pub(crate) struct Parser {
    /// The line that is being read.
    line: Vec<u8>,
    /// The number of lines that ended.
    lines: u64,
    found: Reports,
    open: Option<Open>,
    /// Items of an allocation before the first one that nothing but a list has.
    items: Vec<(&'static str, String)>,
    /// The end of the lines before this one, in which a sentence may begin.
    tail: String,
}

/// The words of a sentence that may stand in another one.
const SECOND_HALF: &str = "Scoped allocation ";

/// Words of lists and their items. Each begins where no quotes are open.
const ITEMS: [&str; 14] = [
    "Largest program allocations in ",
    "Peak buffers:",
    "Output size ",
    "Buffer ",
    "Unpadded size: ",
    "Extra memory due to padding: ",
    "Size: ",
    "Entry Parameter Subshape: ",
    "Shape: ",
    "XLA label: ",
    "XLA Label: ",
    "Operator: ",
    "Allocation type: ",
    "=====",
];

/// Items that nothing but a list of allocations has.
const OF_LIST: [&str; 4] = [
    "Unpadded size: ",
    "XLA label: ",
    "XLA Label: ",
    "Allocation type: ",
];

static ITEM_FINDERS: LazyLock<[Finder<'_>; ITEMS.len()]> = LazyLock::new(|| ITEMS.map(Finder::new));

static SECTION_FINDERS: LazyLock<[Finder<'_>; sections::BEGINNINGS.len()]> =
    LazyLock::new(|| sections::BEGINNINGS.map(|(words, _)| Finder::new(words)));

/// What begins at a place of a line.
#[derive(Clone, Copy)]
enum Word {
    Form(&'static Form),
    Section(Sums),
    Item(&'static str),
}

impl Parser {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for (k, part) in bytes.split(|&byte| byte == b'\n').enumerate() {
            if k > 0 {
                self.end_line();
            }
            self.line.extend_from_slice(part);
            // Of what is too long, the middle is left out.
            if self.line.len() > LONGEST_LINE + 2 * LONGEST_END {
                let end = self.line.len() - LONGEST_END;
                self.line.drain(LONGEST_LINE..end);
            }
        }
    }

    pub(crate) fn finish(mut self) -> Reports {
        self.end_line();
        self.close();
        self.found
    }

    /// Whether a report has begun in the text so far.
    pub(crate) fn has_begun(&self) -> bool {
        self.open.is_some() || !self.found.reports.is_empty()
    }

    fn end_line(&mut self) {
        self.lines += 1;
        let line = std::mem::take(&mut self.line);
        if line.trim_ascii().is_empty() {
            return self.end_paragraph();
        }
        let text = without_colours(&String::from_utf8_lossy(&line));
        // A text in a text in a text: JSON of what Python prints.
        let text = text.replace("\\\\n", "\\n").replace("\\t", "  ");
        // A text of a page, and a box.
        let text = text.replace("&gt;", ">").replace('\u{a0}', " ");
        let text = text.trim_end_matches(['│', '\r']);
        let (_, length) = marks_of(text.as_bytes());
        let line = &text[length..];
        if line.trim_ascii().is_empty() {
            return self.end_paragraph();
        }
        // A figure of a program's that is printed alone.
        let figure = line
            .split_once([':', '='])
            .map(|(name, bytes)| (name.trim(), bytes.trim()));
        let figure = figure.filter(|(name, bytes)| {
            let is_number = !bytes.is_empty() && bytes.bytes().all(|byte| byte.is_ascii_digit());
            name.ends_with("_size_in_bytes") && is_number
        });
        if let Some((name, bytes)) = figure {
            let is_before = |c: char| !c.is_ascii_lowercase() && c != '_';
            let name = name.rsplit_once(is_before).map_or(name, |(_, name)| name);
            let is_open = |open: &Open| open.report.section(Sums::Compiled).is_some();
            let is_first = !self.open.as_ref().is_some_and(is_open);
            let begin = if is_first { "CompiledMemoryStats(" } else { "" };
            return self.divide(&format!("{begin}{name}={bytes}"));
        }
        match of_maxtext(line) {
            Some(figures) => self.divide(&figures),
            None => self.divide(line),
        }
    }

    /// An empty line ends a section and a headline.
    fn end_paragraph(&mut self) {
        self.tail.clear();
        self.items.clear();
        if let Some(open) = &mut self.open {
            open.end_line();
        }
    }

    /// Reads what is before the first word of a line, and then each word with what is behind it.
    fn divide(&mut self, line: &str) {
        let tail = std::mem::take(&mut self.tail);
        let joined = format!("{tail}{line}");
        let words = self.words(&joined, tail.len());
        let Some(&(first, end, word)) = words.first() else {
            self.other(line);
            // A sentence may have begun, and go on in the next line.
            let keep = joined.len().saturating_sub(LONGEST_TAIL);
            let keep = (keep..=joined.len()).find(|&at| joined.is_char_boundary(at));
            self.tail = format!("{}\n", &joined[keep.unwrap_or(0)..]);
            return;
        };
        let next = words.get(1).map_or(joined.len(), |next| next.0);
        if let Word::Form(form) = word {
            self.headline(form, &joined[..next], first);
        } else {
            if first > tail.len() {
                self.other(&joined[tail.len()..first]);
            }
            self.word(word, &joined[tail.len()..first], &joined[end..next]);
        }
        for (k, &(at, end, word)) in words.iter().enumerate().skip(1) {
            let next = words.get(k + 1).map_or(joined.len(), |next| next.0);
            match word {
                Word::Form(form) => self.headline(form, &joined[at..next], 0),
                _ => self.word(word, &joined[words[k - 1].1..at], &joined[end..next]),
            }
        }
    }

    /// The words of a text that end behind this place, with where each begins and ends.
    fn words(&self, text: &str, from: usize) -> Vec<(usize, usize, Word)> {
        let mut words = Vec::new();
        let line = &text[from..];
        for (item, finder) in ITEMS.into_iter().zip(&*ITEM_FINDERS) {
            let places = finder.find_iter(line.as_bytes()).map(|at| from + at);
            let is_item = |&at: &usize| {
                let behind = &text[at + item.len()..];
                let is_number =
                    item != "Buffer " || behind.starts_with(|c: char| c.is_ascii_digit());
                // A name in quotes may hold any words.
                let operator = text[from..at].rsplit_once("Operator: ");
                let is_quoted =
                    operator.is_some_and(|(_, name)| !name.matches('"').count().is_multiple_of(2));
                // `Largest Alloc Size: 1.00 GiB` is a figure of an allocator.
                let is_figure = text[from..at].trim_end().ends_with("Alloc");
                is_number && !is_quoted && !is_figure
            };
            let items = places.filter(is_item);
            words.extend(items.map(|at| (at, at + item.len(), Word::Item(item))));
        }
        for ((word, sums), finder) in sections::BEGINNINGS.into_iter().zip(&*SECTION_FINDERS) {
            let places = finder.find_iter(line.as_bytes()).map(|at| from + at);
            words.extend(places.map(|at| (at, at + word.len(), Word::Section(sums))));
        }
        let compared = squeezed(text);
        let forms = FORMS.iter().zip(&*BEGINNINGS);
        let mut forms = forms
            .filter(|(_, begins)| begins.find(compared.as_bytes()).is_some())
            .peekable();
        if forms.peek().is_some() {
            let squeezed = Squeezed::new(text);
            for (form, begins) in forms {
                let places = squeezed.places_of(begins);
                words.extend(places.map(|(at, end)| (at, end, Word::Form(form))));
            }
        }
        words.retain(|&(_, end, _)| end > from);
        // The longer one, and the sentence that the table has first.
        words.sort_by_cached_key(|&(at, _, _)| at);
        let mut last = 0;
        let mut is_open = self
            .open
            .as_ref()
            .is_some_and(|open| open.headline.is_some());
        words.retain(|&(at, end, word)| {
            // The second half of a sentence is no other one.
            let is_half = matches!(word, Word::Form(form) if form.begins == SECOND_HALF);
            let is_free = at >= last && !(is_half && is_open);
            is_open = matches!(word, Word::Form(_)) || is_open && !is_free;
            if is_free {
                last = end;
            }
            is_free
        });
        words
    }

    fn word(&mut self, word: Word, before: &str, after: &str) {
        let after = trimmed(after);
        if let Some(open) = &mut self.open {
            open.end_headline();
        }
        match word {
            Word::Form(_) => unreachable!("the caller reads sentences"),
            Word::Section(sums) => self.section(sums, before, after),
            Word::Item("Largest program allocations in " | "Peak buffers:") => {
                let open = self.begin(Stage::List);
                set(
                    &mut open.report.memory_space,
                    after.split([':', ' ']).next(),
                );
                open.in_section = false;
            }
            Word::Item(item) => {
                // The beginning of a list may have been left out.
                let is_of_list = OF_LIST.contains(&item);
                let has_none = |open: &Open| open.report.cause == Cause::Figures;
                if is_of_list && self.open.as_ref().is_none_or(has_none) {
                    self.close();
                    let items = std::mem::take(&mut self.items);
                    let open = self.begin(Stage::List);
                    for (item, after) in items {
                        open.describe(item, &after);
                    }
                } else if self.open.is_none() {
                    if item == "Size: " {
                        self.items.clear();
                    }
                    self.items.push((item, after.to_owned()));
                    self.items.truncate(ITEMS.len());
                }
                if let Some(open) = &mut self.open {
                    if is_of_list && open.stage == Stage::List {
                        open.allocation.get_or_insert_default();
                    }
                    open.describe(item, after);
                }
            }
        }
    }

    fn headline(&mut self, form: &'static Form, text: &str, begin: usize) {
        let open = self.begin(Stage::Headline);
        let headline = Headline::new(form, text.to_owned(), begin);
        if headline.is_sure() {
            open.is_sure = true;
        }
        if !headline.fill(&mut open.report, false) || headline.is_sure() {
            open.headline = Some(headline);
        }
    }

    /// Begins a section. One without a size is other text.
    fn section(&mut self, sums: Sums, before: &str, after: &str) {
        if matches!(sums, Sums::Bins | Sums::Chunks | Sums::FreeChunks) {
            return self.piece(sums, after);
        }
        let is_figure = matches!(sums, Sums::Allocator | Sums::Compiled);
        // The total of figures is one of them, or is summed up.
        let bytes = size(after).filter(|_| !is_figure);
        let needs_size = matches!(sums, Sums::Usage | Sums::Program | Sums::Capacity);
        let is_other = needs_size && bytes.is_none()
            || sums == Sums::Program && !before.contains("Program ")
            || sums == Sums::Allocator
                && !after.starts_with(|c: char| c.is_ascii_digit())
                && !(before.trim().is_empty() && (after.is_empty() || after.starts_with("Limit:")));
        if is_other {
            return;
        }
        let is_known = |open: &Open| open.report.section(sums).is_some();
        if self.open.as_ref().is_some_and(is_known) {
            self.close();
        }
        // The beginning of a report may have been left out.
        let is_first = sums == Sums::Program && self.open.is_none();
        if is_first || is_figure || matches!(sums, Sums::Usage | Sums::Assignment) {
            let is_alone = |open: &Open| open.stage >= Stage::Totals;
            let is_alone = self.open.as_ref().is_none_or(is_alone);
            let open = self.begin(Stage::Totals);
            if is_figure && is_alone {
                open.report.cause = Cause::Figures;
            }
        }
        // The other sections alone are no report.
        let Some(open) = &mut self.open else {
            return;
        };
        let space = match sums {
            Sums::Usage => before.rsplit_once("Total "),
            Sums::Program => before.rsplit_once("Program "),
            _ => None,
        };
        set(&mut open.report.memory_space, space.map(|(_, space)| space));
        let before = space.map_or(before, |(before, _)| before);
        before.clone_into(&mut open.before_section);
        open.report.sections.push(Section::new(sums, bytes));
        open.in_section = true;
        // On one line the parts follow a colon.
        let parts = match sums {
            Sums::Heap | Sums::Assignment | Sums::Allocator | Sums::Compiled => after,
            _ => after.split_once(':').unwrap_or_default().1,
        };
        open.line(parts);
    }

    /// A line of an allocator's dump, which belongs to the report around it.
    fn piece(&mut self, sums: Sums, line: &str) {
        let mut piece = Section::new(sums, None);
        if piece.piece(line).is_none() {
            return;
        }
        let is_alone = self.open.is_none();
        let open = match &mut self.open {
            Some(open) => open,
            None => self.begin(Stage::Begun),
        };
        if is_alone {
            open.report.cause = Cause::Figures;
        }
        open.in_section = false;
        let sections = &mut open.report.sections;
        match sections.iter_mut().find(|section| section.sums == sums) {
            Some(section) => {
                let _ = section.piece(line);
            }
            None => sections.push(piece),
        }
    }

    /// Text without a word: a part of a sum, or the rest of what was wrapped.
    fn other(&mut self, text: &str) {
        if let Some(open) = &mut self.open {
            open.line(text);
        }
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
        open.end_headline();
        open.end_allocation();
        let is_sure = open.is_sure;
        let mut report = open.into_report();
        // What is not listed is an array of the headline.
        report.allocations.iter_mut().for_each(explain);
        // The words alone, without a figure, belong to another text.
        let is_setting = report.cause == Cause::Figures && report.limit_bytes.is_some();
        let has_figures = is_setting
            || report.used_bytes.is_some()
            || report.excess_bytes.is_some()
            || !report.allocations.is_empty()
            || report
                .sections
                .iter()
                .any(|section| section.bytes.is_some());
        if !has_figures && !is_sure {
            return;
        }
        // Warnings leave room for failures.
        let is_warning = report.cause.is_warning();
        let kept = self.found.reports.iter();
        let same_kind = kept
            .filter(|kept| kept.cause.is_warning() == is_warning)
            .count();
        let is_full = same_kind == if is_warning { MOST_WARNINGS } else { MOST };
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

/// MaxText's line of a program's figures, in units of 2^30 bytes, as JAX prints them. What the sum
/// lacks is shared.
fn of_maxtext(line: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    let bytes = |words: &str| {
        let (_, behind) = lower.split_once(words)?;
        let (number, _) = behind.split_once("gb")?;
        size(&format!("{}G", number.trim()))
    };
    let sum = bytes(" memory size:")?;
    let [results, temporary, arguments] = [
        bytes("output size:")?,
        bytes("temp size:")?,
        bytes("argument size:")?,
    ];
    let parts = results.saturating_add(temporary).saturating_add(arguments);
    let shared = parts.saturating_sub(sum).min(results);
    Some(format!(
        "CompiledMemoryStats(argument_size_in_bytes={arguments}, output_size_in_bytes={results}, \
         alias_size_in_bytes={shared}, temp_size_in_bytes={temporary})"
    ))
}

/// A value without the blanks around it, and without the line breaks behind it that Python writes
/// as `\n`.
fn trimmed(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(rest) = text.strip_suffix("\\n") {
        text = rest.trim_end();
    }
    text
}
