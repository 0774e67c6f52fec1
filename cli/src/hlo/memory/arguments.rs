//! The arguments of `xlayout hlo memory`.

use std::path::PathBuf;

use super::super::arguments::{Common, Top};
use crate::help;

pub(crate) const ABOUT: &str = "\
Say how much memory a module takes, step by step, and what is alive where it takes most.

Follows the schedule of a compiled module for each memory space. Arrays that share memory are counted once: tuples, bitcasts, \
updates in place, what loops and branches carry, donated parameters, operands of asynchronous copies.";

const COUNTED: [(&str, &str); 5] = [
    (
        "parameters, constants",
        "From the beginning to the end, as XLA allocates them",
    ),
    (
        "other arrays",
        "From the instruction that makes them to the last one that uses them. Results: to the end",
    ),
    (
        "loops",
        "What a loop carries has one memory. It is free between the last use in the body and the new value",
    ),
    (
        "branches",
        "One of them runs: what only another one needs is not alive in it",
    ),
    (
        "not counted",
        "Tables of tuples, the space between arrays, and what an operation needs inside of itself",
    ),
];

const EXACT: [(&str, &str); 2] = [
    (
        "*-buffer-assignment.txt, *-memory-usage-report.txt",
        "Where one of them is beside the module, as --xla_dump_to writes them, peak_bytes is what XLA allocates in the space. It \
      includes the space between arrays. live_bytes is what is alive",
    ),
    (
        "peak_memory_in_bytes of JAX's memory_analysis()",
        "peak_bytes is what XLA counts for it: all parameters, constants and results, and the temporaries of the one memory \
      space that has most of them at a time. live_bytes is what is alive",
    ),
];

const KEYS: [(&str, &str); 4] = [
    ("peak_bytes", "The sum of the peaks of all memory spaces"),
    (
        "spaces: space, peak_bytes, at",
        "The number of the memory space, its peak, and the instruction that runs then; also computation, live_bytes, buffers, timeline",
    ),
    (
        "buffers: instruction, computation, kind, shape, bytes, logical_bytes, op_name, source",
        "What is alive at the peak, the largest first. kind: parameter, donated, constant, result, temporary",
    ),
    (
        "modules",
        "Of several modules: these keys for each of them, with file and module",
    ),
];

fn long_help() -> String {
    let examples = help::examples(&[
        (
            "xlayout hlo memory module.txt",
            "What is alive at the peak?",
        ),
        (
            "xlayout hlo memory module.txt --json | jq .peak_bytes",
            "For a program",
        ),
        (
            "xlayout hlo memory dump",
            "The compiled modules of a folder that --xla_dump_to filled",
        ),
    ]);
    let sections = [
        ("What is counted", &COUNTED[..]),
        ("What XLA says", &EXACT[..]),
        ("Keys of --json", &KEYS[..]),
    ]
    .map(|(title, items)| help::described(title, items));
    format!("{examples}\n\n{}", sections.join("\n\n"))
}

#[derive(clap::Args, Debug)]
#[command(
    after_help = "See `--help` for examples, and what is counted.",
    after_long_help = long_help(),
)]
pub(crate) struct Arguments {
    /// Modules, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Show so many arrays of each memory space, or `all` [default: 10; all with --json]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) top: Option<Top>,

    #[command(flatten)]
    pub(super) common: Common,
}
