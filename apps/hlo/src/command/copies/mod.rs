//! `xlayout hlo copies`: the operations that move data without computing, why, and what removes
//! them.

pub(super) mod json;
pub(super) mod relayout;
pub(super) mod report;
mod table;

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;

use crate::copies::{Every, Groups, examine};
use crate::page::Page;
use crate::{Module, Tally};

use super::arguments::Copies;
use super::console::Console;
use xlayout_command::Outcome;
use xlayout_command::table::print;

pub(crate) fn run(arguments: &Copies, console: &Console, out: &mut dyn Write) -> Outcome {
    let json = arguments.common.json;
    let csv = arguments.csv;
    if let Some(by) = arguments.by {
        let groups = RefCell::new(Groups::default());
        let name = by.of_instruction();
        let add = &mut |_: &Path, module: Module, tally: &Tally| {
            groups.borrow_mut().add(&module, tally, name);
        };
        let write =
            &|out: &mut dyn Write, _: &[()]| table::groups(out, arguments, &groups.take().sorted());
        return answered(arguments, console, out, add, write);
    }
    if json || csv {
        return answered(arguments, console, out, &mut Every::new, &|out, all| {
            if json {
                json::write(out, arguments.bandwidth(), all)
            } else {
                table::copies(out, arguments, all)
            }
        });
    }
    let examine = &mut |path: &Path, module, tally: &_| {
        examine(path, &module, tally, arguments.common.rows())
    };
    let write =
        &|out: &mut dyn Write, all: &[_]| print(out, |out| report::write(out, arguments, all));
    answered(arguments, console, out, examine, write)
}

/// Finds something in each module, and writes it, and what could not be read.
fn answered<T>(
    arguments: &Copies,
    console: &Console,
    out: &mut dyn Write,
    find: &mut dyn FnMut(&Path, Module, &Tally) -> T,
    write: &dyn Fn(&mut dyn Write, &[T]) -> io::Result<()>,
) -> Outcome {
    let common = &arguments.common;
    let page = Page::of(common.html.is_wanted(), None).copies_first();
    let found = super::answers::modules(&arguments.files, console, common.all_mistakes, page, find);
    if !(found.all.is_empty() && found.failures.is_some()) {
        common.write(found.page, out, |out| write(out, &found.all))?;
    }
    super::answers::ended(found.mistakes, found.failures)
}
