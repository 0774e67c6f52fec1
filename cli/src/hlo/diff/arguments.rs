//! The arguments of `xlayout hlo diff`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::super::arguments::Common;

/// When the exit code is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Layouts, copies, padding or the peak differ
    Any,
    /// B copies more bytes than A, pads more, or takes more at its peak
    Worse,
    /// Never, if both could be read
    Never,
}

/// Arguments of `xlayout hlo diff`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The module of the first compilation, as text or proto; - is standard input
    #[arg(value_name = "A")]
    pub(super) a: PathBuf,

    /// The module of the second one
    #[arg(value_name = "B")]
    pub(super) b: PathBuf,

    /// When the exit code is 1
    #[arg(long, value_enum, value_name = "CHANGE", default_value_t = FailOn::Any)]
    pub(super) fail_on: FailOn,

    /// With `--fail-on worse`: so many bytes more are not worse
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(super) allow: u64,

    #[command(flatten)]
    pub(super) common: Common,
}
