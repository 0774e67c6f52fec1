//! The answers of `hlo` and its subcommands for a module in memory. The Python package uses it.

use std::io;
use std::path::Path;

use crate::copies::{Every, Found};
use crate::memory::{Answer, answer_beside};
use crate::{Findings, Module, Scope, Tally};
use clap::Parser;
use serde_json::{Value, json};

use super::answers::{each_of, mistakes};
use super::arguments::{Arguments, Question};
use super::arrays::{Arrays, Counted};
use super::console::Console;
use super::copies::report::describe;
use super::summary::allocated;
use super::{copies, json, memory, report};
use crate::page::advice::pieces;
use crate::page::{self, Page};
use xlayout_command::json::number;
use xlayout_command::table;
use xlayout_command::{Failure, Outcome};

/// The command line of `hlo` alone.
#[derive(Parser)]
struct Words {
    #[command(flatten)]
    arguments: Arguments,
}

/// Parses these words as the arguments of `hlo`.
pub(super) fn arguments(words: &[&str]) -> Arguments {
    match Words::try_parse_from([&["hlo"], words].concat()) {
        Ok(words) => words.arguments,
        Err(error) => unreachable!("these words are arguments of `hlo`: {error}"),
    }
}

/// What `xlayout hlo copies`, `xlayout hlo memory` and `xlayout hlo` say of the modules of an
/// input.
#[derive(Clone, Debug)]
pub struct Audit {
    /// For people, without colours: copies, memory, padding.
    pub summary: String,
    /// As JSON: the keys of `hlo copies --json`, `memory` with those of `hlo memory --json` for
    /// each module, and `arrays` with those of `hlo --json`. Of each copy `text` is what people
    /// read, and `remedies` are the pieces of advice that remove it. `mistakes` are errors of parts
    /// that could not be read.
    pub json: String,
}

/// The rows of each table for people.
const ROWS: usize = 5;

/// Reads the modules of an input, as text or as a proto, compressed or not. `shown` is its name;
/// files that XLA writes beside a module of this name are read, too.
///
/// # Errors
/// The error of `hlo` for an input that is not HLO or cannot be read.
pub fn audit(input: &[u8], shown: &Path) -> Outcome<Audit> {
    let answer = &mut |path: &Path, module: Module, tally: &Tally| {
        let (memory, errors) = answer_beside(path, &module, tally, usize::MAX);
        // What cannot be followed is among the errors of the memory.
        let counted = allocated(path, &module, tally, None).allocated;
        (Every::new(path, module, tally), memory, errors, counted)
    };
    let read = each(input, shown, answer)?;
    let mut mistakes = read.told;
    let mut every: Vec<Every> = Vec::new();
    let mut answers: Vec<Answer> = Vec::new();
    let mut allocated_arrays = Vec::new();
    for (copies, memory, errors, counted) in read.answers {
        every.push(copies);
        allocated_arrays.extend(counted);
        answers.extend(memory);
        mistakes.extend(
            errors
                .into_iter()
                .map(Failure::from)
                .map(|failure| failure.in_one_line()),
        );
    }
    let with_json = arguments(&["file", "--json"]);
    let mut value = parsed(|out| copies::json::write(out, None, &every));
    add_words(&mut value, &every);
    value["memory"] = json!(answers);
    value["arrays"] = parsed(|out| json::write(out, (&with_json, &read.arrays)));
    value["mistakes"] = json!(mistakes);
    Ok(Audit {
        summary: summary(every, &answers, read.arrays, allocated_arrays),
        json: value.to_string(),
    })
}

/// The page of `--html`, which is self-contained.
///
/// # Errors
/// As [`audit`]. A module that cannot be analysed is not on the page.
pub fn page(input: &[u8], shown: &Path) -> Outcome<String> {
    Ok(page::of_input(input, shown)?.html)
}

/// Adds to each copy its text and the advice that removes it.
fn add_words(value: &mut Value, every: &[Every]) {
    let Some(shown) = value["copies"].as_array_mut() else {
        unreachable!("`copies` is a list")
    };
    let mut shown = shown.iter_mut();
    for every in every {
        let pieces = pieces(&every.found, usize::MAX);
        let pieces: Vec<_> = pieces
            .iter()
            .map(|piece| (piece.removes(), table::text(|out| piece.write(out)).plain()))
            .collect();
        for (copy, shown) in every.copies().zip(&mut shown) {
            let removing = pieces
                .iter()
                .filter(|(of, _)| of.contains(&&*copy.instruction));
            let remedies: Vec<&str> = removing.map(|(_, text)| text.trim_end()).collect();
            shown["bytes"] = number(copy.total());
            let text = table::text(|out| describe(out, &copy, None)).plain();
            shown["text"] = json!(text.trim_end());
            shown["remedies"] = json!(remedies);
        }
    }
}

fn summary(
    every: Vec<Every>,
    answers: &[Answer],
    mut arrays: Arrays,
    allocated_arrays: Vec<Counted>,
) -> String {
    let rows = ROWS.to_string();
    let Some(Question::Copies(of_copies)) = arguments(&["copies", "file", "--top", &rows]).question
    else {
        unreachable!("`copies` is a question of `hlo`")
    };
    let found: Vec<Found> = every
        .into_iter()
        .map(|every| Found {
            copies: every.copies().take(ROWS).collect(),
            ..every.found
        })
        .collect();
    let mut short = answers.to_vec();
    for space in short.iter_mut().flat_map(|answer| &mut answer.spaces) {
        space.buffers.truncate(ROWS);
    }
    // As `hlo` counts for people.
    arrays.keep_owned(allocated_arrays);
    let of_arrays = arguments(&["file", "--top", &rows]);
    let text = table::text(|out| {
        copies::report::write(out, &of_copies, &found);
        out.blank();
        memory::report::write(out, &short);
        out.blank();
        report::padding(out, (&of_arrays, &arrays));
    });
    // The names of flags have no meaning for the Python package.
    text.plain()
        .trim_end()
        .replace("`--top all`", "`to_dict()` has all")
}

/// The answer for each module, the arrays, and the mistakes in the text.
struct Answered<T> {
    answers: Vec<T>,
    arrays: Arrays,
    told: Vec<String>,
}

fn each<T>(
    input: &[u8],
    shown: &Path,
    answer: &mut dyn FnMut(&Path, Module, &Tally) -> T,
) -> Outcome<Answered<T>> {
    let console = Console::in_memory(&[]);
    let mistakes = mistakes(true, true, &console);
    let read = |mut found: Findings<'_>| -> Outcome<Arrays> {
        crate::read(input, shown, &mut found)?.of_hlo(shown)?;
        Ok(Arrays::new(found))
    };
    let (answers, _, arrays) = each_of(Page::default(), (Scope::ALL, true), mistakes, answer, read);
    Ok(Answered {
        answers,
        arrays: arrays?,
        told: console.told(),
    })
}

fn parsed(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Value {
    let mut json = Vec::new();
    write(&mut json)
        .and_then(|()| Ok(serde_json::from_slice(&json)?))
        .unwrap_or_else(|error| unreachable!("what `--json` writes is JSON: {error}"))
}
