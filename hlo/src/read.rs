//! Reads a text or a binary module into the findings.

use std::io;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::graph::Module;
use super::mistake::Mistakes;
use super::scan::{Extent, Modules, Scanner, Scope};
use super::source::Source;
use super::tally::Tally;
use super::whole::Take;
use super::{kind, proto, unpack};

/// All that was found in the files.
pub struct Findings<'a> {
    /// Which results are counted.
    pub scope: Scope,
    /// Takes the graphs of modules; none are made without it.
    pub take: Option<&'a mut dyn Take>,
    /// What was read to its end, and how much that is.
    pub files: Vec<(PathBuf, Extent)>,
    /// The arrays.
    pub tally: Tally,
    /// The first lines of the modules.
    pub modules: Modules,
    /// What could not be read in the files.
    pub mistakes: Mistakes,
}

impl Findings<'_> {
    /// Nothing is found yet.
    #[must_use]
    pub fn new(scope: Scope, mistakes: Mistakes) -> Self {
        Self {
            scope,
            take: None,
            files: Vec::new(),
            tally: Tally::default(),
            modules: Modules::default(),
            mistakes,
        }
    }
}

/// What became of an input.
#[derive(Debug)]
pub enum Read {
    /// It holds HLO.
    Hlo,
    /// It is something else, and nothing of it is in the findings; the error for a person who named the file.
    Other(Error),
}

/// Reads a text or a binary module, which is not compressed, into the findings, and names it `shown`. `file` is the
/// same input where it can be read at any place.
///
/// # Errors
/// If it cannot be read to its end. Then nothing of it is in the findings.
pub fn read<F: io::Read + io::Seek + 'static>(
    input: impl io::Read,
    file: impl FnOnce() -> io::Result<Option<F>>,
    shown: &Path,
    findings: &mut Findings<'_>,
) -> Result<Read, Error> {
    let failed = |error| Error::of_file(shown, error);
    let (first, input) = unpack::peeked(input, kind::LOOKED_AT).map_err(failed)?;
    if !kind::may_be_proto(&first) {
        return text(input, shown, findings);
    }
    let file = file().map_err(failed)?;
    match proto::read(input, file).map_err(failed)? {
        proto::Binary::Module(module) => text(module, shown, findings),
        proto::Binary::Other { why, is_cut } => {
            let shown = shown.display();
            let error = Error::new(format_args!(
                "`{shown}` is a binary file that holds no module: {why}"
            ));
            let error = match is_cut {
                true => error.help("a module may have been cut short: copy it again"),
                false => error,
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
        return Ok(Read::Other(Error::how(message)));
    }
    extent.modules = (first, findings.modules.all.len());
    findings.files.push((shown.to_owned(), extent));
    Ok(Read::Hlo)
}
