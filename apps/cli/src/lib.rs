//! The program `xlayout`: see a layout, compare two, read HLO modules, convert files.
//!
//! This library is not an interface: it exists so that the Python package (`embedded`) and the fuzz targets (`fuzzing`)
//! can call it. Use the crate `xlayout` in programs.
//!
//! Each command is a module of its own with its arguments (`Arguments`) and one function, `run`. Errors are a `Failure`, which has an
//! exit code. [`main`] prints it with a caret under the text that it is about.

mod advise;
mod algebra;
mod algebra_triton;
mod arguments;
mod callers;
mod convert;
mod diff;
mod draw;
#[doc(hidden)]
pub mod embedded;
mod emit;
mod explain;
mod failure;
#[doc(hidden)]
pub mod fuzzing;
mod help;
mod hlo;
mod json;
mod manual;
mod picture;
mod reshard;
mod shape;
mod signals;
mod table;
mod usage;
mod words;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

use clap::FromArgMatches;

use arguments::{Command, Program};
use failure::{Failure, Outcome};

/// The stack of the program's thread, which does not depend on the system. In a debug build, parsing the command line takes 320 KiB, and
/// the search for a swizzle more than 1 MiB.
const STACK: usize = 8 << 20;

/// Runs the program with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let thread = thread::Builder::new().name("main".to_owned());
    let thread = thread.stack_size(STACK);
    let code = match thread.spawn(|| main_with(std::env::args_os().collect())) {
        Ok(thread) => match thread.join() {
            Ok(code) => code,
            Err(panic) => std::panic::resume_unwind(panic),
        },
        Err(error) => Failure::file(format_args!("cannot start a thread: {error}")).report(),
    };
    ExitCode::from(code)
}

/// Runs the program with these words, of which the first is its name. Returns the exit code.
fn main_with(words: Vec<OsString>) -> u8 {
    let text = words
        .iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    let text: Vec<String> = text.collect();
    arguments::apply_color(&text);
    if let Some(failure) = shape::taken_apart(&text) {
        return failure.report();
    }
    let matches = Program::taught().try_get_matches_from(words);
    let program = match matches.and_then(|found| Program::from_arg_matches(&found)) {
        Ok(program) => program,
        Err(error) => {
            return match usage::failure(&error, &text) {
                Some(failure) => failure.report(),
                None => {
                    // If stdout is closed, nothing reads the help: that is not a failure.
                    let _ = error.print();
                    0
                }
            };
        }
    };
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    let done = run(&program, &mut out).and_then(|()| Ok(out.flush()?));
    match done {
        Ok(()) => 0,
        Err(failure) => {
            // The output so far is printed before the error.
            let _ = out.flush();
            failure.report()
        }
    }
}

fn run(program: &Program, out: &mut dyn Write) -> Outcome {
    match &program.command {
        None => Ok(write!(out, "{}", Program::taught().render_help().ansi())?),
        Some(Command::Explain(arguments)) => explain::run(arguments, out),
        Some(Command::Draw(arguments)) => draw::run(arguments, out),
        Some(Command::Diff(arguments)) => diff::run(arguments, out),
        Some(Command::Emit(arguments)) => emit::run(arguments, out),
        Some(Command::Algebra(arguments)) => algebra::run(arguments, out),
        Some(Command::Hlo(arguments)) => hlo::run(arguments, &hlo::Console::default(), out),
        Some(Command::Advise(arguments)) => advise::run(arguments, out),
        Some(Command::Convert(arguments)) => convert::run(arguments, out),
        Some(Command::Reshard(arguments)) => reshard::run(arguments, out),
        Some(Command::Completions(arguments)) => {
            manual::completions(arguments, Program::taught(), out)
        }
        Some(Command::Man(arguments)) => manual::man(arguments, Program::taught(), out),
    }
}
