//! Why a file or a module gives no answer.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file or a module gives no answer: what was found, where, and what to do about it.
///
/// ```
/// let error = xlayout_hlo::Error::how("this is a picture");
/// assert!(error.to_string().starts_with("this is a picture; in JAX, "));
/// assert_eq!(format!("{error:?}"), error.to_string()); // what `main` prints
/// ```
#[derive(Default)]
pub struct Error {
    /// What was found, in one sentence.
    pub message: String,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to do about it.
    pub helps: Vec<String>,
    /// The path, line number and text of the line that the error is about.
    pub line: Option<Box<(PathBuf, usize, String)>>,
    /// The file that cannot be read, and the reason, which the message contains, too.
    pub input: Option<Box<(PathBuf, io::Error)>>,
}

impl Error {
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            ..Self::default()
        }
    }

    /// The error for a file that cannot be read.
    pub fn of_file(path: &Path, error: io::Error) -> Self {
        Self {
            input: Some(Box::new((path.to_owned(), error))),
            ..Self::new(format_args!("cannot read `{}`", path.display()))
        }
    }

    pub(crate) fn note(mut self, note: impl fmt::Display) -> Self {
        self.notes.push(note.to_string());
        self
    }

    pub(crate) fn help(mut self, help: impl fmt::Display) -> Self {
        self.helps.push(help.to_string());
        self
    }

    /// The error for a file that is not HLO; it says how to get HLO text.
    #[must_use]
    pub fn how(message: impl fmt::Display) -> Self {
        Self::new(message).and_how()
    }

    /// The error for an out-of-memory report in place of a module.
    pub fn of_report(path: &Path) -> Self {
        let shown = path.display();
        Self::new(format_args!(
            "`{shown}` holds a report of XLA that ran out of memory, and no HLO"
        ))
        .help(format_args!("`xlayout hlo {shown}` alone explains it"))
    }

    pub(crate) fn and_how(self) -> Self {
        self.help("in JAX, `jax.jit(f).lower(x).compile().as_text()` is HLO text")
            .help("`XLA_FLAGS=\"--xla_dump_to=DIR --xla_dump_hlo_as_text\"` writes it to files")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(input) = &self.input {
            write!(f, ": {}", input.1)?;
        }
        if let Some((file, number, line)) = self.line.as_deref() {
            write!(f, " (`{line}`, line {number} of `{}`)", file.display())?;
        }
        for more in self.notes.iter().chain(&self.helps) {
            write!(f, "; {more}")?;
        }
        Ok(())
    }
}

/// The same, because `main` and `unwrap` print it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
