//! Answers as CSV: columns have a name, and say what each row has in them.

use std::io::{self, Write};

use xlayout_hlo::advice::{Better, better};
use xlayout_hlo::group::{self, Group};
use xlayout_hlo::{Array, reread};

use super::Arrays;
use super::arguments::{Arguments, By};

/// So many rows get advice: to look for it takes longer than to count.
pub(crate) const MOST_ADVISED: usize = 10_000;

/// A column of rows of this kind.
pub(super) type Column<'a, T> = (&'static str, &'a dyn Fn(&T) -> String);

/// Writes the names of the columns, and the rows.
pub(super) fn table<T>(
    out: &mut dyn Write,
    columns: &[Column<'_, T>],
    rows: impl Iterator<Item = T>,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(columns.iter().map(|column| column.0))
        .map_err(plain)?;
    for row in rows {
        csv.write_record(columns.iter().map(|column| column.1(&row)))
            .map_err(plain)?;
    }
    csv.flush()
}

pub(crate) fn write(
    out: &mut dyn Write,
    arguments: &Arguments,
    findings: &Arrays<'_>,
) -> io::Result<()> {
    match arguments.by {
        None | Some(By::Shape) => arrays(out, arguments, findings),
        Some(by) => groups(out, arguments, findings, by),
    }
}

fn arrays(out: &mut dyn Write, arguments: &Arguments, findings: &Arrays<'_>) -> io::Result<()> {
    let columns: [Column<'_, (&Array, Option<Better>)>; 10] = [
        ("shape", &|row| row.0.shape.to_string()),
        ("count", &|row| row.0.count.to_string()),
        ("logical_bytes", &|row| row.0.logical.to_string()),
        ("allocated_bytes", &|row| row.0.allocated.to_string()),
        ("total_logical_bytes", &|row| {
            row.0.total().logical.to_string()
        }),
        ("total_allocated_bytes", &|row| {
            row.0.total().allocated.to_string()
        }),
        ("total_padding_bytes", &|row| {
            row.0.total().padding().to_string()
        }),
        ("memory_space", &|row| row.0.memory_space.to_string()),
        ("better_shape", &|row| {
            let better = row.1.as_ref();
            better.map_or(String::new(), |better| better.shape.clone())
        }),
        ("better_allocated_bytes", &|row| {
            let better = row.1.as_ref();
            better.map_or(String::new(), |better| better.allocated.to_string())
        }),
    ];
    let arrays = group::arrays(&findings.tally, arguments.sort.key());
    let arrays = arrays.into_iter().take(arguments.all_rows()).enumerate();
    let rows = arrays.map(|(k, array)| {
        let advised = (k < MOST_ADVISED).then(|| better(&reread(&array.shape)));
        (array, advised.flatten())
    });
    table(out, &columns, rows)
}

fn groups(
    out: &mut dyn Write,
    arguments: &Arguments,
    findings: &Arrays<'_>,
    by: By,
) -> io::Result<()> {
    let [name, ..] = by.words();
    let columns: [Column<'_, Group>; 6] = [
        (name, &|group| group.name.clone()),
        ("distinct", &|group| group.distinct.to_string()),
        ("count", &|group| group.bytes.count.to_string()),
        ("logical_bytes", &|group| group.bytes.logical.to_string()),
        ("allocated_bytes", &|group| {
            group.bytes.allocated.to_string()
        }),
        ("padding_bytes", &|group| group.bytes.padding().to_string()),
    ];
    let all = findings.groups(by, arguments.sort);
    table(out, &columns, all.into_iter().take(arguments.all_rows()))
}

/// The error of the writer underneath: a closed pipe must look like one.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
