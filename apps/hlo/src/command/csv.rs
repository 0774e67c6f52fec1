//! Answers as CSV. The columns are values of the JSON of each row.

use std::io::{self, Write};

use crate::group;
use serde_json::{Value, json};

use super::arguments::By;
use super::arrays::Asked;
use super::json::{MOST_ADVISED, Row, Totals};
use xlayout_command::json::with;

/// Writes the names of the columns, and the rows. A column is a key of the JSON, or has another
/// name: `name=path/of/keys`.
pub(super) fn table(
    out: &mut dyn Write,
    columns: &str,
    rows: impl Iterator<Item = Value>,
) -> io::Result<()> {
    let (names, paths): (Vec<&str>, Vec<&str>) = columns
        .split_whitespace()
        .map(|column| column.split_once('=').unwrap_or((column, column)))
        .unzip();
    let paths: Vec<_> = paths.iter().map(|path| format!("/{path}")).collect();
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(names).map_err(plain)?;
    for row in rows {
        csv.write_record(paths.iter().map(|path| text(row.pointer(path))))
            .map_err(plain)?;
    }
    csv.flush()
}

/// The text of a value: empty if it is null or missing; of an object with a word and a number, the
/// word.
fn text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Object(word)) => word.keys().next().cloned().unwrap_or_default(),
        Some(Value::Number(number)) if number.is_f64() => {
            format!("{:e}", number.as_f64().unwrap_or_default())
        }
        Some(other) => other.to_string(),
    }
}

pub(crate) fn write(out: &mut dyn Write, (arguments, findings): Asked<'_>) -> io::Result<()> {
    let rows = arguments.common.all_rows();
    let sort = arguments.sort;
    let Some(by) = arguments.by.filter(|by| *by != By::Shape) else {
        let rows = group::arrays(&findings.tally, sort.key())
            .into_iter()
            .take(rows)
            .enumerate()
            .map(|(k, array)| json!(Row::new(array, k < MOST_ADVISED)));
        let columns = "shape count logical_bytes allocated_bytes \
            total_logical_bytes total_allocated_bytes total_padding_bytes memory_space \
            better_shape=better/shape better_allocated_bytes=better/allocated_bytes";
        return table(out, columns, rows);
    };
    let [name, ..] = by.words();
    let rows = findings
        .groups(by, sort)
        .into_iter()
        .take(rows)
        .map(|group| {
            let totals = Totals::new(group.bytes, group.distinct);
            with(json!({ name: group.name }), json!(totals))
        });
    let columns = format!("{name} distinct count logical_bytes allocated_bytes padding_bytes");
    table(out, &columns, rows)
}

/// The error of the underlying writer, so that a closed pipe is recognised.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
