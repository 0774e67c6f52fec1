//! The arguments of `xlayout hlo`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;

use super::page::Html;

/// Arguments of `xlayout hlo`.
#[derive(clap::Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    subcommand_value_name = "QUESTION",
    subcommand_help_heading = "Other questions"
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

    #[command(flatten)]
    pub(super) common: Common,
}

/// What else `hlo` answers. A file of such a name is written `./copies`.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Question {
    /// List the copies that a module makes, why, and what removes them
    Copies(super::copies::Arguments),
    /// Compare two compilations of a program
    Diff(super::diff::Arguments),
    /// Say how much memory a module takes, and what is alive at the peak
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
struct Top(usize);

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

/// Arguments of `hlo` and of its questions.
#[derive(clap::Args, Debug)]
pub(super) struct Common {
    /// Write JSON, with everything
    #[arg(long)]
    pub(super) json: bool,

    /// Show so many rows of each list, or `all` [default: 10; all in CSV and JSON]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    top: Option<Top>,

    /// Tell every place that could not be read, not only the first 5
    #[arg(long)]
    pub(super) all_mistakes: bool,

    #[command(flatten)]
    pub(super) html: Html,
}

impl Common {
    /// The number of rows in tables for people.
    pub(super) fn rows(&self) -> usize {
        self.top.map_or(10, |top| top.0)
    }

    /// The number of rows in CSV and JSON.
    pub(super) fn all_rows(&self) -> usize {
        self.top.map_or(usize::MAX, |top| top.0)
    }
}
