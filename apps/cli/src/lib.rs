//! The program `xlayout`: see a layout, compare two, read HLO modules, convert files.
//!
//! This library is not an interface: it exists so that the Python package (`embedded`) and the fuzz
//! targets (`fuzzing`) can call it. Use the crate `xlayout` in programs.
//!
//! Each command of layouts is a module of its own with its arguments (as `DiffArguments`)
//! and one function, `run`. Those of files are in the apps that read them: `commands` is the one
//! list of all. Errors are a [`Failure`], which has an exit code. [`main`] prints it with a caret
//! under the text that it is about.

mod algebra;

mod arguments;
mod diff;
mod draw;
#[doc(hidden)]
pub mod embedded;
mod emit;
mod explain;
#[doc(hidden)]
pub mod fuzzing;
mod manual;
mod meant;
mod picture;
mod shape;
mod shard;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

use clap::{ArgMatches, CommandFactory};
use xlayout_command::{Code, Command, Failure, Outcome, help, texts};

use arguments::Program;

/// The stack of the program's thread, which does not depend on the system. In a debug build,
/// parsing the command line takes 320 KiB, and the search for a swizzle more than 1 MiB.
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
    let commands = commands();
    let matches = match program(&commands).try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(mut error) => {
            meant::tell(&mut error);
            // If nothing reads the help or the error, there is no other place for it.
            let _ = error.print();
            return if error.use_stderr() {
                Code::Usage as u8
            } else {
                0
            };
        }
    };
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    let done = run(&matches, &commands, &mut out).and_then(|()| Ok(out.flush()?));
    match done {
        Ok(()) => 0,
        Err(failure) => {
            // The output so far is printed before the error.
            let _ = out.flush();
            failure.report()
        }
    }
}

/// All commands, in the sequence of the help.
fn commands() -> Vec<Command> {
    let texts = texts! { explain explain_shape draw diff shard emit algebra completions man };
    let explain = "Say in words and numbers what a layout means";
    let draw = "Draw an array and its memory";
    let diff = "Compare two layouts";
    let shard = "Say which device holds which part of an array, and what moves";
    let emit = "Write the index arithmetic of a layout as code";
    let algebra = "Compose, divide, invert and compare maps from indices to offsets";
    let completions = "Print the completions of a shell";
    let man = "Print a man page";
    let mut all = vec![
        Command::new("explain", explain, &texts, explain::run),
        Command::new("draw", draw, &texts, draw::run),
        Command::new("diff", diff, &texts, diff::run),
        Command::new("shard", shard, &texts, shard::run),
        Command::new("emit", emit, &texts, emit::run),
        Command::new("algebra", algebra, &texts, algebra::run),
    ];
    all.extend(xlayout_hlo::command::all());
    all.extend(xlayout_checkpoints::command::all());
    all.push(Command::new(
        "completions",
        completions,
        &texts,
        |arguments, out| manual::completions(arguments, program(&commands()), out),
    ));
    all.push(Command::new("man", man, &texts, |arguments, out| {
        manual::man(arguments, program(&commands()), out)
    }));
    all
}

/// The command line of the program with these commands.
fn program(commands: &[Command]) -> clap::Command {
    let program = help::with_texts(Program::command(), "xlayout", &texts! { xlayout });
    program.subcommands(commands.iter().map(|command| command.clap.clone()))
}

fn run(matches: &ArgMatches, commands: &[Command], out: &mut dyn Write) -> Outcome {
    let Some((name, matches)) = matches.subcommand() else {
        return Ok(write!(out, "{}", program(commands).render_help().ansi())?);
    };
    match commands
        .iter()
        .find(|command| command.clap.get_name() == name)
    {
        Some(command) => (command.run)(matches, out),
        None => unreachable!("clap knows these commands, and no other"),
    }
}
