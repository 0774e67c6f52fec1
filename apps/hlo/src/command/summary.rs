//! `xlayout hlo` without a question: the arrays and their padding.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::answers::{each_of, ended, incomplete, mistakes, read_all, with_reports};
use super::arguments::{Arguments, By, Question};
use super::arrays::Arrays;
use super::console::Console;
use super::{csv, json, oom, report};
use crate::oom::Reports;
use crate::page::Page;
use crate::{Findings, Instruction, Module, Scope, Tally, group, memory as memory_of};
use xlayout_command::table::print;
use xlayout_command::{Failure, Outcome};

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

pub(super) fn summary(arguments: &Arguments, console: &Console, out: &mut dyn Write) -> Outcome {
    check_question(arguments.files.first())?;
    let programs = arguments.common.json || arguments.csv;
    let owned = !arguments.all && !arguments.entry && !arguments.no_views && !programs;
    let grouping = arguments
        .by
        .filter(|grouping| matches!(grouping, By::Opcode | By::Scope | By::Source));
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
    let name = grouping.map(By::of_instruction);
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
    let page = Page::of(common.html.is_wanted(), None);
    let mistakes = mistakes(common.all_mistakes, common.json, console);
    let is_asked = owned || grouping.is_some() || common.html.is_wanted();
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
    let has_rows = arguments.csv || arguments.by.is_some() || common.html.is_wanted();
    let (shown, not_shown) = if has_rows {
        (Vec::new(), reports)
    } else {
        (reports, Vec::new())
    };
    arrays.reports = shown;
    let mut failures = with_reports(failures, &not_shown, &arrays.files);
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
    arrays.groups = grouping.map(|_| group::of_origins(origins, arguments.sort.key()));
    common.write(page, out, |out| answer(arguments, &arrays, out))?;
    ended(incomplete(&arrays.mistakes), failures)
}

/// What `hlo` counts of a module.
#[derive(Default)]
pub(super) struct OfModule {
    pub(super) allocated: HashMap<u32, u64>,
    origins: Option<group::Origins>,
    /// Why the module cannot be followed; then nothing of it is counted.
    refused: Option<Failure>,
}

/// Counts what ENTRY of a module allocates, also in the groups of this name.
pub(super) fn allocated(
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
    let is_grouped = arguments.by.is_some();
    let flags = [
        ("--csv", arguments.csv),
        ("--html", html),
        ("--by", is_grouped),
    ];
    for (flag, is_given) in flags {
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

fn answer(arguments: &Arguments, arrays: &Arrays, out: &mut dyn Write) -> io::Result<()> {
    if arguments.common.json {
        json::write(out, (arguments, arrays))
    } else if arguments.csv {
        csv::write(out, (arguments, arrays))
    } else {
        print(out, |out| report::write(out, (arguments, arrays)))
    }
}
