//! The answer for people.

mod entry;
pub(super) mod parts;
mod valuable;

use crate::advice::better;
use crate::group::{self, Group};
use crate::{Array, Bytes, FirstLine};

use super::arguments::{Arguments, By, Sort};
use super::arrays::{Arrays, Asked};
use super::oom;
use parts::{GOOD, MODULES, NO_ENTRY, advice, more, waste, without_size};

use crate::command::words::{
    bytes, counted, grouped, module_name, percent, shortened, space_name, wrapped,
};
use xlayout_command::table::{self, Cell, DIM, HEADER, Table, Text, width};

/// The most modules of a log that have a line each.
const MODULES_OF_LOG: usize = 20;

pub(crate) fn write(out: &mut Text, (arguments, findings): Asked<'_>) {
    let text = table::text(|text| sections(text, (arguments, findings)));
    let mut shown = text.styled();
    // Every section except the last one ends with an empty line.
    while shown.ends_with("\n\n") {
        shown = &shown[..shown.len() - 1];
    }
    write!(out, "{shown}");
}

/// Writes the sums, and the arrays with most padding.
pub(crate) fn padding(out: &mut Text, (arguments, findings): Asked<'_>) {
    let total: Bytes = findings.tally.counted().map(Array::total).sum();
    totals(out, findings, total);
    worst(out, (arguments, findings), total)
}

fn sections(out: &mut Text, (arguments, findings): Asked<'_>) {
    if !findings.reports.is_empty() {
        oom::write(out, &findings.reports, arguments.common.rows());
        out.blank();
    }
    heads(out, findings);
    let total: Bytes = findings.tally.counted().map(Array::total).sum();
    totals(out, findings, total);
    match arguments.by {
        Some(By::Shape) => largest(out, (arguments, findings)),
        Some(by) => table_of_groups(out, (arguments, findings), by),
        None if total.count > 0 => {
            worst(out, (arguments, findings), total);
            largest(out, (arguments, findings));
            table_of_groups(out, (arguments, findings), By::Layout);
            table_of_groups(out, (arguments, findings), By::Space);
            entry::entries(out, (arguments, findings));
        }
        None => entry::entries(out, (arguments, findings)),
    }
    left_out(out, findings);
    if arguments.by.is_none() && findings.owned {
        valuable::write(out, findings);
    }
}

/// Writes the modules of a log, each with its line.
fn modules_of_log(out: &mut Text, modules: &[FirstLine]) {
    for module in modules.iter().take(MODULES_OF_LOG) {
        let name = shortened(&module.name, 60);
        out.line(2, format!("line {}: {}", module.line, module_name(&name)));
    }
    if let Some(more @ 1..) = modules.len().checked_sub(MODULES_OF_LOG) {
        out.line(2, format!("… and {}", counted(more as u64, "more module")));
    }
}

/// Writes what was read, and what is counted.
fn heads(out: &mut Text, findings: &Arrays) {
    for (file, extent) in findings.files.iter().take(MODULES) {
        let (first, end) = extent.modules;
        let module = match &findings.modules.all[first..end] {
            [] => "no module".to_owned(),
            [module] => module_name(&shortened(&module.name, 40)),
            several => counted(several.len() as u64, "module"),
        };
        let computations = counted(extent.computations, "computation");
        let instructions = counted(extent.instructions, "instruction");
        let head = format!(
            "{}: {module}, {computations}, {instructions}",
            file.display()
        );
        let others = match extent.other_lines {
            0 => String::new(),
            others => format!(", beside {} of a log", counted(others, "line")),
        };
        out.line(0, head + &others);
        if extent.other_lines > 0 {
            modules_of_log(out, &findings.modules.all[first..end]);
        }
    }
    if let Some(more @ 1..) = findings.files.len().checked_sub(MODULES) {
        writeln!(out, "… and {}", counted(more as u64, "more file"));
    }
    let scope = findings.scope;
    let views = if scope.views {
        ""
    } else {
        ", without views of other arrays"
    };
    let text = match (findings.owned, scope.entry) {
        (true, _) => "Counted: what ENTRY allocates over the whole schedule, arrays that share memory as one; `hlo memory` says what is alive at \
             one time. `--all` counts views of other arrays and the arrays inside of fusions and loops, too."
            .to_owned(),
        (false, true) => format!("Counted: the results of the instructions of ENTRY{views}; tuples array by array."),
        (false, false) => format!(
            "Counted: the results of all instructions, in fused computations, too{views}; tuples array by array."
        ),
    };
    let text = wrapped(&text, width(), 0);
    for line in text.lines() {
        writeln!(out, "{DIM}{line}{DIM:#}");
    }
    let mut extents = findings.files.iter().map(|(_, extent)| extent);
    if extents.any(|extent| extent.entries_assumed > 0) {
        out.paragraph(NO_ENTRY);
    }
    out.blank();
}

fn totals(out: &mut Text, findings: &Arrays, total: Bytes) {
    let mut table = Table::with_header("|>arrays|>logical|>allocated|>padding|>");
    let mut row = |name: &str, sum: Bytes| {
        table.row([
            name.into(),
            grouped(sum.count).into(),
            bytes(sum.logical).into(),
            bytes(sum.allocated).into(),
            bytes(sum.padding()).into(),
            waste(sum),
        ]);
    };
    if !findings.scope.entry && !findings.owned {
        row("all", total);
    }
    let in_entry: Bytes = findings.tally.counted().map(Array::total_in_entry).sum();
    row("in ENTRY", in_entry);
    table.write(out, 0);
    out.blank();
}

/// Writes the arrays with most padding, and layouts with less.
fn worst(out: &mut Text, (arguments, findings): Asked<'_>, total: Bytes) {
    let mut arrays = group::arrays(&findings.tally, Sort::Padding.key());
    arrays.retain(|array| array.allocated > array.logical);
    if arrays.is_empty() {
        writeln!(out, "{HEADER}No array has padding.{HEADER:#}\n");
        return;
    }
    let shown: Vec<_> = arrays.iter().take(arguments.common.rows()).collect();
    if shown.is_empty() {
        return;
    }
    let sum: Bytes = shown.iter().map(|array| array.total()).sum();
    let mut saved = 0;
    let mut table = Table::with_header(">padding|>|>count|array, and what would waste less");
    for array in &shown {
        let all = array.total();
        table.row([
            bytes(all.padding()).into(),
            waste(all),
            grouped(array.count).into(),
            Cell::from(&*array.shape),
        ]);
        let better = better(&array.array);
        let advice = match better {
            Some(better) => {
                let saving = u128::from(array.allocated.saturating_sub(better.allocated_bytes));
                let saving = saving * u128::from(array.count);
                saved += saving;
                Cell::styled(advice(&better, saving), GOOD)
            }
            None => Cell::styled("  no layout of this hardware wastes less", DIM),
        };
        table.row(["".into(), "".into(), "".into(), advice]);
    }
    let of_all = if arrays.len() == shown.len() {
        "all of the padding".to_owned()
    } else {
        format!("{} of the padding", percent(sum.padding(), total.padding()))
    };
    let saved = match saved {
        0 => String::new(),
        saved => format!("; the layouts behind → would save {}", bytes(saved)),
    };
    writeln!(out, "{HEADER}Worst paddings{HEADER:#}, {of_all}{saved}");
    table.write(out, 2);
    more(out, arrays.len(), shown.len())
}

/// Writes the arrays, the largest first or in the requested order.
fn largest(out: &mut Text, (arguments, findings): Asked<'_>) {
    let arrays = group::arrays(&findings.tally, arguments.sort.key());
    let title = match arguments.sort {
        Sort::Allocated => "Largest arrays",
        Sort::Padding => "Arrays, by their padding",
        Sort::Waste => "Arrays, by the part that is padding",
        Sort::Count => "Arrays, by their number",
        Sort::Name => "Arrays, by their names",
    };
    let rows = arrays.iter().map(|array| {
        let each = match array.count {
            1 => String::new(),
            _ => bytes(array.allocated),
        };
        (array.total(), each, &*array.shape)
    });
    table(out, arguments, title, "array", rows)
}

fn table_of_groups(out: &mut Text, (arguments, findings): Asked<'_>, by: By) {
    let groups = findings.groups(by, arguments.sort);
    let [_, title, noun] = by.words();
    let name = |group: &Group| match (by, group.name.parse()) {
        (By::Space, Ok(space)) => space_name(space),
        _ => group.name.clone(),
    };
    let names: Vec<String> = groups.iter().map(name).collect();
    let rows = groups
        .iter()
        .zip(&names)
        .map(|(group, name)| (group.bytes, String::new(), name.as_str()));
    table(out, arguments, title, noun, rows)
}

/// Rows of sums, bytes of one where there are several, and names.
fn table<'a>(
    out: &mut Text,
    arguments: &Arguments,
    title: &str,
    noun: &str,
    rows: impl ExactSizeIterator<Item = (Bytes, String, &'a str)>,
) {
    let all = rows.len();
    let rows: Vec<_> = rows.take(arguments.common.rows()).collect();
    if rows.is_empty() {
        return;
    }
    writeln!(out, "{HEADER}{title}{HEADER:#}");
    let with_each = rows.iter().any(|row| !row.1.is_empty());
    let each = if with_each { "|>each" } else { "" };
    let columns = format!(">allocated|>padding|>count{each}|{noun}");
    let mut table = Table::with_header(&columns);
    let shown = rows.len();
    for (sum, each, name) in rows {
        let mut cells = vec![
            Cell::from(bytes(sum.allocated)),
            waste(sum),
            grouped(sum.count).into(),
        ];
        if with_each {
            cells.push(Cell::styled(each, DIM));
        }
        cells.push(name.into());
        table.row(cells);
    }
    table.write(out, 2);
    more(out, all, shown)
}

/// Writes what the totals do not contain.
fn left_out(out: &mut Text, findings: &Arrays) {
    let tally = &findings.tally;
    let mut notes = Vec::new();
    if tally.without_layout.count > 0 {
        let arrays = counted(tally.without_layout.count, "array");
        let logical = bytes(tally.without_layout.logical);
        notes.push(format!(
            "Not counted: {arrays} without a layout, of {logical} of elements."
        ));
        if tally.layouts_missing() {
            notes.push(
                "The module was printed before layouts were chosen: print it after compiling."
                    .to_owned(),
            );
        }
    }
    notes.extend(without_size(tally.without_size));
    if tally.counted().next().is_none() && tally.without_layout.count == 0 {
        notes.push("No instruction that is counted gives an array.".to_owned());
    }
    for note in notes {
        out.paragraph(note);
    }
}
