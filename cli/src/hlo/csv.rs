//! The answer as CSV.

use std::io::{self, Write};

use super::arguments::{Arguments, By};
use xlayout_hlo::{advice, group, reread};

use super::Arrays;

/// So many rows get advice: to look for it takes longer than to count.
pub(crate) const MOST_ADVISED: usize = 10_000;

pub(crate) fn write(
    out: &mut dyn Write,
    arguments: &Arguments,
    findings: &Arrays<'_>,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    match arguments.by {
        None | Some(By::Shape) => arrays(&mut csv, arguments, findings)?,
        Some(by) => groups(&mut csv, arguments, findings, by)?,
    }
    csv.flush()
}

fn arrays(
    csv: &mut csv::Writer<&mut dyn Write>,
    arguments: &Arguments,
    findings: &Arrays<'_>,
) -> io::Result<()> {
    csv.write_record([
        "shape",
        "count",
        "logical_bytes",
        "allocated_bytes",
        "total_logical_bytes",
        "total_allocated_bytes",
        "total_padding_bytes",
        "memory_space",
        "better_shape",
        "better_allocated_bytes",
    ])
    .map_err(plain)?;
    let arrays = group::arrays(&findings.tally, arguments.sort.key());
    for (k, array) in arrays.iter().take(arguments.all_rows()).enumerate() {
        let total = array.total();
        let better = match k < MOST_ADVISED {
            true => advice::better(&reread(&array.shape)),
            false => None,
        };
        let (shape, allocated) = better.map_or_else(Default::default, |better| {
            (better.shape, better.allocated.to_string())
        });
        csv.write_record([
            array.shape.to_string(),
            array.count.to_string(),
            array.logical.to_string(),
            array.allocated.to_string(),
            total.logical.to_string(),
            total.allocated.to_string(),
            total.padding().to_string(),
            array.memory_space.to_string(),
            shape,
            allocated,
        ])
        .map_err(plain)?;
    }
    Ok(())
}

fn groups(
    csv: &mut csv::Writer<&mut dyn Write>,
    arguments: &Arguments,
    findings: &Arrays<'_>,
    by: By,
) -> io::Result<()> {
    let name = match by {
        By::Shape => "shape",
        By::Layout => "layout",
        By::Type => "element_type",
        By::Space => "memory_space",
        By::Opcode => "opcode",
        By::Scope => "scope",
        By::Source => "source",
    };
    csv.write_record([
        name,
        "distinct",
        "count",
        "logical_bytes",
        "allocated_bytes",
        "padding_bytes",
    ])
    .map_err(plain)?;
    let all = findings.groups(by, arguments.sort);
    for group in all.iter().take(arguments.all_rows()) {
        csv.write_record([
            group.name.clone(),
            group.distinct.to_string(),
            group.bytes.count.to_string(),
            group.bytes.logical.to_string(),
            group.bytes.allocated.to_string(),
            group.bytes.padding().to_string(),
        ])
        .map_err(plain)?;
    }
    Ok(())
}

/// The error of the writer underneath: a closed pipe must look like one.
pub(super) fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
