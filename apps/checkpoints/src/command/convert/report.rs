//! Reports: a bar during the conversion, and a summary at its end.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use xlayout::ArrayLayout;
use xlayout_relayout::Plan;

use crate::{Job, array};

use super::arguments::Resources;
use xlayout_command::Outcome;
use xlayout_words as words;

/// The most tensors that have a line each.
const SHOWN: usize = 12;

/// The least number of bytes for which the speed is reported.
const MEASURED: u64 = 16 << 20;

/// A bar of no bytes yet, on terminals only.
pub(super) fn bar(is_hidden: bool) -> ProgressBar {
    let target = if is_hidden {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    let template =
        "{bar:32} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("━╸─")),
        Err(_) => bar,
    }
}

/// What is done to each array.
pub(super) fn arrays(jobs: &[Job], all: bool, out: &mut dyn Write) -> Outcome {
    let limit = if all { jobs.len() } else { SHOWN };
    for job in jobs.iter().take(limit) {
        let name = (job.tensor.as_ref()).map_or(String::new(), |name| format!("{name}: "));
        writeln!(out, "  {name}{}", what(job))?;
    }
    if let Some(rest @ 1..) = jobs.len().checked_sub(limit) {
        writeln!(out, "  and {} more", words::counted(rest, "tensor"))?;
    }
    Ok(())
}

/// The arrays and the way from one to the other, in one line.
fn what(job: &Job) -> String {
    let piece = &job.pieces[0];
    let dst = &*job.layout;
    let src = &*piece.layout;
    let plan = Plan::new(src, dst).map_or_else(|error| error.to_string(), |plan| plan.to_string());
    let mut text = if array::same_memory(src, dst) {
        format!("{}, copied as it is", array::text(dst))
    } else {
        // The first line of the plan, and the smaller boxes at the edges, without loops and bytes.
        let mut lines = plan.lines();
        let first = lines.next().unwrap_or_default().to_owned();
        let boxes = lines.filter_map(|line| line.strip_prefix("  and "));
        boxes.fold(first, |text, part| format!("{text}, and {part}"))
    };
    if piece.swap.is_some() {
        text += "; from big-endian to little-endian";
    }
    if dst.padding() > 0 {
        let padding = words::counted(dst.padding(), "element");
        text += &format!("; {padding} of padding, zero");
    }
    text
}

/// How an array is read and written, for `--dry-run`.
pub(super) fn blocks(job: &Job, resources: &Resources, out: &mut dyn Write) -> Outcome {
    let threads = resources.threads();
    let (count, sizes, runs) = job.cut(threads, resources.memory());
    match (count, runs) {
        (0, _) | (_, None) => {}
        (1, _) => writeln!(out, "    in one block")?,
        (count, Some((read, written))) => {
            let blocks = words::counted(count, "block");
            let sizes = words::joined(&sizes, ",");
            let [read, written] = [read, written].map(words::bytes);
            let runs = format!("read in runs of {read} and written in runs of {written}");
            // The blocks depend on the number of threads, which is that of the processors unless it
            // was given.
            let threads = words::counted(threads, "thread");
            writeln!(out, "    in {blocks} of [{sizes}] for {threads}, {runs}")?;
        }
    }
    Ok(())
}

/// The last line: what was written, and how fast.
pub(super) fn done(path: &Path, bytes: u64, time: Duration, out: &mut dyn Write) -> Outcome {
    let size = words::exact_bytes(bytes);
    let speed = speed(bytes, time);
    writeln!(out, "wrote `{}`: {size}{speed}", path.display())?;
    Ok(())
}

/// The speed as text. Empty for few bytes, whose time is mostly that of starting.
pub(crate) fn speed(bytes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match bytes {
        ..MEASURED => String::new(),
        _ => {
            let each = words::bytes((bytes as f64 / seconds.max(1e-9)) as u64);
            format!(" in {seconds:.2} s, {each}/s")
        }
    }
}
