//! `xlayout hlo memory`: what is alive at each step of the schedule, for each memory space.

pub(super) mod report;

use std::io::{self, Write};

use crate::memory::{Answer, answer_beside};
use crate::page::Page;
use serde_json::json;

use super::arguments::Memory;
use super::console::Console;
use xlayout_command::json::print;
use xlayout_command::table;
use xlayout_command::{Failure, Outcome};

pub(crate) fn run(arguments: &Memory, console: &Console, out: &mut dyn Write) -> Outcome {
    let common = &arguments.common;
    let rows = if common.json {
        common.all_rows()
    } else {
        common.rows()
    };
    let limit = arguments.device.map(|device| device.memory);
    let limit = limit.or(arguments.limit);
    let found = super::answers::modules(
        &arguments.files,
        console,
        common.all_mistakes,
        Page::of(common.html.is_wanted(), limit),
        &mut |path, module, tally| answer_beside(path, &module, tally, rows),
    );
    let mut answers: Vec<Answer> = Vec::new();
    let mut refused = None;
    for (answer, errors) in found.all {
        answers.extend(answer);
        refused = Failure::both(refused, super::failure::of_all(errors));
    }
    for answer in &mut answers {
        if let Some(limit) = limit {
            answer.compare(limit);
            if answer.fit.as_ref().is_some_and(|fit| !fit.fits) {
                refused = Failure::both(refused, Some(Failure::answer_is_no()));
            }
        }
    }
    if !answers.is_empty() {
        common.write(found.page, out, |out| {
            if common.json {
                json(out, &answers)
            } else {
                table::print(out, |out| report::write(out, &answers))
            }
        })?;
    }
    super::answers::ended(found.mistakes, Failure::both(refused, found.failures))
}

/// Writes JSON: the answer, or a list of answers.
pub(super) fn json(out: &mut dyn Write, answers: &[Answer]) -> io::Result<()> {
    match answers {
        [answer] => print(out, answer),
        all => print(out, &json!({ "modules": all })),
    }
}
