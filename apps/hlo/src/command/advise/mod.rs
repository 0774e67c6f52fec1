//! `xlayout advise`: tries layouts of arguments and results with the compiler, and keeps what is
//! better.
//!
//! ```text
//! chosen = the layouts that the compiler gives to arguments and results if it may choose
//! best = the program as it is; kept = no layouts
//! for each piece of advice of `hlo copies` for best, what saves most first; then chosen, all of it
//!     and each by itself:
//!     compile the program with kept and the layouts of this piece
//!     if that is better than best: best = that, kept = those layouts, and begin again with the
//!         advice for it
//! if all of chosen was kept: for each layout in kept:
//!     compile the program without it; if that is no worse: best = that, and kept is without it
//! ```
//!
//! Better: no more bytes are copied or moved, there is no more padding, the peak is no higher, and
//! bytes or the peak are less.

mod arguments;
mod compiler;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use crate::copies::{Change, Found, changes_between};
use crate::diff::Figures;
use arguments::Arguments;
use compiler::{Compiled, Compiler, Layouts, Others};
use serde_json::{Value, json};

use super::diff::words::change;
use crate::command::words::{bytes, counted, listed};
use crate::page::advice::entry_name;
use xlayout_command::Outcome;
use xlayout_command::json::print;
use xlayout_command::table::{self, HEADER, Text, titled, wrap};

/// The most compilations.
const MOST_COMPILED: usize = 64;

/// Whether a figure is no greater. One that is not known may be.
fn is_no_more(new: Option<u128>, old: Option<u128>) -> bool {
    match (new, old) {
        (Some(new), Some(old)) => new <= old,
        _ => new == old,
    }
}

fn is_no_worse(new: Figures, than: Figures) -> bool {
    new.copied + new.moved <= than.copied + than.moved
        && is_no_more(new.padding, than.padding)
        && is_no_more(new.peak, than.peak)
}

fn is_better(new: Figures, than: Figures) -> bool {
    let [less, old] = [new, than].map(|figures| (figures.copied + figures.moved, figures.peak));
    is_no_worse(new, than) && (less.0 < old.0 || less.1 < old.1)
}

/// The figures with their names; `None` is not known.
fn named(figures: Figures) -> [(&'static str, Option<u128>); 4] {
    [
        ("copies", Some(figures.copied)),
        ("moves", Some(figures.moved)),
        ("padding", figures.padding),
        ("peak", figures.peak),
    ]
}

const UNKNOWN: &str = "not known";

/// Layouts that were tried.
struct Trial {
    /// The description of the change.
    changes: String,
    /// The figures before and with the change, or the message of the compiler that refuses it.
    result: Result<(Figures, Figures), String>,
    /// The outcome: kept, not kept or refused.
    word: &'static str,
}

/// The trials, and the best layouts so far.
struct Trials {
    compiler: Compiler,
    seen: BTreeSet<Layouts>,
    trials: Vec<Trial>,
    /// The figures of the program as it is.
    first: Figures,
    best: Figures,
    kept: Vec<Change>,
}

impl Trials {
    /// Compiles the program with these layouts, unless they were tried before. If `accepts` accepts
    /// the figures compared with the best ones, keeps the layouts and returns the module. `words`
    /// are the outcomes for kept layouts and for others.
    fn attempt(
        &mut self,
        wanted: Vec<Change>,
        changes: String,
        accepts: fn(Figures, Figures) -> bool,
        words: [&'static str; 2],
    ) -> Outcome<Option<Compiled>> {
        let layouts = layouts(&wanted);
        if self.seen.len() >= MOST_COMPILED || !self.seen.insert(layouts.clone()) {
            return Ok(None);
        }
        let compiled = self.compiler.compile(&layouts, Others::AsNow)?;
        let result = compiled
            .as_ref()
            .map(|module| module.side.figures)
            .map(|figures| (self.best, figures));
        let accepted = result
            .as_ref()
            .is_ok_and(|&(before, after)| accepts(after, before));
        self.trials.push(Trial {
            changes,
            word: match &result {
                Ok(_) => words[usize::from(!accepted)],
                Err(_) => "refused",
            },
            result: result.map_err(Clone::clone),
        });
        Ok(compiled.ok().filter(|_| accepted).inspect(|module| {
            (self.best, self.kept) = (module.side.figures, wanted);
        }))
    }

    fn write(&self, out: &mut Text, file: &Path, paste: &[String]) {
        let figures = |figures: Figures| {
            named(figures)
                .map(|(name, number)| {
                    let number = number.map_or_else(|| UNKNOWN.to_owned(), bytes);
                    format!("{name} {number}")
                })
                .join(", ")
        };
        out.line(0, format!("{}: {}", file.display(), figures(self.first)));
        for trial in &self.trials {
            let word = trial.word;
            let result = match &trial.result {
                Ok((before, after)) => difference(*before, *after),
                Err(error) => error.lines().next().unwrap_or_default().to_owned(),
            };
            let text = wrap(&format!("{word}  {}: {result}", trial.changes), 4);
            out.blank();
            titled(out, word, &text);
        }
        out.blank();
        if paste.is_empty() {
            match self.trials.len() as u64 {
                0 => writeln!(out, "There are no other layouts to try."),
                tried => writeln!(
                    out,
                    "Nothing is better: {} tried.",
                    counted(tried, "choice")
                ),
            }
            return;
        }
        writeln!(out, "{HEADER}Paste{HEADER:#}  {}", figures(self.best));
        for line in paste {
            writeln!(out, "  {line}");
        }
    }

    fn json(&self, paste: &[String]) -> Value {
        let trial = |trial: &Trial| {
            json!({
                "changes": trial.changes,
                "kept": trial.word == KEPT[0],
                "figures": trial.result.as_ref().ok().map(|(_, after)| after),
                "error": trial.result.as_ref().err(),
            })
        };
        let trials: Vec<Value> = self.trials.iter().map(trial).collect();
        json!({ "before": self.first, "after": self.best, "trials": trials, "paste": paste })
    }
}

/// The layouts of these changes.
fn layouts(changes: &[Change]) -> Layouts {
    changes
        .iter()
        .map(|change| (change.entry, change.order.clone()))
        .collect()
}

/// The outcomes for kept layouts and for others.
const KEPT: [&str; 2] = ["kept", "not kept"];

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut compiler = Compiler::start(arguments)?;
    let none = Layouts::new();
    let base = match compiler.compile(&none, Others::AsNow)? {
        Ok(base) => base,
        Err(error) => {
            let file = arguments.file.display();
            let message = format_args!("`{file}` cannot be compiled: {error}");
            return Err(xlayout_command::Failure::file(message));
        }
    };
    // If the compiler cannot choose layouts, the advice is still tried.
    let chosen = compiler
        .compile(&none, Others::Chosen)?
        .map(|chosen| {
            let [now, then] = [&base.side, &chosen.side].map(|side| (&side.module, &side.tally));
            changes_between(now, then)
        })
        .unwrap_or_default();
    let mut search = Trials {
        compiler,
        seen: BTreeSet::from([none]),
        trials: Vec::new(),
        first: base.side.figures,
        best: base.side.figures,
        kept: Vec::new(),
    };
    let mut next = pieces(&base.found, &chosen).into_iter();
    while let Some(piece) = next.next() {
        let wanted = search
            .kept
            .iter()
            .filter(|old| piece.iter().all(|new| new.entry != old.entry))
            .chain(&piece)
            .cloned()
            .collect();
        if let Some(module) = search.attempt(wanted, changes(&piece), is_better, KEPT)? {
            next = pieces(&module.found, &chosen).into_iter();
        }
    }
    let is_kept = |change: &Change| search.kept.contains(change);
    if chosen.len() > 1 && chosen.iter().all(is_kept) {
        for change in chosen {
            let wanted = search
                .kept
                .iter()
                .filter(|old| **old != change)
                .cloned()
                .collect();
            let words = changes(&[change]);
            search.attempt(wanted, words, is_no_worse, ["not needed", "needed"])?;
        }
    }
    let paste = if search.kept.is_empty() {
        Vec::new()
    } else {
        search.compiler.pasted(&layouts(&search.kept))?
    };
    Ok(if arguments.json {
        print(out, &search.json(&paste))
    } else {
        table::print(out, |out| search.write(out, &arguments.file, &paste))
    }?)
}

/// The layouts to try: those of the advice, then those that the compiler chose, together and one by
/// one.
fn pieces(found: &Found, chosen: &[Change]) -> Vec<Vec<Change>> {
    let advice = found.cures.iter().map(|cure| cure.changes.clone());
    let all = std::iter::once(chosen.to_vec()).filter(|all| !all.is_empty());
    let each = chosen.iter().map(|change| vec![change.clone()]);
    advice.chain(all).chain(each).collect()
}

/// `parameter 0 {0,1}, the result {0,1}`
fn changes(all: &[Change]) -> String {
    let words = |change: &Change| {
        let layout = crate::layout(&change.then);
        format!("{} {layout}", entry_name(change.entry))
    };
    listed(&all.iter().map(words).collect::<Vec<_>>())
}

/// The differences: `copies 4.00 MiB less, peak 2.00 MiB more`.
fn difference(before: Figures, after: Figures) -> String {
    let words: Vec<_> = named(before)
        .into_iter()
        .zip(named(after))
        .filter(|(before, after)| before.1 != after.1)
        .map(|((name, before), (_, after))| match (before, after) {
            (Some(before), Some(after)) => format!("{name} {}", change(before, after)),
            _ => format!("{name} {UNKNOWN}"),
        })
        .collect();
    if words.is_empty() {
        "nothing changes".to_owned()
    } else {
        words.join(", ")
    }
}
