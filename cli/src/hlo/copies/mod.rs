//! `xlayout hlo copies`: the operations that move data without computing, why, and what removes them.

mod arguments;
pub(super) mod json;
mod relayout;
pub(super) mod report;
mod table;

use std::io::{self, Write};
use std::path::Path;

pub(crate) use arguments::Arguments;
use xlayout_hlo::copies::{Every, Groups, examine};
use xlayout_hlo::{Module, Tally};

use super::Answers;
use crate::failure::Outcome;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let (json, csv) = (arguments.common.json, arguments.csv);
    if let Some(by) = arguments.by {
        let mut groups = Groups::default();
        let name = by.of_arrays().of_instruction();
        let add = &mut |_: &Path, module: Module, tally: &Tally| groups.add(&module, tally, name);
        let found = modules(arguments, add);
        let groups = groups.sorted();
        return end(arguments, out, found, &|out, _| {
            table::groups(out, arguments, &groups)
        });
    }
    if json || csv {
        let found = modules(arguments, &mut Every::new);
        return end(arguments, out, found, &|out, all| match json {
            true => json::write(out, arguments.bandwidth(), all),
            false => table::copies(out, arguments, all),
        });
    }
    let examine = &mut |path: &Path, module, tally: &_| {
        examine(path, &module, tally, arguments.common.rows())
    };
    let found = modules(arguments, examine);
    end(arguments, out, found, &|out, all| {
        report::write(out, arguments, all)
    })
}

/// Finds something in each module.
fn modules<T>(
    arguments: &Arguments,
    find: &mut dyn FnMut(&Path, Module, &Tally) -> T,
) -> Answers<T> {
    let common = &arguments.common;
    let page = super::page::Page::of(&common.html, None);
    super::modules(&arguments.files, common.all_mistakes, page, find)
}

/// Writes what was found, and what could not be read.
fn end<T>(
    arguments: &Arguments,
    out: &mut dyn Write,
    found: Answers<T>,
    write: &dyn Fn(&mut dyn Write, &[T]) -> io::Result<()>,
) -> Outcome {
    let common = &arguments.common;
    if !(found.all.is_empty() && found.failures.is_some()) {
        if !common.html.is_stdout() {
            write(out, &found.all)?;
        }
        common.html.write(found.page, out)?;
        out.flush()?;
    }
    super::ended(found.mistakes, found.failures)
}
