//! The program `xlayout`: see a layout, compare two, read HLO modules, convert files.
//!
//! Each command is a module of its own with its arguments (`Arguments`) and one function, `run`.
//! What goes wrong is a [`Failure`](failure::Failure), which `main` renders with a caret under the text that it
//! is about, and which knows its exit code.

mod arguments;
mod convert;
mod diff;
mod draw;
mod explain;
mod failure;
mod hlo;
mod shape;
mod table;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use arguments::{Command, Program};
use failure::Outcome;

fn main() -> ExitCode {
    // Wrong words on the command line end here with clap's message and code 2.
    let program = Program::parse();
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    let done = run(&program, &mut out).and_then(|()| Ok(out.flush()?));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(program: &Program, out: &mut dyn Write) -> Outcome {
    match &program.command {
        Command::Explain(arguments) => explain::run(arguments, out),
        Command::Draw(arguments) => draw::run(arguments, out),
        Command::Diff(arguments) => diff::run(arguments, out),
        Command::Hlo(arguments) => hlo::run(arguments, out),
        Command::Convert(arguments) => convert::run(arguments, out),
    }
}
