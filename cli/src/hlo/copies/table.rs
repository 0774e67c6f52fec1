//! Copies as a table, in groups or as CSV.

use std::io::{self, Write};

use xlayout_hlo::copies::{Copy, Every, Group, Overlap, Traffic};

use super::Arguments;
use crate::hlo::csv::{self, Column};
use crate::table::{Side, Table, more};
use crate::words::{bytes, grouped, time_range};

/// The groups of all modules.
pub(super) fn groups(out: &mut dyn Write, arguments: &Arguments, all: &[Group]) -> io::Result<()> {
    if arguments.csv {
        return groups_as_csv(out, arguments, all);
    }
    if all.is_empty() {
        return writeln!(out, "The modules make no copies.");
    }
    let bandwidth = arguments.bandwidth();
    let mut columns = ["bytes", "copies", "moved", "moves"]
        .map(|name| (name, Side::Right))
        .to_vec();
    columns.extend(bandwidth.map(|_| ("time", Side::Right)));
    columns.push((title(arguments), Side::Left));
    let mut table = Table::with_header(&columns);
    for group in all.iter().take(arguments.rows()) {
        let copies = [bytes(group.bytes), grouped(group.copies as u64)];
        let moves = [bytes(group.moved_bytes), grouped(group.moved as u64)];
        let mut cells = [copies, moves].concat();
        cells.extend(bandwidth.map(|bandwidth| time_range(group.traffic.seconds(bandwidth))));
        cells.push(group.name.clone());
        table.row(cells);
    }
    table.write(out, 0)?;
    more(out, 0, all.len(), arguments.rows())
}

/// The name of the column of the groups.
fn title(arguments: &Arguments) -> &'static str {
    match arguments.by {
        Some(by) => by.of_arrays().words()[0],
        None => unreachable!("groups are made only where they are asked for"),
    }
}

fn groups_as_csv(out: &mut dyn Write, arguments: &Arguments, all: &[Group]) -> io::Result<()> {
    let times = |k| move |group: &&Group| time(arguments, group.traffic, k);
    let columns: [Column<'_, &Group>; 9] = [
        (title(arguments), &|group| group.name.clone()),
        ("copies", &|group| group.copies.to_string()),
        ("bytes", &|group| group.bytes.to_string()),
        ("moves", &|group| group.moved.to_string()),
        ("moved_bytes", &|group| group.moved_bytes.to_string()),
        (TIMES[0], &times(0)),
        (TIMES[1], &times(1)),
        (TIMES[2], &times(2)),
        (TIMES[3], &times(3)),
    ];
    csv::table(out, &columns, all.iter().take(arguments.all_rows()))
}

/// The bytes that a bandwidth makes a time of, and this time. Empty where it is not known.
const TIMES: [&str; 4] = ["least_bytes", "most_bytes", "least_seconds", "most_seconds"];

/// One of [`TIMES`].
fn time(arguments: &Arguments, traffic: Traffic, which: usize) -> String {
    let bandwidth = arguments.bandwidth();
    let seconds = bandwidth.map(|bandwidth| traffic.seconds(bandwidth));
    let text = match which {
        0 => Some(traffic.least.to_string()),
        1 => traffic.most.map(|most| most.to_string()),
        2 => seconds.map(|seconds| format!("{:e}", seconds.0)),
        _ => seconds.and_then(|seconds| Some(format!("{:e}", seconds.1?))),
    };
    text.unwrap_or_default()
}

/// A row for each copy.
pub(super) fn copies(out: &mut dyn Write, arguments: &Arguments, all: &[Every]) -> io::Result<()> {
    let times = |k| move |copy: &Copy| time(arguments, copy.traffic, k);
    let columns: [Column<'_, Copy>; 19] = [
        ("file", &|copy| copy.file.clone()),
        ("module", &|copy| copy.module.clone()),
        ("instruction", &|copy| copy.instruction.clone()),
        ("computation", &|copy| copy.computation.clone()),
        ("opcode", &|copy| copy.opcode.clone()),
        ("kind", &|copy| copy.kind.name().to_owned()),
        ("from", &|copy| copy.from_shape.clone()),
        ("to", &|copy| copy.to_shape.clone()),
        ("bytes_read", &|copy| copy.read.to_string()),
        ("bytes_written", &|copy| copy.written.to_string()),
        ("executions", &|copy| {
            let count = copy.executions;
            count.map_or(String::new(), |count| count.to_string())
        }),
        ("executions_at_most", &|copy| copy.at_most.to_string()),
        ("overlap", &|copy| {
            let word = match copy.overlap {
                Overlap::Exposed => "exposed",
                Overlap::Hidden(_) => "hidden",
                Overlap::Unknown => "unknown",
            };
            word.to_owned()
        }),
        ("op_name", &|copy| copy.op_name.clone()),
        ("source", &|copy| copy.source.clone().unwrap_or_default()),
        (TIMES[0], &times(0)),
        (TIMES[1], &times(1)),
        (TIMES[2], &times(2)),
        (TIMES[3], &times(3)),
    ];
    let rows = all
        .iter()
        .flat_map(|every| every.copies().take(arguments.all_rows()));
    csv::table(out, &columns, rows)
}
