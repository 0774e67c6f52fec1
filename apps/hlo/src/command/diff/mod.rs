//! `xlayout hlo diff`: two compilations of a program.

pub(super) mod json;
mod page;
pub(super) mod report;
pub(super) mod words;

use std::io::Write;
use std::path::Path;

use crate::diff::{Diff, Side};

use super::arguments::{self, FailOn};
use super::console::Console;
use crate::command::words::counted;
use crate::page::Page;
use xlayout_command::table::print;
use xlayout_command::{Code, Failure, Outcome};

pub(crate) fn run(arguments: &arguments::Diff, console: &Console, out: &mut dyn Write) -> Outcome {
    let read = |file: &Path| read(file, console, arguments.common.all_mistakes);
    let ((a, mistakes_of_a), (b, mistakes_of_b)) = match (read(&arguments.a), read(&arguments.b)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(a), Err(b)) => return Err(a.and(b)),
        (Err(failure), _) | (_, Err(failure)) => return Err(failure),
    };
    let mut page = Page::of(arguments.common.html.is_wanted(), None);
    for (file, side) in [(&arguments.a, &a), (&arguments.b, &b)] {
        page.modules
            .extend(page.shown(file, &side.module, &side.tally));
    }
    let diff = Diff::of(a, b)?;
    page.compare(&diff);
    let common = &arguments.common;
    common.write(page, out, |out| {
        if common.json {
            json::write(out, &diff)
        } else {
            print(out, |out| report::write(out, arguments, &diff))
        }
    })?;
    super::answers::ended(mistakes_of_a, mistakes_of_b)?;
    let is_no = match arguments.fail_on {
        FailOn::Any => diff.differs(),
        FailOn::Worse => diff.is_worse(arguments.allow),
        FailOn::Never => false,
    };
    if is_no {
        Err(Failure::answer_is_no())
    } else {
        Ok(())
    }
}

/// Reads the only module of a file. Also returns a failure for parts that could not be read.
fn read(file: &Path, console: &Console, all_mistakes: bool) -> Outcome<(Side, Option<Failure>)> {
    // The page is made when both sides are read.
    let found = super::answers::modules(
        &[file.to_owned()],
        console,
        all_mistakes,
        Page::default(),
        &mut Side::new,
    );
    if let Some(failure) = found.failures {
        return Err(failure);
    }
    let mut modules = found.all;
    let count = modules.len();
    match (modules.pop(), count) {
        (Some(side), 1) => Ok((side, found.mistakes)),
        _ => {
            let file = file.display();
            let modules = counted(count as u64, "module");
            let message = format!("`{file}` holds {modules}, and one is compared with one");
            Err(Failure::new(Code::Usage, message).help("name files that hold one module each"))
        }
    }
}
