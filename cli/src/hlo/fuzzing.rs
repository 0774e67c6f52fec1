//! A module, read from memory: what `hlo` and its questions say of it.

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::LazyLock;

use clap::Parser;

use super::arguments::{By, Question};
use xlayout_hlo::diff::{Diff, Side};
use xlayout_hlo::oom::Reports;
use xlayout_hlo::{Findings, Mistakes, Read, Scope, Tally, Tell};

use super::each::EachModule;
use super::page::{Html, Page};
use super::{Arguments, Arrays, answer, copies, diff, memory, mistake, oom};
use crate::failure::Failure;
use crate::words::sum;

/// The command line of `hlo` alone.
#[derive(Parser)]
struct Words {
    #[command(flatten)]
    arguments: Arguments,
}

/// What `hlo` says of a file. Of the questions there is nothing in a file without a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The table for people, without colours.
    pub report: String,
    /// The same as JSON.
    pub json: String,
    /// Each error that is printed, without colours; those of the questions, too.
    pub mistakes: Vec<String>,
    /// `hlo copies`, for people and as JSON.
    pub copies: [String; 2],
    /// `hlo memory`, for people and as JSON.
    pub memory: [String; 2],
    /// `--html -`.
    pub page: String,
    /// `hlo diff` of the modules and the same modules in the other sequence, for people and as JSON.
    pub diff: [String; 2],
}

/// The arguments of `hlo`, and of each question.
struct Written {
    report: Arguments,
    json: Arguments,
    copies: copies::Arguments,
    diff: diff::Arguments,
}

static WRITTEN: LazyLock<Written> = LazyLock::new(|| {
    let words = |words: &[&str]| match Words::try_parse_from([&["hlo"], words].concat()) {
        Ok(words) => words.arguments,
        Err(error) => unreachable!("these words are arguments of `hlo`: {error}"),
    };
    let questions = [&["copies", "file"][..], &["diff", "file", "file"]];
    let [Some(Question::Copies(copies)), Some(Question::Diff(diff))] =
        questions.map(|question| words(question).question)
    else {
        unreachable!("`copies` and `diff` are questions of `hlo`")
    };
    Written {
        report: words(&["file"]),
        json: words(&["file", "--json"]),
        copies,
        diff,
    }
});

/// Reads the text of HLO modules, or a proto, as `hlo` does, and asks everything that `hlo` answers.
///
/// # Errors
/// The text of the error that `hlo` prints for what is no HLO.
pub fn module(bytes: &[u8]) -> Result<Module, String> {
    // The questions tell of more: what they ask needs all of an instruction.
    let mut findings = findings(Box::new(|_, _| {}));
    if let Some(reports) = read(bytes, &mut findings)? {
        let reports = [("file".into(), reports)];
        return Ok(Module {
            report: text(|out| oom::write(out, &reports, usize::MAX)),
            json: text(|out| oom::json(out, &reports)),
            ..Module::default()
        });
    }
    let findings = Arrays {
        found: findings,
        owned: false,
        groups: None,
    };
    let answered = |arguments| text(|out| answer(arguments, &findings, out));
    let mut module = Module {
        report: answered(&WRITTEN.report),
        json: answered(&WRITTEN.json),
        ..Module::default()
    };
    module.ask(bytes)?;
    Ok(module)
}

impl Module {
    /// Asks the questions. A module is read for each of them, as the commands do.
    fn ask(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (found, _, told) = each(bytes, &mut |path, module, tally| {
            xlayout_hlo::copies::examine(path, &module, tally, usize::MAX)
        })?;
        let (every, ..) = each(bytes, &mut |path, module, tally| {
            xlayout_hlo::copies::Every::new(path, module, tally)
        })?;
        let mut groups = xlayout_hlo::copies::Groups::default();
        let add = &mut |_: &Path, module: xlayout_hlo::Module, tally: &xlayout_hlo::Tally| {
            groups.add(&module, tally, By::Scope.of_instruction());
        };
        each(bytes, add)?;
        if sum(groups.sorted().iter().map(|group| group.bytes))
            != sum(found.iter().map(|found| found.bytes))
        {
            return Err("the groups of copies have other bytes than the copies".to_owned());
        }
        let (answers, page, _) = each(bytes, &mut |path, module, tally| {
            xlayout_hlo::memory::answer_beside(path, &module, tally, usize::MAX)
        })?;
        let side = &mut Side::new;
        let ((a, ..), (b, ..)) = (each(bytes, side)?, each(bytes, side)?);
        self.mistakes = told;
        if found.is_empty() {
            return Ok(());
        }
        self.copies = [
            text(|out| copies::report::write(out, &WRITTEN.copies, &found)),
            text(|out| copies::json::write(out, Some(819_000_000_000), &every)),
        ];
        let (answers, refused): (Vec<_>, Vec<_>) = answers.into_iter().unzip();
        let answers: Vec<_> = answers.into_iter().flatten().collect();
        let mut tell = |failure: Failure| self.mistakes.push(plain(failure.render()));
        let refused = refused.into_iter().flatten().map(Failure::from);
        refused.for_each(&mut tell);
        self.memory = [
            text(|out| memory::report::write(out, &answers)),
            text(|out| memory::json::write(out, &answers)),
        ];
        let mut bytes = Vec::new();
        // A module that cannot be followed is an error, and the page has the others.
        if let Err(failure) = page.write(Path::new("-"), &mut bytes) {
            tell(failure);
        }
        self.page = String::from_utf8_lossy(&bytes).into_owned();
        for (a, b) in a.into_iter().zip(b.into_iter().rev()) {
            match Diff::of(a, b) {
                Ok(diff) => {
                    self.diff[0] += &text(|out| diff::report::write(out, &WRITTEN.diff, &diff));
                    self.diff[1] += &text(|out| diff::json::write(out, &diff));
                }
                Err(error) => tell(error.into()),
            }
        }
        Ok(())
    }
}

fn findings<'a>(tell: Tell) -> Findings<'a> {
    Findings::new(Scope::ALL, Mistakes::new(usize::MAX, true, tell))
}

/// Reads a module; answers what it is instead, if it is a report of running out of memory.
fn read(bytes: &[u8], findings: &mut Findings<'_>) -> Result<Option<Reports>, String> {
    let none = || Ok(None::<std::fs::File>);
    match xlayout_hlo::read(bytes, none, Path::new("file"), findings) {
        Ok(Read::Hlo) => Ok(None),
        Ok(Read::OutOfMemory(found)) => Ok(Some(found)),
        Ok(Read::Other(error)) | Err(error) => Err(plain(Failure::from(error).render())),
    }
}

/// The answer for each module, a page, and the mistakes in the text.
fn each<T>(
    bytes: &[u8],
    answer: &mut dyn FnMut(&Path, xlayout_hlo::Module, &Tally) -> T,
) -> Result<(Vec<T>, Page, Vec<String>), String> {
    let html = Html {
        html: Some("-".into()),
    };
    let mut each = EachModule::new(Page::of(&html, None), answer);
    let told = Rc::new(RefCell::new(Vec::new()));
    let telling = Rc::clone(&told);
    let tell = move |file: &Path, one: &xlayout_hlo::Mistake| {
        let failure = mistake::failure(file, one);
        telling.borrow_mut().push(plain(failure.render()));
    };
    let mut findings = findings(Box::new(tell));
    findings.take = Some(&mut each);
    read(bytes, &mut findings)?;
    let (all, page) = each.found();
    Ok((all, page, told.take()))
}

fn text(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    match write(&mut out) {
        Ok(()) => plain(String::from_utf8_lossy(&out).into_owned()),
        Err(_) => unreachable!("a vector takes any bytes"),
    }
}

fn plain(text: String) -> String {
    anstream::adapter::strip_str(&text).to_string()
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
        let log =
            module(b"Ran out of memory in memory space hbm. Used 2.00G of 1.00G hbm.").unwrap();
        assert!(log.report.contains("1.00 GiB too much"), "{}", log.report);
        assert!(
            log.json.contains("\"used_bytes\": 2147483648"),
            "{}",
            log.json
        );
    }
}
