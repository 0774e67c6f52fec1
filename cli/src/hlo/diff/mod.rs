//! `xlayout hlo diff`: two compilations of a program.

use std::io::Write;
use std::path::PathBuf;

use crate::failure::Outcome;

pub(crate) const ABOUT: &str = "\
Compare two compilations of a program: layouts that changed, copies added and removed, padding.";

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The first compilation; - is standard input
    a: PathBuf,
    /// The second one
    b: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, _: &mut dyn Write) -> Outcome {
    let _ = (&arguments.a, &arguments.b);
    Ok(())
}
