//! The answer of `xlayout hlo` to a report of XLA that ran out of memory.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;
use xlayout_hlo::Bytes;
use xlayout_hlo::oom::{Allocation, Report, Reports};

use super::report::{advice, waste};
use crate::json::{print, with};
use crate::table::{Cell, DIM, HEADER, Table, Text, pairs, wrap};
use crate::words::{bytes, counted, listed, percent, shortened};

/// The reports of each file, as JSON.
pub(super) fn json(out: &mut dyn Write, files: &[(PathBuf, Reports)]) -> io::Result<()> {
    let file = |(file, found): &(PathBuf, Reports)| {
        with(json!({ "file": file.display().to_string() }), json!(found))
    };
    let files: Vec<_> = files.iter().map(file).collect();
    print(out, &json!({ "out_of_memory": files }))
}

/// Writes the reports of each file for people, with at most `rows` rows of each list.
pub(super) fn write(out: &mut Text, files: &[(PathBuf, Reports)], rows: usize) {
    let mut first = true;
    for (file, found) in files {
        for report in &found.reports {
            if !std::mem::take(&mut first) {
                out.blank();
            }
            let place = format!("{}, line {}", file.display(), report.line);
            one(out, &place, report, rows);
        }
        if found.left_out > 0 {
            let more = counted(found.left_out, "more report");
            writeln!(out, "\n{DIM}… {more} in {}{DIM:#}", file.display());
        }
    }
}

fn one(out: &mut Text, place: &str, report: &Report, rows: usize) {
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
    let head = format!("{place}: out of memory{space}{module}{times}");
    writeln!(out, "{}", wrap(&head, 2));
    pairs(out, &figures(report), 2);
    let shown = &report.allocations[..report.allocations.len().min(rows)];
    if !shown.is_empty() {
        out.blank();
        allocations(out, report, shown);
    }
    if report.allocations.is_empty() {
        out.blank();
        how_to_see(out, report);
    }
}

/// The number of bytes beyond the memory.
fn excess(report: &Report) -> Option<u64> {
    report.used_bytes?.checked_sub(report.limit_bytes?)
}

fn figures(report: &Report) -> Vec<(&'static str, Cell)> {
    let mut rows = Vec::new();
    let mut row = |name, text: String| rows.push((name, Cell::from(text)));
    if let Some(used) = report.used_bytes {
        let limit = report
            .limit_bytes
            .map(|limit| format!(" of {}", bytes(limit)));
        let over = excess(report).map(|over| format!(", {} too much", bytes(over)));
        let [limit, over] = [limit, over].map(Option::unwrap_or_default);
        row("needed", format!("{}{limit}{over}", bytes(used)));
    }
    if let Some(total) = report.total_bytes {
        let parts = [
            ("program", report.program_bytes),
            ("reserved", report.reserved_bytes),
            ("arguments", report.argument_bytes),
        ];
        let parts = parts.into_iter();
        let parts: Vec<_> = parts
            .filter_map(|(name, part)| Some(format!("{name} {}", bytes(part?))))
            .collect();
        let of = if parts.is_empty() { "" } else { ": " };
        row("in all", format!("{}{of}{}", bytes(total), listed(&parts)));
    }
    if let (Some(all), Some(logical)) = (report.temporary_bytes, report.temporary_logical_bytes) {
        let padding = all.saturating_sub(logical);
        let part = percent(padding, all);
        let (all, padding) = (bytes(all), bytes(padding));
        row(
            "temporary",
            format!("{all}, of which {padding} ({part}) are padding"),
        );
    }
    rows
}

/// The largest allocations, with their padding and what would waste less.
fn allocations(out: &mut Text, report: &Report, shown: &[Allocation]) {
    writeln!(out, "{HEADER}Largest allocations{HEADER:#}");
    let mut table = Table::with_header(">bytes|>padding|>|array, and what would waste less");
    let (mut sum, mut saved) = (0_u64, 0_u64);
    for it in shown {
        let all = Bytes {
            count: 1,
            logical: it.logical_bytes.into(),
            allocated: it.bytes.into(),
        };
        let what = match (it.shape.is_empty(), it.label.is_empty()) {
            (false, _) => &it.shape,
            (true, false) => &it.label,
            (true, true) => "unnamed",
        };
        table.row([
            bytes(it.bytes).into(),
            bytes(all.padding()).into(),
            waste(all),
            shortened(what, 80).into(),
        ]);
        let mut more = |cell: Cell| table.row(["".into(), "".into(), "".into(), cell]);
        sum = sum.saturating_add(it.bytes);
        if let Some(better) = &it.better {
            let saving = it.bytes.saturating_sub(better.allocated_bytes);
            saved = saved.saturating_add(saving);
            more(Cell::from(advice(better, saving.into())));
        }
        let of = of(&it.op_name, &it.source);
        let kind = shortened(&it.kind, 40);
        let of = [kind, of].into_iter().filter(|text| !text.is_empty());
        let of = of.collect::<Vec<_>>().join(", ");
        if !of.is_empty() {
            more(Cell::styled(format!("  {}", shortened(&of, 100)), DIM));
        }
    }
    table.write(out, 2);
    let more = (report.allocations.len() - shown.len()) as u64 + report.allocations_left_out;
    if more > 0 {
        let all = report.allocations.len() > shown.len();
        let how = if all { ": `--top all`" } else { "" };
        let more = crate::words::grouped(more);
        writeln!(out, "  {DIM}… {more} more{how}{DIM:#}");
    }
    if saved > 0 {
        let text = saving(saved, sum, excess(report).map(u128::from));
        writeln!(out, "\n{}", wrap(&text, 0));
    }
}

/// The bytes that the layouts after → save of the listed ones, compared with the excess.
pub(super) fn saving(saved: u64, sum: u64, excess: Option<u128>) -> String {
    let against = match excess {
        Some(over) if u128::from(saved) >= over => {
            format!("; {} are too much, so they are enough", bytes(over))
        }
        Some(over) => format!("; {} are too much, so they are not enough", bytes(over)),
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

/// How to get the arrays that a report of totals alone does not list.
fn how_to_see(out: &mut Text, report: &Report) {
    let limit = match (report.limit_bytes, &*report.memory_space) {
        (Some(limit), "hbm") => format!(" --limit {:.2}G", limit as f64 / f64::from(1 << 30)),
        (_, "hbm" | "") => " --device NAME".to_owned(),
        _ => String::new(),
    };
    let text = "The report lists no arrays. A dump of the compiled module shows them; XLA writes it although the program does not fit:";
    writeln!(out, "{}", wrap(text, 0));
    let flags = "--xla_dump_to=DUMP --xla_dump_hlo_as_text";
    writeln!(
        out,
        "  XLA_FLAGS=\"{flags}\" python …\n  xlayout hlo memory DUMP{limit}"
    )
}
