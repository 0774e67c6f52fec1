//! `xlayout hlo copies`: the operations that move data without computing, why, and what removes them.

use std::io::Write;
use std::path::PathBuf;

use crate::failure::Outcome;

pub(crate) const ABOUT: &str = "\
List the operations of a module that move data without computing, why each is there, and what removes them.";

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The texts of modules, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut names = Vec::new();
    let (mistakes, failures) = super::modules(&arguments.files, false, &mut |_, module, _| {
        names.push(module.name);
    });
    for name in names {
        writeln!(out, "{name}")?;
    }
    super::ended(mistakes, failures)
}
