//! Why a module cannot be followed.

use std::path::Path;

use crate::error::Error;
use crate::graph::Module;
use xlayout_words::{counted, grouped, shortened};

/// The largest number of arrays, at 32 bytes each. A step makes as many as its shape has, so the
/// limit of steps does not limit them.
pub(super) const MOST_ARRAYS: usize = if cfg!(fuzzing) { 100_000 } else { 16_000_000 };
/// The limit of list items and pairs per array; these take about a quarter of the memory.
pub(super) const PAIRS: usize = 4;

#[derive(Debug, PartialEq)]
pub(super) enum Stop {
    /// The module has no computation.
    NoEntry,
    /// Calls included, there are more steps than this.
    Long(u64),
    /// Calls included, there are more arrays than this, or the lists of arrays and the pairs of
    /// arrays that share memory have more than `PAIRS` times as many items.
    Many(usize),
    /// `input_output_alias` has an item for this parameter, and one of its two indices does not
    /// exist.
    Alias(u32),
    /// An instruction that no compiler writes. The numbers are those of its computation and of the
    /// instruction there.
    Instruction(Box<((u32, u32), Fault)>),
}

/// What is wrong with an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// A fault described by these words.
    Is(&'static str),
    /// The instruction has more operands than the computation that it runs takes.
    Operands { given: usize, taken: usize },
    /// This attribute, which names the computation to run, is missing.
    NoCallee(&'static str),
    /// There are operands for another number of branches.
    Branches { branches: usize, operands: usize },
    /// The instruction gives other arrays than its shape contains.
    Arrays { given: usize, shape: usize },
}

// The faults that words describe. They follow the text of the instruction.
pub(super) const NO_OPERAND: Fault = Fault::Is("needs an operand that it does not have");
pub(super) const NO_ARGUMENT: Fault =
    Fault::Is("has no value: the instruction that runs its computation has no operand for it");
pub(super) const SECOND_PARAMETER: Fault = Fault::Is("has the number of another parameter");
pub(super) const NO_ITEM: Fault = Fault::Is("needs an item of a tuple that does not exist");
pub(super) const ALIASING: Fault =
    Fault::Is("has an `output_to_operand_aliasing` that cannot be read");
pub(super) const OTHER_OPERANDS: Fault =
    Fault::Is("does not hold its operands: the arrays at their place in its shape are others");
pub(super) const NO_NUMBER: Fault = Fault::Is("has no number");

impl Stop {
    /// The error for the person who named the file.
    pub(super) fn error(self, path: &Path, module: &Module) -> Error {
        let path = path.display();
        let name = shortened(&module.name, 60);
        let damaged_help = "the compiler makes no such module: is the text damaged?";
        let size_help = "`xlayout hlo --all` counts the arrays of modules of any size";
        let calls = "with all calls at their places";
        let (message, help) = match self {
            Self::NoEntry => (
                format!("the module `{name}` has no computation, so nothing runs"),
                "was a part of the text left out?",
            ),
            Self::Long(most) => {
                let limit = grouped(most);
                (
                    format!("{calls}, `{name}` has more than {limit} steps"),
                    size_help,
                )
            }
            Self::Many(most) => {
                let [most, times] = [most, PAIRS * most].map(|count| grouped(count as u64));
                let message = format!(
                    "{calls}, `{name}` has more than {most} arrays, or its tuples and branches hold arrays more than {times} times"
                );
                (message, size_help)
            }
            Self::Alias(parameter) => {
                let message = format!(
                    "`input_output_alias` of `{name}` has an item for parameter {parameter}, and this parameter, or the place in it \
                     or in the result, does not exist"
                );
                (message, damaged_help)
            }
            Self::Instruction(place_and_fault) => {
                let (place, fault) = *place_and_fault;
                let (_, instruction) = module.at(place);
                let place = match instruction.line {
                    0 => String::new(),
                    line => format!(" on line {line}"),
                };
                let [name, opcode] = [module.name(instruction), module.opcode_text(instruction)]
                    .map(|text| shortened(text, 60));
                let words = fault.words();
                let message = format!("`{name} = {opcode}(…)`{place} {words}");
                (message, damaged_help)
            }
        };
        Error::new(format_args!("`{path}`: {message}")).help(help)
    }
}

impl Fault {
    /// What is said of the instruction.
    fn words(self) -> String {
        let counted = |count: usize, noun: &str| counted(count as u64, noun);
        match self {
            Self::Is(words) => words.to_owned(),
            Self::Operands { given, taken } => {
                let given = counted(given, "operand");
                format!("has {given}, but its computation takes {taken}")
            }
            Self::NoCallee(role) => {
                format!("has no attribute `{role}`, which names the computation to run")
            }
            Self::Branches { branches, operands } => {
                let es = if branches == 1 { "" } else { "es" };
                format!("has {branches} branch{es}, and operands for {operands}")
            }
            Self::Arrays { given, shape } => {
                let [given, shape] = [given, shape].map(|count| counted(count, "array"));
                format!("gives {given}, but its shape has {shape}")
            }
        }
    }
}
