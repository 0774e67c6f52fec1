//! Compares this crate with recorded answers of real XLA: the vectors (`.jsonl`) and the cases of
//! XLA's unit tests (`.json`).
//!
//! One checker for the example `conformance`, which takes files from anywhere, and for the test
//! `vectors`, which takes those of `tests/data`. Every rule here is about a kind of line or an op,
//! never about one line.

mod algebra;
pub(crate) mod as_xla;
mod buffers;
pub(crate) mod cases;
mod fields;
mod memory;
mod notations;
mod number;
mod sizes;
mod text;
mod tiles;
mod unit;
#[cfg(test)]
mod vectors;

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use fields::Fields;

/// Nothing, or what was expected and what was found.
type Check = Result<(), String>;

/// The result of a file.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Lines, cases or types that agree.
    pub(crate) passed: usize,
    /// Cases about protos, which the crate `xlayout-proto` answers.
    pub(crate) of_protos: usize,
    /// One for each that does not agree.
    pub(crate) findings: Vec<Finding>,
}

/// A line that failed.
#[derive(Debug)]
pub(crate) struct Finding {
    /// The line in the file; `None` if the whole file cannot be used.
    pub(crate) line: Option<usize>,
    /// Whether the file or the line cannot be used at all; otherwise answers differ.
    pub(crate) unusable: bool,
    /// The expected and the found result.
    pub(crate) what: String,
}

impl Outcome {
    fn unusable(&mut self, line: Option<usize>, what: String) {
        self.findings.push(Finding {
            line,
            unusable: true,
            what,
        });
    }

    /// Counts one check; a panic is a mismatch, too.
    fn count(&mut self, line: usize, check: impl FnOnce() -> Check) {
        let answer = catch_unwind(AssertUnwindSafe(check))
            .unwrap_or_else(|panic| Err(format!("it panicked: {}", words_of(&*panic))));
        match answer {
            Ok(()) => self.passed += 1,
            Err(what) => self.findings.push(Finding {
                line: Some(line),
                unusable: false,
                what,
            }),
        }
    }
}

fn words_of(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal
        .or(panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// Checks one file. Its extension says how it is written, the stem of vectors what they are about.
pub(crate) fn check_file(path: &Path) -> Outcome {
    let mut outcome = Outcome::default();
    let text = match std::fs::read(path).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(error)) => {
            outcome.unusable(None, format!("the file is not UTF-8: {error}"));
            return outcome;
        }
        Err(error) => {
            outcome.unusable(None, format!("the file cannot be read: {error}"));
            return outcome;
        }
    };
    let part =
        |part: Option<&std::ffi::OsStr>| part.and_then(|p| p.to_str()).unwrap_or("").to_owned();
    let stem = part(path.file_stem());
    let extension = part(path.extension());
    match extension.as_str() {
        "jsonl" => vectors(&stem, &text, &mut outcome),
        "json" if stem == "types" => types(&text, &mut outcome),
        "json" => unit_cases(&text, &mut outcome),
        _ => outcome.unusable(
            None,
            format!("the extension is `{extension}`; known are `jsonl` (vectors) and `json` (unit cases)"),
        ),
    }
    outcome
}

/// A function that checks a line of a kind of vectors.
fn kind(stem: &str) -> Option<fn(&Fields<'_>) -> Check> {
    Some(match stem {
        "algebra" => algebra::algebra,
        "text" => text::text,
        "layout_text" => text::layout_text,
        "memory" => buffers::memory,
        "packed" => buffers::packed,
        "tpu_sizes" => buffers::tpu_sizes,
        "sizes" => sizes::sizes,
        "strides" => sizes::strides,
        "linear" => sizes::linear,
        "notations" => notations::notations,
        _ => return None,
    })
}

/// One object a line.
fn vectors(stem: &str, text: &str, outcome: &mut Outcome) {
    let check = kind(stem);
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        match (check, serde_json::from_str::<Value>(text)) {
            (check, Ok(value @ Value::Object(_))) => outcome.count(line, || {
                let own = check
                    .zip(value.as_object())
                    .map(|(check, object)| check(&Fields(object)));
                match (own, cases::check(stem, &value)) {
                    (None, None) => Err(format!("the kind of vectors `{stem}` is not known")),
                    (Some(Err(what)), _) | (_, Some(Err(what))) => Err(what),
                    _ => Ok(()),
                }
            }),
            (_, Ok(_)) => outcome.unusable(Some(line), "the line is no object".into()),
            (_, Err(error)) => {
                outcome.unusable(Some(line), format!("the line is no JSON: {error}"))
            }
        }
    }
}

/// An object of types by their names.
fn types(text: &str, outcome: &mut Outcome) {
    match serde_json::from_str::<BTreeMap<String, &RawValue>>(text) {
        Ok(types) => {
            for (name, row) in types {
                outcome.count(line_of(text, row), || {
                    buffers::element_type(&name, row.get())
                });
            }
        }
        Err(error) => outcome.unusable(
            Some(error.line()),
            format!("the file is no table of types: {error}"),
        ),
    }
}

/// An object with a list `cases`.
fn unit_cases(text: &str, outcome: &mut Outcome) {
    let cases = serde_json::from_str::<BTreeMap<String, &RawValue>>(text).and_then(|file| {
        let cases = file.get("cases").map_or("null", |cases| cases.get());
        // Read twice, so that each case keeps its place in the file.
        Ok((serde_json::from_str::<Vec<&RawValue>>(cases)?, file))
    });
    match cases {
        Ok((cases, _)) => {
            for case in cases {
                let line = line_of(text, case);
                match serde_json::from_str::<Value>(case.get()) {
                    Ok(Value::Object(case)) if is_of_protos(&case) => outcome.of_protos += 1,
                    Ok(Value::Object(case)) => outcome.count(line, || unit::case(&Fields(&case))),
                    _ => outcome.unusable(Some(line), "the case is no object".into()),
                }
            }
        }
        Err(error) => outcome.unusable(None, format!("the file holds no list of `cases`: {error}")),
    }
}

fn is_of_protos(case: &Map<String, Value>) -> bool {
    let op = case.get("op").and_then(Value::as_str);
    op.is_some_and(|op| cases::OF_PROTOS.contains(&op))
}

/// The line of a part of `text`.
fn line_of(text: &str, part: &RawValue) -> usize {
    let at = part
        .get()
        .as_ptr()
        .addr()
        .saturating_sub(text.as_ptr().addr());
    text.as_bytes()
        .iter()
        .take(at)
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}
