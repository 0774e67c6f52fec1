//! The arguments of `xlayout advise`.

use std::path::PathBuf;

/// Arguments of `xlayout advise`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The Python file, or the exported program
    pub(super) file: PathBuf,

    /// The name of the function
    #[arg(long, value_name = "NAME", default_value = "f")]
    pub(super) function: String,

    /// The name of the tuple of arguments, or of a function that makes it
    #[arg(long, value_name = "NAME", default_value = "args")]
    pub(super) arguments: String,

    /// The TPUs to compile for, and how they are joined; without it those that the program names,
    /// or v5e:2x2
    #[arg(long, value_name = "NAME")]
    pub(super) device: Option<String>,

    /// Compile for the CPU
    #[arg(long, conflicts_with = "device")]
    pub(super) cpu: bool,

    /// The Python that has jax
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub(super) python: PathBuf,

    /// Write JSON, with everything
    #[arg(long)]
    pub(super) json: bool,
}
