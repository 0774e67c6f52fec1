//! The commands `hlo` and `advise` of the program `xlayout`, and what a program in memory asks
//! `hlo`.
//!
//! | part | what it does |
//! |---|---|
//! | `folder` | the files of a folder that are modules |
//! | `console` | the standard input, mistakes on stderr, a bar |
//! | `mistake` | places that could not be read, as failures |
//! | `arguments` | the arguments, and the groups of arrays that can be asked for |
//! | `copies`, `memory`, `diff` | other questions |
//! | `oom` | reports of XLA that ran out of memory |
//! | `page` | the answers as a page |
//! | `report`, `json`, `csv` | the answer |
//! | `audit`, `in_memory` | all of it for a module in memory |
//! | `advise` | the layouts that a compiler tries |

mod advise;
mod arguments;
mod audit;
mod console;
mod copies;
mod csv;
mod diff;
mod failure;
mod folder;
mod in_memory;
mod json;
mod memory;
mod mistake;
mod oom;
mod page;
mod report;
#[cfg(test)]
mod stack;
mod words;

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::device::Device;
use crate::oom::Reports;
use crate::{
    Each, Extent, Findings, Instruction, Mistakes, Module, Modules, Read, Scope, Tally, group,
    memory as memory_of,
};
use arguments::{Arguments, By, Question};

use crate::command::words::counted;
pub use audit::{Audit, audit, page};
use console::Console;
pub use in_memory::{Request, Response};
use page::Page;
use xlayout_command::table::print;
use xlayout_command::{Code, Command, Failure, Outcome};

/// The most mistakes that are reported without `--all-mistakes`.
const MISTAKES_TOLD: usize = 5;

/// The arrays of all files, and the options for their output.
struct Arrays {
    scope: Scope,
    files: Vec<(PathBuf, Extent)>,
    tally: Tally,
    modules: Modules,
    mistakes: Mistakes,
    /// Whether only what ENTRY allocates is counted.
    owned: bool,
    /// Groups of instructions, if they are requested.
    groups: Option<Vec<group::Group>>,
}

/// The number of an array in the tally, and how often it is counted.
type Counted = (u32, u64);

/// A request and the arrays that were found.
type Asked<'a> = (&'a Arguments, &'a Arrays);

impl Arrays {
    fn new(found: Findings<'_>) -> Self {
        Self {
            scope: found.scope,
            files: found.files,
            tally: found.tally,
            modules: found.modules,
            mistakes: found.mistakes,
            owned: false,
            groups: None,
        }
    }

    /// Counts what ENTRY allocates, and nothing else.
    fn keep_owned(&mut self, allocated: impl IntoIterator<Item = Counted>) {
        self.tally.keep(allocated);
        self.owned = true;
    }
}

/// The commands `hlo` and `advise`.
#[must_use]
pub fn all() -> [Command; 2] {
    let texts = xlayout_command::texts! { hlo hlo_copies hlo_diff hlo_memory advise };
    let texts = texts.map(|(name, text)| (name, with_devices(text)));
    let hlo = "Find padding, copies and peak memory in HLO modules, or compare two of them";
    let advise = "Find layouts of a program's arguments with which the compiler copies less";
    [
        Command::new("hlo", hlo, &texts, |arguments, out| {
            run(arguments, &Console::default(), out)
        }),
        Command::new("advise", advise, &texts, advise::run),
    ]
}

/// Replaces `{devices}` by the devices with their memory.
fn with_devices(text: &str) -> String {
    let names = Device::ALL
        .iter()
        .map(|device| format!("{} {}", device.name, words::bytes(device.memory)));
    let names = words::listed(&names.collect::<Vec<_>>());
    let line = |line: &str| {
        if line.contains("{devices}") {
            words::wrapped(&line.replace("{devices}", &names), 80, 6)
        } else {
            line.to_owned()
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn run(arguments: &Arguments, console: &Console, out: &mut dyn Write) -> Outcome {
    match &arguments.question {
        None => summary(arguments, console, out),
        Some(Question::Copies(arguments)) => copies::run(arguments, console, out),
        Some(Question::Diff(arguments)) => diff::run(arguments, console, out),
        Some(Question::Memory(arguments)) => memory::run(arguments, console, out),
    }
}

/// Checks whether the first file is a misspelt subcommand: `xlayout hlo copis x.hlo`.
fn check_question(first: Option<&PathBuf>) -> Outcome {
    let Some(word) = first
        .filter(|file| !file.exists())
        .and_then(|file| file.to_str())
    else {
        return Ok(());
    };
    let questions = <Question as clap::Subcommand>::augment_subcommands(clap::Command::new("hlo"));
    let names = questions.get_subcommands().map(clap::Command::get_name);
    match xlayout_words::nearest(word, names) {
        None => Ok(()),
        Some(name) => {
            let failure = Failure::usage(format_args!("there is no question and no file `{word}`"));
            Err(failure.help(format_args!("did you mean `xlayout hlo {name}`?")))
        }
    }
}

fn summary(arguments: &Arguments, console: &Console, out: &mut dyn Write) -> Outcome {
    check_question(arguments.files.first())?;
    let programs = arguments.common.json || arguments.csv;
    let owned = !arguments.all && !arguments.entry && !arguments.no_views && !programs;
    let by = arguments
        .by
        .filter(|by| matches!(by, By::Opcode | By::Scope | By::Source));
    let counted = Scope {
        entry: arguments.entry,
        views: !arguments.no_views,
    };
    let scope = if owned {
        Scope {
            entry: true,
            views: false,
        }
    } else {
        counted
    };
    let name = by.map(By::of_instruction);
    let counts = &mut |path: &Path, module: Module, tally: &Tally| {
        if owned {
            allocated(path, &module, tally, name)
        } else {
            OfModule {
                origins: name.map(|name| group::origins(&module, tally, scope, name)),
                ..OfModule::default()
            }
        }
    };
    let common = &arguments.common;
    let page = Page::of(&common.html, None);
    let mistakes = mistakes(common.all_mistakes, common.json, console);
    let is_asked = owned || by.is_some() || common.html.is_wanted();
    let read = |mut findings: Findings<'_>| {
        let read = read_all(&arguments.files, &mut findings, console);
        (Arrays::new(findings), read)
    };
    let (answers, page, (mut arrays, (failures, reports))) =
        each_of(page, (counted, is_asked), mistakes, counts, read);
    if arrays.files.is_empty() && !reports.is_empty() {
        explain(arguments, &reports, out)?;
        return failures.map_or(Ok(()), Err);
    }
    let mut failures = with_reports(failures, &reports);
    if arrays.files.is_empty() {
        return failures.map_or(Ok(()), Err);
    }
    let mut allocated = Vec::new();
    let mut origins = Vec::new();
    for answer in answers {
        allocated.extend(answer.allocated);
        origins.extend(answer.origins.into_iter().flatten());
        failures = Failure::both(failures, answer.refused);
    }
    if owned {
        arrays.keep_owned(allocated);
    }
    arrays.groups = by.map(|_| group::of_origins(origins, arguments.sort.key()));
    common.write(page, out, |out| answer(arguments, &arrays, out))?;
    ended(incomplete(&arrays.mistakes), failures)
}

/// What `hlo` counts of a module.
#[derive(Default)]
struct OfModule {
    allocated: HashMap<u32, u64>,
    origins: Option<group::Origins>,
    /// Why the module cannot be followed; then nothing of it is counted.
    refused: Option<Failure>,
}

/// Counts what ENTRY of a module allocates, also in the groups of this name.
fn allocated(
    path: &Path,
    module: &Module,
    tally: &Tally,
    name: Option<fn(&Module, &Instruction) -> String>,
) -> OfModule {
    let mut found = OfModule::default();
    let mut origins = group::Origins::default();
    let done = memory_of::allocated(path, module, tally, |array, instruction| {
        *found.allocated.entry(array).or_default() += 1;
        if let Some(name) = name {
            group::put(&mut origins, name(module, instruction), array, tally);
        }
    });
    found.origins = name.map(|_| origins);
    found.refused = done.err().map(Failure::from);
    found
}

/// Explains reports of running out of memory.
fn explain(arguments: &Arguments, reports: &[(PathBuf, Reports)], out: &mut dyn Write) -> Outcome {
    let html = arguments.common.html.is_wanted();
    let by = arguments.by.is_some();
    for (flag, is_given) in [("--csv", arguments.csv), ("--html", html), ("--by", by)] {
        if is_given {
            let file = reports[0].0.display();
            let message =
                format!("`{flag}` is for modules, and `{file}` is an out-of-memory report");
            return Err(Failure::usage(message).help(format_args!("leave out `{flag}`")));
        }
    }
    Ok(if arguments.common.json {
        oom::json(out, reports)
    } else {
        print(out, |out| oom::write(out, reports, arguments.common.rows()))
    }?)
}

/// The answers for the modules of files, and the failures: mistakes in texts, and files that cannot
/// be read.
struct Answers<T> {
    all: Vec<T>,
    page: Page,
    mistakes: Option<Failure>,
    failures: Option<Failure>,
}

/// Reads files and folders, and computes an answer for each module.
fn modules<T>(
    files: &[PathBuf],
    console: &Console,
    all_mistakes: bool,
    page: Page,
    answer: &mut dyn FnMut(&Path, Module, &Tally) -> T,
) -> Answers<T> {
    let mistakes = mistakes(all_mistakes, false, console);
    let read = |mut findings: Findings<'_>| {
        let (failures, reports) = read_all(files, &mut findings, console);
        let failures = with_reports(failures, &reports);
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
fn each_of<T, R>(
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
fn ended(mistakes: Option<Failure>, failures: Option<Failure>) -> Outcome {
    Failure::both(mistakes, failures).map_or(Ok(()), Err)
}

/// Prints mistakes as they are found.
fn mistakes(all: bool, keep: bool, console: &Console) -> Mistakes {
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
fn read_all(files: &[PathBuf], findings: &mut Findings<'_>, console: &Console) -> NotRead {
    let mut failures = None;
    let mut reports = Vec::new();
    let mut fail = |failure| failures = Failure::both(failures.take(), Some(failure));
    for path in files {
        let read = if path.is_dir() {
            folder::read(path, findings, console, &mut fail)
        } else {
            console.read(path, findings).and_then(|read| match read {
                Read::Hlo => Ok(()),
                Read::OutOfMemory(found) => {
                    reports.push((path.to_owned(), found));
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

/// The failures, and one for each report of running out of memory.
fn with_reports(failures: Option<Failure>, reports: &[(PathBuf, Reports)]) -> Option<Failure> {
    reports.iter().fold(failures, |failures, (path, _)| {
        Failure::both(failures, Some(crate::Error::of_report(path).into()))
    })
}

fn answer(arguments: &Arguments, arrays: &Arrays, out: &mut dyn Write) -> io::Result<()> {
    if arguments.common.json {
        json::write(out, (arguments, arrays))
    } else if arguments.csv {
        csv::write(out, (arguments, arrays))
    } else {
        print(out, |out| report::write(out, (arguments, arrays)))
    }
}

/// The failure if not everything could be read.
fn incomplete(mistakes: &Mistakes) -> Option<Failure> {
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
            crate::command::words::grouped(untold)
        )),
    })
}
