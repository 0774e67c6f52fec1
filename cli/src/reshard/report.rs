//! What is reported of plans and of units.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use xlayout_reshard::{Difference, Summary, UnitReport};

use crate::failure::{Failure, Outcome};
use crate::words::{bytes, counted, exact_bytes};

/// One line of JSON.
pub(super) fn json(value: &impl Serialize, out: &mut dyn Write) -> Outcome {
    let text = serde_json::to_string(value);
    let text = text.map_err(|error| Failure::file(format_args!("cannot write JSON: {error}")))?;
    Ok(writeln!(out, "{text}")?)
}

/// What a plan costs.
pub(super) fn plan(plan: &Summary, file: Option<&Path>, out: &mut dyn Write) -> Outcome {
    let what = format!(
        "{} of {} into {}",
        counted(plan.tensors, "tensor"),
        counted(plan.files, "file"),
        counted(plan.objects, "file"),
    );
    match file {
        Some(file) => writeln!(out, "wrote `{}`: {what}", file.display())?,
        None => writeln!(out, "would plan {what}")?,
    }
    if plan.devices > 1 {
        writeln!(out, "  divided between {}", counted(plan.devices, "device"))?;
    }
    if plan.without_entry > 0 {
        writeln!(
            out,
            "  without an entry, and left as they are: {}",
            counted(plan.without_entry, "tensor")
        )?;
    }
    let times = plan.read as f64 / (plan.source_bytes as f64).max(1.0);
    writeln!(
        out,
        "  read     {}, each byte {times:.3} times",
        exact_bytes(plan.read)
    )?;
    writeln!(out, "  written  {}", exact_bytes(plan.written))?;
    let [least, middle, most] = plan.unit_bytes.map(bytes);
    writeln!(
        out,
        "  units    {}: {least} to {most} each, {middle} in the middle; standard deviation {:.1}%",
        counted(plan.units, "unit")
            .replace(" units", "")
            .replace(" unit", ""),
        plan.spread * 100.0
    )?;
    writeln!(
        out,
        "  memory   {} of buffers in a unit, at most",
        bytes(plan.memory)
    )?;
    writeln!(
        out,
        "  time     {:.1} s with a machine for each unit that reads and writes 1 GB/s",
        plan.seconds_at_1_gb_per_second
    )?;
    Ok(())
}

/// What was written, and how fast.
pub(super) fn done(units: &[UnitReport], time: Duration, out: &mut dyn Write) -> Outcome {
    let sum = |of: &dyn Fn(&UnitReport) -> u64| units.iter().map(of).sum::<u64>();
    let (read, written) = (sum(&|unit| unit.read), sum(&|unit| unit.written));
    let objects = sum(&|unit| unit.objects as u64);
    let before = sum(&|unit| unit.done_before as u64);
    let seconds = time.as_secs_f64();
    let speed = match written {
        ..0x100_0000 => String::new(),
        _ => format!(
            " in {seconds:.2} s, {}/s",
            bytes((written as f64 / seconds.max(1e-9)) as u64)
        ),
    };
    let of = match units {
        [unit] => format!("unit {}", unit.unit),
        _ => counted(units.len(), "unit"),
    };
    writeln!(
        out,
        "{of}: wrote {}, {}{speed}; read {}",
        counted(objects, "file"),
        exact_bytes(written),
        exact_bytes(read)
    )?;
    if before > 0 {
        writeln!(
            out,
            "  {} had been written by an earlier run",
            counted(before, "file")
        )?;
    }
    Ok(())
}

/// Where the folders differ.
pub(super) fn differences(found: &[Difference], checksums: bool, out: &mut dyn Write) -> Outcome {
    for Difference { object, what } in found {
        writeln!(out, "`{object}`: {what}")?;
    }
    if found.is_empty() {
        writeln!(
            out,
            "{}",
            match checksums {
                true => "each file has the checksum with which it was written",
                false => "each element is that of the source",
            }
        )?;
    }
    Ok(())
}
