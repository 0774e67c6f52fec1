//! Compares with recorded answers of real XLA: what vectors (`.jsonl`) and the cases of XLA's unit
//! tests (`.json`) say about protos. What they say about anything else the library compares.

#[path = "cases.rs"]
mod cases;

use std::path::Path;

use serde_json::Value;

/// The result of a file.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Lines and cases about protos that agree.
    pub(crate) passed: usize,
    /// What differs, each with its place.
    pub(crate) wrong: Vec<String>,
}

impl Outcome {
    fn count(&mut self, place: String, kind_or_op: &str, case: &Value) {
        match cases::check(kind_or_op, case) {
            Some(Ok(())) => self.passed += 1,
            Some(Err(what)) => self.wrong.push(format!("{place}: {what}")),
            None => {}
        }
    }
}

/// Checks one file. The stem of vectors says what they are about.
pub(crate) fn check_file(path: &Path) -> Result<Outcome, String> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let json = |text: &str| {
        serde_json::from_str::<Value>(text).map_err(|error| format!("{name}: no JSON: {error}"))
    };
    let mut outcome = Outcome::default();
    if path
        .extension()
        .is_some_and(|extension| extension == "jsonl")
    {
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("");
        for (line, text) in (1..).zip(text.lines()) {
            outcome.count(format!("{name}:{line}"), stem, &json(text)?);
        }
        return Ok(outcome);
    }
    let file = json(&text)?;
    let cases = file["cases"].as_array();
    let cases = cases.ok_or_else(|| format!("{name}: the file holds no list of `cases`"))?;
    for (number, case) in cases.iter().enumerate() {
        let op = case["op"].as_str().unwrap_or("");
        outcome.count(format!("{name}, case {number}"), op, case);
    }
    Ok(outcome)
}
