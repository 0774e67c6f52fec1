//! `xlayout reshard`: checkpoints, planned and written in units of work.
//!
//! The library [`crate`] does the work. This module has the arguments and the reports.

mod report;

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use crate::{Draft, Error, OutputFile, PlanOptions, run_units, verify_units};

use crate::command::convert::arguments::Resources;
use xlayout_command::{Failure, Outcome};

#[derive(clap::Args, Debug)]
pub(crate) struct ReshardArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Write a plan: which unit reads which bytes and writes which files
    Plan(PlanArguments),
    /// Run one unit of a plan, or all
    Run(RunArguments),
    /// Compare both folders
    Verify(VerifyArguments),
}

#[derive(clap::Args, Debug)]
struct PlanArguments {
    /// The folder of the checkpoint
    src: PathBuf,
    /// The folder to write; it must be empty, or not there
    dst: PathBuf,
    /// What becomes of each tensor, in TOML
    #[arg(long, value_name = "SPEC")]
    to: PathBuf,
    /// How many units of work
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    units: u32,
    /// The file of the plan; without it only the costs are told
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// About how many MB (10^6 bytes) a file has that is written, at most
    #[arg(long, value_name = "MB", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    object_size: u32,
    /// About how many MiB of buffers a unit may use; at most two of the files that it writes
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
    /// Replace the plan if it exists, and allow files in DST; those of the same name are replaced
    #[arg(long, short)]
    force: bool,
    /// The costs as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct RunArguments {
    /// The plan
    plan: PathBuf,
    /// The number of the unit, from 0; all units if not given
    #[arg(long, value_name = "K")]
    unit: Option<usize>,
    #[command(flatten)]
    resources: Resources,
    /// What was done as JSON, a line for each unit
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct VerifyArguments {
    #[command(flatten)]
    run: RunArguments,
    /// Read only DST, and compare with the checksums that were recorded
    #[arg(long)]
    checksums: bool,
}

pub(crate) fn run(arguments: &ReshardArguments, out: &mut dyn Write) -> Outcome {
    match &arguments.command {
        Command::Plan(arguments) => plan(arguments, out),
        Command::Run(arguments) => run_plan(arguments, out),
        Command::Verify(arguments) => verify(arguments, out),
    }
}

fn plan(arguments: &PlanArguments, out: &mut dyn Write) -> Outcome {
    let options = PlanOptions {
        units: arguments.units as usize,
        object_bytes: u64::from(arguments.object_size) * 1_000_000,
        memory: u64::from(arguments.memory) << 20,
    };
    let draft = Draft::new(&arguments.src, &arguments.dst, &arguments.to, options)?;
    if let Some(output) = &arguments.output {
        // The output would replace existing files or be mixed with them.
        if !arguments.force && !draft.is_for_empty_folder()? {
            let folder = arguments.dst.display();
            let what = format_args!("`{folder}` is not empty");
            let help =
                "name a new folder, or say `--force`: files of the same name are replaced then";
            return Err(Failure::file(what).help(help));
        }
        let place = OutputFile::new(output, arguments.force)?;
        let file = place.create(0)?;
        let mut writer = BufWriter::with_capacity(1 << 20, file.appending());
        let written = draft.write(&mut writer).and_then(|()| writer.flush());
        written.map_err(|error| Error::of_file("write", output, &error))?;
        drop(writer);
        file.finish()?;
    }
    let summary = draft.summary();
    if arguments.json {
        report::json(&summary, out)
    } else {
        report::plan(&summary, arguments.output.as_deref(), out)
    }
}

fn run_plan(arguments: &RunArguments, out: &mut dyn Write) -> Outcome {
    let start = Instant::now();
    let reports = arguments.resources.with_bar(arguments.json, |means| {
        run_units(&arguments.plan, arguments.unit, means)
    })?;
    if arguments.json {
        reports.iter().try_for_each(|unit| report::json(unit, out))
    } else if arguments.resources.quiet {
        Ok(())
    } else {
        report::done(&reports, start.elapsed(), out)
    }
}

fn verify(arguments: &VerifyArguments, out: &mut dyn Write) -> Outcome {
    let run = &arguments.run;
    let checksums = arguments.checksums;
    let found = run.resources.with_bar(run.json, |means| {
        verify_units(&run.plan, run.unit, means, checksums)
    })?;
    if run.json {
        report::json(&found, out)?;
    } else if !run.resources.quiet {
        report::differences(&found, checksums, out)?;
    }
    if found.differences.is_empty() {
        Ok(())
    } else {
        Err(Failure::answer_is_no())
    }
}
