//! Why a module cannot be followed.

use std::path::Path;

use super::super::error::Error;
use super::super::graph::Module;
use super::walk;
use crate::words::{counted, grouped, shortened};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    NoEntry,
    /// With all calls at their places there are more steps than that.
    Long(u64),
    /// With all calls at their places there are more arrays than that, or lists and pairs hold `PAIRS` times as many.
    Many(usize),
    /// `input_output_alias` has an item for this parameter, and one of its two places does not exist.
    Alias(u32),
    /// No compiler writes such an instruction. The numbers are those of the computation and of the instruction in it.
    Instruction(Box<((u32, u32), Fault)>),
}

/// What is wrong with an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NoOperand,
    /// A parameter for which the caller has no operand.
    NoArgument,
    /// Two parameters of a computation have the same number.
    SecondParameter,
    /// The tuple has no such item.
    NoItem,
    /// `output_to_operand_aliasing` cannot be read.
    Aliasing,
    /// The item of an asynchronous operation that is its operands has other arrays.
    OtherOperands,
    /// The instruction has more operands than the computation that it runs takes.
    Operands {
        given: usize,
        taken: usize,
    },
    /// A parameter without a number.
    NoNumber,
    /// The attribute that names the computation to run is missing.
    NoCallee(&'static str),
    Branches {
        branches: usize,
        operands: usize,
    },
    /// The instruction gives other arrays than its shape says.
    Arrays {
        given: usize,
        shape: usize,
    },
}

impl Stop {
    pub(super) fn error(self, path: &Path, module: &Module) -> Error {
        let (path, name) = (path.display(), shortened(&module.name, 60));
        let damaged = "the compiler makes no such module: is the text damaged?";
        let large = "`xlayout hlo` counts the arrays of modules of any size";
        let calls = "with all calls at their places";
        let (message, help) = match self {
            Self::NoEntry => (
                format!("the module `{name}` has no ENTRY computation, which says what runs"),
                "was a part of the text left out?",
            ),
            Self::Long(most) => {
                let most = grouped(most);
                (
                    format!("{calls}, `{name}` has more than {most} steps"),
                    large,
                )
            }
            Self::Many(most) => {
                let [most, times] = [most, walk::PAIRS * most].map(|count| grouped(count as u64));
                let message = format!(
                    "{calls}, `{name}` has more than {most} arrays, or its tuples and branches hold arrays more than {times} times"
                );
                (message, large)
            }
            Self::Alias(parameter) => {
                let message = format!(
                    "`input_output_alias` of `{name}` has an item for parameter {parameter}, and this parameter, or the place in it \
                     or in the result, does not exist"
                );
                (message, damaged)
            }
            Self::Instruction(wrong) => {
                let ((computation, number), fault) = *wrong;
                let computation = &module.computations[computation as usize];
                let instruction = &computation.instructions[number as usize];
                let place = match instruction.line {
                    0 => String::new(),
                    line => format!(" on line {line}"),
                };
                let texts = [module.name(instruction), module.opcode(instruction)];
                let [name, opcode] = texts.map(|text| shortened(text, 60));
                let words = fault.words();
                (format!("`{name} = {opcode}(…)`{place} {words}"), damaged)
            }
        };
        Error::new(format_args!("`{path}`: {message}")).help(help)
    }
}

impl Fault {
    fn words(self) -> String {
        let counted = |count: usize, noun: &str| counted(count as u64, noun);
        let fixed = match self {
            Self::Operands { given, taken } => {
                let given = counted(given, "operand");
                return format!("has {given}, but its computation takes {taken}");
            }
            Self::NoCallee(role) => {
                return format!("has no attribute `{role}`, which names the computation to run");
            }
            Self::Branches { branches, operands } => {
                let es = if branches == 1 { "" } else { "es" };
                return format!("has {branches} branch{es}, and operands for {operands}");
            }
            Self::Arrays { given, shape } => {
                let [given, shape] = [given, shape].map(|count| counted(count, "array"));
                return format!("gives {given}, but its shape has {shape}");
            }
            Self::NoOperand => "needs an operand that it does not have",
            Self::NoArgument => {
                "has no value: the instruction that runs its computation has no operand for it"
            }
            Self::SecondParameter => "has the number of another parameter",
            Self::NoItem => "needs an item of a tuple that does not exist",
            Self::Aliasing => "has an `output_to_operand_aliasing` that cannot be read",
            Self::OtherOperands => {
                "does not hold its operands: the arrays at their place in its shape are others"
            }
            Self::NoNumber => "has no number",
        };
        fixed.to_owned()
    }
}
