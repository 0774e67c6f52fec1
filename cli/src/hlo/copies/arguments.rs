//! The arguments of `xlayout hlo copies`.

use std::path::PathBuf;

use super::super::arguments::{Common, Top};
use crate::help;

pub(crate) const ABOUT: &str = "\
List the copies that a module makes, why, and what removes them.

A copy is an operation that moves data without computing: copies, transposes and reshapes that are not free, slices \
and concatenations, and fusions of these alone. Copies in loops count as often as the loop runs.";

fn long_help() -> String {
    let examples = help::examples(&[
        (
            "xlayout hlo copies module.txt",
            "Which copies does the compiler make, and why?",
        ),
        (
            "xlayout hlo copies module.txt --json | jq '.cures[] | .paste'",
            "The lines that remove copies",
        ),
    ]);
    let sections = [
        ("Kinds", &KINDS[..]),
        ("Advice", &ADVICE[..]),
        ("Keys of --json", &KEYS[..]),
    ]
    .map(|(title, items)| help::described(title, items));
    format!("{examples}\n\n{}", sections.join("\n\n"))
}

const KINDS: [(&str, &str); 3] = [
    (
        "layout",
        "The elements get another sequence in memory; other layouts around the
      operation would make it free",
    ),
    (
        "memory_space",
        "The same layout in another memory space, such as a prefetch to S(1)",
    ),
    (
        "rearrange",
        "A part of an array, several arrays in one, or a second copy of one",
    ),
];

const ADVICE: [(&str, &str); 4] = [
    (
        "parameter, result",
        "An entry layout that makes copies of the kind `layout` unnecessary. A
      layout is followed only through operations that take it over. Where
      another operation fixes one, there is no advice",
    ),
    (
        "with_layout_constraint",
        "A layout for a value inside of the module: for slices of what a sort or
      another operation gives, if a whole copy is made for them. The line goes
      behind the operation that is named",
    ),
    (
        "in_shardings=…, out_shardings=…",
        "What to pass to jax.jit; s is the sharding of the argument",
    ),
    (
        "bytes, padding",
        "What the array takes before and after: a layout may remove a copy and
      need more memory. Measure before you keep it",
    ),
];

const KEYS: [(&str, &str); 5] = [
    (
        "copies: instruction, computation, opcode, op_name, source",
        "Which operation, and where the program has it",
    ),
    (
        "copies: from, to, bytes_read, bytes_written, executions",
        "Layouts, bytes of one execution with padding, and how often it runs;
      null in a loop of unknown length",
    ),
    (
        "copies: kind, cause, before, after, producer, consumers",
        "Why it is there: what fixes the layout before it and after it",
    ),
    (
        "cures: parameter or result, layout, removes",
        "Advice; entries of the same `removes` belong together",
    ),
    (
        "constraints: op_name, source, shape, layout, removes, paste",
        "Advice for values inside of the module: the result of that operation,
      and the line for it; `added_bytes_at_most` is what is copied instead",
    ),
];

/// Arguments of `xlayout hlo copies`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "See `--help` for examples, and what is counted.",
    after_long_help = long_help(),
)]
pub(crate) struct Arguments {
    /// The texts of modules, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Show so many copies of each module, or `all` [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) top: Option<Top>,

    #[command(flatten)]
    pub(super) common: Common,
}

impl Arguments {
    /// How many copies of a module people see.
    pub(super) fn rows(&self) -> usize {
        self.top.map_or(10, |top| top.0)
    }
}
