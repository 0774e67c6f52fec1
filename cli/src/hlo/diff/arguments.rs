//! The arguments of `xlayout hlo diff`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::super::arguments::{Common, Top};
use crate::help;

pub(crate) const ABOUT: &str = "\
Compare two compilations of a program: layouts that changed, copies added and removed, padding, the peak of memory.

Instructions belong together if they have the same name, operation and dimensions, or else the same operation, \
dimensions and op_name. The exit code is 1 if the two differ; `--fail-on worse` is for CI.";

fn long_help() -> String {
    let examples = help::examples(&[
        (
            "xlayout hlo diff before.txt after.txt",
            "What did my change do to layouts and copies?",
        ),
        (
            "xlayout hlo diff baseline.txt new.txt --fail-on worse --allow 1048576",
            "In CI: fail if copies, padding or the peak grow by more than 1 MiB",
        ),
    ]);
    format!("{examples}\n\n{}", help::described("Keys of --json", &KEYS))
}

const KEYS: [(&str, &str); 6] = [
    (
        "layouts",
        "Arrays with another layout: parameter, result or instruction; a and b,
      null where one side lacks the parameter or the result",
    ),
    (
        "copies_added, copies_removed",
        "Copies of B that A does not have, and of A that B does not have, with
      the keys of `hlo copies`",
    ),
    (
        "padding_bytes",
        "The padding of what ENTRY allocates in B, less that in A; also
      padding_bytes_a and padding_bytes_b",
    ),
    (
        "copied_bytes",
        "What the copies of B read and write, less that of A; without moves
      between memory spaces. Also copied_bytes_a and copied_bytes_b",
    ),
    (
        "peak_bytes",
        "The peak of memory in B, less that in A, as `hlo memory` says it",
    ),
    (
        "moved_bytes",
        "The same of moves between memory spaces, such as prefetches",
    ),
];

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
#[command(
    after_help = "See `--help` for examples.",
    after_long_help = long_help(),
)]
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

    /// Show so many rows of each list, or `all` [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) top: Option<Top>,

    #[command(flatten)]
    pub(super) common: Common,
}
