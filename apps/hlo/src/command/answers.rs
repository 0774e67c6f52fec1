//! Reads files and folders, and computes answers for their modules.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::arguments::Common;
use super::console::{self, Console};
use super::{folder, mistake};
use crate::command::words::{counted, grouped};
use crate::oom::Reports;
use crate::page::{Page, packed::packed};
use crate::{Each, Extent, Findings, Mistakes, Module, Read, Scope, Tally};
use xlayout_command::{Code, Failure, Outcome, files};

/// The most mistakes that are reported without `--all-mistakes`.
const MISTAKES_TOLD: usize = 5;

/// The answers for the modules of files, and the failures: mistakes in texts, and files that cannot
/// be read.
pub(super) struct Answers<T> {
    pub(super) all: Vec<T>,
    pub(super) page: Page,
    pub(super) mistakes: Option<Failure>,
    pub(super) failures: Option<Failure>,
}

/// Reads files and folders, and computes an answer for each module.
pub(super) fn modules<T>(
    files: &[PathBuf],
    console: &Console,
    all_mistakes: bool,
    page: Page,
    answer: &mut dyn FnMut(&Path, Module, &Tally) -> T,
) -> Answers<T> {
    let mistakes = mistakes(all_mistakes, false, console);
    let read = |mut findings: Findings<'_>| {
        let (failures, reports) = read_all(files, &mut findings, console);
        let failures = with_reports(failures, &reports, &findings.files);
        (incomplete(&findings.mistakes), failures)
    };
    let (all, page, (mistakes, failures)) =
        each_of(page, (Scope::ALL, true), mistakes, answer, read);
    Answers {
        all,
        page,
        mistakes,
        failures,
    }
}

/// Calls `read`, which reads inputs into findings that count the arrays of a scope. Returns an
/// answer for each module if it is asked for, a page, and what `read` returns.
pub(super) fn each_of<T, R>(
    mut page: Page,
    (scope, is_asked): (Scope, bool),
    mistakes: Mistakes,
    answer: &mut dyn FnMut(&Path, Module, &Tally) -> T,
    read: impl FnOnce(Findings<'_>) -> R,
) -> (Vec<T>, Page, R) {
    let mut each = Each::new(|path: &Path, module: Module, tally: &Tally| {
        let shown = page.shown(path, &module, tally);
        (answer(path, module, tally), shown)
    });
    let mut findings = Findings::new(scope, mistakes);
    if is_asked {
        findings.take = Some(&mut each);
    }
    let done = read(findings);
    let (all, shown): (_, Vec<_>) = each.into_ended().into_iter().unzip();
    page.modules = shown.into_iter().flatten().collect();
    (all, page, done)
}

/// The result of a command that gave its answer: an error if there are mistakes in texts or files
/// that cannot be read.
pub(super) fn ended(mistakes: Option<Failure>, failures: Option<Failure>) -> Outcome {
    Failure::both(mistakes, failures).map_or(Ok(()), Err)
}

/// Prints mistakes as they are found.
pub(super) fn mistakes(all: bool, keep: bool, console: &Console) -> Mistakes {
    let limit = if all { usize::MAX } else { MISTAKES_TOLD };
    let console = console.clone();
    let tell = move |file: &Path, mistake: &crate::Mistake| {
        console.tell(&mistake::failure(file, mistake));
    };
    Mistakes::new(limit, keep, Box::new(tell))
}

/// What could not be read, and the reports of running out of memory, with their files.
type NotRead = (Option<Failure>, Vec<(PathBuf, Reports)>);

/// Reads files and folders.
pub(super) fn read_all(
    files: &[PathBuf],
    findings: &mut Findings<'_>,
    console: &Console,
) -> NotRead {
    let mut failures = None;
    let mut reports = Vec::new();
    let mut fail = |failure| failures = Failure::both(failures.take(), Some(failure));
    for path in files {
        let read = if path.is_dir() {
            folder::read(path, findings, console, &mut fail)
        } else {
            console.read(path, findings).and_then(|read| match read {
                Read::Hlo(found) | Read::OutOfMemory(found) => {
                    if !found.reports.is_empty() {
                        reports.push((path.to_owned(), found));
                    }
                    Ok(())
                }
                Read::Other(error) => Err(error.into()),
            })
        };
        if let Err(failure) = read {
            fail(failure);
        }
        console.end();
    }
    (failures, reports)
}

/// The failures, and one for each file that has reports of running out of memory and no module.
pub(super) fn with_reports(
    failures: Option<Failure>,
    reports: &[(PathBuf, Reports)],
    files: &[(PathBuf, Extent)],
) -> Option<Failure> {
    let has_module = |path: &PathBuf| {
        let shown = console::shown(path);
        files.iter().any(|(file, _)| file == shown)
    };
    let paths = reports.iter().map(|(path, _)| path);
    let alone = paths.filter(|path| !has_module(path));
    alone.fold(failures, |failures, path| {
        Failure::both(failures, Some(crate::Error::of_report(path).into()))
    })
}

/// The failure if not everything could be read.
pub(super) fn incomplete(mistakes: &Mistakes) -> Option<Failure> {
    if mistakes.count == 0 {
        return None;
    }
    let places = counted(mistakes.count, "place");
    let files = counted(mistakes.files, "file");
    let message = format!("{places} in {files} could not be read; the rest is counted");
    let failure = Failure::new(Code::Answer, message);
    Some(match mistakes.untold() {
        0 => failure,
        untold => failure.help(format_args!(
            "`--all-mistakes` shows the other {} as well",
            grouped(untold)
        )),
    })
}

impl Common {
    /// Writes an answer, and the page if it is wanted. What is printed next, such as mistakes, is
    /// below the answer, where it is not overlooked.
    pub(super) fn write(
        &self,
        page: Page,
        out: &mut dyn Write,
        answer: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Outcome {
        if !self.html.is_stdout() {
            answer(out)?;
        }
        if let Some(file) = &self.html.html {
            let (page, refused) = page.text(packed);
            files::write(file, &page, "page.html", self.html.force, out)?;
            super::failure::of_all(refused).map_or(Ok(()), Err)?;
        }
        Ok(out.flush()?)
    }
}
