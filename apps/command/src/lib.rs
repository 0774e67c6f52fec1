#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod failure;
pub mod files;
pub mod help;
pub mod json;
pub mod shape;
pub mod table;

use std::io::Write;

use clap::ArgMatches;

pub use failure::{Code, Failure, Outcome, TextSpan};

/// A command of the program: its part of the command line, and what it does.
pub struct Command {
    /// Its name, its arguments and its help.
    pub clap: clap::Command,
    /// Answers the arguments that clap has read.
    pub run: Box<Run>,
}

/// What a command does: it writes its answer.
pub type Run = dyn Fn(&ArgMatches, &mut dyn Write) -> Outcome + Send;

impl Command {
    /// A command whose arguments are `A`. `texts` are those of its help: see [`texts!`].
    pub fn new<A: clap::Args + 'static>(
        name: &'static str,
        about: &'static str,
        texts: &[(&str, impl AsRef<str>)],
        run: fn(&A, &mut dyn Write) -> Outcome,
    ) -> Self {
        let clap = A::augment_args(clap::Command::new(name)).about(about);
        let run = move |matches: &ArgMatches, out: &mut dyn Write| {
            let arguments = A::from_arg_matches(matches)
                .unwrap_or_else(|error| unreachable!("clap read these arguments: {error}"));
            run(&arguments, out)
        };
        Self {
            clap: help::with_texts(clap, name, texts),
            run: Box::new(run),
        }
    }
}
