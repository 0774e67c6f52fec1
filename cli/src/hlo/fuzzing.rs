//! All answers of `hlo` and its subcommands for a module in memory, for the fuzz targets.

use std::path::Path;
use std::sync::LazyLock;

use super::arguments::{By, Copies, Question};
use xlayout_hlo::copies::{Every, Groups, examine};
use xlayout_hlo::diff::{Diff, Side};
use xlayout_hlo::memory::answer_beside;
use xlayout_hlo::{Findings, Scope, Tally};

use super::audit::{Answered, arguments, each, html, mistakes, read_any, written};
use super::{Arguments, Arrays, answer, copies, diff, memory, oom};
use crate::failure::Failure;
use crate::table::{Text, plain};
use crate::words::sum;

/// The answers of `hlo` for a file. The answers of the subcommands are empty if the file has no module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The table for people, without colours.
    pub report: String,
    /// The same as JSON.
    pub json: String,
    /// Each printed error, without colours, including those of the subcommands.
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
    copies: Copies,
    diff: super::arguments::Diff,
}

static WRITTEN: LazyLock<Written> = LazyLock::new(|| {
    let questions = [&["copies", "file"][..], &["diff", "file", "file"]];
    let [Some(Question::Copies(copies)), Some(Question::Diff(diff))] =
        questions.map(|question| arguments(question).question)
    else {
        unreachable!("`copies` and `diff` are questions of `hlo`")
    };
    Written {
        report: arguments(&["file"]),
        json: arguments(&["file", "--json"]),
        copies,
        diff,
    }
});

/// Reads the text of HLO modules or a proto, as `hlo` does, and computes all answers of `hlo`.
///
/// # Errors
/// The text of the error that `hlo` prints for an input that is not HLO.
pub fn module(bytes: &[u8]) -> Result<Module, String> {
    // The subcommands report more mistakes, because they read all parts of an instruction.
    let mut findings = Findings::new(Scope::ALL, mistakes(Box::new(|_, _| {})));
    if let Some(reports) = read_any(bytes, Path::new(FILE), &mut findings).map_err(rendered)? {
        let reports = [(FILE.into(), reports)];
        return Ok(Module {
            report: shown(|out| oom::write(out, &reports, usize::MAX)),
            json: written(|out| oom::json(out, &reports)),
            ..Module::default()
        });
    }
    let arrays = Arrays::new(findings, false);
    let answered = |arguments| written(|out| answer(arguments, &arrays, out));
    let mut module = Module {
        report: answered(&WRITTEN.report),
        json: answered(&WRITTEN.json),
        ..Module::default()
    };
    module.ask(bytes)?;
    Ok(module)
}

impl Module {
    /// Computes the answers of the subcommands. Each reads the module again, as the commands do.
    fn ask(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (mut found, mut every, mut answered) = (Vec::new(), Vec::new(), Vec::new());
        let mut groups = Groups::default();
        let ask = &mut |path: &Path, module: xlayout_hlo::Module, tally: &Tally| {
            groups.add(&module, tally, By::Scope.of_instruction());
            found.push(examine(path, &module, tally, usize::MAX));
            answered.push(answer_beside(path, &module, tally, usize::MAX));
            every.push(Every::new(path, module, tally));
        };
        let Answered { told, page, .. } = asked(bytes, ask)?;
        if sum(groups.sorted().iter().map(|group| group.all().1))
            != sum(found.iter().map(|found| found.sums.all().1))
        {
            return Err("the groups of copies have other bytes than the copies".to_owned());
        }
        let side = &mut Side::new;
        let (a, b) = (asked(bytes, side)?.answers, asked(bytes, side)?.answers);
        self.mistakes = told;
        if found.is_empty() {
            return Ok(());
        }
        self.copies = [
            shown(|out| copies::report::write(out, &WRITTEN.copies, &found)),
            written(|out| copies::json::write(out, Some(819_000_000_000), &every)),
        ];
        let (answers, refused): (Vec<_>, Vec<_>) = answered.into_iter().unzip();
        let answers: Vec<_> = answers.into_iter().flatten().collect();
        let mut tell = |failure: Failure| self.mistakes.push(rendered(failure));
        let refused = refused.into_iter().flatten().map(Failure::from);
        refused.for_each(&mut tell);
        self.memory = [
            shown(|out| memory::report::write(out, &answers)),
            written(|out| memory::json(out, &answers)),
        ];
        let (page, refused) = html(page);
        refused.into_iter().for_each(&mut tell);
        self.page = page;
        for (a, b) in a.into_iter().zip(b.into_iter().rev()) {
            match Diff::of(a, b) {
                Ok(diff) => {
                    self.diff[0] += &shown(|out| diff::report::write(out, &WRITTEN.diff, &diff));
                    self.diff[1] += &written(|out| diff::json::write(out, &diff));
                }
                Err(error) => tell(error.into()),
            }
        }
        Ok(())
    }
}

/// The name of the input.
const FILE: &str = "file";

fn shown(write: impl FnOnce(&mut Text)) -> String {
    Text::of(write).plain()
}

fn rendered(failure: Failure) -> String {
    plain(&failure.render())
}

fn asked<T>(
    bytes: &[u8],
    answer: &mut dyn FnMut(&Path, xlayout_hlo::Module, &Tally) -> T,
) -> Result<Answered<T>, String> {
    each(bytes, Path::new(FILE), answer).map_err(rendered)
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
