//! The figures of a report of running out of memory.

use std::cmp::Reverse;

use xlayout_view::table::Cell;
use xlayout_view::words::percent;
use xlayout_words::{bytes, listed, shortened};

use crate::oom::{
    Allocation, Cause, OF_UNKNOWN_TYPE, Part, RESULT_OF_KERNEL, Report, Section, Sums, Temporary,
};

/// The array of a headline of which the text does not say the bytes.
pub(super) fn array(report: &Report) -> Option<&Allocation> {
    let mut arrays = report.allocations.iter();
    arrays.find(|array| [RESULT_OF_KERNEL, OF_UNKNOWN_TYPE].contains(&&*array.kind))
}

/// Bytes as text, where they are known.
pub(super) fn known(size: Option<u64>) -> String {
    size.map_or_else(|| "an unknown number of bytes".to_owned(), bytes)
}

/// The figures of a report, each with its name.
pub(super) fn figures(report: &Report) -> Vec<(&'static str, Cell)> {
    let mut rows = Vec::new();
    let mut row = |name, text: String| rows.push((name, Cell::from(text)));
    if let Some(used) = report.used_bytes {
        row("needed", needed_text(report, used));
    }
    let is_setting = report.cause == Cause::Figures && report.sections.is_empty();
    if let Some(limit) = report.limit_bytes.filter(|_| is_setting) {
        row("limit", bytes(limit));
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
        if let Some(unused) = report.kept_bytes {
            let unused = bytes(unused);
            return format!(
                "{needed} in one piece; {free} are free, and PyTorch keeps {unused} that no tensor \
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
    large.sort_by_cached_key(|(bytes, _)| Reverse(*bytes));
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
