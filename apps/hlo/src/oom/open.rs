//! A report while its lines are read: what each word of XLA says of it.

use xlayout::{ArrayLayout, ArrayShape, DynLayout};

use super::headline::{Headline, kernel};
use super::parser::MOST;
use super::sections::Sums;
use super::{Allocation, Report};
use crate::advice::{better, on_tpu};
use crate::marks::length_of;
use crate::size::parse_size;
use crate::tally::logical_bytes;

/// The number of bytes of a name that are kept.
const LONGEST_NAME: usize = 2 << 10;

/// A digit, at the end of a number that lacks its unit.
const DIGIT: fn(char) -> bool = |letter| letter.is_ascii_digit();

/// A report that may continue.
#[derive(Default)]
pub(super) struct Open {
    pub(super) report: Report,
    pub(super) stage: Stage,
    /// The allocation that is being described.
    pub(super) allocation: Option<Allocation>,
    /// The headline, while it is not complete.
    pub(super) headline: Option<Headline>,
    /// Whether the last section may continue.
    pub(super) in_section: bool,
    /// What stands before the words of the last section on its line, such as words of a log that
    /// are no mark. The lines behind it begin so, but for digits.
    pub(super) before_section: String,
    /// Whether the words alone are a report.
    pub(super) is_sure: bool,
    /// The word of the last item, and its text, which a terminal may have wrapped.
    pub(super) item: Option<(&'static str, String)>,
}

/// How far a report has been read.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd)]
pub(super) enum Stage {
    #[default]
    Begun,
    Headline,
    Totals,
    List,
}

impl Open {
    /// Reads a line of a section, of a wrapped headline or of a wrapped item.
    pub(super) fn line(&mut self, line: &str) {
        if let Some(headline) = &mut self.headline {
            if !headline.line(line, &mut self.report) {
                self.end_headline();
            }
            return;
        }
        let length = length_of(self.before_section.as_bytes(), line.as_bytes());
        let rest = line.get(length..).unwrap_or(line);
        let section = self.report.sections.last_mut();
        if let Some(section) = section.filter(|_| self.in_section) {
            let is_empty = rest.len() < line.len() && rest.trim().is_empty();
            self.in_section = !is_empty && section.text(rest);
        } else if let Some((word, text)) = self.item.take_if(|(_, text)| is_wrapped(text)) {
            self.describe(word, &(text + rest.trim()));
        }
    }

    /// An empty line ends a section, a headline and an item.
    pub(super) fn end_line(&mut self) {
        self.end_headline();
        self.in_section = false;
        self.item = None;
    }

    pub(super) fn end_headline(&mut self) {
        if let Some(headline) = self.headline.take() {
            headline.fill(&mut self.report, true);
            self.is_sure |= headline.is_sure();
        }
    }

    /// Reads an item of the list, or what is between the sections and the list. A later call with
    /// the same word and more text replaces what an earlier one read.
    pub(super) fn describe(&mut self, word: &'static str, after: &str) {
        self.in_section = false;
        self.item = Some((word, after.to_owned()));
        if matches!(word, "Buffer " | "=====" | "Size: ") {
            self.end_allocation();
        }
        match (word, self.stage, size(after)) {
            ("Output size ", _, bytes @ Some(_)) => {
                self.report.output_bytes = bytes;
                let shared = after.split_once("shares ");
                self.report.shared_output_bytes = shared.and_then(|(_, rest)| size(rest));
            }
            // Without its unit, the text ends inside of it.
            ("Size: ", Stage::List, bytes @ Some(_)) if !after.ends_with(DIGIT) => {
                self.allocation = Some(Allocation {
                    bytes,
                    logical_bytes: bytes,
                    ..Allocation::default()
                });
            }
            _ => {}
        }
        let Some(allocation) = &mut self.allocation else {
            return;
        };
        let put = |field: &mut String, value: &str| {
            field.clear();
            set(field, Some(value));
        };
        match word {
            "Unpadded size: " => {
                allocation.logical_bytes = size(after).or(allocation.logical_bytes);
            }
            "Shape: " | "Entry Parameter Subshape: " => {
                // Behind an array, on one line, may be other text.
                let is_end = |c: char| c.is_whitespace() || "\\\"'".contains(c);
                let array = after.split(is_end).next().unwrap_or_default();
                let is_tuple = after.starts_with('(');
                put(&mut allocation.shape, if is_tuple { after } else { array });
            }
            "XLA label: " | "XLA Label: " => put(&mut allocation.label, after),
            "Allocation type: " => put(&mut allocation.kind, after),
            "Operator: " => {
                // In a text that Python prints in quotes.
                let is_escaped = after.contains("=\\\"");
                let text = if is_escaped {
                    after.replace("\\\"", "\"")
                } else {
                    after.to_owned()
                };
                let after = &*text;
                put(
                    &mut allocation.op_name,
                    quoted(after, "op_name=\"").unwrap_or_default(),
                );
                put(
                    &mut allocation.source,
                    quoted(after, "source_file=\"").unwrap_or_default(),
                );
                if let Some((_, line)) = after.split_once("source_line=") {
                    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
                    allocation.source += &format!(":{}", &line[..digits]);
                }
            }
            _ => {}
        }
    }

    /// The report, with what its sections say of temporary buffers.
    pub(super) fn into_report(self) -> Report {
        let mut report = self.report;
        let sections = &mut report.sections;
        let allocator = sections
            .iter()
            .find(|section| section.sums == Sums::Allocator);
        let free = allocator.and_then(|allocator| {
            let limit = allocator.bytes.filter(|limit| *limit > 0)?;
            limit.checked_sub(allocator.part("InUse")?)
        });
        report.limit_bytes = report.limit_bytes.or(free);
        let compiled = sections
            .iter_mut()
            .find(|section| section.sums == Sums::Compiled);
        let figures = compiled.and_then(|it| Some((it.sum_up()?, it.part("peak_memory"))));
        if let Some(((results, shared), peak)) = figures {
            report.used_bytes = peak;
            report.output_bytes = Some(results);
            report.shared_output_bytes = shared.filter(|shared| *shared > 0);
        }
        report.temporary = sections
            .iter_mut()
            .find_map(|section| section.temporary.take());
        report
    }

    pub(super) fn end_allocation(&mut self) {
        let Some(mut allocation) = self.allocation.take() else {
            return;
        };
        if is_wrapped(&allocation.shape) {
            // The text ends inside of it.
            allocation.shape.clear();
        }
        // The lines with the size and the shape were left out.
        let shape = kernel(&allocation.label).shape;
        if allocation.bytes.is_none() && shape.parse::<ArrayShape>().is_ok() {
            allocation.shape = shape;
        }
        // Of a list that begins inside of it, nothing is known.
        if allocation.bytes.is_none() && allocation.shape.is_empty() && allocation.label.is_empty()
        {
            return;
        }
        explain(&mut allocation);
        if self.report.allocations.len() < MOST {
            self.report.allocations.push(allocation)
        } else {
            self.report.allocations_left_out += 1
        }
    }
}

/// Whether a quote or a bracket of an item is open at its end.
fn is_wrapped(text: &str) -> bool {
    let opened = text.matches(['[', '{', '(']).count();
    let closed = text.matches([']', '}', ')']).count();
    !text.matches('"').count().is_multiple_of(2) || opened > closed
}

/// Sets the exact sizes of an allocation, and a layout that allocates less.
pub(super) fn explain(allocation: &mut Allocation) {
    let array = |shape: ArrayShape| DynLayout::new(shape).ok();
    let Ok(shape) = allocation.shape.parse::<ArrayShape>() else {
        allocation.logical_bytes = least(allocation.logical_bytes, allocation.bytes);
        return;
    };
    // XLA rounds to three digits or more. Early compilers print no tiles; with the tiles that a TPU
    // chooses the size agrees.
    let is_size = |array: &DynLayout| {
        let is_like = |bytes| (array.bytes() as u64).abs_diff(bytes) <= bytes / 100;
        allocation.bytes.is_none_or(is_like)
    };
    let mut arrays = [Some(shape.clone()), on_tpu(&shape)]
        .into_iter()
        .flatten()
        .filter_map(array);
    if let Some(array) = arrays.find(is_size) {
        allocation.bytes = Some(array.bytes() as u64);
        allocation.better = better(array.array_shape());
    }
    let logical = array(shape).map(|array| logical_bytes(&array));
    allocation.logical_bytes = least(logical.or(allocation.logical_bytes), allocation.bytes);
}

/// The smaller one of two figures, of those that are known.
fn least(first: Option<u64>, second: Option<u64>) -> Option<u64> {
    first.into_iter().chain(second).min()
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
