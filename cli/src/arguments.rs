//! The command line.

use clap::{Parser, Subcommand};

/// See how the elements of an array lie in memory.
#[derive(Debug, Parser)]
#[command(name = "xlayout", version, about, long_about = None)]
pub(crate) struct Program {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say in words and numbers what a layout means
    Explain(crate::explain::Arguments),
    /// Draw an array in the sequence of its memory
    Draw(crate::draw::Arguments),
    /// Compare two layouts
    Diff(crate::diff::Arguments),
    /// List the arrays of HLO modules, with what their padding costs
    Hlo(crate::hlo::Arguments),
    /// Convert files of arrays from one layout to another
    Convert(crate::convert::Arguments),
}
