//! `xlayout hlo copies`: the operations that move data without computing, why, and what removes them.

mod arguments;
pub(super) mod json;
mod relayout;
pub(super) mod report;

use std::io::{self, Write};
use std::path::Path;

pub(crate) use arguments::{ABOUT, Arguments};
use xlayout_hlo::copies::{Every, examine};
use xlayout_hlo::{Module, Tally};

use crate::failure::Outcome;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match arguments.common.json {
        true => answer(arguments, out, &mut Every::new, &|out, all| {
            json::write(out, all)
        }),
        false => answer(
            arguments,
            out,
            &mut |path, module, tally| examine(path, &module, tally, arguments.rows()),
            &|out, all| report::write(out, arguments, all),
        ),
    }
}

/// Finds something in each module, and writes all of it.
fn answer<T>(
    arguments: &Arguments,
    out: &mut dyn Write,
    find: &mut dyn FnMut(&Path, Module, &Tally) -> T,
    write: &dyn Fn(&mut dyn Write, &[T]) -> io::Result<()>,
) -> Outcome {
    let common = &arguments.common;
    let found = super::modules(
        &arguments.files,
        common.all_mistakes,
        super::page::Page::of(&common.html, None),
        find,
    );
    if !(found.all.is_empty() && found.failures.is_some()) {
        if !common.html.is_stdout() {
            write(out, &found.all)?;
        }
        common.html.write(found.page, out)?;
        out.flush()?;
    }
    super::ended(found.mistakes, found.failures)
}
