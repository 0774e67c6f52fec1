//! Copies as a table, in groups or as CSV.

use std::io::{self, Write};

use crate::copies::{Every, Group};
use serde_json::json;

use super::super::arguments::Copies;
use super::json::Planned;
use crate::command::csv;
use crate::command::words::{bytes, grouped, time_range};
use xlayout_command::json::with;
use xlayout_command::table::{Table, more, print};

/// The groups of all modules.
pub(super) fn groups(out: &mut dyn Write, arguments: &Copies, all: &[Group]) -> io::Result<()> {
    if arguments.csv {
        return groups_as_csv(out, arguments, all);
    }
    if all.is_empty() {
        return writeln!(out, "The modules make no copies.");
    }
    let bandwidth = arguments.bandwidth();
    let time = if bandwidth.is_some() { "|>time" } else { "" };
    let title = title(arguments);
    let columns = format!(">bytes|>copies|>moved|>moves{time}|{title}");
    let mut table = Table::with_header(&columns);
    for group in all.iter().take(arguments.common.rows()) {
        let copies = [bytes(group.bytes), grouped(group.copies as u64)];
        let moves = [bytes(group.moved_bytes), grouped(group.moved as u64)];
        let mut cells = [copies, moves].concat();
        cells.extend(bandwidth.map(|bandwidth| time_range(group.traffic.seconds(bandwidth))));
        cells.push(group.name.clone());
        table.row(cells);
    }
    print(out, |out| {
        table.write(out, 0);
        more(out, 0, all.len(), arguments.common.rows());
    })
}

/// The name of the column of the groups.
fn title(arguments: &Copies) -> &'static str {
    match arguments.by {
        Some(by) => by.words()[0],
        None => unreachable!("groups are made only where they are asked for"),
    }
}

/// The columns of the times; they are empty if the bandwidth is not known.
const TIMES: &str = "least_seconds=seconds/0 most_seconds=seconds/1";

fn groups_as_csv(out: &mut dyn Write, arguments: &Copies, all: &[Group]) -> io::Result<()> {
    let bandwidth = arguments.bandwidth();
    let row = |group: &Group| {
        let seconds = bandwidth.map(|bandwidth| group.traffic.seconds(bandwidth));
        with(json!(group), json!({ "seconds": seconds }))
    };
    let columns = format!(
        "{}=name copies bytes moves=moved moved_bytes least_bytes most_bytes {TIMES}",
        title(arguments)
    );
    let rows = all.iter().take(arguments.common.all_rows()).map(row);
    csv::table(out, &columns, rows)
}

/// A row for each copy.
pub(super) fn copies(out: &mut dyn Write, arguments: &Copies, all: &[Every]) -> io::Result<()> {
    let rows = arguments.common.all_rows();
    let bandwidth = arguments.bandwidth();
    let rows = all
        .iter()
        .flat_map(|every| every.copies().take(rows))
        .map(|copy| json!(Planned::new(copy, bandwidth)));
    let columns = "file module instruction computation opcode kind from=from_shape to=to_shape \
        bytes_read bytes_written executions executions_at_most overlap op_name source \
        least_bytes=traffic/least_bytes most_bytes=traffic/most_bytes";
    csv::table(out, &format!("{columns} {TIMES}"), rows)
}
