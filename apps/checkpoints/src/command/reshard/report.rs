//! The reports of plans and of units.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use crate::{Difference, Summary, UnitReport, Verified};
use serde::Serialize;

use crate::command::convert::speed;
use xlayout_command::Outcome;
use xlayout_words::{bytes, counted, exact_bytes, grouped};

/// One line of JSON.
pub(super) fn json(value: &impl Serialize, out: &mut dyn Write) -> Outcome {
    serde_json::to_writer(&mut *out, value).map_err(std::io::Error::from)?;
    Ok(writeln!(out)?)
}

/// Writes the costs of a plan.
pub(super) fn plan(plan: &Summary, file: Option<&Path>, out: &mut dyn Write) -> Outcome {
    let tensors = counted(plan.tensors, "tensor");
    let from = counted(plan.files, "file");
    let what = format!("{tensors} of {from} into {}", counted(plan.objects, "file"));
    match file {
        Some(file) => writeln!(out, "wrote `{}`: {what}", file.display())?,
        None => writeln!(out, "would plan {what}")?,
    }
    if plan.devices > 1 {
        writeln!(out, "  divided between {}", counted(plan.devices, "device"))?;
    }
    if plan.without_entry > 0 {
        let tensors = counted(plan.without_entry, "tensor");
        writeln!(out, "  without an entry, and left as they are: {tensors}")?;
    }
    if plan.skipped > 0 {
        let tensors = counted(plan.skipped, "tensor");
        writeln!(out, "  left out, as the specification says: {tensors}")?;
    }
    let times = plan.read as f64 / (plan.source_bytes as f64).max(1.0);
    let [least, middle, most] = plan.unit_bytes.map(bytes);
    writeln!(
        out,
        "  read     {}, each byte {times:.3} times
  written  {}
  units    {}: {least} to {most} each, {middle} in the middle; standard deviation {:.1}%
  memory   {} of buffers in a unit, at most
  time     {:.1} s with a machine for each unit that reads and writes 1 GB/s",
        exact_bytes(plan.read),
        exact_bytes(plan.written),
        grouped(plan.units),
        plan.spread * 100.0,
        bytes(plan.memory),
        plan.seconds_at_1_gb_per_second
    )?;
    Ok(())
}

/// Writes what was written, and how fast.
pub(super) fn done(units: &[UnitReport], time: Duration, out: &mut dyn Write) -> Outcome {
    let sum = |value: fn(&UnitReport) -> u64| units.iter().map(value).sum::<u64>();
    let read = sum(|unit| unit.read);
    let written = sum(|unit| unit.written);
    let objects = counted(sum(|unit| unit.objects as u64), "file");
    let before = sum(|unit| unit.done_before as u64);
    let done = match units {
        [unit] => format!("unit {}", unit.unit),
        _ => counted(units.len(), "unit"),
    };
    let [read, size] = [read, written].map(exact_bytes);
    let speed = speed(written, time);
    writeln!(out, "{done}: wrote {objects}, {size}{speed}; read {read}")?;
    if before > 0 {
        let files = counted(before, "file");
        writeln!(out, "  {files} had been written by an earlier run")?;
    }
    Ok(())
}

/// Writes the differences of the folders.
pub(super) fn differences(found: &Verified, checksums: bool, out: &mut dyn Write) -> Outcome {
    for Difference { object, what } in &found.differences {
        writeln!(out, "`{object}`: {what}")?;
    }
    let same = if checksums {
        "each file has the checksum with which it was written"
    } else {
        "each element is that of the source"
    };
    if found.differences.is_empty() {
        writeln!(out, "{same}")?;
    }
    for assumed in &found.assumed {
        writeln!(out, "  assumed, since no file says it: {assumed}")?;
    }
    Ok(())
}
