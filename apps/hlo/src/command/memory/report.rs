//! The answer for people.

use anstyle::Style;

use super::super::report::parts::{BAD, GOOD, NO_ENTRY, advice, without_size};
use crate::command::words::{
    bytes, counted, exact_bytes, grouped, module_name, shortened, space_name, wrapped,
};
use crate::memory::{Answer, Fit, Space};
use crate::page::report::{operation, saving};
use xlayout_command::table::{Cell, DIM, HEADER, Table, Text, more, width};

/// Spaces with less than one part in this number of the live bytes are not described one by one.
const SMALL: u128 = 1000;

pub(crate) fn write(out: &mut Text, answers: &[Answer]) {
    for (k, answer) in answers.iter().enumerate() {
        if k > 0 {
            out.blank();
        }
        write_answer(out, answer);
    }
}

fn write_answer(out: &mut Text, answer: &Answer) {
    let head = format!(
        "{}: {}, {}",
        answer.file,
        module_name(&shortened(&answer.module, 40)),
        counted(answer.steps as u64, "step")
    );
    out.line(0, head);
    out.blank();
    let counted_as = match answer.assigned_by {
        Some(_) => "XLA allocates",
        None => "XLA's peak",
    };
    let mut table = Table::with_header(&format!("memory space|>most alive|>{counted_as}|>|at"));
    for space in &answer.spaces {
        table.row([
            space_name(space.space).into(),
            bytes(space.live).into(),
            bytes(space.peak).into(),
            Cell::styled(grouped(space.peak), DIM),
            place(space).into(),
        ]);
    }
    if answer.spaces.len() > 1 {
        table.row([
            "sum".into(),
            bytes(answer.live).into(),
            bytes(answer.peak).into(),
            Cell::styled(grouped(answer.peak), DIM),
            Cell::from(""),
        ]);
    }
    if !answer.spaces.is_empty() {
        table.write(out, 0);
    }
    if let Some(fit) = &answer.fit {
        out.blank();
        let (style, text) = verdict(fit);
        let text = wrapped(&text, width(), 0);
        writeln!(out, "{style}{text}{style:#}");
    }
    for note in notes(answer) {
        out.blank();
        out.paragraph(note);
    }
    // Flags and scalars have their own spaces, for which the table is enough.
    let large = |space: &&Space| space.alive > 0 && space.live.saturating_mul(SMALL) >= answer.live;
    for space in answer.spaces.iter().filter(large) {
        out.blank();
        let fit = answer.fit.as_ref();
        alive(out, space, fit.filter(|fit| !fit.fits && space.space == 0));
    }
}

fn verdict(fit: &Fit) -> (Style, String) {
    let needed = bytes(fit.needed);
    let limit = exact_bytes(fit.limit_bytes);
    let [free, excess] = [
        u128::from(fit.limit_bytes).saturating_sub(fit.needed),
        fit.excess,
    ]
    .map(bytes);
    if fit.fits {
        (
            GOOD,
            format!("It fits: {needed} of {limit}, {free} stay free."),
        )
    } else {
        (
            BAD,
            format!("It does not fit: {needed} of {limit}, {excess} too much."),
        )
    }
}

fn place(space: &Space) -> String {
    // Bare instructions are in no computation.
    let names = [&space.at, &space.computation].into_iter();
    let names = names.filter(|name| !name.is_empty());
    let shown: Vec<String> = names.map(|name| shortened(name, 40)).collect();
    shown.join(" in ")
}

/// How what is alive at the peak differs from what `hlo` counts.
fn of_entry(answer: &Answer) -> String {
    let entry = &answer.entry;
    let parts: Vec<String> = [
        (
            entry.without_layout,
            "more is allocated without a layout in the text",
        ),
        (entry.idle, "of it are not alive at the peaks"),
        (
            entry.inner,
            "more are alive at the peaks, inside of loops, branches and calls",
        ),
    ]
    .into_iter()
    .filter(|(sum, _)| *sum > 0)
    .map(|(sum, what)| format!("{} {what}", bytes(sum)))
    .collect();
    let parts = if parts.is_empty() {
        "all of it is alive at the peaks".to_owned()
    } else {
        parts.join("; ")
    };
    let allocated = bytes(entry.bytes.allocated);
    format!(
        "ENTRY allocates {allocated} over the whole schedule, as `xlayout hlo` counts: {parts}."
    )
}

fn notes(answer: &Answer) -> Vec<String> {
    let mut notes = Vec::new();
    if answer.spaces.is_empty() {
        notes.push("No instruction gives an array that takes memory.".to_owned());
    } else {
        notes.push(of_entry(answer));
    }
    if answer.is_entry_assumed {
        notes.push(NO_ENTRY.to_owned());
    }
    if !answer.is_scheduled {
        notes.push(
            "The module is not scheduled (is_scheduled=true is missing): the sequence of the text is taken for the schedule."
                .to_owned(),
        );
    }
    if let Some(file) = &answer.assigned_by {
        notes.push(format!(
            "The peaks are what XLA allocates, by `{}`. Alive are {} of these {}: the rest is between arrays, or for tables of tuples.",
            file,
            exact_bytes(answer.live),
            exact_bytes(answer.peak)
        ));
    }
    notes.extend(without_size(answer.without_size));
    notes
}

/// What is alive at the peak of a space; `too_large` if it does not fit.
fn alive(out: &mut Text, space: &Space, too_large: Option<&Fit>) {
    let title = format!("{} over the schedule", space_name(space.space));
    writeln!(out, "{HEADER}{title}{HEADER:#}");
    let columns = width().saturating_sub(4).clamp(10, 72);
    writeln!(out, "  {}", sparkline(&space.timeline, columns));
    writeln!(out, "  {DIM}alive at {}{DIM:#}", place(space));
    if space.buffers.is_empty() {
        return;
    }
    let mut saved = 0;
    // If it does not fit, the table has a column for padding, which can be saved.
    let mut table = Table::with_header(match too_large {
        Some(_) => ">bytes|>padding|what|array|of",
        None => ">bytes|what|array|of",
    });
    for buffer in &space.buffers {
        let shape = buffer
            .shape
            .as_ref()
            .map_or(String::new(), |shape| shape.to_string());
        let mut cells = vec![
            bytes(buffer.bytes).into(),
            buffer.kind.into(),
            format!("{} {shape}", shortened(&buffer.instruction, 40)).into(),
            Cell::styled(
                shortened(&operation(&buffer.op_name, &buffer.source), 80),
                DIM,
            ),
        ];
        if too_large.is_none() {
            table.row(cells);
            continue;
        }
        cells.insert(1, Cell::from(bytes(buffer.bytes - buffer.logical_bytes)));
        table.row(cells);
        if let Some(better) = &buffer.better {
            let saving = buffer.bytes.saturating_sub(better.allocated_bytes);
            saved += saving;
            table.row(["", "", "", &advice(better, saving.into())]);
        }
    }
    table.write(out, 2);
    more(out, 2, space.alive, space.buffers.len());
    if let Some(fit) = too_large {
        out.blank();
        out.paragraph(what_to_cut(space, fit, saved));
    }
}

/// Which buffers to cut at the peak.
fn what_to_cut(space: &Space, fit: &Fit, saved: u64) -> String {
    let mut sum = 0;
    let count = space
        .buffers
        .iter()
        .position(|buffer| {
            sum += u128::from(buffer.bytes);
            sum >= fit.excess
        })
        .map_or(space.buffers.len(), |last| last + 1);
    let text = format!(
        "To cut {}, look at {} from the largest on, with {}.",
        bytes(fit.excess),
        counted(count as u64, "array"),
        bytes(sum)
    );
    match saved {
        0 => text,
        saved => {
            let listed = space.buffers.iter().map(|buffer| buffer.bytes).sum();
            format!("{text} {}", saving(saved, listed, Some(fit.excess)))
        }
    }
}

/// Memory over time, as a line of blocks.
fn sparkline(timeline: &[u128], width: usize) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let peak = timeline.iter().copied().max().unwrap_or(0).max(1);
    let count = timeline.len().min(width).max(1);
    (0..count)
        .map(|k| {
            let part = &timeline[k * timeline.len() / count..(k + 1) * timeline.len() / count];
            let bytes = part.iter().copied().max().unwrap_or(0);
            match bytes {
                0 => ' ',
                // Bytes are far below 2^120.
                bytes => BLOCKS[((bytes * 8).div_ceil(peak) as usize).clamp(1, 8) - 1],
            }
        })
        .collect()
}
