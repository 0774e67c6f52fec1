//! The arguments of `xlayout convert`.

use std::path::PathBuf;

use crate::Format;

#[derive(clap::Args, Debug)]
#[command(mut_arg("sizes", |sizes| sizes.visible_alias("dims")))]
pub(crate) struct ConvertArguments {
    /// The file to read; - is standard input
    pub(super) input: PathBuf,
    /// The file to write; - is standard output
    pub(super) output: PathBuf,
    /// What INPUT holds: all of it for a raw file, the type where `.npy` does not say it
    #[arg(long, value_name = "LAYOUT")]
    pub(super) from: Option<String>,
    /// The layout that OUTPUT gets
    #[arg(long, value_name = "LAYOUT")]
    pub(super) to: Option<String>,
    #[command(flatten)]
    pub(super) given: xlayout_command::shape::Given,
    /// The tensor of a safetensors file to read, or its name in the one that is written
    #[arg(long, value_name = "NAME")]
    pub(super) tensor: Option<String>,
    /// The format of INPUT, whatever its extension says
    #[arg(long, value_name = "FORMAT")]
    pub(super) input_format: Option<Format>,
    /// The format of OUTPUT, whatever its extension says
    #[arg(long, value_name = "FORMAT")]
    pub(super) output_format: Option<Format>,
    /// Store in a safetensors file as bytes what that format cannot say
    #[arg(long)]
    pub(super) opaque: bool,
    /// Replace OUTPUT if it exists
    #[arg(long, short)]
    pub(super) force: bool,
    /// Check everything and say what would be done, but write nothing
    #[arg(long, short = 'n')]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) resources: Resources,
}

/// The resources of a copy, and whether it is silent.
#[derive(clap::Args, Debug)]
pub(crate) struct Resources {
    /// Neither a progress bar nor a line at the end
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How many threads; as many as there are processors, up to 4, if not given
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// About how many MiB of buffers to use; more makes longer runs on the disk; 256, or what the
    /// plan says, if not given
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: Option<u32>,
}

impl Resources {
    /// The requested number of threads, or the number of processors, up to 4.
    pub(super) fn threads(&self) -> usize {
        let up_to_4 = || std::thread::available_parallelism().map_or(1, |all| all.get().min(4));
        self.threads.map_or_else(up_to_4, usize::from)
    }

    /// The requested bytes of buffers, if any.
    pub(super) fn memory(&self) -> Option<usize> {
        self.memory.map(|mib| (mib as usize) << 20)
    }
}
