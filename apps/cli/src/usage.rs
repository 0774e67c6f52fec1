//! Errors of clap, printed like all others: the words as they were typed, with carets.

use std::ops::Range;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use xlayout_command::{Failure, TextSpan};
use xlayout_words::{alternatives, listed};

/// A word that people type, and what does what they mean.
struct Meant {
    /// The command; of no letters it is any.
    command: &'static str,
    /// Their flag, or their word in the place of a subcommand.
    typed: &'static str,
    help: &'static str,
}

/// Any word in the place of a subcommand.
const ANY: &str = "*";

const fn meant(command: &'static str, typed: &'static str, help: &'static str) -> Meant {
    Meant {
        command,
        typed,
        help,
    }
}

const MEANT: &[Meant] = &[
    meant(
        "",
        "--layout",
        "write the layout behind the sizes: `'f32[4,6]{0,1}'`",
    ),
    meant(
        "",
        "--shape",
        "write the shape without a flag: `'f32[4,6]{0,1}'`",
    ),
    meant("", "--dtype", "`--type f32` is the type of an element"),
    meant("", "--chip", "`--device v5e` names the device"),
    meant(
        "explain",
        "--index",
        "`--at 2,3` says where the element with this index lies",
    ),
    meant(
        "draw",
        "--swizzle",
        "`xlayout emit --swizzle` and `xlayout algebra conflicts --swizzle` apply one",
    ),
    meant(
        "convert",
        "--layout",
        "`--to F` or `--to '{0,1}'` is the layout to write",
    ),
    meant("hlo", "peak", "`xlayout hlo memory` finds the peak"),
    meant(
        "reshard plan",
        "--spec",
        "`--to SPEC` names the file with the layouts and shardings",
    ),
    meant(
        "reshard",
        ANY,
        "first make a plan: `xlayout reshard plan SRC DST --to SPEC --units 1 -o plan.json`",
    ),
    meant(
        "",
        "relayout",
        "`xlayout convert a.npy b.npy --to F` converts files; `xlayout diff A B` compares layouts",
    ),
    meant(
        "algebra",
        "inverse",
        "`invert` gives the index of each offset",
    ),
    meant(
        "algebra",
        "right_inverse",
        "`invert --right` gives a map R with A(R(k)) = k",
    ),
    meant("algebra", "composition", "`compose A B` is A after B"),
    meant(
        "algebra",
        "logical_divide",
        "`divide A B` takes the tiles B out of A",
    ),
    meant(
        "algebra",
        "zipped_divide",
        "`divide A B` takes the tiles B out of A",
    ),
    meant(
        "algebra",
        "tiled_divide",
        "`divide A B` takes the tiles B out of A",
    ),
    meant(
        "algebra",
        ANY,
        "write the operation first: `xlayout algebra compose A B`",
    ),
];

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

    /// What to write in the place of a flag or of a subcommand that does not exist.
    fn meant(&self) -> Option<&'static str> {
        let kind = match self.error.kind() {
            ErrorKind::UnknownArgument => ContextKind::InvalidArg,
            ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
            _ => return None,
        };
        let word = self.one(kind);
        let command = self.command();
        let here = |row: &Meant| row.command.is_empty() || command.ends_with(row.command);
        let rows = || MEANT.iter().filter(|row| here(row));
        let same = rows().filter(|row| row.typed == word);
        // The row of a command says more than the one of all commands.
        let same = same.max_by_key(|row| row.command.len());
        let is_like_another = !self.one(ContextKind::SuggestedSubcommand).is_empty();
        let is_command = kind == ContextKind::InvalidSubcommand && !is_like_another;
        let any = rows().find(|row| row.typed == ANY && is_command);
        same.or(any).map(|row| row.help)
    }

    /// The values of flags that are missing, where they are a list.
    fn missing_values(&self) -> Vec<(String, Vec<String>)> {
        if self.error.kind() != ErrorKind::MissingRequiredArgument {
            return Vec::new();
        }
        let program = crate::program(&crate::commands());
        let named = self.command();
        let path = named.split(' ').skip(1);
        let command = path.fold(&program, |command, name| {
            command.find_subcommand(name).unwrap_or(command)
        });
        let missing = self.all(ContextKind::InvalidArg);
        let listed = missing.iter().filter_map(|argument| {
            let flag = name(argument);
            let long = flag.strip_prefix("--")?;
            let mut flags = command.get_arguments();
            let arg = flags.find(|arg| arg.get_long() == Some(long))?;
            let values = arg.get_possible_values().into_iter();
            let values: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
            (!values.is_empty()).then(|| (flag.to_owned(), values))
        });
        listed.collect()
    }

    /// Clap's tips, and where all flags are listed.
    fn advised(&self, mut failure: Failure) -> Failure {
        if let Some(help) = self.meant() {
            let failure = failure.help(help);
            return failure.help(format_args!("`{} --help` says more", self.command()));
        }
        for (flag, values) in self.missing_values() {
            let values = listed(&in_quotes(&values));
            failure = failure.help(format_args!("`{flag}` is one of {values}"));
        }
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
            // No argument of this program begins with a hyphen.
            let tips = tips.iter().map(ToString::to_string);
            for tip in tips.filter(|tip| !tip.starts_with("to pass ")) {
                failure = failure.help(tip.replace('\'', "`"));
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
        let program = crate::program(&crate::commands());
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

/// Each in the marks of a literal text.
fn in_quotes(items: &[String]) -> Vec<String> {
    items.iter().map(|item| format!("`{item}`")).collect()
}
