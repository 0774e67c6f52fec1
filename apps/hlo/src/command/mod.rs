//! The commands `hlo` and `advise` of the program `xlayout`, and what a program in memory asks
//! `hlo`.
//!
//! | part | what it does |
//! |---|---|
//! | `folder` | the files of a folder that are modules |
//! | `console` | the standard input, mistakes on stderr, a bar |
//! | `mistake` | places that could not be read, as failures |
//! | `arguments` | the arguments, and the groups of arrays that can be asked for |
//! | `answers` | reads files, and answers for each module |
//! | `arrays` | the arrays of all files |
//! | `summary` | the question without a name |
//! | `copies`, `memory`, `diff` | other questions |
//! | `oom` | reports of XLA that ran out of memory |
//! | `report`, `json`, `csv` | the answer |
//! | `audit`, `in_memory` | all of it for a module in memory |
//! | `advise` | the layouts that a compiler tries |

mod advise;
mod answers;
mod arguments;
mod arrays;
mod audit;
mod console;
mod copies;
mod csv;
mod diff;
mod failure;
mod folder;
mod in_memory;
mod json;
mod listed;
mod memory;
mod mistake;
mod oom;
mod report;
#[cfg(test)]
mod stack;
mod summary;
mod words;

use std::io::Write;

use crate::device::Device;
use arguments::{Arguments, Question};
pub use audit::{Audit, audit, page};
use console::Console;
pub use in_memory::{Request, Response};
use xlayout_command::{Command, Outcome};

/// The commands `hlo` and `advise`.
#[must_use]
pub fn all() -> [Command; 2] {
    let texts = xlayout_command::texts! { hlo hlo_copies hlo_diff hlo_memory advise };
    let texts = texts.map(|(name, text)| (name, with_devices(text)));
    let hlo = "Find padding, copies and peak memory in HLO modules, or compare two of them";
    let advise = "Find layouts of a program's arguments with which the compiler copies less";
    [
        Command::new("hlo", hlo, &texts, |arguments, out| {
            run(arguments, &Console::default(), out)
        }),
        Command::new("advise", advise, &texts, advise::run),
    ]
}

/// Replaces `{devices}` by the devices with their memory.
fn with_devices(text: &str) -> String {
    let names = Device::ALL
        .iter()
        .map(|device| format!("{} {}", device.name, words::bytes(device.memory)));
    let names = words::listed(&names.collect::<Vec<_>>());
    let line = |line: &str| {
        if line.contains("{devices}") {
            words::wrapped(&line.replace("{devices}", &names), 80, 6)
        } else {
            line.to_owned()
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn run(arguments: &Arguments, console: &Console, out: &mut dyn Write) -> Outcome {
    match &arguments.question {
        None => summary::summary(arguments, console, out),
        Some(Question::Copies(arguments)) => copies::run(arguments, console, out),
        Some(Question::Diff(arguments)) => diff::run(arguments, console, out),
        Some(Question::Memory(arguments)) => memory::run(arguments, console, out),
    }
}
