//! The answer for people.

use super::relayout::relayout;
use crate::copies::{Copy, Found, Kind, Overlap};
use crate::page::advice::{names, pieces};

use super::super::arguments::Copies;
use super::super::report::parts::NO_ENTRY;
use crate::command::words::{bytes, counted, grouped, listed, module_name, rate, sum, time_range};
use xlayout_command::table::{DIM, HEADER, Text, titled, wrap};

pub(crate) fn write(out: &mut Text, arguments: &Copies, all: &[Found]) {
    // In a folder, many modules may have no copies. They are only counted.
    let is_silent = |found: &&Found| {
        found.sums.all().0 == 0
            && found.cures.is_empty()
            && found.constraints.is_empty()
            && found.without_layout == 0
    };
    let (silent, told): (Vec<&Found>, Vec<&Found>) = match all {
        [_] => (Vec::new(), all.iter().collect()),
        _ => all.iter().partition(is_silent),
    };
    for (k, found) in told.iter().enumerate() {
        if k > 0 {
            out.blank();
        }
        of_module(out, arguments, found);
    }
    if !silent.is_empty() {
        let which = if told.is_empty() { "" } else { " other" };
        let text = match silent.len() {
            1 => format!("1{which} module makes no copies: {}", silent[0].file),
            count => format!("{}{which} modules make no copies", grouped(count as u64)),
        };
        if !told.is_empty() {
            out.blank();
        }
        out.line(0, text);
    }
}

fn of_module(out: &mut Text, arguments: &Copies, found: &Found) {
    let Found { file, sums, .. } = found;
    let (count, of_all) = sums.all();
    let mut module = module_name(&found.module);
    if found.module.is_empty() {
        module += "; the text";
    }
    let read_and_write = |count: usize, sum| {
        let s = if count == 1 { "s" } else { "" };
        format!("read{s} and write{s} {}", bytes(sum))
    };
    let mut notes = vec![match sums.copies {
        0 => format!("{file}: {module} makes no copies"),
        _ => format!(
            "{file}: {module} makes {}, which {}",
            counted(sums.copies as u64, "copy"),
            read_and_write(sums.copies, sums.bytes)
        ),
    }];
    if sums.moved > 0 {
        let moves = counted(sums.moved as u64, "move");
        let example = if sums.moved == 1 {
            "a prefetch"
        } else {
            "prefetches"
        };
        let sum = read_and_write(sums.moved, sums.moved_bytes);
        let note = format!("{moves} between memory spaces, such as {example}, {sum}.");
        notes.push(note);
    }
    if found.is_entry_assumed {
        notes.push(NO_ENTRY.to_owned());
    }
    if found.in_unknown_loop {
        notes.push("Copies in loops of unknown length count once.".to_owned());
    }
    if let Some(bandwidth) = arguments.bandwidth()
        && count > 0
    {
        let at = arguments
            .device
            .map(|device| format!(" of {}", device.name))
            .unwrap_or_default();
        let time = time_range(sums.traffic.seconds(bandwidth));
        let mut note = format!("At the {}{at} they take {time}.", rate(bandwidth));
        if sums.hidden > 0 {
            let are = if sums.hidden == 1 { "is" } else { "are" };
            let hidden = grouped(sums.hidden as u64);
            note += &format!(" {hidden} of them {are} hidden behind operations that compute.");
        }
        notes.push(note);
    }
    if found.without_layout > 0 {
        notes.push(format!(
            "{} left out: the text gives no layouts to their arrays. Was the module printed before layouts were \
             chosen?",
            counted(found.without_layout, "operation")
        ));
    }
    for note in notes {
        out.line(0, note);
    }
    let rows = arguments.common.rows();
    for copy in found.copies.iter().take(rows) {
        out.blank();
        describe(out, copy, arguments.bandwidth());
    }
    let more = count.saturating_sub(rows);
    if more > 0 {
        let rest = of_all.saturating_sub(sum(found.copies.iter().take(rows).map(Copy::total)));
        let more = grouped(more as u64);
        let rest = bytes(rest);
        let note = format!("… {more} more, {rest}: `--top all`");
        writeln!(out, "\n{DIM}{note}{DIM:#}");
    }
    let is_empty =
        found.cures.is_empty() && found.constraints.is_empty() && found.rewrites.is_empty();
    if !found.is_verified || is_empty {
        if !found.changes_layout {
            return;
        }
        let note = if found.is_verified {
            "No layout of a parameter, a result or a value between them is known to remove one of \
             these copies."
        } else {
            "No advice: what removes copies was verified for the compilers of TPUs and CPUs only, \
             and this module has neither tiles nor a CPU's loops."
        };
        let note = format!("{note} {}", choices(found));
        out.blank();
        out.paragraph(note);
        return;
    }
    for piece in pieces(found, rows) {
        out.blank();
        piece.write(out);
    }
    let more = found.constraints.len().saturating_sub(rows);
    if more > 0 {
        let more = counted(more as u64, "copy");
        let note = format!("… advice for {more} more: `--top all`");
        writeln!(out, "\n{DIM}{note}{DIM:#}");
    }
    if found.paying() > 1 {
        writeln!(out, "\n{HEADER}All of it{HEADER:#}");
        for line in &found.paste {
            writeln!(out, "  {line}");
        }
    }
    let note = wrap(&choices(found), 0);
    for line in format!("\n{note}").lines() {
        writeln!(out, "{DIM}{line}{DIM:#}");
    }
}

/// How to try the layouts that the compiler chooses.
fn choices(found: &Found) -> String {
    if found.partitions > 1 {
        return format!(
            "The program runs on {} devices. To see what the compiler chooses, compile it on the mesh with \
             `in_shardings=Format(Layout.AUTO, sharding)` and the same for the results; `xlayout hlo diff` compares both.",
            grouped(found.partitions)
        );
    }
    let cpu = if found.is_verified { "" } else { " --cpu" };
    format!("`xlayout advise{cpu}` also tries the layouts that the compiler chooses.")
}

/// A copy: what it reads and writes, and why it is there.
pub(crate) fn describe(out: &mut Text, copy: &Copy, bandwidth: Option<u64>) {
    let each = copy.read + copy.written;
    let bound = if copy.at_most { "at most " } else { "" };
    let often = match copy.executions {
        Some(1) if !copy.at_most => String::new(),
        Some(1) => ", at most once".to_owned(),
        Some(n) => format!(", {bound}{} times {}", grouped(n), bytes(each)),
        None => " in each round of a loop".to_owned(),
    };
    let kind = copy.kind.name().replace('_', " ");
    let name = format!("%{}", copy.instruction);
    let total = bytes(copy.total());
    let opcode = &copy.opcode;
    let head = format!(
        "{name}  {total}{often}: {kind}, {opcode} in {}",
        copy.computation
    );
    titled(out, &name, &wrap(&head, 4));
    let Copy {
        from_shape: from,
        to_shape: to,
        ..
    } = copy;
    if from.element_type == to.element_type && from.dims == to.dims {
        out.line(2, format_args!("{from} → {}", copy.to));
    } else {
        out.line(2, format_args!("{from} → {to}"));
    }
    if copy.kind == Kind::Layout
        && let Some(words) = relayout(from, to)
    {
        out.line(2, words);
    }
    if let Some(bandwidth) = bandwidth {
        let time = time_range(copy.traffic.seconds(bandwidth));
        let hidden = match copy.overlap {
            Overlap::Exposed => "exposed".to_owned(),
            Overlap::Unknown => "asynchronous in a module without a schedule".to_owned(),
            Overlap::Hidden(1) => "hidden: 1 operation computes meanwhile".to_owned(),
            Overlap::Hidden(n) => format!("hidden: {} operations compute meanwhile", grouped(n)),
        };
        out.line(2, format_args!("time: {time}, {hidden}"));
    }
    out.line(2, format_args!("why: {}", copy.cause));
    let mut users = names(&copy.consumers[..copy.consumers.len().min(3)], &[]);
    if copy.consumers.len() > 3 {
        users.push(counted(copy.consumers.len() as u64 - 3, "other"));
    }
    let used = if !users.is_empty() {
        format!("used by {}", listed(&users))
    } else if copy.is_result {
        "the result of its computation".to_owned()
    } else {
        "used by nothing".to_owned()
    };
    let between = format!("of %{}, {used}", copy.producer);
    writeln!(out, "  {DIM}{}{DIM:#}", wrap(&between, 4));
    let place = [Some(&*copy.op_name), copy.source.as_deref()]
        .into_iter()
        .flatten()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join(", ");
    if !place.is_empty() {
        writeln!(out, "  {DIM}{}{DIM:#}", wrap(&place, 4));
    }
}
