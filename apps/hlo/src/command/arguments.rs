//! The arguments of `xlayout hlo` and of its questions: among them the groups of arrays that can be
//! asked for, and what they are sorted by.

use std::path::{Path, PathBuf};

use crate::device::Device;
use crate::group::Key;
use crate::{Instruction, Module, parse_bandwidth, parse_size};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

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

    /// Modules as text or proto, or logs, also compressed, or folders of modules; - is standard
    /// input
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

    /// Count all results of all computations, in fusions and loops, too, not only what ENTRY
    /// allocates
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
    Copies(Copies),
    /// Compare two compilations of a program
    Diff(Diff),
    /// Say how much memory a module takes, and what is alive at the peak
    Memory(Memory),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
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

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
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

/// Arguments of `hlo` and of its questions.
#[derive(clap::Args, Debug)]
pub(super) struct Common {
    /// Write JSON, with everything
    #[arg(long)]
    pub(super) json: bool,

    /// The number of rows that each list shows, or `all` [default: 10; all in CSV and JSON]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = xlayout_command::table::top)]
    top: Option<usize>,

    /// Report every place that could not be read, not only the first 5
    #[arg(long)]
    pub(super) all_mistakes: bool,

    #[command(flatten)]
    pub(super) html: Html,
}

impl Common {
    /// The number of rows in tables for people.
    pub(super) fn rows(&self) -> usize {
        self.top.unwrap_or(10)
    }

    /// The number of rows in CSV and JSON.
    pub(super) fn all_rows(&self) -> usize {
        self.top.unwrap_or(usize::MAX)
    }
}

/// The arguments of a page.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Html {
    /// Write a page with the memory, the arrays and the copies of the modules to this file; `-` is
    /// stdout
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,

    /// Replace a FILE of `--html` that exists
    #[arg(long, requires = "html")]
    pub(super) force: bool,
}

impl Html {
    pub(super) fn is_wanted(&self) -> bool {
        self.html.is_some()
    }

    /// Whether the page goes to stdout, so that nothing else may.
    pub(super) fn is_stdout(&self) -> bool {
        self.html.as_deref() == Some(Path::new("-"))
    }
}

/// Arguments of `xlayout hlo copies`.
#[derive(clap::Args, Debug)]
pub(crate) struct Copies {
    /// The texts of modules, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Say how long copies take on a device: v5e, v6e, H100, …
    #[arg(long, value_name = "NAME")]
    pub(super) device: Option<Device>,

    /// The same at a bandwidth of the memory, such as 819GB/s
    #[arg(long, value_name = "RATE", value_parser = parse_bandwidth, conflicts_with = "device")]
    bandwidth: Option<u64>,

    /// Sum the copies of all modules in groups, and beside them the moves between memory spaces
    #[arg(long, value_name = "GROUP", value_parser = of_instructions(), conflicts_with = "json")]
    pub(super) by: Option<By>,

    /// Write CSV: a row for each copy, or for each group of `--by`
    #[arg(long, conflicts_with = "json")]
    pub(super) csv: bool,

    #[command(flatten)]
    pub(super) common: Common,
}

impl Copies {
    /// The bytes per second, if they are known.
    pub(super) fn bandwidth(&self) -> Option<u64> {
        self.bandwidth
            .or(self.device.map(|device| device.bandwidth))
    }
}

/// Arguments of `xlayout hlo memory`.
#[derive(clap::Args, Debug)]
pub(crate) struct Memory {
    /// Modules, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Say whether it fits in a memory of this size, such as 15.75G; the exit code is 1 if it does
    /// not
    #[arg(long, value_name = "BYTES", value_parser = parse_size, conflicts_with = "device")]
    pub(super) limit: Option<u64>,

    /// The same for the memory of a device: v5e, v6e, H100, …
    #[arg(long, value_name = "NAME")]
    pub(super) device: Option<Device>,

    #[command(flatten)]
    pub(super) common: Common,
}

/// When the exit code is 1.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FailOn {
    /// Layouts, copies, padding or the peak differ
    Any,
    /// B copies more bytes than A, pads more, or takes more at its peak
    Worse,
    /// Never, if both could be read
    Never,
}

/// Arguments of `xlayout hlo diff`.
#[derive(clap::Args, Debug)]
pub(crate) struct Diff {
    /// The module of the first compilation, as text or proto; - is standard input
    #[arg(value_name = "A")]
    pub(super) a: PathBuf,

    /// The module of the second one
    #[arg(value_name = "B")]
    pub(super) b: PathBuf,

    /// When the exit code is 1
    #[arg(long, value_enum, value_name = "CHANGE", default_value_t = FailOn::Any)]
    pub(super) fail_on: FailOn,

    /// With `--fail-on worse`: an increase of up to this many bytes is not worse
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(super) allow: u64,

    #[command(flatten)]
    pub(super) common: Common,
}

impl Sort {
    pub(super) fn key(self) -> Key {
        match self {
            Self::Allocated => |bytes| bytes.allocated,
            Self::Padding => |bytes| bytes.padding(),
            // The share of padding in units of 2^-32.
            Self::Waste => |bytes| {
                let padding = bytes.padding() << 32;
                padding.checked_div(bytes.allocated).unwrap_or(0)
            },
            Self::Count => |bytes| bytes.count,
            Self::Name => |_| 0,
        }
    }
}

impl By {
    /// The names of a kind of group: the key for programs, and the plural and the singular for
    /// people.
    pub(super) fn words(self) -> [&'static str; 3] {
        match self {
            Self::Shape => ["shape", "Arrays", "array"],
            Self::Layout => ["layout", "Layouts", "layout"],
            Self::Type => ["element_type", "Element types", "type"],
            Self::Space => ["memory_space", "Memory spaces", "space"],
            Self::Opcode => ["opcode", "Operations", "operation"],
            Self::Scope => ["scope", "Scopes of the program", "scope"],
            Self::Source => ["source", "Lines of the program", "line"],
        }
    }

    /// The name of the group that an instruction belongs to.
    pub(super) fn of_instruction(self) -> fn(&Module, &Instruction) -> String {
        let name: fn(&Module, &Instruction) -> String = match self {
            // The last part is the operation itself.
            Self::Scope => |module, instruction| {
                let name = module.op_name(instruction);
                named(name.rsplit_once('/').map_or(name, |(scope, _)| scope))
            },
            Self::Source => |module, instruction| {
                let place = module.source(instruction);
                named(&place.map_or(String::new(), |place| place.to_string()))
            },
            _ => |module, instruction| named(module.opcode_text(instruction)),
        };
        name
    }
}

/// Reads a group of instructions.
fn of_instructions() -> impl TypedValueParser<Value = By> {
    let names = [By::Opcode, By::Scope, By::Source].map(|by| by.to_possible_value());
    PossibleValuesParser::new(names.into_iter().flatten())
        .try_map(|name| By::from_str(&name, false))
}

fn named(name: &str) -> String {
    match name {
        "" => "(none)".to_owned(),
        name => name.to_owned(),
    }
}
