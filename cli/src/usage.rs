//! Errors of clap, printed like all others: the words as they were typed, with carets.

use std::ops::Range;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::{Failure, TextSpan};
use crate::words::{alternatives, in_quotes, listed};

/// The failure for words that clap refuses; `None` for help or the version, which clap prints.
pub(crate) fn failure(error: &clap::Error, words: &[String]) -> Option<Failure> {
    if !error.use_stderr() {
        return None;
    }
    let mut told = Told {
        error,
        text: "xlayout".to_owned(),
        words,
        spans: Vec::new(),
    };
    for word in words {
        told.text.push(' ');
        let start = told.text.len();
        told.text += &quoted(word);
        told.spans.push(start..told.text.len());
    }
    Some(told.failure())
}

/// An error, and the command line.
struct Told<'a> {
    error: &'a clap::Error,
    /// The command line as one text.
    text: String,
    words: &'a [String],
    /// The place of each word in the text.
    spans: Vec<Range<usize>>,
}

impl Told<'_> {
    /// The words before `--` that meet a condition.
    fn flags<'a>(&'a self, is: impl Fn(&str) -> bool + 'a) -> impl Iterator<Item = usize> + 'a {
        let words = self.words.iter().take_while(|word| *word != "--");
        words
            .enumerate()
            .filter(move |(_, word)| is(word))
            .map(|(at, _)| at)
    }

    /// The words with this flag, alone or with `=` and a value.
    fn flag<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.flags(move |word| {
            let rest = word.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        })
    }

    fn word(&self, at: usize) -> TextSpan {
        TextSpan::of_argument("", &self.text, self.spans[at].clone())
    }

    /// The column after a word, or after all words.
    fn behind(&self, at: Option<usize>) -> TextSpan {
        let end = at.map_or(self.text.len(), |at| self.spans[at].end);
        // The text gets a blank at its end, so that the column exists.
        let text = format!("{} ", self.text);
        TextSpan::of_argument("", &text, end + 1..end + 1)
    }

    fn failure(&self) -> Failure {
        let failure = Failure::usage(self.message());
        let words = self.words();
        self.advised(match words.as_slice() {
            [] => failure.at(self.missing()),
            _ => (words.iter()).fold(failure, |failure, &at| failure.at(self.word(at))),
        })
    }

    /// The first paragraph of clap's message. The values that it lists become a help.
    fn message(&self) -> String {
        let text = self.error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let lines = text.lines().take_while(|line| !line.is_empty());
        let lines = lines.map(str::trim).filter(|line| !line.starts_with('['));
        let text = lines.collect::<Vec<_>>().join(" ").replace('\'', "`");
        // Replaces the messages of the standard library's `parse`.
        text.replace("invalid digit found in string", "write a whole number")
    }

    /// The words that are wrong.
    fn words(&self) -> Vec<usize> {
        let value = self.one(ContextKind::InvalidValue);
        let argument = self.one(ContextKind::InvalidArg);
        let found = match self.error.kind() {
            ErrorKind::InvalidSubcommand => self.last(&self.one(ContextKind::InvalidSubcommand)),
            ErrorKind::UnknownArgument => {
                let flag = self.flag(&argument).next();
                let flag = flag.or_else(|| self.cluster(&argument));
                let flag = flag.filter(|_| argument.starts_with('-'));
                flag.or_else(|| self.last(&argument))
            }
            ErrorKind::ArgumentConflict => {
                let mut arguments = self.all(ContextKind::PriorArg);
                arguments.push(argument);
                let flags = arguments.iter().map(|argument| name(argument));
                let mut words: Vec<_> = flags.flat_map(|flag| self.flag(flag)).collect();
                words.sort_unstable();
                words.dedup();
                return words;
            }
            ErrorKind::InvalidUtf8 => {
                let mut words = self.words.iter();
                words.position(|word| word.contains('\u{fffd}'))
            }
            _ if value.is_empty() => None,
            _ => self.value(name(&argument), &value),
        };
        Vec::from_iter(found)
    }

    /// The place of a missing word: after a flag without its value, or after all words.
    fn missing(&self) -> TextSpan {
        let argument = self.one(ContextKind::InvalidArg);
        let flag = name(&argument);
        match self.flag(flag).last() {
            Some(at) => {
                let value = argument.strip_prefix(flag).unwrap_or_default();
                self.behind(Some(at)).label(value.trim())
            }
            None => self.behind(None),
        }
    }

    /// Clap's tips, and where all flags are listed.
    fn advised(&self, mut failure: Failure) -> Failure {
        let suggested = [
            ContextKind::SuggestedSubcommand,
            ContextKind::SuggestedArg,
            ContextKind::SuggestedValue,
        ];
        let names = in_quotes(&suggested.map(|kind| self.all(kind)).concat());
        if !names.is_empty() {
            failure = failure.help(format_args!("did you mean {}?", alternatives(&names)));
        }
        let valid = [ContextKind::ValidValue, ContextKind::ValidSubcommand];
        let valid = in_quotes(&valid.map(|kind| self.all(kind)).concat());
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

    /// The text of the program, or of the named command with its subcommand.
    fn command(&self) -> String {
        let program = crate::arguments::Program::taught();
        let (mut known, mut name) = (&program, "xlayout".to_owned());
        for word in self.words {
            if let Some(command) = known.find_subcommand(word.as_str()) {
                (known, name) = (command, format!("{name} {word}"));
            }
        }
        name
    }

    /// The last word that equals this one: clap accepted those before.
    fn last(&self, word: &str) -> Option<usize> {
        self.words.iter().rposition(|other| other == word)
    }

    /// `-z` in `-fz`.
    fn cluster(&self, flag: &str) -> Option<usize> {
        let letter = flag.strip_prefix('-')?;
        let one = letter.chars().count() == 1;
        self.flags(|word| {
            one && word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
        })
        .next()
    }

    /// The place of a value: after its flag, in one word with it, or alone.
    fn value(&self, flag: &str, value: &str) -> Option<usize> {
        let words = self.words;
        let with_flag = self.flag(flag).filter_map(|at| match words[at] == flag {
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

/// `--at` of `--at <I,J,…>`, `<FILE>` of `<FILE>...`
fn name(argument: &str) -> &str {
    let name = argument.split(' ').next().unwrap_or_default();
    name.trim_end_matches("...")
}

/// Quotes a word for a shell, on one line.
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
