//! Reads a file into the findings: text or proto, compressed or not.

use std::fs::File;
use std::io;
use std::path::Path;

use super::graph::Module;
use super::progress::Progress;
use super::scan::Scanner;
use super::source::Source;
use super::tally::Tally;
use super::{Findings, kind, proto, unpack};
use crate::failure::{Code, Failure, Outcome};

/// What became of a text.
pub(super) enum Read {
    Hlo,
    /// It is something else, and nothing of it is in the findings; the error for a person who named the file.
    Other(Failure),
}

impl Read {
    pub(super) fn or_failure(self) -> Outcome {
        match self {
            Self::Hlo => Ok(()),
            Self::Other(failure) => Err(failure),
        }
    }
}

/// Reads a file into the findings; one that is not HLO leaves them as they were.
pub(super) fn read(path: &Path, findings: &mut Findings<'_>, progress: &Progress) -> Outcome<Read> {
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
    let watched = progress.watch(input, &name, length);
    let failed = |error| Failure::of_file("read", shown, &error);
    let plain = (!is_stdin).then_some((path, progress));
    scan(
        unpack::unpacked(watched).map_err(failed)?,
        plain,
        shown,
        findings,
    )
}

/// Reads a text or a binary module into the findings, and names it `shown`. `path` is its file, compressed or not, if it is in one;
/// reading it at several places moves the bar.
pub(super) fn scan(
    input: impl io::Read,
    path: Option<(&Path, &Progress)>,
    shown: &Path,
    findings: &mut Findings<'_>,
) -> Outcome<Read> {
    let failed = |error| Failure::of_file("read", shown, &error);
    let (first, input) = unpack::peeked(input, kind::LOOKED_AT).map_err(failed)?;
    if !kind::may_be_proto(&first) {
        return scan_text(input, shown, findings);
    }
    let file = match path {
        Some((path, progress)) => {
            let file = unpack::plain(path).map_err(failed)?;
            let watch = |file| progress.watch_twice(file, &shown.display().to_string());
            file.map(watch).transpose().map_err(failed)?
        }
        None => None,
    };
    match proto::read(input, file).map_err(failed)? {
        proto::Binary::Module(text) => scan_text(text, shown, findings),
        proto::Binary::Other { why, is_cut } => {
            let message = format!(
                "`{}` is a binary file that holds no module: {why}",
                shown.display()
            );
            let failure = Failure::new(Code::File, message);
            Ok(Read::Other(kind::how(match is_cut {
                true => failure.help("a module may have been cut short: copy it again"),
                false => failure,
            })))
        }
    }
}

fn scan_text(input: impl io::Read, shown: &Path, findings: &mut Findings<'_>) -> Outcome<Read> {
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
    let first = findings.modules.all.len();
    let before = findings.tally.counts();
    let scanner = Scanner::new(
        source,
        findings.scope,
        &mut findings.tally,
        &mut findings.mistakes,
        &mut findings.modules,
    );
    let extent = match &mut findings.take {
        None => scanner.run(),
        Some(take) => {
            let mut take = |module: Module, tally: &Tally| take.module(shown, module, tally);
            scanner.with_modules(&mut take).run()
        }
    };
    let is_hlo = extent.is_ok() && findings.mistakes.close();
    if let Some(take) = &mut findings.take {
        take.end_file(is_hlo);
    }
    let mut extent = extent.map_err(|error| {
        // The answer counts whole files: each of its numbers belongs to a file that it names.
        findings.tally.restore(&before);
        findings.modules.abandon();
        findings.mistakes.abandon();
        failed(error)
    })?;
    if !is_hlo {
        let message = format!("`{name}` holds no HLO: neither a module nor an instruction");
        return Ok(Read::Other(kind::how(Failure::new(Code::File, message))));
    }
    extent.modules = (first, findings.modules.all.len());
    findings.files.push((shown.to_owned(), extent));
    Ok(Read::Hlo)
}
