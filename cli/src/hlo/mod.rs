//! `xlayout hlo`: the arrays of HLO modules, and what their padding costs.
//!
//! | part | what it does |
//! |---|---|
//! | `folder` | the files of a folder that are modules |
//! | `kind` | says what a file is that is no HLO text |
//! | `unpack` | compressed files |
//! | `proto` | binary modules, printed as text |
//! | `read` | a file into the findings: text or proto, compressed or not |
//! | `source` | the bytes, through a buffer of fixed size |
//! | `scan` | modules, computations, instructions; their results |
//! | `graph` | a module with operands, attributes and source lines |
//! | `tally` | the distinct arrays, each read once |
//! | `advice` | another layout of the same hardware that wastes less |
//! | `elementwise` | the operations that work element by element |
//! | `copies`, `memory`, `diff` | other questions about the graph |
//! | `whole` | what is found in modules of files that are read to their ends |
//! | `group`, `origin`, `report`, `json`, `csv` | the answer |

mod advice;
mod arguments;
mod copies;
mod csv;
mod diff;
mod elementwise;
mod folder;
pub(crate) mod fuzzing;
mod graph;
mod group;
mod json;
mod kind;
mod memory;
mod mistake;
mod origin;
mod page;
mod progress;
mod proto;
mod read;
mod report;
mod scan;
mod source;
mod tally;
#[cfg(test)]
mod tests;
mod unpack;
mod whole;

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use arguments::{ABOUT, Arguments};
use arguments::{By, Question};

use crate::failure::{Code, Failure, Outcome};
use crate::words::counted;
use graph::Module;
use mistake::Mistakes;
use progress::Progress;
use scan::{Extent, Modules, Scope};
use tally::Tally;
use whole::{EachModule, Take};

/// The most mistakes that are reported without `--all-mistakes`.
const MISTAKES_TOLD: usize = 5;

/// All that was found in the files.
struct Findings<'a> {
    scope: Scope,
    /// Takes the graphs of modules; none are made without it.
    take: Option<&'a mut dyn Take>,
    files: Vec<(PathBuf, Extent)>,
    tally: Tally,
    modules: Modules,
    mistakes: Mistakes,
    /// Whether only what ENTRY allocates is counted.
    owned: bool,
    /// Groups of instructions, where they are asked for.
    groups: Option<Vec<group::Group>>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match &arguments.question {
        None => summary(arguments, out),
        Some(Question::Copies(arguments)) => copies::run(arguments, out),
        Some(Question::Diff(arguments)) => diff::run(arguments, out),
        Some(Question::Memory(arguments)) => memory::run(arguments, out),
    }
}

fn summary(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let programs = arguments.json || arguments.csv;
    let owned = !arguments.all && !arguments.entry && !arguments.no_views && !programs;
    let by = arguments
        .by
        .filter(|by| matches!(by, By::Opcode | By::Scope | By::Source));
    let scope = Scope {
        entry: owned || arguments.entry,
        views: !owned && !arguments.no_views,
    };
    let page = RefCell::new(page::Page::of(&arguments.html));
    let origins = RefCell::new(by.map(|by| origin::Origins::new(by, scope)));
    let mut of_modules = OfModules {
        page: &page,
        origins: &origins,
    };
    let progress = Progress::default();
    let mut findings = Findings::new(
        Scope {
            entry: arguments.entry,
            views: !arguments.no_views,
        },
        mistakes(arguments.all_mistakes, arguments.json, &progress),
    );
    if by.is_some() || arguments.html.is_wanted() {
        findings.take = Some(&mut of_modules);
    }
    let failures = read_all(&arguments.files, &mut findings, &progress);
    findings.groups = origins.take().map(|origins| {
        let mut groups = origins.groups();
        group::sort(&mut groups, arguments.sort);
        groups
    });
    if owned {
        findings.owned = true;
        findings.tally.keep_owned();
    }
    if findings.files.is_empty() {
        return failures.map_or(Ok(()), Err);
    }
    if !arguments.html.is_stdout() {
        answer(arguments, &findings, out)?;
    }
    arguments.html.write(page.take(), out)?;
    // What is wrong is said below the answer, where it is not overlooked.
    out.flush()?;
    ended(incomplete(&findings.mistakes), failures)
}

/// What the arrays of all files ask of the graph of a module.
struct OfModules<'a> {
    page: &'a RefCell<page::Page>,
    origins: &'a RefCell<Option<origin::Origins>>,
}

impl Take for OfModules<'_> {
    fn module(&mut self, path: &Path, module: Module, tally: &Tally) {
        self.page.borrow_mut().add(path, &module, tally);
        if let Some(origins) = &mut *self.origins.borrow_mut() {
            origins.count(&module, tally);
        }
    }

    fn end_file(&mut self, is_whole: bool) {
        self.page.borrow_mut().end_file(is_whole);
        if let Some(origins) = &mut *self.origins.borrow_mut() {
            origins.end_file(is_whole);
        }
    }
}

/// What is found in the modules of files, and what could not be read: mistakes in the text, and files.
struct Answers<T> {
    all: Vec<T>,
    page: page::Page,
    mistakes: Option<Failure>,
    failures: Option<Failure>,
}

/// Reads files and folders of them, and asks for an answer for each module.
fn modules<T>(
    files: &[PathBuf],
    all_mistakes: bool,
    html: &page::Html,
    answer: &mut dyn FnMut(&Path, Module, &Tally) -> T,
) -> Answers<T> {
    let progress = Progress::default();
    let scope = Scope {
        entry: false,
        views: true,
    };
    let mut findings = Findings::new(scope, mistakes(all_mistakes, false, &progress));
    let mut each = EachModule::new(page::Page::of(html), answer);
    findings.take = Some(&mut each);
    let failures = read_all(files, &mut findings, &progress);
    let mistakes = incomplete(&findings.mistakes);
    let (all, page) = each.found();
    Answers {
        all,
        page,
        mistakes,
        failures,
    }
}

/// The end of a command that gave its answer, where there are mistakes in texts, or files that cannot be read.
fn ended(mistakes: Option<Failure>, failures: Option<Failure>) -> Outcome {
    Failure::both(mistakes, failures).map_or(Ok(()), Err)
}

/// Tells mistakes as they are found.
fn mistakes(all: bool, keep: bool, progress: &Progress) -> Mistakes {
    let limit = match all {
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
    Mistakes::new(limit, keep, Box::new(tell))
}

/// Reads files and folders of them; answers which of them cannot be read.
fn read_all(
    files: &[PathBuf],
    findings: &mut Findings<'_>,
    progress: &Progress,
) -> Option<Failure> {
    let mut failures: Option<Failure> = None;
    let mut fail = |failure| failures = Failure::both(failures.take(), Some(failure));
    for path in files {
        let read = match path.is_dir() {
            true => folder::read(path, findings, progress, &mut fail),
            false => read::read(path, findings, progress).and_then(|read| read.or_failure()),
        };
        if let Err(failure) = read {
            fail(failure);
        }
        progress.end();
    }
    failures
}

impl Findings<'_> {
    fn new(scope: Scope, mistakes: Mistakes) -> Self {
        Self {
            scope,
            take: None,
            files: Vec::new(),
            tally: Tally::default(),
            modules: Modules::default(),
            mistakes,
            owned: false,
            groups: None,
        }
    }
}

fn answer(arguments: &Arguments, findings: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    if arguments.json {
        json::write(out, arguments, findings)
    } else if arguments.csv {
        csv::write(out, arguments, findings)
    } else {
        report::write(out, arguments, findings)
    }
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
