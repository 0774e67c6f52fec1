//! The answer in words.

use xlayout::{ArrayLayout, LayoutError};
use xlayout_relayout::Machine;

use super::change::{Change, Kind};
use super::marks::carets;
use super::{Difference, On};
use crate::memory::Bytes;
use crate::table::{self, Cell, DIM, HEADER, Table, Text};
use crate::words::{bytes, exact_bytes, grouped, percent, wrapped};

impl Difference {
    pub(super) fn write(&self, width: usize, out: &mut Text) {
        let a = &self.a.layout;
        let b = &self.b.layout;
        let marks = &self.marks;
        let of_a = carets(marks.iter().map(|mark| mark.a.clone()));
        let of_b = carets(marks.iter().map(|mark| mark.b.clone()));
        for (name, layout, carets) in [("A", a, of_a), ("B", b, of_b)] {
            writeln!(out, "{HEADER}{name}{HEADER:#}  {layout}");
            if !carets.is_empty() {
                writeln!(out, "   {DIM}{carets}{DIM:#}");
            }
        }
        for mark in marks {
            writeln!(out, "- {}", mark.words);
        }
        out.blank();
        let yes = |same: bool| if same { "yes" } else { "no" };
        let change = &self.change;
        let mut bytes = yes(same_bytes(change)).to_owned();
        if let Some(obstacle) = change.obstacle {
            // The help of the obstacle is written below.
            let why = LayoutError::from(obstacle).message().to_string();
            bytes = why.replacen("no bitcast: ", "no: ", 1);
        }
        let rows = [
            ("same logical shape", yes(same_shape(self)).into()),
            (
                "same element type",
                yes(a.element_type() == b.element_type()).into(),
            ),
            ("same bytes", Cell::from(bytes)),
        ];
        table::pairs(out, &rows, 0);
        out.blank();
        let kind = change.kind.name();
        let words = wrapped(&format!("{kind}: {}", change.words), width, 0);
        table::titled(out, kind, &words);
        out.blank();
        sizes(self, out);
        plans(self, width, out);
    }
}

/// Whether both are the same array for a program: equal sizes, including dynamic ones.
pub(super) fn same_shape(diff: &Difference) -> bool {
    diff.a.layout.array_shape().dims == diff.b.layout.array_shape().dims
}

/// Whether one can be used as the other without moving elements.
pub(super) fn same_bytes(change: &Change) -> bool {
    matches!(change.kind, Kind::Equal | Kind::Bitcast)
}

fn sizes(diff: &Difference, out: &mut Text) {
    let two = [&diff.a.layout, &diff.b.layout];
    let mut table = Table::with_header("|>A|>B");
    let mut row = |name: &str, [a, b]: [String; 2]| table.row([name.to_owned(), a, b]);
    row("elements", two.map(|layout| grouped(layout.elements())));
    row("places", two.map(|layout| grouped(layout.buffer_len())));
    let bytes = two.map(Bytes::of);
    row("logical", bytes.map(|bytes| exact_bytes(bytes.logical)));
    row("allocated", bytes.map(|bytes| exact_bytes(bytes.allocated)));
    let padding = |bytes: Bytes| match bytes.padding() {
        0 => "none".to_owned(),
        padding => format!(
            "{}, {}",
            exact_bytes(padding),
            percent(padding, bytes.allocated)
        ),
    };
    row("padding", bytes.map(padding));
    table.write(out, 0)
}

/// The machine on which the copies below are described.
fn machine(on: &On) -> String {
    let (name, other) = match on {
        On::Reference => ("the reference machine", "; `--here`: on this machine"),
        On::Here => ("this machine", ""),
    };
    let Machine {
        second_cache,
        last_cache,
        ..
    } = on.machine();
    let caches = match last_cache {
        0 => format!(
            "a second cache of {} and a last one of unknown size",
            bytes(second_cache)
        ),
        _ => format!(
            "caches of {} and {}",
            bytes(second_cache),
            bytes(last_cache)
        ),
    };
    format!("on {name} ({caches}{other}):")
}

fn plans(diff: &Difference, width: usize, out: &mut Text) {
    let change = &diff.change;
    if let Some(why) = &change.no_plan {
        writeln!(out, "\n{HEADER}no relayout{HEADER:#}");
        writeln!(out, "  {}", wrapped(why, width, 2));
    }
    for (k, plan) in change.plans.iter().enumerate() {
        let number = match change.plans.len() {
            1 => String::new(),
            _ => format!(" {}", k + 1),
        };
        // The plan has its own format of byte counts. It is replaced by the format of this program.
        let plan_text = plan.to_string();
        let lines = plan_text
            .lines()
            .filter(|line| !line.starts_with("  reads "));
        let words = lines.collect::<Vec<_>>().join("\n");
        let name = format!("relayout{number}");
        let text = wrapped(&format!("{name}  {words}"), width, 2);
        let text = text.replace("\n    ", "\n  ");
        out.blank();
        table::titled(out, &name, &text);
        writeln!(out, "  {}", wrapped(&machine(&diff.on), width, 4));
        let traffic = plan.on(diff.on.machine()).traffic();
        let [read, written, fetched, total] = [
            traffic.read,
            traffic.written,
            traffic.fetched,
            traffic.total(),
        ]
        .map(exact_bytes);
        let past = if traffic.fetched == 0 && traffic.written > 0 {
            ", past the cache"
        } else {
            ""
        };
        let mut lines = vec![format!("reads {read}, writes {written}{past}")];
        if traffic.fetched > 0 {
            lines.push(format!(
                "reads {fetched} of the destination before it writes them, as caches do"
            ));
        }
        lines.push(format!("{total} of traffic in all"));
        for line in lines {
            writeln!(out, "  {}", wrapped(&line, width, 4));
        }
    }
}
