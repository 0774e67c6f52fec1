//! The arguments of `xlayout hlo memory`.

use std::path::PathBuf;

use xlayout_hlo::device::Device;
use xlayout_hlo::parse_size;

use super::super::arguments::Common;

#[derive(clap::Args, Debug)]
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
