//! `xlayout convert`: arrays in files, from one layout to another.
//!
//! The library [`crate`] reads and writes the files. This module interprets the arguments and
//! reports.

pub(super) mod arguments;
mod ask;
mod report;
mod targets;

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use crate::{Error, Format, Input, Job, Means, OutputFile, Step, is_standard, write_file};
use xlayout::ArrayLayout;

use arguments::{ConvertArguments, Resources};
use ask::Ask;
use xlayout_command::{Failure, Outcome, TextSpan};

pub(crate) use report::speed;

/// The format that the extension of a file says. `flag` is the option that says it instead.
///
/// # Errors
/// When the extension is not known.
fn format_of(path: &Path, flag: &str) -> Outcome<Format> {
    let in_lower_case =
        |name: Option<&OsStr>| name.map(|name| name.to_string_lossy().to_lowercase());
    let name = in_lower_case(path.file_name()).unwrap_or_default();
    let extension = in_lower_case(path.extension());
    let what = match extension.as_deref() {
        _ if name.ends_with(".safetensors.index.json") => return Ok(Format::SafetensorsIndex),
        Some("npy") => return Ok(Format::Npy),
        Some("npz") => return Ok(Format::Npz),
        Some("safetensors") => return Ok(Format::Safetensors),
        Some("raw" | "bin" | "dat") => return Ok(Format::Raw),
        Some(other) => format!("no format that is known goes by `.{other}`"),
        None if is_standard(path) => {
            let what = "`-` has no extension that would say its format";
            let failure = Failure::usage(what).at(TextSpan::of_whole("", "-"));
            return Err(failure.help(format_args!("say {flag}: npy, npz, safetensors or raw")));
        }
        None => "the file has no extension that would say its format".to_owned(),
    };
    let help = match extension.as_deref() {
        Some("pt" | "pth" | "pkl" | "ckpt") => {
            "PyTorch's own files are Python programs: save them as safetensors".to_owned()
        }
        _ => format!(
            "known are .npy, .npz, .safetensors, .safetensors.index.json, and .raw, .bin and .dat \
             for elements without a header; or say {flag}"
        ),
    };
    // The length of the extension with its dot. Without an extension the span is empty, after the
    // name.
    let length = extension.map_or(0, |extension| extension.len() + 1);
    let text = path.display().to_string();
    let marked = text.len().saturating_sub(length)..text.len();
    let place = TextSpan::of_argument("", &text, marked);
    Err(Failure::usage(what).at(place).help(help))
}

/// Places the arrays behind the header, one after the other. Returns the length of the file.
fn place_behind(header: u64, jobs: &mut [Job]) -> Outcome<u64> {
    let mut length = header;
    for job in jobs {
        job.offset = length;
        let end = length.checked_add(job.layout.bytes() as u64);
        length = end.filter(|end| *end <= i64::MAX as u64).ok_or_else(|| {
            Failure::usage("all arrays together take more than 2^63 - 1 bytes")
                .help("convert them one by one, with `--tensor`")
        })?;
    }
    Ok(length)
}

/// Runs `xlayout convert`.
pub(crate) fn run(arguments: &ConvertArguments, out: &mut dyn Write) -> Outcome {
    let read_ask = |origin, text: &Option<String>| {
        let read = |text: &str| Ask::read(origin, text, &arguments.given);
        text.as_deref().map(read).transpose()
    };
    let from = read_ask("--from", &arguments.from)?;
    let to = read_ask("--to", &arguments.to)?;
    let input = &arguments.input;
    let output = &arguments.output;
    let given_or_of =
        |given: Option<Format>, path, flag| given.map_or_else(|| format_of(path, flag), Ok);
    let input_format = given_or_of(arguments.input_format, input, "--input-format")?;
    let output_format = given_or_of(arguments.output_format, output, "--output-format")?;
    if matches!(output_format, Format::Npz | Format::SafetensorsIndex) {
        return Err(Failure::usage("files of this format are read, not written")
            .at(TextSpan::of_whole("", output.display()))
            .help("write all arrays to a `.safetensors`, or one to a `.npy` with `--tensor`"));
    }
    let stated = |from: &Ask| from.said(input_format == Format::Raw);
    let said = from.as_ref().map(stated).transpose()?;
    let input = Input::open(input, input_format, said.as_ref())?;
    let output_file = OutputFile::new(output, arguments.force)?;

    let wanted = targets::Wanted {
        arguments,
        formats: (input_format, output_format),
        from: from.as_ref(),
        to: to.as_ref(),
    };
    let mut jobs = wanted.jobs(&input)?;
    let header = output_format.header(&jobs, &input.metadata);
    let cannot_say = || Failure::usage("the file cannot say this layout");
    let header = header.ok_or_else(cannot_say)?;
    let length = place_behind(header.len() as u64, &mut jobs)?;
    let resources = &arguments.resources;
    output_file.check_space(length)?;
    if arguments.dry_run {
        let size = xlayout_words::exact_bytes(length);
        let path = output_file.shown();
        writeln!(out, "would write `{}`: {size}", path.display())?;
        for job in &jobs {
            report::arrays(std::slice::from_ref(job), true, out)?;
            report::blocks(job, resources, out)?;
        }
        return Ok(());
    }

    let start = Instant::now();
    output_file.remove_abandoned();
    resources.with_bar(false, |means| {
        (means.progress)(Step::Begin(length - header.len() as u64));
        let (file, _) = write_file(&output_file, (&header, length), &jobs, &input, means)?;
        file.finish()
    })?;
    if !resources.quiet {
        // The standard output may be the file itself.
        let mut errors = anstream::stderr();
        let report_to = if is_standard(output) {
            &mut errors as &mut dyn Write
        } else {
            out
        };
        report::done(output_file.shown(), length, start.elapsed(), report_to)?;
        report::arrays(&jobs, false, report_to)?;
    }
    Ok(())
}

impl Resources {
    /// Does the work, with a progress bar unless it `is_hidden`, until a signal stops it.
    pub(crate) fn with_bar<T>(
        &self,
        is_hidden: bool,
        work: impl FnOnce(Means<'_>) -> Result<T, Error>,
    ) -> Outcome<T> {
        crate::command::signals::stopping(|stop| {
            let bar = report::bar(is_hidden || self.quiet);
            let done = work(Means {
                threads: self.threads(),
                memory: self.memory(),
                stop,
                progress: &|step| match step {
                    Step::Begin(bytes) => bar.inc_length(bytes),
                    Step::Done(bytes) => bar.inc(bytes),
                },
            })?;
            bar.finish_and_clear();
            Ok(done)
        })
    }
}
