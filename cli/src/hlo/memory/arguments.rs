//! The arguments of `xlayout hlo memory`.

use std::path::PathBuf;

use xlayout_hlo::device::Device;
use xlayout_hlo::parse_size;

use super::super::arguments::Common;
use crate::help;
use crate::words::{bytes, listed, wrapped};

/// The devices with their memory, in place of `{devices}` in the text.
fn long_help() -> String {
    let devices: Vec<_> = Device::ALL
        .iter()
        .map(|device| format!("{} {}", device.name, bytes(device.memory)))
        .collect();
    let text = help::HLO_MEMORY.below();
    let (start, end) = text.split_once("{devices}").unwrap_or((&text, ""));
    let devices = wrapped(&format!("{}{end}", listed(&devices)), 74, 6);
    format!("{start}{devices}")
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

    /// Say whether it fits in so much memory, such as 15.75G; the exit code is 1 if it does not
    #[arg(long, value_name = "BYTES", value_parser = parse_size, conflicts_with = "device")]
    pub(super) limit: Option<u64>,

    /// The same for the memory of a device: v5e, v6e, H100, …
    #[arg(long, value_name = "NAME")]
    pub(super) device: Option<Device>,

    #[command(flatten)]
    pub(super) common: Common,
}
