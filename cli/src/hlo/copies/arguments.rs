//! The arguments of `xlayout hlo copies`.

use std::path::PathBuf;

use xlayout_hlo::device::Device;
use xlayout_hlo::parse_bandwidth;

use super::super::arguments::{By, Common};

/// Arguments of `xlayout hlo copies`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The texts of modules, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Say how long copies take on a device: v5e, v6e, H100, …
    #[arg(long, value_name = "NAME")]
    pub(super) device: Option<Device>,

    /// The same at a bandwidth of the memory, such as 819GB/s
    #[arg(long, value_name = "RATE", value_parser = parse_bandwidth, conflicts_with = "device")]
    pub(super) bandwidth: Option<u64>,

    /// Sum the copies of all modules in groups, and beside them the moves between memory spaces
    #[arg(long, value_enum, value_name = "GROUP", conflicts_with = "json")]
    pub(super) by: Option<Group>,

    /// Write CSV: a row for each copy, or for each group of `--by`
    #[arg(long, conflicts_with = "json")]
    pub(super) csv: bool,

    #[command(flatten)]
    pub(super) common: Common,
}

/// What copies of a group have in common.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Group {
    /// Operation: copy, fusion, …
    Opcode,
    /// Scope of the program: `op_name` without its last part
    Scope,
    /// File and line of the program
    Source,
}

impl Group {
    /// The same group of arrays.
    pub(super) fn of_arrays(self) -> By {
        match self {
            Self::Opcode => By::Opcode,
            Self::Scope => By::Scope,
            Self::Source => By::Source,
        }
    }
}

impl Arguments {
    /// The bytes per second, if they are known.
    pub(super) fn bandwidth(&self) -> Option<u64> {
        self.bandwidth
            .or(self.device.map(|device| device.bandwidth))
    }
}
