//! The advice that removes copies, in words.

use std::cmp::Reverse;

use xlayout_view::table::{Text, titled};
use xlayout_words::{bytes, listed};

use crate::copies::{Change, Constraint, Cure, Entry, Found, Rewrite};

/// A piece of advice.
pub(crate) enum Piece<'a> {
    Cure(&'a Cure),
    Constraint(&'a Constraint),
    Rewrite(&'a Rewrite),
}

/// The advice: that which saves most first, that which may not pay last. It has at most
/// `most_constraints` constraints.
pub(crate) fn pieces(found: &Found, most_constraints: usize) -> Vec<Piece<'_>> {
    if !found.is_verified {
        return Vec::new();
    }
    let cures = found.cures.iter().map(Piece::Cure);
    let constraints = found.constraints.iter().take(most_constraints);
    let constraints = constraints.map(Piece::Constraint);
    let rewrites = found.rewrites.iter().map(Piece::Rewrite);
    let mut all: Vec<Piece<'_>> = cures.chain(constraints).chain(rewrites).collect();
    all.sort_by_cached_key(|piece| match piece {
        Piece::Cure(cure) => (cure.doubt.is_some(), Reverse(cure.saved)),
        Piece::Constraint(constraint) => (false, Reverse(constraint.saved)),
        Piece::Rewrite(rewrite) => (false, Reverse(rewrite.saved)),
    });
    all
}

impl Piece<'_> {
    pub(crate) fn write(&self, out: &mut Text) {
        match self {
            Self::Cure(cure) => advise(out, cure),
            Self::Constraint(constraint) => constrain(out, constraint),
            Self::Rewrite(rewrite) => propose(out, rewrite),
        }
    }

    /// The copies that this advice removes.
    #[cfg(feature = "command")]
    pub(crate) fn removes(&self) -> Vec<&str> {
        match self {
            Self::Cure(cure) => cure.removes.iter().map(String::as_str).collect(),
            Self::Constraint(constraint) => vec![&*constraint.removes],
            Self::Rewrite(rewrite) => rewrite.removes.iter().map(String::as_str).collect(),
        }
    }

    /// The lines to copy.
    pub(crate) fn paste(&self) -> Vec<&str> {
        match self {
            Self::Cure(cure) => cure.paste.iter().map(|line| line.trim()).collect(),
            Self::Constraint(constraint) => constraint
                .values
                .iter()
                .map(|value| value.paste.trim())
                .collect(),
            Self::Rewrite(rewrite) => vec![&rewrite.paste],
        }
    }
}

fn entry_words(change: &Change) -> String {
    match (change.entry, &*change.name) {
        (entry, "") | (entry @ Entry::Result(_), _) => entry_name(entry),
        (entry, name) => format!("{} ({name})", entry_name(entry)),
    }
}

/// `parameter 0`, `the result`, `result 1`
pub(crate) fn entry_name(entry: Entry) -> String {
    match entry {
        Entry::Parameter(number) => format!("parameter {number}"),
        Entry::Result(None) => "the result".to_owned(),
        Entry::Result(Some(item)) => format!("result {item}"),
    }
}

/// The names of instructions, with a note for those inside of a fusion.
pub(crate) fn names(all: &[String], fused: &[String]) -> Vec<String> {
    let shown = |name: &String| {
        if fused.contains(name) {
            format!("%{name} inside of a fusion")
        } else {
            format!("%{name}")
        }
    };
    all.iter().map(shown).collect()
}

fn advise(out: &mut Text, cure: &Cure) {
    let names = |all: &[String]| listed(&names(all, &cure.fused));
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
    let head = out.wrap(&head, 4);
    titled(out, title, &head);
    for change in &cure.changes {
        let then = crate::layout(&change.then);
        let text = format!("{}: {} → {then}", entry_words(change), change.now);
        out.line(2, text);
        let sizes = change.sizes;
        let before = bytes(sizes.bytes_before);
        let text = if sizes.bytes_before == sizes.bytes_after {
            format!("it takes {before} as before, padding included")
        } else {
            let after = bytes(sizes.bytes_after);
            let [old, new] = [sizes.padding_before, sizes.padding_after].map(bytes);
            format!("it takes {after} instead of {before}: padding {new} instead of {old}")
        };
        writeln!(out, "    {}", out.wrap(&text, 4));
    }
    for line in &cure.paste {
        writeln!(out, "  {line}");
    }
}

/// Advice about the program.
fn propose(out: &mut Text, rewrite: &Rewrite) {
    let removes = listed(&names(&rewrite.removes, &[]));
    let saved = bytes(rewrite.saved);
    let head = format!("Program  another one does not need {removes}, {saved} read and written");
    let head = out.wrap(&head, 4);
    titled(out, "Program", &head);
    out.line(2, &rewrite.words);
    writeln!(out, "  {}", rewrite.paste);
}

/// Advice about values inside of the module.
fn constrain(out: &mut Text, constraint: &Constraint) {
    let head = format!(
        "Advice  would remove %{}, {} read and written; instead, copies of slices read and write at most {}",
        constraint.removes,
        bytes(constraint.saved),
        bytes(constraint.added)
    );
    let head = out.wrap(&head, 4);
    titled(out, "Advice", &head);
    for value in &constraint.values {
        let mut text = match &*value.op_name {
            "" => format!("the slice %{}", value.instruction),
            name => format!("the result of {name}"),
        };
        if let Some(source) = &value.source {
            text += &format!(", {source}");
        }
        let text = format!("{text}: {}, as %{} lays it out", value.then, constraint.by);
        out.line(2, text);
        writeln!(out, "    {}", value.paste);
    }
}
