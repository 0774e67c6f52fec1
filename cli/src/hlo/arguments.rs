//! The arguments of `xlayout hlo`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;

const EXAMPLES: &str = "\
WHAT IS COUNTED
  The result of every instruction, each array of a tuple by itself, if the text
  gives it a layout: `%name = SHAPE operation(…)`. Operands are not counted
  again. `count` is how many results are such an array; total bytes are that
  times the bytes of one.

  These are the arrays of the program, not its peak of memory: the compiler
  lets arrays share memory whose lifetimes do not overlap. Those inside of
  fused computations live in registers and need none. So:

    --entry     only the ENTRY computation: what is in memory between fusions
                (but not the bodies of its loops)
    --no-views  not what shares the memory of another array: `tuple`,
                `get-tuple-element`, `bitcast`, `while`, `conditional`, `call`,
                `…-done`, and parameters outside of ENTRY

WHAT THE BYTES ARE
  logical    the elements alone, rounded up to bytes
  allocated  with the padding of tiles, as XLA allocates them
  padding    allocated less logical, and in percent of allocated

WHAT WOULD WASTE LESS
  For each array with padding the layout of the same hardware that allocates
  least. The candidates are what the TPU compiler gives to an array of those
  sizes by itself, for each choice of the two most minor dimensions; where none
  of them is better, tiles of fewer rows. In JAX such a layout is asked for with
  `jax.experimental.layout`. It changes memory only for sure: whether the
  program is faster, measure.

EXAMPLES
  What wastes my memory?
    xlayout hlo module.txt
  The buffers of the entry computation, the worst padding first
    xlayout hlo module.txt --entry --no-views --by shape --sort padding --top 30
  All modules of a dump, for a spreadsheet
    xlayout hlo dump/*after_optimizations.txt --csv > arrays.csv
  In a pipe
    gzip -dc module.txt.gz | xlayout hlo - --json | jq .totals

EXIT CODES
  0  everything was read
  1  some places could not be read: they are told with line and column, the
     rest is counted
  3  a file cannot be read, or is no HLO text";

/// Arguments of `xlayout hlo`.
#[derive(clap::Args, Debug)]
#[command(
    long_about = "List the arrays of HLO modules, with what their padding costs.\n\n\
        Reads the text of modules as XLA prints it after compiling, of any size, and answers \
        which arrays and layouts take most memory, how much of it is padding, and which layouts \
        would waste less.",
    after_long_help = EXAMPLES
)]
pub(crate) struct Arguments {
    /// Texts of HLO modules; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Write CSV: a row for each distinct array, or for each group of `--by`
    #[arg(long, conflicts_with = "json")]
    pub(super) csv: bool,

    /// Write JSON, with everything
    #[arg(long)]
    pub(super) json: bool,

    /// Show so many rows of each table, or `all` [default: 10; all with --csv and --json]
    #[arg(long, value_name = "N")]
    pub(super) top: Option<Top>,

    /// What stands first
    #[arg(long, value_enum, default_value_t = Sort::Allocated, value_name = "KEY")]
    pub(super) sort: Sort,

    /// Show one table only, of the arrays in groups
    #[arg(long, value_enum, value_name = "GROUP", conflicts_with = "json")]
    pub(super) by: Option<By>,

    /// Count in ENTRY computations only
    #[arg(long)]
    pub(super) entry: bool,

    /// Do not count what shares the memory of another array: tuples, bitcasts, loops, …
    #[arg(long)]
    pub(super) no_views: bool,

    /// Tell every place that could not be read, not only the first 5
    #[arg(long)]
    pub(super) all_mistakes: bool,
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
                .map_err(|_| "expected a number of rows, or `all`".to_owned()),
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
