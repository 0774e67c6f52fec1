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
        let path = path.display();
        let name = shortened(&module.name, 60);
        let damaged = "the compiler makes no such module: is the text damaged?";
        let large = "`xlayout hlo` counts the arrays of modules of any size";
        match self {
            Self::NoEntry => Error::new(format_args!(
                "`{path}`: the module `{name}` has no ENTRY computation, which says what runs"
            ))
            .help("was a part of the text left out?"),
            Self::Long(most) => Error::new(format_args!(
                "`{path}`: with all calls at their places, `{name}` has more than {} steps",
                grouped(most)
            ))
            .help(large),
            Self::Many(most) => Error::new(format_args!(
                "`{path}`: with all calls at their places, `{name}` has more than {} arrays, or its tuples and branches hold arrays more \
                 than {} times",
                grouped(most as u64),
                grouped((walk::PAIRS * most) as u64),
            ))
            .help(large),
            Self::Alias(parameter) => Error::new(format_args!(
                "`{path}`: `input_output_alias` of `{name}` has an item for parameter {parameter}, and this parameter, or the place in it \
                 or in the result, does not exist"
            ))
            .help(damaged),
            Self::Instruction(wrong) => {
                let ((computation, number), fault) = *wrong;
                let computation = &module.computations[computation as usize];
                let instruction = &computation.instructions[number as usize];
                let place = match instruction.line {
                    0 => String::new(),
                    line => format!(" on line {line}"),
                };
                Error::new(format_args!(
                    "`{path}`: `{} = {}(…)`{place} {}",
                    shortened(module.name(instruction), 60),
                    shortened(module.opcode(instruction), 60),
                    fault.words()
                ))
                .help(damaged)
            }
        }
    }
}

impl Fault {
    fn words(self) -> String {
        let arrays = |count: usize| counted(count as u64, "array");
        match self {
            Self::NoOperand => "needs an operand that it does not have".to_owned(),
            Self::NoArgument => {
                "has no value: the instruction that runs its computation has no operand for it"
                    .to_owned()
            }
            Self::SecondParameter => "has the number of another parameter".to_owned(),
            Self::NoItem => "needs an item of a tuple that does not exist".to_owned(),
            Self::Aliasing => "has an `output_to_operand_aliasing` that cannot be read".to_owned(),
            Self::OtherOperands => {
                "does not hold its operands: the arrays at their place in its shape are others"
                    .to_owned()
            }
            Self::Operands { given, taken } => format!(
                "has {}, but its computation takes {taken}",
                counted(given as u64, "operand")
            ),
            Self::NoNumber => "has no number".to_owned(),
            Self::NoCallee(role) => {
                format!("has no attribute `{role}`, which names the computation to run")
            }
            Self::Branches { branches, operands } => format!(
                "has {}, and operands for {operands}",
                match branches {
                    1 => "1 branch".to_owned(),
                    _ => format!("{branches} branches"),
                }
            ),
            Self::Arrays { given, shape } => format!(
                "gives {}, but its shape has {}",
                arrays(given),
                arrays(shape)
            ),
        }
    }
}
