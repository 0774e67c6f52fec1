//! `xlayout advise`: tries the advice of `hlo copies` with the compiler, and keeps what is better.
//!
//! ```text
//! best = the program as it is; kept = no layouts
//! for each piece of advice for best, what saves most first:
//!     compile the program with kept and the layouts of this piece
//!     if that is better than best: best = that, kept = those layouts, and begin again with the advice for it
//! ```
//!
//! Better: no more bytes are copied or moved, there is no more padding, the peak is no higher, and bytes or the peak are less.

mod compiler;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use compiler::{Compiled, Compiler, with};
use serde_json::json;
use xlayout_hlo::copies::{Cure, Entry, pasted};

use crate::failure::Outcome;
use crate::help;
use crate::hlo::number;
use crate::table::{HEADER, wrap};
use crate::words::{bytes, counted, listed};

pub(crate) const ABOUT: &str = "\
Find layouts of a program's arguments and results with which the compiler copies less.

Compiles a function with the layouts that `xlayout hlo copies` proposes, keeps those with which fewer bytes are copied and the \
peak of memory is no higher, and prints the lines to paste. The TPU compiler needs the Python packages jax and libtpu, and no TPU.";

const FILES: [(&str, &str); 2] = [
    (
        "model.py",
        "A Python file that defines `f`, the function to compile, and `args`, a tuple
      of its arguments: arrays, jax.ShapeDtypeStruct, or trees of them",
    ),
    (
        "model.bin",
        "What `jax.export.export(jax.jit(f))(*args).serialize()` gives",
    ),
];

/// So often the program is compiled, at most.
const MOST_COMPILED: usize = 64;

/// Arguments of `xlayout advise`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "See `--help` for what the file holds.",
    after_long_help = help::described("Files", &FILES),
)]
pub(crate) struct Arguments {
    /// The Python file, or the exported program
    file: PathBuf,

    /// The name of the function
    #[arg(long, value_name = "NAME", default_value = "f")]
    function: String,

    /// The name of the tuple of arguments, or of a function that makes it
    #[arg(long, value_name = "NAME", default_value = "args")]
    arguments: String,

    /// The TPUs to compile for, and how they are joined
    #[arg(long, value_name = "NAME", default_value = "v5e:2x2")]
    chip: String,

    /// Compile for the CPU
    #[arg(long, conflicts_with = "chip")]
    cpu: bool,

    /// The Python that has jax
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,

    /// Write JSON, with everything
    #[arg(long)]
    json: bool,
}

/// The bytes that are compared.
#[derive(Clone, Copy)]
struct Figures {
    copied: u128,
    moved: u128,
    padding: u128,
    peak: Option<u128>,
}

impl Figures {
    fn of(module: &Compiled) -> Self {
        Self {
            copied: module.found.bytes - module.found.moved_bytes,
            moved: module.found.moved_bytes,
            padding: module.side.padding,
            peak: module.side.peak,
        }
    }

    fn is_better(self, than: Self) -> bool {
        let [new, old] = [self, than].map(|one| (one.copied + one.moved, one.padding, one.peak));
        new.0 <= old.0 && new.1 <= old.1 && new.2 <= old.2 && (new.0 < old.0 || new.2 < old.2)
    }

    /// Each with its name.
    fn named(self) -> [(&'static str, u128); 4] {
        [
            ("copies", self.copied),
            ("moves", self.moved),
            ("padding", self.padding),
            ("peak", self.peak.unwrap_or(0)),
        ]
    }

    fn json(self) -> serde_json::Value {
        json!({
            "copied_bytes": number(self.copied),
            "moved_bytes": number(self.moved),
            "padding_bytes": number(self.padding),
            "peak_bytes": self.peak.map(number),
        })
    }
}

/// A piece of advice that was tried.
struct Trial {
    /// What changes, in words.
    changes: String,
    /// The figures before and with it, or the words of the compiler that refuses it.
    result: Result<(Figures, Figures), String>,
    kept: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut compiler = Compiler::start(arguments)?;
    let mut layouts = compiler::Layouts::new();
    let base = match compiler.compile(&layouts)? {
        Ok(base) => base,
        Err(error) => {
            let file = arguments.file.display();
            let message = format_args!("`{file}` cannot be compiled: {error}");
            return Err(crate::failure::Failure::file(message));
        }
    };
    let (mut kept, mut trials) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::from([layouts.clone()]);
    let mut cures = base.found.cures.clone();
    let first = Figures::of(&base);
    let mut best = first;
    let mut next = 0;
    while next < cures.len() && seen.len() < MOST_COMPILED {
        let cure = &cures[next];
        next += 1;
        let wanted = with(&layouts, &cure.changes);
        if !seen.insert(wanted.clone()) {
            continue;
        }
        let result = compiler.compile(&wanted)?;
        let changes = changes(cure);
        match result {
            Err(error) => trials.push(Trial {
                changes,
                result: Err(error),
                kept: false,
            }),
            Ok(module) => {
                let figures = Figures::of(&module);
                let better = figures.is_better(best);
                trials.push(Trial {
                    changes,
                    result: Ok((best, figures)),
                    kept: better,
                });
                if better {
                    kept.retain(|old: &xlayout_hlo::copies::Change| {
                        cure.changes.iter().all(|new| new.entry != old.entry)
                    });
                    kept.extend(cure.changes.iter().cloned());
                    (layouts, best) = (wanted, figures);
                    (cures, next) = (module.found.cures, 0);
                }
            }
        }
    }
    let paste = pasted(&base.side.module, &base.side.tally, &kept);
    match arguments.json {
        true => write_json(out, (first, best), &trials, &paste)?,
        false => write(out, arguments, (first, best), &trials, &paste)?,
    }
    Ok(())
}

/// `parameter 0 {0,1}, the result {0,1}`
fn changes(cure: &Cure) -> String {
    let one = |change: &xlayout_hlo::copies::Change| {
        let layout = xlayout_hlo::layout(&change.then);
        match change.entry {
            Entry::Parameter(number) => format!("parameter {number} {layout}"),
            Entry::Result(None) => format!("the result {layout}"),
            Entry::Result(Some(item)) => format!("result {item} {layout}"),
        }
    };
    listed(&cure.changes.iter().map(one).collect::<Vec<_>>())
}

/// What is more and less: `copies 4.00 MiB less, peak 2.00 MiB more`.
fn difference(before: Figures, after: Figures) -> String {
    let pairs = before.named().into_iter().zip(after.named());
    let words = pairs.filter(|(before, after)| before.1 != after.1);
    let words = words.map(|((name, before), (_, after))| match after < before {
        true => format!("{name} {} less", bytes(before - after)),
        false => format!("{name} {} more", bytes(after - before)),
    });
    let words: Vec<_> = words.collect();
    match words.is_empty() {
        true => "nothing changes".to_owned(),
        false => words.join(", "),
    }
}

fn write(
    out: &mut dyn Write,
    arguments: &Arguments,
    (first, best): (Figures, Figures),
    trials: &[Trial],
    paste: &[String],
) -> io::Result<()> {
    let figures = |figures: Figures| {
        let all = figures
            .named()
            .map(|(name, number)| format!("{name} {}", bytes(number)));
        all.join(", ")
    };
    let file = arguments.file.display();
    writeln!(out, "{}", wrap(&format!("{file}: {}", figures(first)), 2))?;
    for trial in trials {
        let (word, result) = match &trial.result {
            Ok((before, after)) if trial.kept => ("kept", difference(*before, *after)),
            Ok((before, after)) => ("not kept", difference(*before, *after)),
            Err(error) => (
                "refused",
                error.lines().next().unwrap_or_default().to_owned(),
            ),
        };
        let text = wrap(&format!("{word}  {}: {result}", trial.changes), 4);
        let rest = text.strip_prefix(word).unwrap_or(&text);
        writeln!(out, "\n{HEADER}{word}{HEADER:#}{rest}")?;
    }
    writeln!(out)?;
    if paste.is_empty() {
        return match trials.len() as u64 {
            0 => writeln!(out, "There is no advice to try."),
            tried => writeln!(
                out,
                "Nothing is better: {} of advice tried.",
                counted(tried, "piece")
            ),
        };
    }
    writeln!(out, "{HEADER}Paste{HEADER:#}  {}", figures(best))?;
    for line in paste {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

fn write_json(
    out: &mut dyn Write,
    (first, best): (Figures, Figures),
    trials: &[Trial],
    paste: &[String],
) -> io::Result<()> {
    let trials: Vec<_> = trials
        .iter()
        .map(|trial| {
            json!({
                "changes": trial.changes,
                "kept": trial.kept,
                "figures": trial.result.as_ref().ok().map(|(_, after)| after.json()),
                "error": trial.result.as_ref().err(),
            })
        })
        .collect();
    let all =
        json!({ "before": first.json(), "after": best.json(), "trials": trials, "paste": paste });
    serde_json::to_writer_pretty(&mut *out, &all)?;
    writeln!(out)
}
