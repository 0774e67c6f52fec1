//! The answer to reports of running out of memory: figures, allocations, and what to do.

use anstyle::{AnsiColor, Style};
use xlayout_view::table::{Cell, DIM, HEADER, Table, Text, pairs};
use xlayout_view::words::percent;
use xlayout_words::{bytes, counted, grouped, shortened};

use crate::Bytes;
use crate::advice::{Better, Change};
use crate::oom::{Allocation, Cause, Report, Reports, Sums};

mod answers;
mod figures;

use answers::{advise_dump, answers};
use figures::{array, figures};

/// The style of results that need attention.
pub(crate) const BAD: Style = AnsiColor::Yellow.on_default();

/// What a better layout would save.
pub(crate) fn advice(better: &Better, saving: u128) -> String {
    let layout = crate::layout(&better.shape);
    let what = match better.change {
        Change::SmallerTile => ", a smaller tile",
        Change::Tile | Change::MinorToMajor => "",
    };
    format!("→ {layout} saves {}{what}", bytes(saving))
}

/// Padding in percent.
pub(crate) fn waste(sum: Bytes) -> Cell {
    let text = percent(sum.padding(), sum.allocated);
    // A quarter and more.
    if sum.padding() * 4 >= sum.allocated && sum.padding() > 0 {
        Cell::styled(text, BAD)
    } else {
        text.into()
    }
}

/// Writes the reports of each file for people, with at most `rows` rows of each list: all of them
/// as a list, and the first failure in full.
pub(crate) fn write(out: &mut Text, files: &[(String, &Reports)], rows: usize) {
    let of_files = files.iter().flat_map(|(file, found)| {
        let reports = found.reports.iter();
        reports.map(move |report| (file, report))
    });
    let all: Vec<_> = of_files.collect();
    let is_failure = |(_, report): &&(_, &Report)| !report.cause.is_warning();
    let first = all.iter().find(is_failure).or(all.first());
    if let [_, _, ..] = &all[..] {
        writeln!(out, "{HEADER}Reports of running out of memory{HEADER:#}");
        let mut table = Table::with_header("place|what it says");
        for (file, report) in &all[..all.len().min(rows.max(1))] {
            let line = format!("line {}", report.line);
            let place = if files.len() == 1 {
                line
            } else {
                format!("{file}, {line}")
            };
            table.row([Cell::from(place), one_line(report).into()]);
        }
        table.write(out, 2);
        let left_out: u64 = files.iter().map(|(_, found)| found.left_out).sum();
        let not_shown = all.len().saturating_sub(rows.max(1));
        let more = not_shown as u64 + left_out;
        if more > 0 {
            let how = if not_shown > 0 { ": `--top all`" } else { "" };
            writeln!(out, "  {DIM}… {} more{how}{DIM:#}", grouped(more));
        }
        out.blank();
    }
    if let Some((file, report)) = first {
        write_report(out, &format!("{file}, line {}", report.line), report, rows);
    }
}

/// What a report says, in one line of a list.
fn one_line(report: &Report) -> String {
    let mut text = title(report);
    if let Some(used) = report.used_bytes {
        text += &format!(": {}", bytes(used));
        let limit = report.limit_bytes.map(bytes);
        let is_request = report.cause.is_request();
        let limit = limit.map(|limit| {
            if is_request {
                format!(", {limit} free")
            } else {
                format!(" of {limit}")
            }
        });
        text += &limit.unwrap_or_default();
    }
    if report.times > 1 {
        text += &format!(" ({})", counted(report.times, "time"));
    }
    text
}

/// What a report is about.
fn title(report: &Report) -> String {
    let what = match report.cause {
        Cause::Figures if report.section(Sums::Compiled).is_some() => {
            "what a compiled program takes"
        }
        Cause::Figures => "figures of an allocator, without a failure",
        Cause::Rematerialization => "a warning: the program takes more memory than its limit",
        Cause::Attempt => "an attempt of an allocator that failed",
        Cause::Arguments => "a warning: arguments and results alone exceed the limit",
        Cause::Buffer => "an argument has another size than the program expects",
        Cause::HostResult => "a result is on the host, and the program says it is on the device",
        Cause::Host => "out of memory of the host",
        Cause::OneBuffer => "a buffer is larger than the device gives in one piece",
        Cause::Cache => "too little memory for the cache of keys and values",
        Cause::Program | Cause::Kernel | Cause::Request | Cause::Tensor | Cause::Load => {
            "out of memory"
        }
    };
    let space = match &*report.memory_space {
        "" | "host" => String::new(),
        space => format!(" in {}", shortened(space, 40)),
    };
    let module = match &*report.module {
        "" => String::new(),
        module => format!(", module {}", shortened(module, 40)),
    };
    let when = match report.cause {
        Cause::Load => ", when a program was loaded",
        _ => "",
    };
    format!("{what}{space}{when}{module}")
}

/// Writes a report: its figures, then its allocations or how to get a list of them.
fn write_report(out: &mut Text, place: &str, report: &Report, rows: usize) {
    let times = match report.times {
        1 => String::new(),
        _ => format!("; the text says so {}", counted(report.times, "time")),
    };
    out.line(0, format!("{place}: {}{times}", title(report)));
    pairs(out, &figures(report), 2);
    let shown = &report.allocations[..report.allocations.len().min(rows)];
    let is_list = array(report).is_none() && report.cause != Cause::Buffer && !shown.is_empty();
    if is_list {
        out.blank();
        write_allocations(out, report, shown);
    }
    for text in answers(report) {
        out.blank();
        out.paragraph(text);
    }
    // Without a figure of what is free, what was asked for is mostly a program's.
    let is_of_program = match report.cause {
        Cause::Program | Cause::Rematerialization | Cause::Load => true,
        Cause::Request => report.limit_bytes.is_none() && report.allocations.is_empty(),
        _ => false,
    };
    if is_of_program && !is_list {
        out.blank();
        advise_dump(out, report);
    }
}

/// The largest allocations, with their padding and what would waste less.
fn write_allocations(out: &mut Text, report: &Report, shown: &[Allocation]) {
    writeln!(out, "{HEADER}Largest allocations{HEADER:#}");
    let mut table = Table::with_header(">bytes|>padding|>|array, and what would waste less");
    let mut sum = 0_u64;
    let mut saved = 0_u64;
    for allocation in shown {
        let figures = allocation.bytes.zip(allocation.logical_bytes);
        let size = figures.map(|(allocated, logical)| Bytes {
            count: 1,
            logical: logical.into(),
            allocated: allocated.into(),
        });
        let name = match (allocation.shape.is_empty(), allocation.label.is_empty()) {
            (false, _) => &allocation.shape,
            (true, false) => &allocation.label,
            (true, true) => "unnamed",
        };
        // Without a shape nothing is known of padding, unless the text says it.
        let is_known = |size: &Bytes| !allocation.shape.is_empty() || size.padding() > 0;
        let (padding, share) = match size.filter(is_known) {
            Some(size) => (bytes(size.padding()).into(), waste(size)),
            None => ("not known".into(), "".into()),
        };
        let allocated = allocation.bytes.map_or("not known".into(), bytes);
        table.row([allocated.into(), padding, share, shortened(name, 80).into()]);
        let mut row_below = |cell: Cell| table.row(["".into(), "".into(), "".into(), cell]);
        let Some(allocated) = allocation.bytes else {
            continue;
        };
        sum = sum.saturating_add(allocated);
        if let Some(better) = &allocation.better {
            let saving = allocated.saturating_sub(better.allocated_bytes);
            saved = saved.saturating_add(saving);
            row_below(Cell::from(advice(better, saving.into())));
        }
        let kind = shortened(&allocation.kind, 40);
        let mut operation = operation(&allocation.op_name, &allocation.source);
        if operation.is_empty() && *name != allocation.label {
            operation.clone_from(&allocation.label);
        }
        let mut origin = vec![kind, operation];
        origin.retain(|text| !text.is_empty());
        if !origin.is_empty() {
            let origin = origin.join(", ");
            row_below(Cell::styled(format!("  {}", shortened(&origin, 100)), DIM));
        }
    }
    table.write(out, 2);
    let not_shown = report.allocations.len() - shown.len();
    let more = not_shown as u64 + report.allocations_left_out;
    if more > 0 {
        let how = if not_shown > 0 { ": `--top all`" } else { "" };
        writeln!(out, "  {DIM}… {} more{how}{DIM:#}", grouped(more));
    }
    if saved > 0 {
        let text = saving(saved, sum, report.excess().map(u128::from));
        out.blank();
        out.paragraph(text);
    }
    // Where addresses have 32 bits no layout is found for a larger array.
    let is_large = |array: &Allocation| array.bytes > Some(isize::MAX as u64);
    if shown
        .iter()
        .any(|array| is_large(array) && !array.shape.is_empty())
    {
        out.blank();
        out.paragraph(LARGE);
    }
}

const LARGE: &str = "Better layouts of arrays of more than 2 GiB are not looked for in a browser, \
                     whose addresses have 32 bits: `xlayout hlo FILE` finds them.";

/// How many of the listed bytes the layouts that are written after → would save, and whether that
/// is as much as the excess.
pub(crate) fn saving(saved: u64, sum: u64, excess: Option<u128>) -> String {
    let against = match excess {
        Some(excess) if u128::from(saved) >= excess => {
            format!("; {} are too much, so they are enough", bytes(excess))
        }
        Some(excess) => format!("; {} are too much, so they are not enough", bytes(excess)),
        None => String::new(),
    };
    format!(
        "The layouts behind → would save {} of these {}{against}. In JAX, `jax.experimental.layout` asks for a layout: \
         of a parameter or a result with `Format`, of a temporary with `with_layout_constraint`.",
        bytes(saved),
        bytes(sum)
    )
}

/// `op_name (file:line)`, as far as they are known.
pub(crate) fn operation(op_name: &str, source: &str) -> String {
    match (op_name, source) {
        ("", source) => source.to_owned(),
        (op_name, "") => op_name.to_owned(),
        (op_name, source) => format!("{op_name} ({source})"),
    }
}
