//! The text of a module, read from memory.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use clap::Parser;

use super::read::scan;
use super::{Arguments, Findings, Mistakes, Scope, answer};

/// The command line of `hlo` alone.
#[derive(Parser)]
struct Words {
    #[command(flatten)]
    arguments: Arguments,
}

/// What `hlo` says of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The table for people, without colours.
    pub report: String,
    /// The same as JSON.
    pub json: String,
    /// Each error that is printed, without colours.
    pub mistakes: Vec<String>,
}

/// Reads the text of HLO modules as `hlo` does.
///
/// # Errors
/// The text of the error that `hlo` prints for what is no HLO.
pub fn module(bytes: &[u8]) -> Result<Module, String> {
    let plain = |text: String| anstream::adapter::strip_str(&text).to_string();
    let told = Rc::new(RefCell::new(Vec::new()));
    let telling = Rc::clone(&told);
    let tell = move |failure: &crate::failure::Failure| {
        telling.borrow_mut().push(plain(failure.render()));
    };
    let written = |json: bool| {
        let flag = json.then_some("--json");
        match Words::try_parse_from(["hlo", "file"].into_iter().chain(flag)) {
            Ok(words) => words.arguments,
            Err(error) => unreachable!("these words are arguments of `hlo`: {error}"),
        }
    };
    let arguments = written(false);
    let mistakes = Mistakes::new(usize::MAX, true, Box::new(tell));
    let scope = Scope {
        entry: false,
        views: true,
    };
    let mut findings = Findings::new(scope, mistakes);
    scan(bytes, None, Path::new("file"), &mut findings)
        .and_then(|read| read.or_failure())
        .map_err(|failure| plain(failure.render()))?;
    let text = |arguments| {
        let mut out = Vec::new();
        match answer(arguments, &findings, &mut out) {
            Ok(()) => plain(String::from_utf8_lossy(&out).into_owned()),
            Err(_) => unreachable!("a vector takes any bytes"),
        }
    };
    Ok(Module {
        report: text(&arguments),
        json: text(&written(true)),
        mistakes: told.take(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_a_report_and_its_mistakes() {
        let text =
            b"HloModule m\nENTRY e {\n  a = f32[2]{0} parameter(0)\n  b = f32[2]{7} add(a, a)\n}\n";
        let found = module(text).unwrap();
        assert!(found.report.contains("f32[2]{0}"), "{}", found.report);
        assert!(
            found.json.contains("\"mistakes_in_all\": 1"),
            "{}",
            found.json
        );
        assert_eq!(found.mistakes.len(), 1);
        assert!(module(b"").unwrap_err().contains("`file` is empty"));
    }
}
