//! The arguments of `xlayout hlo copies`.

use std::path::PathBuf;

use xlayout_hlo::device::Device;
use xlayout_hlo::parse_bandwidth;

use super::super::arguments::{By, Common, Top};
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
            "xlayout hlo copies module.txt --device v5e --by source",
            "The lines of the program by the time of their copies",
        ),
        (
            "xlayout hlo copies module.txt --json | jq '.cures[] | .paste'",
            "The lines that remove copies",
        ),
    ]);
    let sections = [
        ("Kinds", &KINDS[..]),
        ("Time", &TIME[..]),
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

const TIME: [(&str, &str); 4] = [
    (
        "--device, --bandwidth",
        "Bytes by the bandwidth of the main memory: a copy does not take less",
    ),
    (
        "120 µs to 143 µs",
        "What is not known makes a range. Another memory of the device, such as
      S(1), is faster: its bytes count in the second number only",
    ),
    (
        "hidden, exposed",
        "An asynchronous copy is hidden if operations that compute run between
      its start and its end: then it may take no time. All others are exposed",
    ),
    (
        "at least",
        "The memory of the host, S(5), is on one side: its bandwidth is not known",
    ),
];

const ADVICE: [(&str, &str); 5] = [
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
        "Program",
        "Copies that another program does not make: a product whose parts are used
      one by one, patches of an image as a product, reshapes of rows that
      fill no tile. The names x and weights are yours",
    ),
    (
        "in_shardings=…, out_shardings=…",
        "What to pass to jax.jit; s is the sharding of the argument",
    ),
    (
        "may not pay",
        "Advice that is not known to save more than it adds, with the reason, such
      as copies inside of a fusion, or a higher peak of memory",
    ),
];

const KEYS: [(&str, &str); 7] = [
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
        "copies: overlap, traffic, seconds",
        "exposed, unknown or hidden, with the number of operations; the bytes
      that make a time at the least and at the most; with --device or
      --bandwidth that time. null: not known",
    ),
    (
        "cures: parameter or result, layout, removes, may_not_pay",
        "Advice; entries of the same `removes` belong together. may_not_pay: why
      it is not known to save more than it adds, or null. Without entries for
      modules that are neither a TPU's nor a CPU's",
    ),
    (
        "constraints: op_name, source, shape, layout, removes, paste",
        "Advice for values inside of the module: the result of that operation,
      and the line for it; `added_bytes_at_most` is what is copied instead",
    ),
    (
        "rewrites: removes, removed_bytes, because, paste",
        "Copies that another program does not make, and what to write",
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

    /// Say how long copies take on a device: v5e, v6e, H100, …
    #[arg(long, value_name = "NAME")]
    pub(super) device: Option<Device>,

    /// The same at a bandwidth of the memory, such as 819GB/s
    #[arg(long, value_name = "RATE", value_parser = parse_bandwidth, conflicts_with = "device")]
    pub(super) bandwidth: Option<u64>,

    /// Sum the copies of all modules in groups, and beside them the moves between memory spaces
    #[arg(long, value_enum, value_name = "GROUP", conflicts_with = "json")]
    pub(super) by: Option<Group>,

    /// Write CSV: a row for each copy, or for each group of `--by`
    #[arg(long, conflicts_with = "json")]
    pub(super) csv: bool,

    #[command(flatten)]
    pub(super) common: Common,
}

/// What copies of a group have in common.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Group {
    /// Operation: copy, fusion, …
    Opcode,
    /// Scope of the program: `op_name` without its last part
    Scope,
    /// File and line of the program
    Source,
}

impl Group {
    /// The same group of arrays.
    pub(super) fn of_arrays(self) -> By {
        match self {
            Self::Opcode => By::Opcode,
            Self::Scope => By::Scope,
            Self::Source => By::Source,
        }
    }
}

impl Arguments {
    /// How many copies of a module people see.
    pub(super) fn rows(&self) -> usize {
        self.top.map_or(10, |top| top.0)
    }

    /// How many rows programs get.
    pub(super) fn all_rows(&self) -> usize {
        self.top.map_or(usize::MAX, |top| top.0)
    }

    /// The bytes in a second, if they are known.
    pub(super) fn bandwidth(&self) -> Option<u64> {
        self.bandwidth
            .or(self.device.map(|device| device.bandwidth))
    }
}
