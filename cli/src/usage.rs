//! What clap finds wrong in the command line, told as all else: the words as they were typed, with carets.

use std::error::Error as _;
use std::num::ParseIntError;
use std::ops::Range;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::{Code, Failure, TextSpan};
use crate::words::listed;

/// Why clap does not take the words; `None` where it is asked for help or the version, which it prints itself.
pub(crate) fn failure(error: &clap::Error, words: &[String]) -> Option<Failure> {
    if !error.use_stderr() {
        return None;
    }
    Some(
        Told {
            error,
            line: Line::new(words),
        }
        .failure(),
    )
}

/// The command line as it could be typed, and the place of each word in it.
struct Line {
    text: String,
    words: Vec<String>,
    spans: Vec<Range<usize>>,
}

impl Line {
    fn new(words: &[String]) -> Self {
        let mut line = Self {
            text: "xlayout".to_owned(),
            words: words.to_vec(),
            spans: Vec::new(),
        };
        for word in words {
            line.text.push(' ');
            let start = line.text.len();
            line.text += &quoted(word);
            line.spans.push(start..line.text.len());
        }
        line
    }

    /// The words that meet a condition; behind `--` there are no flags.
    fn flags<'a>(&'a self, is: impl Fn(&str) -> bool + 'a) -> impl Iterator<Item = usize> + 'a {
        let words = self.words.iter().take_while(|word| *word != "--");
        words
            .enumerate()
            .filter(move |(_, word)| is(word))
            .map(|(at, _)| at)
    }

    /// The words that are this flag, alone or with `=` and a value.
    fn flag<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.flags(move |word| {
            let rest = word.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        })
    }

    fn place(&self, span: Range<usize>) -> TextSpan {
        TextSpan::of_argument("", &self.text, span)
    }

    fn word(&self, at: usize) -> TextSpan {
        self.place(self.spans[at].clone())
    }

    /// One column behind a word, or behind all.
    fn behind(&self, at: Option<usize>) -> TextSpan {
        let end = at.map_or(self.text.len(), |at| self.spans[at].end);
        // A shell needs a blank there, but not one that can be seen.
        let text = format!("{} ", self.text);
        TextSpan::of_argument("", &text, end + 1..end + 1)
    }
}

struct Told<'a> {
    error: &'a clap::Error,
    line: Line,
}

impl Told<'_> {
    fn failure(&self) -> Failure {
        let wrong = self.one(ContextKind::InvalidArg);
        let value = self.one(ContextKind::InvalidValue);
        let name = wrong
            .split(' ')
            .next()
            .unwrap_or_default()
            .trim_end_matches("...");
        let failure = match self.error.kind() {
            ErrorKind::InvalidSubcommand => {
                let name = self.one(ContextKind::InvalidSubcommand);
                self.marked(format!("there is no command `{name}`"), self.last(&name))
            }
            ErrorKind::UnknownArgument => {
                let flag = self.line.flag(&wrong).next();
                match flag.or_else(|| self.cluster(&wrong)) {
                    Some(at) if wrong.starts_with('-') => {
                        self.marked(format!("there is no flag `{wrong}` here"), Some(at))
                    }
                    _ => self.marked(format!("`{wrong}` is one word too many"), self.last(&wrong)),
                }
            }
            ErrorKind::MissingRequiredArgument => {
                let missing = self.all(ContextKind::InvalidArg);
                let verb = if missing.len() == 1 { "is" } else { "are" };
                let names: Vec<_> = missing.iter().map(|name| format!("`{name}`")).collect();
                Failure::new(
                    Code::Usage,
                    format_args!("{} {verb} missing", listed(&names)),
                )
                .at(self.line.behind(None))
            }
            ErrorKind::MissingSubcommand => {
                Failure::new(Code::Usage, "a command is missing").at(self.line.behind(None))
            }
            ErrorKind::InvalidValue if value.is_empty() => {
                let flag = self.line.flag(name).last();
                Failure::new(Code::Usage, format_args!("`{name}` needs a value")).at(self
                    .line
                    .behind(flag)
                    .label(wrong.strip_prefix(name).unwrap_or_default().trim()))
            }
            ErrorKind::InvalidValue => self.marked(
                format!("`{value}` is no value of `{wrong}`"),
                self.value(name, &value),
            ),
            ErrorKind::ValueValidation => {
                let what = format!("`{value}` is no value of `{wrong}`");
                let failure = self.marked(what, self.value(name, &value));
                match self.error.source() {
                    Some(why) => failure.help(expected(why)),
                    None => failure,
                }
            }
            ErrorKind::TooManyValues => {
                self.marked(format!("`{name}` takes no value"), self.value(name, &value))
            }
            ErrorKind::ArgumentConflict => {
                let others = self.all(ContextKind::PriorArg);
                let (what, names) = match others.as_slice() {
                    [other] if *other == wrong => (
                        format!("`{name}` is given more than once"),
                        vec![wrong.clone()],
                    ),
                    _ => {
                        let told: Vec<_> =
                            others.iter().map(|other| format!("`{other}`")).collect();
                        let what = format!("`{wrong}` does not go together with {}", listed(&told));
                        (what, [vec![wrong.clone()], others].concat())
                    }
                };
                let mut failure = Failure::new(Code::Usage, what);
                for name in &names {
                    let name = name.split(' ').next().unwrap_or_default();
                    for at in self.line.flag(name) {
                        failure = failure.at(self.line.word(at));
                    }
                }
                failure
            }
            ErrorKind::InvalidUtf8 => {
                let mut words = self.line.words.iter();
                let at = words.position(|word| word.contains('\u{fffd}'));
                self.marked("this is not UTF-8 text".to_owned(), at)
            }
            _ => Failure::new(Code::Usage, self.title()),
        };
        self.advised(failure)
    }

    /// What clap would say, for what is not said in our words.
    fn title(&self) -> String {
        let text = self.error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        text.split("\n\n")
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    }

    fn marked(&self, what: String, at: Option<usize>) -> Failure {
        let failure = Failure::new(Code::Usage, what);
        match at {
            Some(at) => failure.at(self.line.word(at)),
            None => failure.at(self.line.behind(None)),
        }
    }

    /// Clap's tips, and where all flags are listed.
    fn advised(&self, mut failure: Failure) -> Failure {
        let suggested = [
            ContextKind::SuggestedSubcommand,
            ContextKind::SuggestedArg,
            ContextKind::SuggestedValue,
        ];
        let suggested = suggested.map(|kind| self.all(kind)).concat();
        let names: Vec<_> = suggested.iter().map(|name| format!("`{name}`")).collect();
        if let Some((last, before)) = names.split_last() {
            let before: String = before.iter().map(|name| format!("{name}, ")).collect();
            let between = if before.is_empty() { "" } else { "or " };
            failure = failure.help(format_args!("did you mean {before}{between}{last}?"));
        }
        let valid = self.all(ContextKind::ValidValue);
        let valid: Vec<_> = valid.iter().map(|name| format!("`{name}`")).collect();
        if !valid.is_empty() {
            failure = failure.help(format_args!("write one of {}", listed(&valid)));
        }
        if let Some(ContextValue::StyledStrs(tips)) = self.error.get(ContextKind::Suggested) {
            for tip in tips {
                failure = failure.help(tip.to_string().replace('\'', "`"));
            }
        }
        if names.is_empty()
            && valid.is_empty()
            && let Some(ContextValue::StyledStr(usage)) = self.error.get(ContextKind::Usage)
        {
            let usage = usage.to_string();
            let usage = usage.trim().trim_start_matches("Usage:").trim();
            failure = failure.help(format_args!("usage: {usage}"));
        }
        failure.help(format_args!("`{} --help` says more", self.command()))
    }

    /// The program, or the command that was named.
    fn command(&self) -> String {
        let known = <crate::arguments::Program as clap::CommandFactory>::command();
        let named = self
            .line
            .words
            .iter()
            .find(|word| known.find_subcommand(word.as_str()).is_some());
        match named {
            Some(name) => format!("xlayout {name}"),
            None => "xlayout".to_owned(),
        }
    }

    /// The last word that is this one: those before it were taken for something.
    fn last(&self, word: &str) -> Option<usize> {
        self.line.words.iter().rposition(|other| other == word)
    }

    /// `-z` in `-fz`.
    fn cluster(&self, flag: &str) -> Option<usize> {
        let letter = flag.strip_prefix('-')?;
        let one = letter.chars().count() == 1;
        self.line
            .flags(|word| {
                one && word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
            })
            .next()
    }

    /// The place of a value: behind its flag, in one word with it, or by itself.
    fn value(&self, flag: &str, value: &str) -> Option<usize> {
        let words = &self.line.words;
        let with_flag = self
            .line
            .flag(flag)
            .filter_map(|at| match words[at] == flag {
                true => (words.get(at + 1)? == value).then_some(at + 1),
                false => words[at].ends_with(value).then_some(at),
            });
        with_flag.last().or_else(|| self.last(value))
    }

    fn one(&self, kind: ContextKind) -> String {
        self.all(kind).into_iter().next().unwrap_or_default()
    }

    fn all(&self, kind: ContextKind) -> Vec<String> {
        match self.error.get(kind) {
            Some(ContextValue::String(text)) => vec![text.clone()],
            Some(ContextValue::Strings(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    }
}

/// What a value should be, from the error of clap: `0 is not in 1..=256`.
fn expected(why: &(dyn std::error::Error + 'static)) -> String {
    let text = why.to_string();
    let bounds = text
        .split_once(" is not in ")
        .and_then(|(_, range)| range.split_once("..="));
    match bounds {
        Some((low, high)) => format!("write a number from {low} to {high}"),
        None if why.is::<ParseIntError>() => "write a whole number".to_owned(),
        None => text,
    }
}

/// A word as one types it into a shell, on one line.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./,:%+@".contains(c);
    let visible: String = (word.chars())
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    match !word.is_empty() && word.chars().all(plain) {
        true => visible,
        false => format!("'{}'", visible.replace('\'', "'\\''")),
    }
}
