//! Reads a text or a binary module into the findings.

use std::io;
use std::path::Path;

use super::error::Error;
use super::findings::{Extent, Findings};
use super::log::{self, Lines};
use super::oom::Reports;
use super::scan::Scanner;
use super::source::Source;
use super::{kind, proto, quoted, unpack};

/// The result of reading an input.
#[derive(Debug)]
pub enum Read {
    /// It holds HLO, and these reports of running out of memory.
    Hlo(Reports),
    /// It holds no HLO, but reports of running out of memory. The findings contain nothing of it.
    OutOfMemory(Reports),
    /// It is something else, and the findings contain nothing of it. The error is for the person
    /// who named the file.
    Other(Error),
}

impl Read {
    /// The reports beside the HLO, or the error for an input without HLO.
    pub(crate) fn of_hlo(self, shown: &Path) -> Result<Reports, Error> {
        match self {
            Self::Hlo(reports) => Ok(reports),
            Self::OutOfMemory(_) => Err(Error::of_report(shown)),
            Self::Other(error) => Err(error),
        }
    }
}

/// Reads a text or a binary module, compressed or not, into the findings, and calls it `shown`.
///
/// # Errors
/// If it cannot be read to its end. Then the findings contain nothing of it.
pub fn read(
    input: impl io::Read,
    shown: &Path,
    findings: &mut Findings<'_>,
) -> Result<Read, Error> {
    let failed = |error| Error::of_file(shown, error);
    let input = unpack::unpacked(input).map_err(failed)?;
    let (mut first, input) = unpack::peeked(input, log::SEARCHED).map_err(failed)?;
    let mut input: Box<dyn io::Read + '_> = Box::new(input);
    while quoted::is_quoted(&first) {
        let length = quoted::unescape(&mut first, &mut false);
        first.truncate(length);
        input = Box::new(quoted::Unescaped {
            input,
            is_open: false,
        });
    }
    if !kind::may_be_proto(&first) {
        let mut lines = Lines::new(input, &first);
        let name = shown.display().to_string();
        let other_kind = kind::other_than_hlo(&name, &first);
        let is_hlo = match other_kind {
            // A page of the web may hold a report.
            Some(_) if kind::is_text(&first) => {
                io::copy(&mut lines, &mut io::sink()).map_err(failed)?;
                false
            }
            Some(_) => false,
            None => text(&mut lines, shown, findings)?,
        };
        let reports = lines.finish();
        return Ok(match other_kind {
            _ if is_hlo => Read::Hlo(reports),
            _ if !reports.reports.is_empty() => Read::OutOfMemory(reports),
            Some(error) => Read::Other(error),
            None => Read::Other(no_hlo(shown, &first)),
        });
    }
    match proto::read(input).map_err(failed)? {
        proto::Binary::Module(module) => {
            let read = |findings: &mut Findings<'_>| proto::read_module(*module, shown, findings);
            Ok(if whole(shown, findings, read)? {
                Read::Hlo(Reports::default())
            } else {
                Read::Other(no_hlo(shown, &[]))
            })
        }
        proto::Binary::Other { why, is_cut } => {
            let shown = shown.display();
            let error = Error::new(format_args!(
                "`{shown}` is a binary file that holds no module: {why}"
            ));
            let error = if is_cut {
                error.help("a module may have been cut short: copy it again")
            } else {
                error
            };
            Ok(Read::Other(error.and_how()))
        }
    }
}

/// Reads a text into the findings; returns whether it is HLO.
fn text<R: io::Read>(
    lines: &mut Lines<R>,
    shown: &Path,
    findings: &mut Findings<'_>,
) -> Result<bool, Error> {
    whole(shown, findings, |findings| {
        let mut source = Source::new(&mut *lines);
        source.rest(kind::LOOKED_AT)?;
        source.skip_mark();
        let mut extent = Scanner::new(source, findings).run()?;
        extent.other_lines = lines.others;
        Ok(extent)
    })
}

/// The error for a text without HLO and without reports, of which these are the first bytes.
fn no_hlo(shown: &Path, first: &[u8]) -> Error {
    let shown = shown.display();
    let message = format!(
        "`{shown}` holds no HLO, neither a module nor an instruction, and no report of running out of memory"
    );
    match kind::read_elsewhere(first) {
        Some(help) => Error::new(message).help(help),
        None => Error::how(message),
    }
}

/// Reads an input to its end, or else removes its findings; returns whether it is HLO.
fn whole<'a>(
    shown: &Path,
    findings: &mut Findings<'a>,
    scan: impl FnOnce(&mut Findings<'a>) -> io::Result<Extent>,
) -> Result<bool, Error> {
    findings.mistakes.open(shown);
    findings.modules.open(shown);
    let first = findings.modules.all.len();
    let before = findings.tally.counts();
    let extent = scan(findings);
    let is_hlo = extent.is_ok() && findings.mistakes.close();
    if let Some(take) = &mut findings.take {
        take.end_file(is_hlo);
    }
    let mut extent = extent.map_err(|error| {
        // Only complete files count, so that each number belongs to a file that is named.
        findings.tally.restore(&before);
        findings.modules.abandon();
        findings.mistakes.abandon();
        Error::of_file(shown, error)
    })?;
    if is_hlo {
        extent.modules = (first, findings.modules.all.len());
        findings.files.push((shown.to_owned(), extent));
    }
    Ok(is_hlo)
}
