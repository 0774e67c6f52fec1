//! A report while its lines are read: what each word of XLA says of it.

use xlayout::{ArrayLayout, ArrayShape, DynLayout};

use super::headline::Headline;
use super::parser::MOST;
use super::{Allocation, Report, Temporary};
use crate::advice::{better, on_tpu};
use crate::size::parse_size;
use crate::tally::logical_bytes;

/// The number of bytes of a name that are kept.
const LONGEST_NAME: usize = 2 << 10;

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
    /// Reads a line of a section or of a wrapped headline; returns whether it is one.
    pub(super) fn line(&mut self, line: &str) -> bool {
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

    pub(super) fn describe(&mut self, word: &str, after: &str) {
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
        let Some(allocation) = &mut self.allocation else {
            return;
        };
        match word {
            "Unpadded size: " => allocation.logical_bytes = size(after).unwrap_or(allocation.bytes),
            "Shape: " | "Entry Parameter Subshape: " => set(&mut allocation.shape, Some(after)),
            "XLA label: " | "XLA Label: " => set(&mut allocation.label, Some(after)),
            "Allocation type: " => set(&mut allocation.kind, Some(after)),
            "Operator: " => {
                set(&mut allocation.op_name, quoted(after, "op_name=\""));
                set(&mut allocation.source, quoted(after, "source_file=\""));
                if let Some((_, line)) = after.split_once("source_line=") {
                    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
                    allocation.source += &format!(":{}", &line[..digits]);
                }
            }
            _ => {}
        }
    }

    pub(super) fn end_allocation(&mut self) {
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
pub(super) fn explain(allocation: &mut Allocation) {
    let array = |shape: ArrayShape| DynLayout::new(shape).ok();
    let Ok(shape) = allocation.shape.parse::<ArrayShape>() else {
        allocation.logical_bytes = allocation.logical_bytes.min(allocation.bytes);
        return;
    };
    // XLA rounds to three digits or more. Early compilers print no tiles; with the tiles that a TPU
    // chooses the size agrees.
    // What a kernel allocates has no figure.
    let is_size = |array: &DynLayout| {
        allocation.bytes == 0
            || (array.bytes() as u64).abs_diff(allocation.bytes) <= allocation.bytes / 100
    };
    let mut arrays = [Some(shape.clone()), on_tpu(&shape)]
        .into_iter()
        .flatten()
        .filter_map(array);
    if let Some(array) = arrays.find(is_size) {
        allocation.bytes = array.bytes() as u64;
        allocation.better = better(array.array_shape());
    }
    let logical = array(shape).map_or(allocation.logical_bytes, |array| logical_bytes(&array));
    allocation.logical_bytes = logical.min(allocation.bytes);
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
