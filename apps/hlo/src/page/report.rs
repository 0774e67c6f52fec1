//! The answer to reports of running out of memory: figures, allocations, and what to do.

use std::cmp::Reverse;

use anstyle::{AnsiColor, Style};
use xlayout_view::table::{Cell, DIM, HEADER, Table, Text, pairs};
use xlayout_view::words::percent;
use xlayout_words::{bytes, counted, grouped, listed, shortened};

use crate::Bytes;
use crate::advice::{Better, Change};
use crate::oom::{
    Allocation, Cause, OF_UNKNOWN_TYPE, Part, RESULT_OF_KERNEL, Report, Reports, Section, Sums,
    Temporary,
};

/// The style of results that need attention.
pub(crate) const BAD: Style = AnsiColor::Yellow.on_default();

/// What a better layout would save.
pub(crate) fn advice(better: &Better, saving: u128) -> String {
    let layout = crate::layout(&better.shape);
    let what = match better.change {
        Change::SmallerTile => ", a smaller tile",
        Change::Tile | Change::MinorToMajor => "",
    };
    format!("→ {layout} saves {}{what}", bytes(saving))
}

/// Padding in percent.
pub(crate) fn waste(sum: Bytes) -> Cell {
    let text = percent(sum.padding(), sum.allocated);
    // A quarter and more.
    if sum.padding() * 4 >= sum.allocated && sum.padding() > 0 {
        Cell::styled(text, BAD)
    } else {
        text.into()
    }
}

/// Writes the reports of each file for people, with at most `rows` rows of each list: all of them
/// as a list, and the first failure in full.
pub(crate) fn write(out: &mut Text, files: &[(String, &Reports)], rows: usize) {
    let of_files = files.iter().flat_map(|(file, found)| {
        let reports = found.reports.iter();
        reports.map(move |report| (file, report))
    });
    let all: Vec<_> = of_files.collect();
    let is_failure = |(_, report): &&(_, &Report)| !report.cause.is_warning();
    let first = all.iter().find(is_failure).or(all.first());
    if let [_, _, ..] = &all[..] {
        writeln!(out, "{HEADER}Reports of running out of memory{HEADER:#}");
        let mut table = Table::with_header("place|what it says");
        for (file, report) in &all[..all.len().min(rows.max(1))] {
            let line = format!("line {}", report.line);
            let place = if files.len() == 1 {
                line
            } else {
                format!("{file}, {line}")
            };
            table.row([Cell::from(place), one_line(report).into()]);
        }
        table.write(out, 2);
        let left_out: u64 = files.iter().map(|(_, found)| found.left_out).sum();
        let not_shown = all.len().saturating_sub(rows.max(1));
        let more = not_shown as u64 + left_out;
        if more > 0 {
            let how = if not_shown > 0 { ": `--top all`" } else { "" };
            writeln!(out, "  {DIM}… {} more{how}{DIM:#}", grouped(more));
        }
        out.blank();
    }
    if let Some((file, report)) = first {
        write_report(out, &format!("{file}, line {}", report.line), report, rows);
    }
}

/// What a report says, in one line of a list.
fn one_line(report: &Report) -> String {
    let mut text = title(report);
    if let Some(used) = report.used_bytes {
        text += &format!(": {}", bytes(used));
        let limit = report.limit_bytes.map(bytes);
        let is_request = report.cause.is_request();
        let limit = limit.map(|limit| {
            if is_request {
                format!(", {limit} free")
            } else {
                format!(" of {limit}")
            }
        });
        text += &limit.unwrap_or_default();
    }
    if report.times > 1 {
        text += &format!(" ({})", counted(report.times, "time"));
    }
    text
}

/// What a report is about.
fn title(report: &Report) -> String {
    let what = match report.cause {
        Cause::Figures if report.section(Sums::Compiled).is_some() => {
            "what a compiled program takes"
        }
        Cause::Figures => "figures of an allocator, without a failure",
        Cause::Rematerialization => "a warning: the program takes more memory than its limit",
        Cause::Attempt => "an attempt of an allocator that failed",
        Cause::Arguments => "a warning: arguments and results alone exceed the limit",
        Cause::Buffer => "an argument has another size than the program expects",
        Cause::HostResult => "a result is on the host, and the program says it is on the device",
        Cause::Host => "out of memory of the host",
        Cause::Program | Cause::Kernel | Cause::Request | Cause::Tensor | Cause::Load => {
            "out of memory"
        }
    };
    let space = match &*report.memory_space {
        "" | "host" => String::new(),
        space => format!(" in {}", shortened(space, 40)),
    };
    let module = match &*report.module {
        "" => String::new(),
        module => format!(", module {}", shortened(module, 40)),
    };
    let when = match report.cause {
        Cause::Load => ", when a program was loaded",
        _ => "",
    };
    format!("{what}{space}{when}{module}")
}

/// Writes a report: its figures, then its allocations or how to get a list of them.
fn write_report(out: &mut Text, place: &str, report: &Report, rows: usize) {
    let times = match report.times {
        1 => String::new(),
        _ => format!("; the text says so {}", counted(report.times, "time")),
    };
    out.line(0, format!("{place}: {}{times}", title(report)));
    pairs(out, &figures(report), 2);
    let shown = &report.allocations[..report.allocations.len().min(rows)];
    let is_list = array(report).is_none() && report.cause != Cause::Buffer && !shown.is_empty();
    if is_list {
        out.blank();
        write_allocations(out, report, shown);
    }
    for text in answers(report) {
        out.blank();
        out.paragraph(text);
    }
    // Without a figure of what is free, what was asked for is mostly a program's.
    let is_of_program = match report.cause {
        Cause::Program | Cause::Rematerialization | Cause::Load => true,
        Cause::Request => report.limit_bytes.is_none() && report.allocations.is_empty(),
        _ => false,
    };
    if is_of_program && !is_list {
        out.blank();
        advise_dump(out, report);
    }
}

/// The array of a headline of which the text does not say the bytes.
fn array(report: &Report) -> Option<&Allocation> {
    let mut arrays = report.allocations.iter();
    arrays.find(|array| [RESULT_OF_KERNEL, OF_UNKNOWN_TYPE].contains(&&*array.kind))
}

/// Bytes as text, where they are known.
fn known(size: Option<u64>) -> String {
    size.map_or_else(|| "an unknown number of bytes".to_owned(), bytes)
}

/// The figures of a report, each with its name.
fn figures(report: &Report) -> Vec<(&'static str, Cell)> {
    let mut rows = Vec::new();
    let mut row = |name, text: String| rows.push((name, Cell::from(text)));
    if let Some(used) = report.used_bytes {
        row("needed", needed_text(report, used));
    }
    if let Some(array) = array(report) {
        let name = shortened(&array.label, 60);
        let is_kernel = array.kind == RESULT_OF_KERNEL;
        row(
            if is_kernel { "kernel" } else { "array" },
            match &*array.shape {
                "" if is_kernel => name,
                "" => format!("{name}, {OF_UNKNOWN_TYPE}: its elements times their bytes"),
                shape => format!(
                    "{name}, whose result {} takes {}",
                    shortened(shape, 60),
                    known(array.bytes)
                ),
            },
        );
    }
    if report.cause == Cause::Buffer {
        for (name, array) in ["expected", "given"].into_iter().zip(&report.allocations) {
            row(
                name,
                format!("{}, {}", shortened(&array.shape, 80), known(array.bytes)),
            );
        }
    }
    if let Some(allocator) = report.section(Sums::Allocator) {
        row("allocator", sum_text(allocator));
    }
    for (sums, name) in [
        (Sums::Bins, "bins"),
        (Sums::Chunks, "in use"),
        (Sums::FreeChunks, "free"),
    ] {
        if let Some(section) = report.section(sums) {
            let mut parts = part_texts(section);
            parts.insert(0, format!("{} in pieces", known(section.bytes)));
            row(name, parts.join(", "));
        }
    }
    for sums in [Sums::Compiled, Sums::Usage] {
        if let Some(section) = report.section(sums) {
            row("in all", sum_text(section));
        }
    }
    if let Some(assignment) = report.section(Sums::Assignment) {
        let gaps = assignment.part(FRAGMENTATION).filter(|gaps| *gaps > 0);
        let gaps = gaps.map(|gaps| format!("; {} of it are fragmentation", bytes(gaps)));
        let text = sum_text(assignment) + &gaps.unwrap_or_default();
        if !text.is_empty() {
            row("in all", text);
        }
    }
    if let Some(capacity) = report.section(Sums::Capacity) {
        row("device", device_text(capacity));
    }
    if let Some(persistent) = report.section(Sums::Persistent) {
        let parts = listed(&part_texts(persistent));
        row("of a run", format!("{parts} stay allocated"));
    }
    if let Some(results) = report.output_bytes.filter(|results| *results > 0) {
        let shared = report.shared_output_bytes;
        let shared =
            shared.map(|shared| format!(", {} of them in the memory of arguments", bytes(shared)));
        row("results", bytes(results) + &shared.unwrap_or_default());
    }
    if let Some(program) = report.section(Sums::Program) {
        row("program", sum_text(program));
    }
    if let Some(temporary) = report.temporary {
        row("temporary", temporary_text(&temporary));
    }
    rows
}

/// What was needed, and what there was.
fn needed_text(report: &Report, used: u64) -> String {
    let needed = bytes(used);
    if report.is_fragmented() {
        let free = known(report.limit_bytes);
        if let Some(kept) = report.kept_bytes {
            let kept = bytes(kept);
            return format!(
                "{needed} in one piece; {free} are free, and PyTorch keeps {kept} that no tensor \
                 uses: the memory is fragmented"
            );
        }
        let piece = match report.largest_free_bytes {
            Some(piece) if report.cause == Cause::Load => {
                format!("but the piece at the bottom of memory is {}", bytes(piece))
            }
            Some(piece) => format!("but the largest piece is {}", bytes(piece)),
            None => "but not in one piece".to_owned(),
        };
        return format!(
            "{needed} in one piece; {free} are free, {piece}: the memory is fragmented"
        );
    }
    let limit = match (report.limit_bytes, report.cause.is_request()) {
        (None, _) => String::new(),
        (Some(free), true) => format!(", and {} are free", bytes(free)),
        (Some(limit), false) => format!(" of {}", bytes(limit)),
    };
    let excess = report
        .excess()
        .map(|excess| format!(", {} too much", bytes(excess)));
    format!("{needed}{limit}{}", excess.unwrap_or_default())
}

/// The part of an assignment that is no part of its sum: the gaps inside of the other parts.
const FRAGMENTATION: &str = "total fragmentation";

/// What the memory of a device is for, and by how much that is more than there is.
fn device_text(capacity: &Section) -> String {
    let parts_of = listed(&part_texts(capacity));
    let Some(total) = capacity.bytes else {
        return parts_of;
    };
    let excess = match sum_of(capacity).saturating_sub(total) {
        0 => String::new(),
        excess => format!(": {} too much", bytes(excess)),
    };
    format!("{} for {parts_of}{excess}", bytes(total))
}

/// The parts that make up a sum.
fn parts_of(section: &Section) -> impl Iterator<Item = &Part> {
    let parts = section.parts.iter();
    parts.filter(|part| part.name != FRAGMENTATION)
}

/// The bytes of the parts that have a figure.
fn sum_of(section: &Section) -> u64 {
    let bytes = parts_of(section).filter_map(|part| part.bytes);
    bytes.fold(0, u64::saturating_add)
}

/// The parts of a sum, the largest first. Parts below a thousandth of the total are one.
fn part_texts(section: &Section) -> Vec<String> {
    let mut large = Vec::new();
    let mut texts = Vec::new();
    let mut small_bytes = 0_u64;
    // Without a total nothing is known to be a small part of it.
    let total = section.bytes.filter(|_| section.sums != Sums::Allocator);
    let is_small = |bytes| total.is_some_and(|total| bytes < total / 1000);
    for part in parts_of(section) {
        match part.bytes {
            Some(bytes) if bytes > 0 && is_small(bytes) => small_bytes += bytes,
            Some(bytes) => large.push((bytes, &part.name)),
            None => texts.push(format!("{} of unknown size", shortened(&part.name, 40))),
        }
    }
    large.sort_by_key(|(bytes, _)| Reverse(*bytes));
    let large = large.into_iter();
    let known = large.map(|(size, name)| format!("{} {}", shortened(name, 40), bytes(size)));
    texts.splice(0..0, known);
    if small_bytes > 0 {
        texts.push(format!("others {}", bytes(small_bytes)));
    }
    texts
}

/// The total and its parts, and what of the total no part names.
fn sum_text(section: &Section) -> String {
    let mut parts = part_texts(section);
    if section.sums == Sums::Allocator {
        let limit = section.bytes.filter(|limit| *limit > 0);
        let limit = limit.map(|limit| format!(" of {}", bytes(limit)));
        return listed(&parts) + &limit.unwrap_or_default();
    }
    // XLA rounds its figures, so a small rest says nothing.
    let is_known = parts_of(section).all(|part| part.bytes.is_some());
    let rest = section.bytes.and_then(|total| {
        let rest = total.saturating_sub(sum_of(section));
        (is_known && !parts.is_empty() && rest > total / 100).then_some(rest)
    });
    parts.extend(rest.map(|rest| format!("parts without a figure {}", bytes(rest))));
    let parts = listed(&parts);
    match (section.bytes, parts.is_empty()) {
        (Some(total), true) => bytes(total),
        (Some(total), false) => format!("{}: {parts}", bytes(total)),
        (None, _) => parts,
    }
}

/// Padding and fragmentation of temporary buffers, each by itself.
fn temporary_text(temporary: &Temporary) -> String {
    let all = bytes(temporary.bytes);
    let padded = temporary
        .padded_bytes
        .or_else(|| temporary.bytes.checked_sub(temporary.fragmentation_bytes?));
    let padding = match (padded, temporary.logical_bytes) {
        (Some(padded), Some(logical)) => {
            let padding = padded.saturating_sub(logical);
            let part = percent(padding, temporary.bytes);
            Some(format!("{} ({part}) are padding", bytes(padding)))
        }
        _ => None,
    };
    let gaps = temporary.fragmentation_bytes.filter(|gaps| *gaps > 0);
    let gaps = gaps.map(|gaps| {
        let part = percent(gaps, temporary.bytes);
        format!(
            "{} ({part}) are fragmentation, which no layout removes",
            bytes(gaps)
        )
    });
    let known: Vec<String> = [padding, gaps].into_iter().flatten().collect();
    match (known.is_empty(), temporary.logical_bytes) {
        (false, _) => format!("{all}, of which {}", known.join(" and ")),
        (true, Some(logical)) => {
            format!(
                "{all} with padding and fragmentation, for {} of elements",
                bytes(logical)
            )
        }
        (true, None) => all,
    }
}

/// The largest allocations, with their padding and what would waste less.
fn write_allocations(out: &mut Text, report: &Report, shown: &[Allocation]) {
    writeln!(out, "{HEADER}Largest allocations{HEADER:#}");
    let mut table = Table::with_header(">bytes|>padding|>|array, and what would waste less");
    let mut sum = 0_u64;
    let mut saved = 0_u64;
    for allocation in shown {
        let figures = allocation.bytes.zip(allocation.logical_bytes);
        let size = figures.map(|(allocated, logical)| Bytes {
            count: 1,
            logical: logical.into(),
            allocated: allocated.into(),
        });
        let name = match (allocation.shape.is_empty(), allocation.label.is_empty()) {
            (false, _) => &allocation.shape,
            (true, false) => &allocation.label,
            (true, true) => "unnamed",
        };
        // Without a shape nothing is known of padding, unless the text says it.
        let is_known = |size: &Bytes| !allocation.shape.is_empty() || size.padding() > 0;
        let (padding, share) = match size.filter(is_known) {
            Some(size) => (bytes(size.padding()).into(), waste(size)),
            None => ("not known".into(), "".into()),
        };
        let allocated = allocation.bytes.map_or("not known".into(), bytes);
        table.row([allocated.into(), padding, share, shortened(name, 80).into()]);
        let mut row_below = |cell: Cell| table.row(["".into(), "".into(), "".into(), cell]);
        let Some(allocated) = allocation.bytes else {
            continue;
        };
        sum = sum.saturating_add(allocated);
        if let Some(better) = &allocation.better {
            let saving = allocated.saturating_sub(better.allocated_bytes);
            saved = saved.saturating_add(saving);
            row_below(Cell::from(advice(better, saving.into())));
        }
        let kind = shortened(&allocation.kind, 40);
        let mut operation = of(&allocation.op_name, &allocation.source);
        if operation.is_empty() && *name != allocation.label {
            operation.clone_from(&allocation.label);
        }
        let mut origin = vec![kind, operation];
        origin.retain(|text| !text.is_empty());
        if !origin.is_empty() {
            let origin = origin.join(", ");
            row_below(Cell::styled(format!("  {}", shortened(&origin, 100)), DIM));
        }
    }
    table.write(out, 2);
    let not_shown = report.allocations.len() - shown.len();
    let more = not_shown as u64 + report.allocations_left_out;
    if more > 0 {
        let how = if not_shown > 0 { ": `--top all`" } else { "" };
        writeln!(out, "  {DIM}… {} more{how}{DIM:#}", grouped(more));
    }
    if saved > 0 {
        let text = saving(saved, sum, report.excess().map(u128::from));
        out.blank();
        out.paragraph(text);
    }
    // Where addresses have 32 bits no layout is found for a larger array.
    let is_large = |array: &Allocation| array.bytes > Some(isize::MAX as u64);
    if shown
        .iter()
        .any(|array| is_large(array) && !array.shape.is_empty())
    {
        out.blank();
        out.paragraph(LARGE);
    }
}

const LARGE: &str = "Better layouts of arrays of more than 2 GiB are not looked for in a browser, whose addresses have 32 bits: \
    `xlayout hlo FILE` finds them.";

/// How many of the listed bytes the layouts that are written after → would save, and whether that
/// is as much as the excess.
pub(crate) fn saving(saved: u64, sum: u64, excess: Option<u128>) -> String {
    let against = match excess {
        Some(excess) if u128::from(saved) >= excess => {
            format!("; {} are too much, so they are enough", bytes(excess))
        }
        Some(excess) => format!("; {} are too much, so they are not enough", bytes(excess)),
        None => String::new(),
    };
    format!(
        "The layouts behind → would save {} of these {}{against}. In JAX, `jax.experimental.layout` asks for a layout: \
         of a parameter or a result with `Format`, of a temporary with `with_layout_constraint`.",
        bytes(saved),
        bytes(sum)
    )
}

/// `op_name (file:line)`, as far as they are known.
pub(crate) fn of(op_name: &str, source: &str) -> String {
    match (op_name, source) {
        ("", source) => source.to_owned(),
        (op_name, "") => op_name.to_owned(),
        (op_name, source) => format!("{op_name} ({source})"),
    }
}

/// What to do about a part of a report that is most of its sum.
const LARGEST: [(Sums, &str, &str); 10] = [
    (Sums::Compiled, "temporary", SMALLER),
    (Sums::Compiled, "arguments", FEWER_ARGUMENTS),
    (
        Sums::Usage,
        "arguments",
        "divide them among more devices, keep them in a narrower type, or donate those that are not needed behind the call",
    ),
    (
        Sums::Usage,
        "heap allocations",
        "they are arrays that the program holds already; delete those that are not needed (`jax.live_arrays()` lists them), \
         or donate them",
    ),
    (
        Sums::Usage,
        "SparseCore",
        "it holds the embedding tables; divide them among more devices, and make features wider than 8 floats, since \
         narrower ones are padded",
    ),
    (Sums::Usage, "TensorCore", SMALLER),
    (Sums::Program, "HLO temp", SMALLER),
    (
        Sums::Assignment,
        "maybe_live_out",
        "they are the results; return less, or donate arguments of the same size, whose memory they then take",
    ),
    (Sums::Assignment, "parameter", FEWER_ARGUMENTS),
    (Sums::Assignment, "preallocated temp", SMALLER),
];

const FEWER_ARGUMENTS: &str =
    "they are the arguments; divide them among more devices, or keep them in a narrower type";

const SMALLER: &str = "a smaller batch, `jax.checkpoint` around layers, and arrays divided among more devices make temporary arrays less";

const PADDED: &str = "most of it is padding, which other layouts save";

/// What to do about an array that is most of the memory alone.
fn largest_array(report: &Report) -> Option<String> {
    let limit = report
        .limit_bytes
        .filter(|_| report.cause == Cause::Program)?;
    let array = report
        .allocations
        .iter()
        .max_by_key(|array| array.logical_bytes)?;
    // What is padding is the matter of a layout.
    (array.logical_bytes > Some(limit / 2)).then(|| {
        format!(
            "One array alone takes {} of {}. Such an array is mostly meant to be divided among devices, and is not: look at \
             its sharding. `jax.debug.print` of an array keeps all of it, too.",
            known(array.bytes),
            bytes(limit)
        )
    })
}

/// The part that is most of a sum, and what makes it less.
fn largest_part(report: &Report) -> Option<String> {
    LARGEST.iter().find_map(|(sums, name, advice)| {
        let section = report.section(*sums)?;
        let total = section.bytes?;
        let part = section
            .parts
            .iter()
            .find(|part| part.name.starts_with(name))?;
        let size = part.bytes.filter(|size| *size > total / 2)?;
        let name = &part.name;
        let padding = report.temporary.and_then(|temporary| {
            temporary
                .padded_bytes?
                .checked_sub(temporary.logical_bytes?)
        });
        let is_padding =
            *sums == Sums::Program && padding.is_some_and(|padding| padding > size / 2);
        let advice = if is_padding { PADDED } else { advice };
        let share = format!("{} of {}", bytes(size), bytes(total));
        Some(format!("The larger part is {name}, {share}: {advice}."))
    })
}

/// What decides, and what to do now.
fn answers(report: &Report) -> Vec<String> {
    let mut texts = Vec::new();
    let mut say = |text: &str| texts.push(text.to_owned());
    if report.is_fragmented() {
        say(
            "No layout helps against fragmentation: fewer or smaller arrays that live long do, and a fresh process.",
        );
    }
    for text in [largest_array(report), largest_part(report)]
        .into_iter()
        .flatten()
    {
        say(&text);
    }
    match report.cause {
        Cause::Program if report.used_bytes.is_none() && report.excess_bytes.is_none() => say(
            "The text does not say how much was needed, and of how much: the sentence before the sums may have been left out.",
        ),
        Cause::Program => {}
        Cause::Figures => {
            let compiled = report.section(Sums::Compiled);
            let has_code_only =
                compiled.is_some_and(|compiled| compiled.bytes == compiled.part("code"));
            if has_code_only {
                say(
                    "All but the code is 0: this version of the backend did not count the buffers. `xlayout hlo memory` computes \
                     them from the text of the compiled module.",
                );
            } else if compiled.is_some() {
                say(
                    "`xlayout hlo memory` says which arrays are alive at the peak, from the text of the compiled module.",
                );
            }
        }
        Cause::Rematerialization => say(
            "Nothing has failed yet: XLA computes values again to save memory, and did not reach its limit. If the program \
             then runs out of memory, a smaller batch and `jax.checkpoint` around layers help.",
        ),
        Cause::Kernel if report.memory_space == "shared memory" => say(
            "Shared memory is that of one block of threads: smaller blocks, and fewer stages of a pipeline (`num_stages`), \
             take less of it.",
        ),
        Cause::Kernel => {
            let space = shortened(&report.memory_space, 40);
            let mut text = format!(
                "The memory {space} is that of one kernel: smaller blocks, or fewer of them at a time, take less of it."
            );
            if report.memory_space == "vmem" {
                text += " If the device has more, `vmem_limit_bytes` of `pltpu.CompilerParams` raises the limit of a Pallas kernel, and \
                    `--xla_tpu_scoped_vmem_limit_kib` that of all. If the operation is no kernel of yours, report it to XLA as a fault.";
            }
            say(&text);
        }
        Cause::Request if !report.is_fragmented() => say(
            "Arrays that are alive, and programs, hold the memory: delete what is not needed (`jax.live_arrays()` lists \
             arrays), donate arguments, or divide arrays among more devices. On a GPU, other processes and \
             `XLA_PYTHON_CLIENT_MEM_FRACTION` count, too.",
        ),
        Cause::Tensor if report.is_fragmented() => {
            say("`PYTORCH_ALLOC_CONF=expandable_segments:True` lets PyTorch join what it keeps.")
        }
        Cause::Tensor => say(
            "Tensors that are alive hold the memory: delete what is not needed, compute gradients only where they are used, \
             and give a step less at a time. `torch.cuda.memory_summary()` says what is allocated. Other processes on the GPU \
             count, too.",
        ),
        Cause::Request => {}
        Cause::Load => say(
            "A program takes its memory in one piece at the bottom. Arrays that are alive and programs that were loaded \
             before are in its way: delete or donate arrays, and keep fewer programs.",
        ),
        Cause::Host => say(
            "This is memory of the host, not of the device: keep less there, or raise the limit of pinned memory, for a GPU \
             with `XLA_PJRT_GPU_HOST_MEMORY_LIMIT_GB`.",
        ),
        Cause::Arguments => say(
            "Without any temporary array the program takes more than the compiler may use: divide arguments and results \
             among more devices, keep them in a narrower type, or donate arguments.",
        ),
        Cause::Attempt => say(
            "Nothing has failed yet: an allocator then asks for less, or in another way. If the program ends, a later \
             message says at what.",
        ),
        Cause::Buffer => say(
            "The program was compiled for the first layout, and the array was made with the second, such as by another \
             version or with other flags. Compile again, or bring the array into the layout with `jax.device_put` and a \
             `Format`. `xlayout diff EXPECTED GIVEN` compares them.",
        ),
        Cause::HostResult => say(
            "Give the result `memory_kind='pinned_host'` in `out_shardings`, or move the array back with `jax.device_put` \
             before it is returned.",
        ),
    }
    texts
}

/// Writes how to get a list of arrays.
fn advise_dump(out: &mut Text, report: &Report) {
    let text = "The report lists no arrays. A dump of the compiled module shows them; XLA writes it although the program does not fit:";
    out.paragraph(text);
    let flags = "--xla_dump_to=DUMP --xla_dump_hlo_as_text";
    writeln!(
        out,
        "  XLA_FLAGS=\"{flags}\" python …\n  xlayout hlo memory DUMP{}",
        limit_flag(report)
    );
    if report.cause.is_request() && report.limit_bytes.is_some() {
        let text = "`hlo memory` counts arguments and results, which are among what is allocated already; so its limit is the memory of \
            the whole device, not what is free.";
        out.paragraph(text);
    }
}

/// The flag for the memory that a program may take with its arguments.
fn limit_flag(report: &Report) -> String {
    let limit_of_device = report.section(Sums::Capacity).and_then(|capacity| {
        let reserved = capacity.part("Top-of-Memory reserved")?;
        capacity.bytes?.checked_sub(reserved)
    });
    let limit = if report.cause.is_request() {
        limit_of_device
    } else {
        report.limit_bytes
    };
    match limit {
        Some(limit) if report.memory_space == "hbm" => {
            format!(" --limit {:.2}G", limit as f64 / f64::from(1 << 30))
        }
        _ => " --device NAME".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part is small compared with a total that is known, not with another part.
    #[test]
    fn without_a_total_no_part_is_small() {
        let part = |name: &str, bytes| Part {
            name: name.to_owned(),
            bytes: Some(bytes),
        };
        let section = |bytes| {
            let mut section = Section::new(Sums::Usage, bytes);
            section.parts = vec![part("program", 4 << 30), part("reserved", 4 << 10)];
            section
        };
        let known = part_texts(&section(Some(4 << 30)));
        assert_eq!(known, ["program 4.00 GiB", "others 4.00 KiB"]);
        let unknown = part_texts(&section(None));
        assert_eq!(unknown, ["program 4.00 GiB", "reserved 4.00 KiB"]);
    }
}
