//! The arguments of `xlayout hlo memory`.

use std::path::PathBuf;

use xlayout_hlo::device::Device;
use xlayout_hlo::parse_size;

use super::super::arguments::{Common, Top};
use crate::help;
use crate::words::{bytes, listed, wrapped};

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

const FIT: [(&str, &str); 2] = [
    (
        "--limit 15.75G",
        "The memory of the device, as XLA writes bytes: K, M, G and T are powers of 1024, with and without iB",
    ),
    (
        "what is compared",
        "The peak of the default memory space: not the fast memory, not the host's, not the code of the program",
    ),
];

const OF_DEVICES: &str = " Of a TPU this is what its compiler says that is available, of v2, v3 and v7x for one of the two cores of a chip. \
Of a GPU it is three quarters of the memory, which JAX takes; with another XLA_CLIENT_MEM_FRACTION use --limit";

const KEYS: [(&str, &str); 5] = [
    (
        "fit: fits, limit_bytes, needed_bytes, excess_bytes",
        "With --limit or --device: whether it fits, and how much is too much",
    ),
    ("peak_bytes", "The sum of the peaks of all memory spaces"),
    (
        "spaces: space, peak_bytes, at",
        "The number of the memory space, its peak, and the instruction that runs then; also computation, live_bytes, buffers, timeline",
    ),
    (
        "buffers: instruction, computation, kind, shape, bytes, logical_bytes, op_name, source, better",
        "What is alive at the peak, the largest first. kind: parameter, donated, constant, result, temporary. better: a layout that wastes less, or null",
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
            "xlayout hlo memory module.txt --device v5e",
            "Does it fit? If not, which arrays are to cut at the peak?",
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
    let devices: Vec<_> = Device::ALL
        .iter()
        .map(|device| format!("{} {}", device.name, bytes(device.memory)))
        .collect();
    let devices = format!("{}.{}", listed(&devices), OF_DEVICES);
    let sections = [
        ("What is counted", &COUNTED[..]),
        ("What XLA says", &EXACT[..]),
        ("Does it fit", &FIT[..]),
        ("Keys of --json", &KEYS[..]),
    ]
    .map(|(title, items)| help::described(title, items));
    let devices = help::described("Devices", &[("--device", &wrapped(&devices, 74, 6))]);
    format!("{examples}\n\n{}\n\n{devices}", sections.join("\n\n"))
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

    /// Say whether it fits in so much memory, such as 15.75G; the exit code is 1 if it does not
    #[arg(long, value_name = "BYTES", value_parser = parse_size, conflicts_with = "device")]
    pub(super) limit: Option<u64>,

    /// The same for the memory of a device: v5e, v6e, H100, …
    #[arg(long, value_name = "NAME")]
    pub(super) device: Option<Device>,

    #[command(flatten)]
    pub(super) common: Common,
}
