//! What went wrong, with the text that it is about, and the exit code that says so.

use std::fmt;
use std::io;
use std::ops::Range;
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// What a command answers.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// The exit codes; `xlayout --help` and the man page list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// The answer was given and is "no" or "with mistakes": lines that could not be read, arrays that differ.
    Answer = 1,
    /// What was asked for is wrong: an argument, a layout, an index.
    Usage = 2,
    /// A file: cannot be read, cannot be written, holds something else.
    File = 3,
}

/// A reason to stop, told as rustc tells its own.
#[derive(Debug)]
pub(crate) struct Failure {
    code: Code,
    message: String,
    place: Option<Box<Place>>,
    help: Option<String>,
    /// Whoever read the output went away: nothing to say.
    silent: bool,
}

/// A piece of text, and the part of it that is meant.
#[derive(Debug)]
pub(crate) struct Place {
    /// Where the text is from: `SHAPE`, `--at`, the name of a file.
    pub(crate) origin: String,
    pub(crate) text: String,
    /// The number of the text's first line in its origin, from 1.
    pub(crate) line: usize,
    /// In bytes.
    pub(crate) span: Range<usize>,
    /// What stands after the carets; may be empty.
    pub(crate) label: String,
}

impl Failure {
    pub(crate) fn new(code: Code, message: impl fmt::Display) -> Self {
        Self {
            code,
            message: message.to_string(),
            place: None,
            help: None,
            silent: false,
        }
    }

    #[must_use]
    pub(crate) fn at(mut self, place: Place) -> Self {
        self.place = Some(Box::new(place));
        self
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl fmt::Display) -> Self {
        self.help = Some(help.to_string());
        self
    }

    /// An error in the text of a shape or a layout.
    pub(crate) fn of_text(error: &xlayout::Error, origin: &str, text: &str) -> Self {
        let mut failure = Self::new(Code::Usage, error.message()).at(Place {
            origin: origin.to_owned(),
            text: text.to_owned(),
            line: 1,
            span: error.span().unwrap_or(0..text.len()),
            label: String::new(),
        });
        failure.help = error.help().map(|help| help.to_string());
        failure
    }

    /// The text that a person reads, with colours.
    pub(crate) fn render(&self) -> String {
        let title = Level::ERROR.primary_title(&*self.message);
        let mut group = match &self.place {
            Some(place) => {
                let annotation = AnnotationKind::Primary.span(place.span.clone());
                let annotation = match place.label.as_str() {
                    "" => annotation,
                    label => annotation.label(label),
                };
                title.element(
                    Snippet::source(&*place.text)
                        .line_start(place.line)
                        .path(&*place.origin)
                        .annotation(annotation),
                )
            }
            None => Group::with_title(title),
        };
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(&**help));
        }
        Renderer::styled().render(&[group])
    }

    /// Tells the person, and answers the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if self.silent {
            return ExitCode::SUCCESS;
        }
        anstream::eprintln!("{}", self.render());
        ExitCode::from(self.code as u8)
    }
}

impl From<io::Error> for Failure {
    /// An error of writing the answer; those of files say which file, and are made where it is known.
    fn from(error: io::Error) -> Self {
        let mut failure = Self::new(Code::File, format_args!("cannot write the answer: {error}"));
        failure.silent = error.kind() == io::ErrorKind::BrokenPipe;
        failure
    }
}
