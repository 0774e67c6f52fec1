//! `xlayout relayout`: measurements of this machine for plans.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xlayout_relayout::{calibrate, load_wisdom, wisdom};

use crate::failure::{Failure, Outcome};
use crate::words::counted;

/// Arguments of `xlayout relayout`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Measure common copies: transposes, and copies into tiles and out of them
    Calibrate(Calibrate),
}

#[derive(clap::Args, Debug)]
struct Calibrate {
    /// The file to write; - is standard output
    #[arg(value_name = "FILE")]
    output: PathBuf,

    /// About how many seconds to measure
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=3600))]
    time: u64,

    /// Replace FILE if it exists
    #[arg(long, short)]
    force: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let What::Calibrate(arguments) = &arguments.what;
    let file = &arguments.output;
    let is_standard = file == Path::new("-");
    if !is_standard && !arguments.force && file.exists() {
        let failure = Failure::file(format_args!("`{}` exists", file.display()));
        return Err(failure.help("`--force` replaces it"));
    }
    let start = Instant::now();
    let copies = calibrate(Duration::from_secs(arguments.time))
        .map_err(|error| Failure::file(error.message()).help(error.help()))?;
    if is_standard {
        return Ok(write!(out, "{}", wisdom())?);
    }
    std::fs::write(file, wisdom()).map_err(|error| Failure::of_file("write", file, &error))?;
    let (copies, file) = (counted(copies as u64, "copy"), file.display());
    let time = start.elapsed().as_secs_f64();
    Ok(writeln!(out, "measured {copies} in {time:.1} s: {file}")?)
}

/// Reads a file that `calibrate` wrote.
pub(crate) fn load(file: &Path) -> Outcome {
    let text =
        std::fs::read_to_string(file).map_err(|error| Failure::of_file("read", file, &error))?;
    load_wisdom(&text).map_err(|error| {
        let message = format_args!("cannot use `{}`: {}", file.display(), error.message());
        let again = format_args!(
            "measure on this machine: `xlayout relayout calibrate {} --force`",
            file.display()
        );
        Failure::file(message).help(again)
    })
}
