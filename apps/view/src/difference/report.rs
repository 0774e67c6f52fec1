//! The answer in words.

use xlayout::{ArrayLayout, LayoutError};
use xlayout_relayout::{Machine, Plan, Traffic};

use super::change::{Change, Kind};
use super::marks::carets;
use super::{Difference, On};
use crate::memory::Bytes;
use crate::section::Section;
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
        table::pairs(out, &self.same(), 0);
        out.blank();
        let change = &self.change;
        let kind = change.kind.name();
        let words = wrapped(&format!("{kind}: {}", change.words), width, 0);
        table::titled(out, kind, &words);
        out.blank();
        sizes(self).write(out, 0);
        if let Some(why) = &change.no_plan {
            writeln!(out, "\n{HEADER}no relayout{HEADER:#}");
            writeln!(out, "  {}", wrapped(why, width, 2));
        }
        for plan in self.plans() {
            let text = wrapped(&format!("{}  {}", plan.name, plan.words), width, 2);
            let text = text.replace("\n    ", "\n  ");
            out.blank();
            table::titled(out, &plan.name, &text);
            for line in [machine(&self.on)].iter().chain(&plan.traffic) {
                writeln!(out, "  {}", wrapped(line, width, 4));
            }
        }
    }

    /// The answer in parts: what is the same, sizes, copies. What differs in the texts is in
    /// [`to_json`](Self::to_json), with its places.
    #[must_use]
    pub fn sections(&self) -> Vec<Section> {
        let change = &self.change;
        let mut all = vec![
            Section::new(change.kind.name(), "").sentence(&*change.words),
            Section::new("The same?", "").pairs(self.same().into()),
            Section::new("Sizes", "").table(sizes(self)),
        ];
        let why = change.no_plan.iter();
        all.extend(why.map(|why| Section::new("No copy", "").sentence(&**why)));
        for plan in self.plans() {
            let mut section = Section::new(plan.name.replacen("relayout", "The copy", 1), "");
            for line in plan.words.lines() {
                section = section.sentence(line.trim());
            }
            let lines = plan.traffic.iter();
            all.push(lines.fold(section, |section, line| section.sentence(&**line)));
        }
        all
    }

    /// What both have in common.
    fn same(&self) -> [(&'static str, Cell); 3] {
        let yes = |same: bool| if same { "yes" } else { "no" };
        let change = &self.change;
        let mut bytes = yes(same_bytes(change)).to_owned();
        if let Some(obstacle) = change.obstacle {
            // The help of the obstacle is written below.
            let why = LayoutError::from(obstacle).message().to_string();
            bytes = why.replacen("no bitcast: ", "no: ", 1);
        }
        let types = self.a.layout.element_type() == self.b.layout.element_type();
        [
            ("same logical shape", yes(same_shape(self)).into()),
            ("same element type", yes(types).into()),
            ("same bytes", Cell::from(bytes)),
        ]
    }

    fn plans(&self) -> Vec<PlanWords> {
        let plans = &self.change.plans;
        let plan = |(k, plan): (usize, &Plan)| {
            let number = match plans.len() {
                1 => String::new(),
                _ => format!(" {}", k + 1),
            };
            // The plan has its own format of byte counts. It is replaced by the format of this
            // program.
            let plan_text = plan.to_string();
            let lines = plan_text
                .lines()
                .filter(|line| !line.starts_with("  reads "));
            PlanWords {
                name: format!("relayout{number}"),
                words: lines.collect::<Vec<_>>().join("\n"),
                traffic: traffic(plan.on(self.on.machine()).traffic()),
            }
        };
        plans.iter().enumerate().map(plan).collect()
    }
}

/// A copy in words.
struct PlanWords {
    name: String,
    words: String,
    /// The bytes that it reads and writes.
    traffic: Vec<String>,
}

/// Whether both are the same array for a program: equal sizes, including dynamic ones.
pub(super) fn same_shape(diff: &Difference) -> bool {
    diff.a.layout.array_shape().dims == diff.b.layout.array_shape().dims
}

/// Whether one can be used as the other without moving elements.
pub(super) fn same_bytes(change: &Change) -> bool {
    matches!(change.kind, Kind::Equal | Kind::Bitcast)
}

fn sizes(diff: &Difference) -> Table {
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
    table
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

fn traffic(traffic: Traffic) -> Vec<String> {
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
    lines
}
