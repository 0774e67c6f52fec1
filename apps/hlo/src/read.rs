//! Reads a text or a binary module into the findings.

use std::io;
use std::path::Path;

use super::error::Error;
use super::findings::{Extent, Findings};
use super::log::{self, Unmarked};
use super::oom::{self, Reports};
use super::scan::Scanner;
use super::source::Source;
use super::{kind, proto, unpack};

/// The result of reading an input.
#[derive(Debug)]
pub enum Read {
    /// It holds HLO.
    Hlo,
    /// It holds no HLO, but reports of running out of memory. The findings contain nothing of it.
    OutOfMemory(Reports),
    /// It is something else, and the findings contain nothing of it. The error is for the person
    /// who named the file.
    Other(Error),
}

/// Reads a text or a binary module, which is not compressed, into the findings, and calls it
/// `shown`.
///
/// # Errors
/// If it cannot be read to its end. Then the findings contain nothing of it.
pub fn read(
    input: impl io::Read,
    shown: &Path,
    findings: &mut Findings<'_>,
) -> Result<Read, Error> {
    let failed = |error| Error::of_file(shown, error);
    let (first, input) = unpack::peeked(input, log::SEARCHED).map_err(failed)?;
    if !kind::may_be_proto(&first) {
        let begin = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&first);
        if begin.trim_ascii_start().starts_with(b"HloModule") {
            return text(input, shown, findings);
        }
        let mut parser = oom::Parser::default();
        let input = oom::Shown {
            input,
            parser: &mut parser,
        };
        let read = match Unmarked::of(input, &first) {
            Ok(log) => text(log, shown, findings)?,
            Err(input) => text(input, shown, findings)?,
        };
        let reports = parser.finish();
        return Ok(match read {
            Read::Other(_) if !reports.reports.is_empty() => Read::OutOfMemory(reports),
            read => read,
        });
    }
    match proto::read(input).map_err(failed)? {
        proto::Binary::Module(module) => whole(shown, findings, |findings| {
            proto::read_module(*module, shown, findings)
        }),
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

fn text(input: impl io::Read, shown: &Path, findings: &mut Findings<'_>) -> Result<Read, Error> {
    let failed = |error| Error::of_file(shown, error);
    let name = shown.display().to_string();
    let mut source = Source::new(input);
    let begin = source.rest(kind::LOOKED_AT).map_err(failed)?;
    if let Some(error) = kind::other_than_hlo(&name, begin) {
        return Ok(Read::Other(error));
    }
    source.skip_mark();
    let scan = |findings: &mut Findings<'_>| Scanner::new(source, findings).run();
    whole(shown, findings, scan)
}

/// Reads an input to its end, or else removes its findings.
fn whole<'a>(
    shown: &Path,
    findings: &mut Findings<'a>,
    scan: impl FnOnce(&mut Findings<'a>) -> io::Result<Extent>,
) -> Result<Read, Error> {
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
    if !is_hlo {
        let message = format!(
            "`{}` holds no HLO: neither a module nor an instruction",
            shown.display()
        );
        return Ok(Read::Other(Error::how(message)));
    }
    extent.modules = (first, findings.modules.all.len());
    findings.files.push((shown.to_owned(), extent));
    Ok(Read::Hlo)
}
