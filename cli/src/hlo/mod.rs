//! `xlayout hlo`: the arrays of HLO modules, and what their padding costs.
//!
//! | part | what it does |
//! |---|---|
//! | `folder` | the files of a folder that are HLO text |
//! | `kind` | says what a file is that is no HLO text |
//! | `source` | the bytes, through a buffer of fixed size |
//! | `scan` | modules, computations, instructions; their results |
//! | `tally` | the distinct arrays, each read once |
//! | `advice` | another layout of the same hardware that wastes less |
//! | `group`, `report`, `json`, `csv` | the answer |

mod advice;
mod arguments;
mod csv;
mod folder;
pub(crate) mod fuzzing;
mod group;
mod json;
mod kind;
mod mistake;
mod progress;
mod report;
mod scan;
mod source;
mod tally;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use arguments::{ABOUT, Arguments};

use crate::failure::{Code, Failure, Outcome};
use crate::words::counted;
use mistake::Mistakes;
use progress::Progress;
use scan::{Extent, Modules, Scanner, Scope};
use source::Source;
use tally::Tally;

/// How many mistakes are told without `--all-mistakes`.
const MISTAKES_TOLD: usize = 5;

/// All that was found in the files.
struct Findings {
    scope: Scope,
    files: Vec<(PathBuf, Extent)>,
    tally: Tally,
    modules: Modules,
    mistakes: Mistakes,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let progress = Progress::default();
    let limit = match arguments.all_mistakes {
        true => usize::MAX,
        false => MISTAKES_TOLD,
    };
    let told = progress.clone();
    let tell = move |failure: &Failure| {
        told.suspend(|| {
            failure.tell();
            eprintln!();
        });
    };
    let mut findings = Findings::new(
        arguments,
        Mistakes::new(limit, arguments.json, Box::new(tell)),
    );
    let mut failures: Option<Failure> = None;
    let mut fail = |failure: Failure| {
        failures = Some(match failures.take() {
            Some(before) => before.and(failure),
            None => failure,
        });
    };
    for path in &arguments.files {
        let read = match path.is_dir() {
            true => folder::read(path, &mut findings, &progress, &mut fail),
            false => read(path, &mut findings, &progress).and_then(|read| read.or_failure()),
        };
        if let Err(failure) = read {
            fail(failure);
        }
        progress.end();
    }
    if findings.files.is_empty() {
        return failures.map_or(Ok(()), Err);
    }
    answer(arguments, &findings, out)?;
    // What is wrong is said below the answer, where it is not overlooked.
    out.flush()?;
    match (incomplete(&findings.mistakes), failures) {
        (None, None) => Ok(()),
        (Some(one), None) | (None, Some(one)) => Err(one),
        (Some(mistakes), Some(failures)) => Err(mistakes.and(failures)),
    }
}

impl Findings {
    fn new(arguments: &Arguments, mistakes: Mistakes) -> Self {
        Self {
            scope: Scope {
                entry: arguments.entry,
                views: !arguments.no_views,
            },
            files: Vec::new(),
            tally: Tally::default(),
            modules: Modules::default(),
            mistakes,
        }
    }
}

fn answer(arguments: &Arguments, findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    if arguments.json {
        json::write(out, arguments, findings)
    } else if arguments.csv {
        csv::write(out, arguments, findings)
    } else {
        report::write(out, arguments, findings)
    }
}

/// What became of a text.
enum Read {
    Hlo,
    /// It is something else, and nothing of it is in the findings; the error for a person who named the file.
    Other(Failure),
}

impl Read {
    fn or_failure(self) -> Outcome {
        match self {
            Self::Hlo => Ok(()),
            Self::Other(failure) => Err(failure),
        }
    }
}

/// Reads a file into the findings; one that is not HLO leaves them as they were.
fn read(path: &Path, findings: &mut Findings, progress: &Progress) -> Outcome<Read> {
    let is_stdin = path == Path::new("-");
    let (input, length): (Box<dyn io::Read>, _) = match is_stdin {
        true => (Box::new(io::stdin().lock()), None),
        false => {
            let failed = |error| Failure::of_file("read", path, &error);
            let file = File::open(path).map_err(failed)?;
            let about = file.metadata().map_err(failed)?;
            (Box::new(file), about.is_file().then_some(about.len()))
        }
    };
    let shown = match is_stdin {
        true => Path::new("standard input"),
        false => path,
    };
    let name = shown.display().to_string();
    scan(progress.watch(input, &name, length), shown, findings)
}

/// Reads a text into the findings, and names it `shown`.
fn scan(input: impl io::Read, shown: &Path, findings: &mut Findings) -> Outcome<Read> {
    let failed = |error| Failure::of_file("read", shown, &error);
    let name = shown.display().to_string();
    let mut source = Source::new(input);
    let begin = source.rest(kind::LOOKED_AT).map_err(failed)?;
    if let Some(failure) = kind::other_than_hlo(&name, begin) {
        return Ok(Read::Other(failure));
    }
    source.skip_mark();
    findings.mistakes.open(shown);
    findings.modules.open(shown);
    let scanner = Scanner::new(
        source,
        findings.scope,
        &mut findings.tally,
        &mut findings.mistakes,
        &mut findings.modules,
    );
    let extent = scanner.run().map_err(failed)?;
    if !findings.mistakes.close() {
        let message = format!("`{name}` holds no HLO: neither a module nor an instruction");
        return Ok(Read::Other(kind::how(Failure::new(Code::File, message))));
    }
    findings.files.push((shown.to_owned(), extent));
    Ok(Read::Hlo)
}

/// What to say where not everything could be read.
fn incomplete(mistakes: &Mistakes) -> Option<Failure> {
    if mistakes.count == 0 {
        return None;
    }
    let message = format!(
        "{} in {} could not be read; the rest is counted",
        counted(mistakes.count, "place"),
        counted(mistakes.files, "file")
    );
    let failure = Failure::new(Code::Answer, message);
    Some(match mistakes.untold() {
        0 => failure,
        untold => failure.help(format_args!(
            "`--all-mistakes` shows the other {} as well",
            crate::words::grouped(untold)
        )),
    })
}
