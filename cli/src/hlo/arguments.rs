//! The arguments of `xlayout hlo`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;

use super::page::Html;
use crate::help;

pub(crate) const ABOUT: &str = "\
Find padding, copies and peak memory in HLO modules, or compare two of them.

Reads modules after compiling, as text or as `.hlo.pb`, of any size, and answers which arrays and layouts take \
most memory, how much of it is padding, and which layouts of the same hardware would waste less. Of a log in which XLA \
runs out of memory, explains the arrays that it lists.";

fn long_help() -> String {
    let examples = help::examples(&[
        ("xlayout hlo module.txt", "What wastes my memory?"),
        (
            "xlayout hlo module.txt --by source",
            "The lines of the program by the memory that they take",
        ),
        (
            "xlayout hlo dump/*after_optimizations.txt --csv > arrays.csv",
            "The compiled modules of a dump, for a spreadsheet",
        ),
        (
            "xlayout hlo dump",
            "The compiled modules that --xla_dump_to wrote; other files are left out",
        ),
        (
            "xlayout hlo train.log",
            "XLA ran out of memory: by which arrays, and how much of them is padding?",
        ),
        (
            "ssh host cat module.txt.gz | xlayout hlo - --json | jq .totals",
            "In a pipe",
        ),
    ]);
    let sections = [
        ("What is counted", &COUNTED[..]),
        ("Bytes", &BYTES[..]),
        ("What would waste less", &BETTER[..]),
        ("Keys of --json", &KEYS[..]),
    ]
    .map(|(title, items)| help::described(title, items));
    format!("{examples}\n\n{}", sections.join("\n\n"))
}

const COUNTED: [(&str, &str); 5] = [
    (
        "%name = SHAPE operation(…)",
        "The result of every instruction, each array of a tuple by itself, if
      the text gives it a layout; a scalar has only one. Operands are not
      counted again. These are
      the arrays of a program, not its peak of memory: those that are never
      alive together may share it",
    ),
    (
        "without a flag",
        "What ENTRY allocates: what is in memory between fusions, each array
      once, but not what is in the bodies of loops. --json and --csv count as
      with --all",
    ),
    (
        "--all",
        "The results of all computations, of fused ones as well, though their
      arrays live in registers; views of other arrays, too",
    ),
    ("--entry", "All results of the ENTRY computation"),
    (
        "--no-views",
        "Not what shares the memory of another array: tuple,
      get-tuple-element, bitcast, while, conditional, call, …-done, and
      parameters outside of ENTRY",
    ),
];

const BYTES: [(&str, &str); 3] = [
    ("logical", "The elements alone, in whole bytes"),
    (
        "allocated",
        "With the padding of tiles, as XLA allocates them",
    ),
    ("padding", "Allocated less logical; in percent of allocated"),
];

const BETTER: [(&str, &str); 3] = [
    (
        "another minor_to_major, or another tile",
        "That allocates least of those that the TPU compiler itself gives to
      arrays of these sizes, for each choice of the two most minor dimensions",
    ),
    (
        "a smaller tile",
        "Where none of them is better: a tile of fewer rows, which fills fewer
      rows of a register. In JAX both are asked for with
      jax.experimental.layout. They save memory; measure whether they save time",
    ),
    (
        "other hardware",
        "Where tiles are not a TPU's: the same tiles, another minor_to_major",
    ),
];

const KEYS: [(&str, &str); 8] = [
    (
        "totals, totals_in_entry",
        "count, logical_bytes, allocated_bytes, padding_bytes of all arrays",
    ),
    (
        "arrays: shape, count, logical_bytes, allocated_bytes",
        "A distinct array, how many results are such a one, the bytes of one;
      total_logical_bytes, total_allocated_bytes and total_padding_bytes of
      all; better: what would waste less, or null",
    ),
    (
        "layouts, element_types, memory_spaces",
        "The same arrays in groups; bytes are those of all in the group",
    ),
    (
        "entry",
        "Of each module: parameters and results of entry_computation_layout",
    ),
    (
        "without_layout, without_size",
        "How many arrays are not counted: no layout in the text, a size `?`",
    ),
    (
        "mistakes, mistakes_in_all",
        "file, line, column, message, help; without --all-mistakes 5 of them",
    ),
    ("files", "What was read: bytes, computations, instructions"),
    (
        "out_of_memory",
        "Of a log, and no other key: file, reports, left_out. Reports have
      used_bytes, limit_bytes, … and allocations: bytes, logical_bytes, shape,
      better, op_name, source, label, kind",
    ),
];

/// Arguments of `xlayout hlo`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "See `--help` for examples, and what is counted.",
    after_long_help = long_help(),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    subcommand_value_name = "QUESTION",
    subcommand_help_heading = "Other questions",
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(super) question: Option<Question>,

    /// Modules as text or proto, or logs, also compressed, or folders of modules; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Write CSV: a row for each distinct array, or for each group of `--by`
    #[arg(long, conflicts_with = "json")]
    pub(super) csv: bool,

    /// Write JSON, with everything
    #[arg(long)]
    pub(super) json: bool,

    /// Show so many rows of each table, or `all` [default: 10; all with --csv and --json]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) top: Option<Top>,

    /// The column to sort by
    #[arg(long, value_enum, default_value_t = Sort::Allocated, value_name = "KEY")]
    pub(super) sort: Sort,

    /// Show one table only, of the arrays in groups
    #[arg(long, value_enum, value_name = "GROUP", conflicts_with = "json")]
    pub(super) by: Option<By>,

    /// Count all results of all computations, in fusions and loops, too, not only what ENTRY allocates
    #[arg(long)]
    pub(super) all: bool,

    /// Count all results in ENTRY computations, with views of other arrays
    #[arg(long, conflicts_with = "all")]
    pub(super) entry: bool,

    /// Do not count what shares the memory of another array: tuples, bitcasts, loops, …
    #[arg(long)]
    pub(super) no_views: bool,

    /// Tell every place that could not be read, not only the first 5
    #[arg(long)]
    pub(super) all_mistakes: bool,

    #[command(flatten)]
    pub(super) html: Html,
}

/// What else `hlo` answers. A file of such a name is written `./copies`.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Question {
    /// List the copies that a module makes, why, and what removes them
    #[command(long_about = super::copies::ABOUT)]
    Copies(super::copies::Arguments),
    /// Compare two compilations of a program
    #[command(long_about = super::diff::ABOUT)]
    Diff(super::diff::Arguments),
    /// Say how much memory a module takes, and what is alive at the peak
    #[command(long_about = super::memory::ABOUT)]
    Memory(super::memory::Arguments),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Sort {
    /// Bytes in all, with padding
    Allocated,
    /// Bytes of padding in all
    Padding,
    /// Padding in percent
    Waste,
    /// How many there are
    Count,
    /// The text
    Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum By {
    /// Element type, sizes and layout: each distinct array
    Shape,
    /// minor_to_major, tiles, memory space
    Layout,
    /// Element type
    Type,
    /// Memory space
    Space,
    /// Operation: copy, fusion, …
    Opcode,
    /// Scope of the program: `op_name` without its last part
    Scope,
    /// File and line of the program
    Source,
}

/// How many rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Top(pub(super) usize);

impl FromStr for Top {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self(usize::MAX)),
            _ => text
                .parse()
                .map(Self)
                .map_err(|_| "write a number of rows, or `all`".to_owned()),
        }
    }
}

impl Arguments {
    /// How many rows people see.
    pub(super) fn rows(&self) -> usize {
        self.top.map_or(10, |top| top.0)
    }

    /// How many rows programs get.
    pub(super) fn all_rows(&self) -> usize {
        self.top.map_or(usize::MAX, |top| top.0)
    }
}

/// Arguments of `copies`, `memory` and `diff`.
#[derive(clap::Args, Debug)]
pub(super) struct Common {
    /// Write JSON, with everything
    #[arg(long)]
    pub(super) json: bool,

    /// Tell every place that could not be read, not only the first 5
    #[arg(long)]
    pub(super) all_mistakes: bool,

    #[command(flatten)]
    pub(super) html: Html,
}
