//! The answer for people.

use std::cmp::Ordering;

use anstyle::Style;

use crate::copies::Copy;
use crate::diff::{Changed, ChangedArray, Diff};

use super::super::arguments;
use super::super::report::parts::{BAD, GOOD};
use super::words::{change, place, sums};
use crate::command::words::{bytes, counted, grouped, sum};
use xlayout_command::table::{Cell, HEADER, Table, Text, more};

pub(crate) fn write(out: &mut Text, arguments: &arguments::Diff, diff: &Diff) {
    out.line(0, format!("A is {}, B is {}", diff.a.file, diff.b.file));
    if !diff.differs() {
        let text = match diff.a.figures.peak.or(diff.b.figures.peak) {
            Some(_) => "Layouts, copies, padding and peak are the same.",
            None => {
                "Layouts and copies are the same. The memory of neither is known: `xlayout hlo memory` says why."
            }
        };
        out.paragraph(text);
        return;
    }
    out.blank();
    let mut table = Table::with_header("|>A|>B|");
    for (what, a, b) in sums(diff) {
        let style = match b.cmp(&a) {
            Ordering::Equal => Style::new(),
            Ordering::Greater => BAD,
            Ordering::Less => GOOD,
        };
        let change = Cell::styled(change(a, b), style);
        table.row([what.into(), bytes(a).into(), bytes(b).into(), change]);
    }
    table.write(out, 0);
    let rows = arguments.common.rows();
    let is_entry = |changed: &&Changed| !matches!(changed.place, ChangedArray::Instruction { .. });
    let (entry, others): (Vec<_>, Vec<_>) = diff.layouts.iter().partition(is_entry);
    layouts(out, "Layouts of parameters and results", &entry, rows);
    copies(out, "Copies removed", &diff.removed, rows, GOOD);
    copies(out, "Copies added", &diff.added, rows, BAD);
    layouts(out, "Other layouts", &others, rows)
}

fn layouts(out: &mut Text, title: &str, all: &[&Changed], rows: usize) {
    if all.is_empty() {
        return;
    }
    let count = grouped(all.len() as u64);
    writeln!(out, "\n{HEADER}{title}{HEADER:#}, {count} changed");
    for changed in all.iter().take(rows) {
        let place = place(changed);
        let text = match (&changed.shape_a, &changed.shape_b) {
            (Some(a), Some(_)) => {
                let after = changed.b.as_deref().unwrap_or_default();
                format!("{place}: {a} → {after}")
            }
            (Some(a), None) => format!("{place}: {a} in A, missing in B"),
            (None, Some(b)) => format!("{place}: missing in A, {b} in B"),
            (None, None) => unreachable!("an array is compared if one side has it"),
        };
        out.line(2, text);
    }
    more(out, 2, all.len(), rows)
}

fn copies(out: &mut Text, title: &str, all: &[Copy], rows: usize, style: Style) {
    if all.is_empty() {
        return;
    }
    let total = sum(all.iter().map(Copy::total));
    let count = counted(all.len() as u64, "operation");
    let sum = bytes(total);
    writeln!(out, "\n{style}{title}{style:#}: {count}, {sum}");
    for copy in all.iter().take(rows) {
        let kind = copy.kind.name().replace('_', " ");
        let total = bytes(copy.total());
        let from = &copy.from_shape;
        let to = &copy.to;
        let text = format!("%{} {total}: {kind}, {from} → {to}", copy.instruction);
        out.line(2, text);
    }
    more(out, 2, all.len(), rows)
}
