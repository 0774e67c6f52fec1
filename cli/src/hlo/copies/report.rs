//! The answer for people.

use std::cmp::Reverse;
use std::io::{self, Write};

use xlayout_hlo::copies::{Change, Constraint, Copy, Cure, Entry, Found, Kind, Overlap, Rewrite};

use super::Arguments;
use super::relayout;
use crate::table::{DIM, HEADER, wrap};
use crate::words::{bytes, counted, grouped, listed, module_name, rate, sum, time_range};

pub(in super::super) fn write(
    out: &mut dyn Write,
    arguments: &Arguments,
    all: &[Found],
) -> io::Result<()> {
    // A folder may have many modules of which there is nothing to tell.
    let is_silent = |found: &&Found| {
        found.count == 0
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
            writeln!(out)?;
        }
        one(out, arguments, found)?;
    }
    if !silent.is_empty() {
        let which = if told.is_empty() { "" } else { " other" };
        let text = match silent.len() {
            1 => format!("1{which} module makes no copies: {}", silent[0].file),
            count => format!("{}{which} modules make no copies", grouped(count as u64)),
        };
        let between = if told.is_empty() { "" } else { "\n" };
        writeln!(out, "{between}{}", wrap(&text, 2))?;
    }
    Ok(())
}

fn one(out: &mut dyn Write, arguments: &Arguments, found: &Found) -> io::Result<()> {
    let Found { file, .. } = found;
    let mut module = module_name(&found.module);
    if found.module.is_empty() {
        module += "; the text";
    }
    let head = match found.count - found.moved {
        0 => format!("{file}: {module} makes no copies"),
        1 => format!(
            "{file}: {module} makes 1 copy, which reads and writes {}",
            bytes(found.bytes - found.moved_bytes)
        ),
        count => format!(
            "{file}: {module} makes {} copies, which read and write {}",
            grouped(count as u64),
            bytes(found.bytes - found.moved_bytes)
        ),
    };
    writeln!(out, "{}", wrap(&head, 2))?;
    if found.moved > 0 {
        let what = match found.moved {
            1 => "1 move between memory spaces, such as a prefetch, reads and writes".to_owned(),
            count => format!(
                "{} moves between memory spaces, such as prefetches, read and write",
                grouped(count as u64)
            ),
        };
        let note = format!("{what} {}.", bytes(found.moved_bytes));
        writeln!(out, "{}", wrap(&note, 2))?;
    }
    if found.in_unknown_loop {
        let note = "Copies in loops of unknown length count once.";
        writeln!(out, "{}", wrap(note, 2))?;
    }
    if let Some(bandwidth) = arguments.bandwidth()
        && found.count > 0
    {
        let at = match arguments.device {
            Some(device) => format!(" of {}", device.name),
            None => String::new(),
        };
        let mut note = format!(
            "At the {}{at} they take {}.",
            rate(bandwidth),
            time_range(found.traffic.seconds(bandwidth))
        );
        if found.hidden > 0 {
            let are = if found.hidden == 1 { "is" } else { "are" };
            let hidden = grouped(found.hidden as u64);
            note += &format!(" {hidden} of them {are} hidden behind operations that compute.");
        }
        writeln!(out, "{}", wrap(&note, 2))?;
    }
    if found.without_layout > 0 {
        let note = format!(
            "{} left out: the text gives no layouts to their arrays. Was the module printed before layouts were \
             chosen?",
            counted(found.without_layout, "operation")
        );
        writeln!(out, "{}", wrap(&note, 2))?;
    }
    let rows = arguments.rows();
    for copy in found.copies.iter().take(rows) {
        writeln!(out)?;
        describe(out, copy, arguments.bandwidth())?;
    }
    let more = found.count.saturating_sub(rows);
    if more > 0 {
        let listed = sum(found.copies.iter().take(rows).map(Copy::total));
        let rest = found.bytes.saturating_sub(listed);
        let note = format!(
            "… {} more, {}: `--top all`",
            grouped(more as u64),
            bytes(rest)
        );
        writeln!(out, "\n{DIM}{note}{DIM:#}")?;
    }
    let is_empty =
        found.cures.is_empty() && found.constraints.is_empty() && found.rewrites.is_empty();
    if !found.is_verified || is_empty {
        let note = match found.is_verified {
            _ if !found.changes_layout => return Ok(()),
            true => {
                "No layout of a parameter, a result or a value between them is known to remove one of these copies. \
                 `xlayout advise` tries what the compiler chooses."
            }
            false => {
                "No advice: what removes copies was verified for the compilers of TPUs and CPUs only, and this module has neither tiles nor \
                 a CPU's loops. `xlayout advise --cpu` tries what the compiler chooses."
            }
        };
        return writeln!(out, "\n{}", wrap(note, 0));
    }
    for piece in pieces(found, rows) {
        writeln!(out)?;
        piece.write(out)?;
    }
    let more = found.constraints.len().saturating_sub(rows);
    if more > 0 {
        let note = format!(
            "… advice for {} more: `--top all`",
            counted(more as u64, "copy")
        );
        writeln!(out, "\n{DIM}{note}{DIM:#}")?;
    }
    if found.paying() > 1 {
        writeln!(out, "\n{HEADER}All of it{HEADER:#}")?;
        for line in &found.paste {
            writeln!(out, "  {line}")?;
        }
    }
    let note = "`xlayout advise` also tries the layouts that the compiler chooses.";
    writeln!(out, "\n{DIM}{note}{DIM:#}")
}

/// A piece of advice.
pub(in super::super) enum Piece<'a> {
    Cure(&'a Cure),
    Constraint(&'a Constraint),
    Rewrite(&'a Rewrite),
}

/// The advice: what saves most first, and last what may not pay. So many constraints are among it.
pub(in super::super) fn pieces(found: &Found, constraints: usize) -> Vec<Piece<'_>> {
    if !found.is_verified {
        return Vec::new();
    }
    let cures = found.cures.iter().map(Piece::Cure);
    let constraints = found.constraints.iter().take(constraints);
    let rewrites = found.rewrites.iter().map(Piece::Rewrite);
    let constraints = constraints.map(Piece::Constraint);
    let mut all: Vec<Piece<'_>> = cures.chain(constraints).chain(rewrites).collect();
    all.sort_by_key(|piece| match piece {
        Piece::Cure(cure) => (cure.doubt.is_some(), Reverse(cure.saved)),
        Piece::Constraint(constraint) => (false, Reverse(constraint.saved)),
        Piece::Rewrite(rewrite) => (false, Reverse(rewrite.saved)),
    });
    all
}

impl Piece<'_> {
    pub(in super::super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Cure(cure) => advise(out, cure),
            Self::Constraint(constraint) => constrain(out, constraint),
            Self::Rewrite(rewrite) => propose(out, rewrite),
        }
    }

    /// The copies that are not needed then.
    pub(in super::super) fn removes(&self) -> Vec<&str> {
        match self {
            Self::Cure(cure) => cure.removes.iter().map(String::as_str).collect(),
            Self::Constraint(constraint) => vec![&*constraint.removes],
            Self::Rewrite(rewrite) => rewrite.removes.iter().map(String::as_str).collect(),
        }
    }

    /// The lines to copy.
    pub(in super::super) fn paste(&self) -> Vec<&str> {
        match self {
            Self::Cure(cure) => cure.paste.iter().map(|line| line.trim()).collect(),
            Self::Constraint(constraint) => {
                let values = constraint.values.iter();
                values.map(|value| value.paste.trim()).collect()
            }
            Self::Rewrite(rewrite) => vec![&rewrite.paste],
        }
    }
}

/// Lines that begin with `title`, in the style of a header.
fn titled(out: &mut dyn Write, title: &str, text: &str) -> io::Result<()> {
    let text = wrap(text, 4);
    let rest = text.strip_prefix(title).unwrap_or(&text);
    writeln!(out, "{HEADER}{title}{HEADER:#}{rest}")
}

/// A copy: what it reads and writes, and why it is there.
pub(in super::super) fn describe(
    out: &mut dyn Write,
    copy: &Copy,
    bandwidth: Option<u64>,
) -> io::Result<()> {
    let often = match (copy.executions, copy.at_most) {
        (Some(1), false) => String::new(),
        (Some(1), true) => ", at most once".to_owned(),
        (Some(n), false) => format!(", {} times {}", grouped(n), bytes(copy.read + copy.written)),
        (Some(n), true) => format!(
            ", at most {} times {}",
            grouped(n),
            bytes(copy.read + copy.written)
        ),
        (None, _) => " in each round of a loop".to_owned(),
    };
    let kind = match copy.kind {
        Kind::Layout => "layout",
        Kind::MemorySpace => "memory space",
        Kind::Rearrange => "rearrange",
    };
    let name = format!("%{}", copy.instruction);
    let head = format!(
        "{name}  {}{often}: {kind}, {} in {}",
        bytes(copy.total()),
        copy.opcode,
        copy.computation
    );
    titled(out, &name, &head)?;
    let to = match shape_without_layout(&copy.from_shape) == shape_without_layout(&copy.to_shape) {
        true => &copy.to,
        false => &copy.to_shape,
    };
    writeln!(out, "  {}", wrap(&format!("{} → {to}", copy.from_shape), 4))?;
    if copy.kind == Kind::Layout
        && let Some(words) = relayout::words(&copy.from_shape, &copy.to_shape)
    {
        writeln!(out, "  {}", wrap(&words, 4))?;
    }
    if let Some(bandwidth) = bandwidth {
        let time = time_range(copy.traffic.seconds(bandwidth));
        let hidden = match copy.overlap {
            Overlap::Exposed => "exposed".to_owned(),
            Overlap::Unknown => "asynchronous in a module without a schedule".to_owned(),
            Overlap::Hidden(1) => "hidden: 1 operation computes meanwhile".to_owned(),
            Overlap::Hidden(count) => {
                format!(
                    "hidden: {} operations compute meanwhile",
                    grouped(u64::from(count))
                )
            }
        };
        writeln!(out, "  {}", wrap(&format!("time: {time}, {hidden}"), 4))?;
    }
    writeln!(out, "  {}", wrap(&format!("why: {}", copy.cause), 4))?;
    let mut users: Vec<String> = copy
        .consumers
        .iter()
        .take(3)
        .map(|name| format!("%{name}"))
        .collect();
    if copy.consumers.len() > 3 {
        users.push(counted(copy.consumers.len() as u64 - 3, "other"));
    }
    let used = match users.is_empty() {
        true if copy.is_result => "the result of its computation".to_owned(),
        true => "used by nothing".to_owned(),
        false => format!("used by {}", listed(&users)),
    };
    let between = format!("of %{}, {used}", copy.producer);
    writeln!(out, "  {DIM}{}{DIM:#}", wrap(&between, 4))?;
    let place = match (&copy.source, &*copy.op_name) {
        (None, "") => String::new(),
        (None, name) => name.to_owned(),
        (Some(source), "") => source.clone(),
        (Some(source), name) => format!("{name}, {source}"),
    };
    if !place.is_empty() {
        writeln!(out, "  {DIM}{}{DIM:#}", wrap(&place, 4))?;
    }
    Ok(())
}

/// The text of a shape without its layout.
fn shape_without_layout(shape: &str) -> &str {
    shape.split_once('{').map_or(shape, |(shape, _)| shape)
}

fn entry_words(change: &Change) -> String {
    match (change.entry, &*change.name) {
        (Entry::Parameter(number), "") => format!("parameter {number}"),
        (Entry::Parameter(number), name) => format!("parameter {number} ({name})"),
        (Entry::Result(None), _) => "the result".to_owned(),
        (Entry::Result(Some(item)), _) => format!("result {item}"),
    }
}

fn advise(out: &mut dyn Write, cure: &Cure) -> io::Result<()> {
    let names = |names: &[String]| {
        let names: Vec<_> = names
            .iter()
            .map(|name| match cure.fused.contains(name) {
                true => format!("%{name} inside of a fusion"),
                false => format!("%{name}"),
            })
            .collect();
        listed(&names)
    };
    let title = match cure.doubt {
        Some(_) => "May not pay",
        None => "Advice",
    };
    let mut head = format!("{title}  would remove {}", names(&cure.removes));
    if cure.saved > 0 {
        head += &format!(", {} read and written", bytes(cure.saved));
    }
    match &cure.doubt {
        Some(doubt) => head += &format!(", but {}", doubt.words(bytes)),
        None if cure.fetched > 0 => {
            head += &format!(
                "; fetches into fast memory may read and write {} in their place",
                bytes(cure.fetched)
            );
        }
        None => {}
    }
    if !cure.may_remove.is_empty() {
        head += &format!("; may remove {}", names(&cure.may_remove));
    }
    titled(out, title, &head)?;
    for change in &cure.changes {
        let text = format!(
            "{}: {} → {}",
            entry_words(change),
            change.now,
            xlayout_hlo::layout(&change.then.to_string())
        );
        writeln!(out, "  {}", wrap(&text, 4))?;
        let (before, after) = change.bytes;
        let text = match before == after {
            true => format!("it takes {} as before, padding included", bytes(before)),
            false => format!(
                "it takes {} instead of {}: padding {} instead of {}",
                bytes(after),
                bytes(before),
                bytes(change.padding.1),
                bytes(change.padding.0)
            ),
        };
        writeln!(out, "    {}", wrap(&text, 4))?;
    }
    for line in &cure.paste {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// Advice about the program.
fn propose(out: &mut dyn Write, rewrite: &Rewrite) -> io::Result<()> {
    let names: Vec<_> = (rewrite.removes.iter())
        .map(|name| format!("%{name}"))
        .collect();
    let head = format!(
        "Program  another one does not need {}, {} read and written",
        listed(&names),
        bytes(rewrite.saved)
    );
    titled(out, "Program", &head)?;
    writeln!(out, "  {}\n  {}", wrap(&rewrite.words, 4), rewrite.paste)
}

/// Advice about values inside of the module.
fn constrain(out: &mut dyn Write, constraint: &Constraint) -> io::Result<()> {
    let head = format!(
        "Advice  would remove %{}, {} read and written; instead, copies of slices read and write at most {}",
        constraint.removes,
        bytes(constraint.saved),
        bytes(constraint.added)
    );
    titled(out, "Advice", &head)?;
    for value in &constraint.values {
        let mut text = match &*value.op_name {
            "" => format!("the slice %{}", value.instruction),
            name => format!("the result of {name}"),
        };
        if let Some(source) = &value.source {
            text += &format!(", {source}");
        }
        let text = format!("{text}: {}, as %{} lays it out", value.then, constraint.by);
        writeln!(out, "  {}", wrap(&text, 4))?;
        writeln!(out, "    {}", value.paste)?;
    }
    Ok(())
}
