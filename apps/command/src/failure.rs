//! Failures, with the text that they are about, and their exit codes.
//!
//! | what went wrong | how it is reported |
//! |---|---|
//! | an argument of the command line | [`Failure::new`] with [`TextSpan::of_argument`] |
//! | the text of a shape or a layout | [`Failure::of_text`] |
//! | a line of a file | [`Failure::new`] with [`TextSpan::of_line`] |
//! | a file that cannot be opened, read, written | [`Failure::of_file`] |
//! | several things | [`Failure::and`] |
//! | something in a file that is read on | [`Failure::tell`] |
//!
//! What the library says to write in Rust is shown in words of the program: [`in_words_of`].

use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use xlayout::algebra::MapError;
use xlayout::shape::Explain;
use xlayout_words::callers::{Caller, in_words_of};
pub use xlayout_words::error::TextSpan;
use xlayout_words::error::{Error, Remark};
use xlayout_words::{ceil_boundary, floor_boundary};

/// The result of a command.
pub type Outcome<T = ()> = Result<T, Failure>;

/// The exit codes; `xlayout --help` and the man page list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The answer was given and is "no" or "with mistakes": lines that could not be read, arrays
    /// that differ.
    Answer = 1,
    /// What was asked for is wrong: an argument, a layout, an index.
    Usage = 2,
    /// A file: cannot be read, cannot be written, holds something else.
    File = 3,
}

impl Code {
    /// The meanings of the codes in `--help` and the man page, by their numbers, with success at 0.
    pub const MEANINGS: [&str; 4] = [
        "The answer was given.",
        "The answer was given and is \"no\", or some of the input could not be read.",
        "An argument is wrong: a shape, an index, a flag.",
        "A file cannot be read or written, or holds something else.",
    ];
}

/// A reason to stop, printed in the style of rustc.
#[derive(Debug)]
pub struct Failure {
    code: Code,
    /// Empty if there is nothing to print: the reader closed the output, or the answer contains the
    /// reason.
    mistakes: Vec<Error>,
}

/// The name of a flag and a blank, to print before its value; empty for a shape.
fn lead(place: &TextSpan) -> String {
    if place.line == 0 && place.origin.starts_with('-') {
        format!("{} ", place.origin)
    } else {
        String::new()
    }
}

/// The span as the renderer takes it: inside of the text, on the boundaries of characters.
fn checked_span(place: &TextSpan) -> Range<usize> {
    let start = floor_boundary(&place.text, place.span.start);
    start..ceil_boundary(&place.text, place.span.end).max(start)
}

impl Failure {
    /// A failure with this exit code and message.
    pub fn new(code: Code, message: impl fmt::Display) -> Self {
        Self {
            code,
            mistakes: vec![Error::file(message)],
        }
    }

    /// What was asked for is wrong.
    pub fn usage(message: impl fmt::Display) -> Self {
        Self::new(Code::Usage, message)
    }

    /// A file is wrong, or cannot be read or written.
    pub fn file(message: impl fmt::Display) -> Self {
        Self::new(Code::File, message)
    }

    /// The answer was given and is "no": only the exit code reports it.
    pub fn answer_is_no() -> Self {
        Self {
            code: Code::Answer,
            mistakes: Vec::new(),
        }
    }

    /// Whether this is only the exit code of an answer.
    pub fn is_answer(&self) -> bool {
        matches!(self.code, Code::Answer)
    }

    /// The text that the carets mark; several places are shown one after the other.
    #[must_use]
    pub fn at(self, place: TextSpan) -> Self {
        self.with(|mistake| mistake.at(place))
    }

    /// What to do about it.
    #[must_use]
    pub fn help(self, help: impl fmt::Display) -> Self {
        self.with(|mistake| mistake.help(help))
    }

    /// What else one should know.
    #[must_use]
    pub fn note(self, note: impl fmt::Display) -> Self {
        self.with(|mistake| mistake.note(note))
    }

    /// Both, printed one after the other. The exit code is the worse one.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        if other.code as u8 > self.code as u8 {
            self.code = other.code;
        }
        self.mistakes.extend(other.mistakes);
        self
    }

    /// Joins two optional failures.
    pub fn both(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        match (first, second) {
            (Some(first), Some(second)) => Some(first.and(second)),
            (first, second) => first.or(second),
        }
    }

    /// Changes the last mistake.
    fn with(mut self, change: impl FnOnce(Error) -> Error) -> Self {
        let last = self.mistakes.pop().map(change);
        self.mistakes.extend(last);
        self
    }

    /// An error in the text of a shape, a layout or a type of MLIR, which is an argument.
    pub fn of_text<K: Explain>(error: &xlayout::ParseError<K>, origin: &str, text: &str) -> Self {
        xlayout_view::Error::of_text(error, origin, text).into()
    }

    /// A file that cannot be opened, read, written, renamed, …: `doing` is that word.
    pub fn of_file(doing: &str, path: &Path, error: &io::Error) -> Self {
        Error::of_file(doing, path, error).into()
    }

    /// The text that a person reads, with colours.
    pub fn render(&self) -> String {
        let mistakes = self.mistakes.iter().map(rendered);
        mistakes.collect::<Vec<_>>().join("\n\n")
    }

    /// The text without the marked lines, in the format of the library's errors:
    /// `{message}; {help}`.
    pub fn in_one_line(&self) -> String {
        let mistakes = self.mistakes.iter().map(Error::in_command);
        in_words_of(Caller::Program, mistakes.collect::<Vec<_>>().join("\n"))
    }

    /// Prints the failure to stderr.
    pub fn tell(&self) {
        if !self.mistakes.is_empty() {
            // If stderr is closed, there is no other place for the message.
            let _ = writeln!(anstream::stderr(), "{}", self.render());
        }
    }

    /// Prints the failure, and returns the exit code.
    pub fn report(&self) -> u8 {
        if self.mistakes.is_empty() && self.code != Code::Answer {
            return 0;
        }
        self.tell();
        self.code as u8
    }
}

/// A mistake with the lines that it is about.
fn rendered(mistake: &Error) -> String {
    let shown = |text: &str| printable(&in_words_of(Caller::Program, text));
    let title = Level::ERROR.primary_title(shown(&mistake.message));
    let mut group = Group::with_title(title);
    // Arguments are shown below each other. For places in files the renderer names each file.
    for places in mistake.places.chunk_by(|a, b| a.line == 0 && b.line == 0) {
        let mut text = String::new();
        let mut annotations = Vec::new();
        for (k, place) in places.iter().enumerate() {
            let before = k.checked_sub(1).map(|k| &places[k]);
            // Several mistakes in one text are marked below it.
            if before.map(|p| (&p.origin, &p.text)) != Some((&place.origin, &place.text)) {
                text += if k == 0 { "" } else { "\n" };
                text += &lead(place);
                text += &place.text;
            }
            let start = text.len() - place.text.len();
            let span = checked_span(place);
            let annotation = AnnotationKind::Primary.span(start + span.start..start + span.end);
            annotations.push(match place.label.as_str() {
                "" => annotation,
                label => annotation.label(label),
            });
        }
        let snippet = Snippet::source(text).annotations(annotations);
        group = group.element(match &places[0] {
            TextSpan { line: 0, .. } => snippet.line_numbering(false),
            TextSpan { line, origin, .. } => snippet.line_start(*line).path(printable(origin)),
        });
    }
    for remark in &mistake.remarks {
        let level = match remark {
            Remark::Note(_) => Level::NOTE,
            Remark::Help(_) | Remark::HelpIn { .. } => Level::HELP,
        };
        group = group.element(level.message(shown(remark.in_command())));
    }
    Renderer::styled().render(&[group])
}

/// Without characters that would move the cursor of a terminal; names of files may hold any.
fn printable(text: &str) -> String {
    let mark = |c: char| {
        if c.is_control() && c != '\n' {
            '\u{fffd}'
        } else {
            c
        }
    };
    text.chars().map(mark).collect()
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self {
            code: if error.usage { Code::Usage } else { Code::File },
            mistakes: Some(error)
                .filter(|error| !error.message.is_empty())
                .into_iter()
                .collect(),
        }
    }
}

/// A text that a user gave is wrong.
impl From<xlayout_view::Error> for Failure {
    fn from(error: xlayout_view::Error) -> Self {
        Self {
            code: Code::Usage,
            mistakes: error.mistakes().to_vec(),
        }
    }
}

/// An answer that follows from several maps.
impl From<MapError> for Failure {
    fn from(error: MapError) -> Self {
        Self::usage(error.message()).help(error.help())
    }
}

impl From<io::Error> for Failure {
    /// An error of writing the answer. Errors of files are made with [`Failure::of_file`], which
    /// names the file.
    fn from(error: io::Error) -> Self {
        let mut failure = Self::new(Code::File, format_args!("cannot write the answer: {error}"));
        if error.kind() == io::ErrorKind::BrokenPipe {
            failure.mistakes.clear();
        }
        failure
    }
}

#[cfg(test)]
mod tests;
