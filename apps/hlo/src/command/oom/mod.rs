//! The answer of `xlayout hlo` to a report of XLA that ran out of memory.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::Bytes;
use crate::oom::{Allocation, Report, Reports, Section, Sums, Temporary};
use serde_json::json;

use super::listed::OfFile;
use super::report::parts::{advice, waste};
use crate::command::words::{bytes, counted, listed, percent, shortened};
use xlayout_command::json::print;
use xlayout_command::table::{Cell, DIM, HEADER, Table, Text, pairs};

/// The reports of each file, as JSON.
pub(super) fn json(out: &mut dyn Write, files: &[(PathBuf, Reports)]) -> io::Result<()> {
    let of_file = |(file, found): &(PathBuf, Reports)| json!(OfFile::new(file, found));
    let files: Vec<_> = files.iter().map(of_file).collect();
    print(out, &json!({ "out_of_memory": files }))
}

/// Writes the reports of each file for people, with at most `rows` rows of each list.
pub(super) fn write(out: &mut Text, files: &[(PathBuf, Reports)], rows: usize) {
    let mut is_first = true;
    for (file, found) in files {
        for report in &found.reports {
            if !is_first {
                out.blank();
            }
            is_first = false;
            let place = format!("{}, line {}", file.display(), report.line);
            write_report(out, &place, report, rows);
        }
        if found.left_out > 0 {
            let more = counted(found.left_out, "more report");
            writeln!(out, "\n{DIM}… {more} in {}{DIM:#}", file.display());
        }
    }
}

/// Writes a report: its figures, then its allocations or how to get a list of them.
fn write_report(out: &mut Text, place: &str, report: &Report, rows: usize) {
    let space = match &*report.memory_space {
        "" => String::new(),
        space => format!(" in {}", shortened(space, 40)),
    };
    let module = match &*report.module {
        "" => String::new(),
        module => format!(", module {}", shortened(module, 40)),
    };
    let times = match report.times {
        1 => String::new(),
        _ => format!("; the text says so {}", counted(report.times, "time")),
    };
    out.line(0, format!("{place}: out of memory{space}{module}{times}"));
    pairs(out, &figures(report), 2);
    let shown = &report.allocations[..report.allocations.len().min(rows)];
    if !shown.is_empty() {
        out.blank();
        write_allocations(out, report, shown);
    }
    if report.allocations.is_empty() {
        out.blank();
        advise_without_list(out, report);
    }
}

/// The figures of a report, each with its name.
fn figures(report: &Report) -> Vec<(&'static str, Cell)> {
    let mut rows = Vec::new();
    let mut row = |name, text: String| rows.push((name, Cell::from(text)));
    if let Some(used) = report.used_bytes {
        row("needed", needed_text(report, used));
    }
    if let Some(usage) = report.section(Sums::Usage) {
        row("in all", sum_text(usage));
    }
    if let Some(assignment) = report.section(Sums::Assignment) {
        let gaps = assignment.part(FRAGMENTATION).filter(|gaps| *gaps > 0);
        let gaps = gaps.map(|gaps| format!("; {} of it are fragmentation", bytes(gaps)));
        row("in all", sum_text(assignment) + &gaps.unwrap_or_default());
    }
    if let Some(capacity) = report.section(Sums::Capacity) {
        row("device", device_text(capacity));
    }
    if let Some(persistent) = report.section(Sums::Persistent) {
        let parts = listed(&part_texts(persistent));
        row("of a run", format!("{parts} stay allocated"));
    }
    if let Some(program) = report.section(Sums::Program) {
        row("program", sum_text(program));
    }
    if let Some(temporary) = report.temporary {
        row("temporary", temporary_text(&temporary));
    }
    rows
}

/// What was needed, and what there was.
fn needed_text(report: &Report, used: u64) -> String {
    let needed = bytes(used);
    if report.is_fragmented()
        && let (Some(free), Some(piece)) = (report.limit_bytes, report.largest_free_bytes)
    {
        return format!(
            "{needed} in one piece; {} are free, but the largest piece is {}: the memory is fragmented",
            bytes(free),
            bytes(piece),
        );
    }
    let limit = match (report.limit_bytes, report.is_request) {
        (None, _) => String::new(),
        (Some(free), true) => format!(", and {} are free", bytes(free)),
        (Some(limit), false) => format!(" of {}", bytes(limit)),
    };
    let excess = report
        .excess()
        .map(|excess| format!(", {} too much", bytes(excess)));
    format!("{needed}{limit}{}", excess.unwrap_or_default())
}

/// The part of an assignment that is no part of its sum: the gaps inside of the other parts.
const FRAGMENTATION: &str = "total fragmentation";

/// What the memory of a device is for, and by how much that is more than there is.
fn device_text(capacity: &Section) -> String {
    let parts_of = listed(&part_texts(capacity));
    let Some(total) = capacity.bytes else {
        return parts_of;
    };
    let wanted = capacity.parts.iter().map(|part| u128::from(part.bytes));
    let excess = match wanted.sum::<u128>().saturating_sub(total.into()) {
        0 => String::new(),
        excess => format!(": {} too much", bytes(excess)),
    };
    format!("{} for {parts_of}{excess}", bytes(total))
}

/// The parts of a sum, the largest first. Parts below a thousandth of the total are one.
fn part_texts(section: &Section) -> Vec<String> {
    let mut parts: Vec<_> = section
        .parts
        .iter()
        .filter(|part| part.name != FRAGMENTATION)
        .collect();
    parts.sort_by_key(|part| Reverse(part.bytes));
    // Without a total nothing is known to be a small part of it.
    let is_small = |bytes: u64| {
        section
            .bytes
            .is_some_and(|total| bytes > 0 && bytes < total / 1000)
    };
    let (small, large): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| is_small(part.bytes));
    let mut texts: Vec<String> = large
        .into_iter()
        .map(|part| format!("{} {}", shortened(&part.name, 40), bytes(part.bytes)))
        .collect();
    let small_bytes: u64 = small
        .into_iter()
        .fold(0, |sum, part| sum.saturating_add(part.bytes));
    if small_bytes > 0 {
        texts.push(format!("others {}", bytes(small_bytes)));
    }
    texts
}

/// The total and its parts, and what of the total no part names.
fn sum_text(section: &Section) -> String {
    let bytes_of_parts = section
        .parts
        .iter()
        .filter(|part| part.name != FRAGMENTATION)
        .fold(0_u64, |sum, part| sum.saturating_add(part.bytes));
    let mut parts = part_texts(section);
    // XLA rounds its figures, so a small rest says nothing.
    let rest = section.bytes.and_then(|total| {
        let rest = total.saturating_sub(bytes_of_parts);
        (!parts.is_empty() && rest > total / 100).then_some(rest)
    });
    parts.extend(rest.map(|rest| format!("parts without a figure {}", bytes(rest))));
    let parts = listed(&parts);
    match (section.bytes, parts.is_empty()) {
        (Some(total), true) => bytes(total),
        (Some(total), false) => format!("{}: {parts}", bytes(total)),
        (None, _) => parts,
    }
}

/// Padding and fragmentation of temporary buffers, each by itself.
fn temporary_text(temporary: &Temporary) -> String {
    let all = bytes(temporary.bytes);
    let padded = temporary
        .padded_bytes
        .or_else(|| temporary.bytes.checked_sub(temporary.fragmentation_bytes?));
    let padding = match (padded, temporary.logical_bytes) {
        (Some(padded), Some(logical)) => {
            let padding = padded.saturating_sub(logical);
            let part = percent(padding, temporary.bytes);
            Some(format!("{} ({part}) are padding", bytes(padding)))
        }
        _ => None,
    };
    let gaps = temporary.fragmentation_bytes.filter(|gaps| *gaps > 0);
    let gaps = gaps.map(|gaps| {
        let part = percent(gaps, temporary.bytes);
        format!(
            "{} ({part}) are fragmentation, which no layout removes",
            bytes(gaps)
        )
    });
    let known: Vec<String> = [padding, gaps].into_iter().flatten().collect();
    match (known.is_empty(), temporary.logical_bytes) {
        (false, _) => format!("{all}, of which {}", known.join(" and ")),
        (true, Some(logical)) => {
            format!(
                "{all} with padding and fragmentation, for {} of elements",
                bytes(logical)
            )
        }
        (true, None) => all,
    }
}

/// The largest allocations, with their padding and what would waste less.
fn write_allocations(out: &mut Text, report: &Report, shown: &[Allocation]) {
    writeln!(out, "{HEADER}Largest allocations{HEADER:#}");
    let mut table = Table::with_header(">bytes|>padding|>|array, and what would waste less");
    let mut sum = 0_u64;
    let mut saved = 0_u64;
    for allocation in shown {
        let size = Bytes {
            count: 1,
            logical: allocation.logical_bytes.into(),
            allocated: allocation.bytes.into(),
        };
        let name = match (allocation.shape.is_empty(), allocation.label.is_empty()) {
            (false, _) => &allocation.shape,
            (true, false) => &allocation.label,
            (true, true) => "unnamed",
        };
        table.row([
            bytes(allocation.bytes).into(),
            bytes(size.padding()).into(),
            waste(size),
            shortened(name, 80).into(),
        ]);
        let mut row_below = |cell: Cell| table.row(["".into(), "".into(), "".into(), cell]);
        sum = sum.saturating_add(allocation.bytes);
        if let Some(better) = &allocation.better {
            let saving = allocation.bytes.saturating_sub(better.allocated_bytes);
            saved = saved.saturating_add(saving);
            row_below(Cell::from(advice(better, saving.into())));
        }
        let kind = shortened(&allocation.kind, 40);
        let operation = of(&allocation.op_name, &allocation.source);
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
        let more = crate::command::words::grouped(more);
        writeln!(out, "  {DIM}… {more} more{how}{DIM:#}");
    }
    if saved > 0 {
        let text = saving(saved, sum, report.excess().map(u128::from));
        out.blank();
        out.paragraph(text);
    }
}

/// How many of the listed bytes the layouts that are written after → would save, and whether that
/// is as much as the excess.
pub(super) fn saving(saved: u64, sum: u64, excess: Option<u128>) -> String {
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
pub(super) fn of(op_name: &str, source: &str) -> String {
    match (op_name, source) {
        ("", source) => source.to_owned(),
        (op_name, "") => op_name.to_owned(),
        (op_name, source) => format!("{op_name} ({source})"),
    }
}

/// Writes what to do about a report that lists no allocations.
fn advise_without_list(out: &mut Text, report: &Report) {
    if let Some(advice) = advice_of_assignment(report) {
        out.paragraph(advice);
        out.blank();
    }
    if report.is_fragmented() {
        let text = "No layout helps against fragmentation: fewer or smaller arrays that live long do, and a fresh process.";
        out.paragraph(text);
        return;
    }
    // A dump says nothing of the memory that a kernel takes for itself.
    if !matches!(&*report.memory_space, "hbm" | "") {
        let text = format!(
            "The report lists no arrays. The memory {} is that of one kernel: smaller blocks, or fewer of them at a time, take less of it.",
            shortened(&report.memory_space, 40)
        );
        out.paragraph(text);
        return;
    }
    let text = "The report lists no arrays. A dump of the compiled module shows them; XLA writes it although the program does not fit:";
    out.paragraph(text);
    let flags = "--xla_dump_to=DUMP --xla_dump_hlo_as_text";
    writeln!(
        out,
        "  XLA_FLAGS=\"{flags}\" python …\n  xlayout hlo memory DUMP{}",
        limit_flag(report)
    );
    if report.is_request {
        let text = "`hlo memory` counts arguments and results, which are among what is allocated already; so its limit is the memory of \
            the whole device, not what is free.";
        out.paragraph(text);
    }
}

/// The flag for the memory that a program may take with its arguments.
fn limit_flag(report: &Report) -> String {
    let limit_of_device = report.section(Sums::Capacity).and_then(|capacity| {
        let reserved = capacity.part("Top-of-Memory reserved").unwrap_or(0);
        capacity.bytes?.checked_sub(reserved)
    });
    let limit = if report.is_request {
        limit_of_device
    } else {
        report.limit_bytes
    };
    match limit {
        Some(limit) if report.memory_space == "hbm" => {
            format!(" --limit {:.2}G", limit as f64 / f64::from(1 << 30))
        }
        _ => " --device NAME".to_owned(),
    }
}

/// What takes most of an assignment of buffers, and what makes it less.
fn advice_of_assignment(report: &Report) -> Option<String> {
    let assignment = report.section(Sums::Assignment)?;
    let results = assignment.part("maybe_live_out")?;
    let total = assignment.bytes?;
    (results > total / 2).then(|| {
        format!(
            "The results take {} of {}, the larger part: return less, or donate arguments of the same size, whose memory they then take.",
            bytes(results),
            bytes(total)
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::oom::Part;

    use super::*;

    /// A part is small compared with a total that is known, not with another part.
    #[test]
    fn without_a_total_no_part_is_small() {
        let part = |name: &str, bytes| Part {
            name: name.to_owned(),
            bytes,
        };
        let section = |bytes| Section {
            sums: Sums::Usage,
            bytes,
            parts: vec![part("program", 4 << 30), part("reserved", 4 << 10)],
        };
        let known = part_texts(&section(Some(4 << 30)));
        assert_eq!(known, ["program 4.00 GiB", "others 4.00 KiB"]);
        let unknown = part_texts(&section(None));
        assert_eq!(unknown, ["program 4.00 GiB", "reserved 4.00 KiB"]);
    }
}
