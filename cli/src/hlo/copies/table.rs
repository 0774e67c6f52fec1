//! Copies as a table, in groups or as CSV.

use std::io::{self, Write};

use xlayout_hlo::copies::{Copy, Every, Group, Overlap, Traffic};

use super::Arguments;
use crate::hlo::csv::plain;
use crate::table::{DIM, Side, Table};
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
    let name = match arguments.by {
        Some(by) => by.title(),
        None => unreachable!("groups are made only where they are asked for"),
    };
    columns.push((name, Side::Left));
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
    let more = all.len().saturating_sub(arguments.rows());
    if more > 0 {
        writeln!(
            out,
            "{DIM}… {} more: `--top all`{DIM:#}",
            grouped(more as u64)
        )?;
    }
    Ok(())
}

fn groups_as_csv(out: &mut dyn Write, arguments: &Arguments, all: &[Group]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let name = arguments.by.map_or("group", |by| by.title());
    let header = [name, "copies", "bytes", "moves", "moved_bytes"];
    let header = header.into_iter().chain(TIMES);
    csv.write_record(header).map_err(plain)?;
    for group in all.iter().take(arguments.all_rows()) {
        let counts = [
            group.name.clone(),
            group.copies.to_string(),
            group.bytes.to_string(),
            group.moved.to_string(),
            group.moved_bytes.to_string(),
        ];
        let times = times(arguments, group.traffic);
        csv.write_record(counts.into_iter().chain(times))
            .map_err(plain)?;
    }
    csv.flush()
}

/// The bytes that a bandwidth makes a time of, and this time. Empty where it is not known.
const TIMES: [&str; 4] = ["least_bytes", "most_bytes", "least_seconds", "most_seconds"];

fn times(arguments: &Arguments, traffic: Traffic) -> [String; 4] {
    let seconds = arguments
        .bandwidth()
        .map(|bandwidth| traffic.seconds(bandwidth));
    let text =
        |seconds: Option<f64>| seconds.map_or(String::new(), |seconds| format!("{seconds:e}"));
    [
        traffic.least.to_string(),
        traffic.most.map_or(String::new(), |most| most.to_string()),
        text(seconds.map(|seconds| seconds.0)),
        text(seconds.and_then(|seconds| seconds.1)),
    ]
}

/// A row for each copy.
pub(super) fn copies(out: &mut dyn Write, arguments: &Arguments, all: &[Every]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let names = [
        "file",
        "module",
        "instruction",
        "computation",
        "opcode",
        "kind",
        "from",
        "to",
        "bytes_read",
        "bytes_written",
        "executions",
        "executions_at_most",
        "overlap",
        "op_name",
        "source",
    ];
    csv.write_record(names.into_iter().chain(TIMES))
        .map_err(plain)?;
    for every in all {
        for copy in every.copies().take(arguments.all_rows()) {
            let times = times(arguments, copy.traffic);
            csv.write_record(row(copy).into_iter().chain(times))
                .map_err(plain)?;
        }
    }
    csv.flush()
}

fn row(copy: Copy) -> [String; 15] {
    let overlap = match copy.overlap {
        Overlap::Exposed => "exposed",
        Overlap::Hidden(_) => "hidden",
        Overlap::Unknown => "unknown",
    };
    [
        copy.file,
        copy.module,
        copy.instruction,
        copy.computation,
        copy.opcode,
        copy.kind.name().to_owned(),
        copy.from_shape,
        copy.to_shape,
        copy.read.to_string(),
        copy.written.to_string(),
        copy.executions
            .map_or(String::new(), |count| count.to_string()),
        copy.at_most.to_string(),
        overlap.to_owned(),
        copy.op_name,
        copy.source.unwrap_or_default(),
    ]
}
