//! `xlayout explain`.

use std::io::Write;

use crate::failure::Outcome;

/// The arguments of `xlayout explain`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    shape: String,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let shape = crate::shape::read_any("SHAPE", &arguments.shape)?;
    writeln!(out, "{shape}")?;
    Ok(())
}
