//! `xlayout algebra`: maps that are composed, divided, inverted and compared, with the steps of the
//! derivation.

use std::io::Write;
use std::path::PathBuf;

use crate::picture::files::Files;
use crate::shape;
use xlayout_command::{Failure, Outcome};
use xlayout_view::{AlgebraQuestion, BankedMemory, Derivation};

/// The arguments of `xlayout algebra`.
#[derive(clap::Args, Debug)]
pub(crate) struct AlgebraArguments {
    #[command(subcommand)]
    operation: Operation,

    #[command(flatten)]
    given: shape::Given,

    /// Write a picture of each map to this file as SVG, with a cell for each index; `-` is stdout
    #[arg(long, value_name = "FILE", global = true)]
    svg: Option<PathBuf>,

    /// Replace FILE if it exists
    #[arg(long, global = true, requires = "svg")]
    force: bool,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Operation {
    /// A after B: the offset of B is the index of A
    Compose { a: String, b: String },
    /// The tiles that B takes out of A: the number of the tile, and the index in it
    Divide { a: String, b: String },
    /// The offsets whose translates of A fill 0 to SIZE
    Complement {
        a: String,
        /// How many offsets are filled
        #[arg(long)]
        size: u64,
    },
    /// The index of each offset
    Invert {
        a: String,
        /// A map R with A(R(k)) = k, as far as the offsets have no hole
        #[arg(long)]
        right: bool,
    },
    /// Whether A and B are one map of the index; exit code 1 if not
    Equal { a: String, b: String },
    /// The swizzle with the fewest conflicts for all accesses, each a map from lanes to elements
    Swizzle {
        #[arg(required = true)]
        accesses: Vec<String>,
        #[command(flatten)]
        memory: Memory,
    },
    /// The swizzle that turns the offsets of A into those of B; exit code 1 if there is none
    Between { a: String, b: String },
    /// How often memory is asked for an access, a map from lanes to elements
    Conflicts {
        access: String,
        #[command(flatten)]
        memory: Memory,
        /// Apply CuTe's Swizzle<BITS,BASE,SHIFT> to the offsets
        #[arg(long, value_name = "BITS,BASE,SHIFT", allow_hyphen_values = true)]
        swizzle: Option<String>,
    },
}

/// Memory with banks, and what is read from it.
#[derive(clap::Args, Clone, Copy, Debug)]
struct Memory {
    /// The bytes of an element
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    bytes: u32,
    /// The number of banks
    #[arg(long, default_value_t = 32)]
    banks: u32,
    /// The bytes of a bank that are next to each other
    #[arg(long, default_value_t = 4)]
    width: u32,
}

impl From<Memory> for BankedMemory {
    fn from(memory: Memory) -> Self {
        let Memory {
            bytes,
            banks,
            width,
        } = memory;
        Self {
            bytes,
            banks,
            width,
        }
    }
}

impl Operation {
    fn question(&self) -> AlgebraQuestion {
        use AlgebraQuestion as Question;
        match self.clone() {
            Self::Compose { a, b } => Question::Compose { a, b },
            Self::Divide { a, b } => Question::Divide { a, b },
            Self::Complement { a, size } => Question::Complement { a, size },
            Self::Invert { a, right } => Question::Invert { a, right },
            Self::Equal { a, b } => Question::Equal { a, b },
            Self::Swizzle { accesses, memory } => Question::Swizzle {
                accesses,
                memory: memory.into(),
            },
            Self::Between { a, b } => Question::Between { a, b },
            Self::Conflicts {
                access,
                memory,
                swizzle,
            } => Question::Conflicts {
                access,
                memory: memory.into(),
                swizzle,
            },
        }
    }
}

pub(crate) fn run(arguments: &AlgebraArguments, out: &mut dyn Write) -> Outcome {
    let files = Files {
        svg: arguments.svg.clone(),
        html: None,
        force: arguments.force,
        no_path: true,
    };
    let question = arguments.operation.question();
    let found = Derivation::of(&question, &arguments.given.of_notation())?;
    // If the picture goes to stdout, nothing else does.
    if !files.to_stdout() {
        out.write_all(found.to_text().styled().as_bytes())?;
    }
    if files.any() {
        files.write(&found.picture()?, out)?;
    }
    // The answer "no" is a failure, too, but its steps can be drawn.
    if found.is_no() {
        return Err(Failure::answer_is_no());
    }
    Ok(())
}
