//! Errors: a message, the texts that it is about, and what to do.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;

/// The result of what may make such a mistake.
pub type Outcome<T = ()> = Result<T, Error>;

/// A mistake in a file, or in the request.
///
/// ```
/// use xlayout_words::error::Error;
/// let missing = std::fs::read("none.npy").unwrap_err();
/// let error = Error::of_file("read", "none.npy".as_ref(), &missing);
/// assert_eq!(error.message, "cannot read `none.npy`: there is no such file or folder");
/// assert_eq!(format!("{error:?}"), error.to_string()); // what `main` prints
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Error {
    /// Whether the request is wrong, and not a file.
    pub usage: bool,
    /// The message; empty if nothing is to be printed, because the reader of the output has closed
    /// it.
    pub message: String,
    /// The wrong texts, with the marked bytes.
    pub places: Vec<TextSpan>,
    /// What else one should know, and what to do, in their sequence.
    pub remarks: Vec<Remark>,
}

/// A sentence beside an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// What else one should know.
    Note(String),
    /// What to do about it.
    Help(String),
    /// What to do about it, in the words of who asks.
    HelpIn {
        /// What a program in Rust writes.
        rust: String,
        /// What the command line of `xlayout` says.
        command: String,
    },
}

impl Remark {
    /// The text for a program in Rust.
    #[must_use]
    pub fn in_rust(&self) -> &str {
        match self {
            Self::Note(text) | Self::Help(text) | Self::HelpIn { rust: text, .. } => text,
        }
    }

    /// The text for the command line.
    #[must_use]
    pub fn in_command(&self) -> &str {
        match self {
            Self::Note(text) | Self::Help(text) | Self::HelpIn { command: text, .. } => text,
        }
    }
}

/// A piece of text, and the marked part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextSpan {
    /// Where the text is from: the name of an argument or of a file.
    pub origin: String,
    /// The text.
    pub text: String,
    /// The number of the text's first line in its origin, from 1; 0 for an argument, which has no
    /// line numbers.
    pub line: usize,
    /// In bytes.
    pub span: Range<usize>,
    /// What comes after the marks; may be empty.
    pub label: String,
}

impl TextSpan {
    /// A part of an argument of a command line.
    #[must_use]
    pub fn of_argument(origin: &str, text: &str, span: Range<usize>) -> Self {
        Self {
            origin: origin.to_owned(),
            text: text.to_owned(),
            line: 0,
            span,
            label: String::new(),
        }
    }

    /// The whole of an argument.
    #[must_use]
    pub fn of_whole(origin: &str, text: impl fmt::Display) -> Self {
        let text = text.to_string();
        Self::of_argument(origin, &text, 0..text.len())
    }

    /// A part of a line of a file; lines count from 1. The column is the one of the span.
    #[must_use]
    pub fn of_line(file: &Path, line: usize, text: &str, span: Range<usize>) -> Self {
        Self {
            line: line.max(1),
            ..Self::of_argument(&file.display().to_string(), text, span)
        }
    }

    /// Sets the text after the marks.
    #[must_use]
    pub fn label(mut self, label: impl fmt::Display) -> Self {
        self.label = label.to_string();
        self
    }
}

impl Error {
    /// The error for a wrong request.
    #[must_use]
    pub fn usage(message: impl fmt::Display) -> Self {
        Self {
            usage: true,
            ..Self::file(message)
        }
    }

    /// The error for a file that is wrong, or cannot be read or written.
    #[must_use]
    pub fn file(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            ..Self::default()
        }
    }

    /// A file that cannot be opened, read, written, renamed, …: `doing` is that word.
    #[must_use]
    pub fn of_file(doing: &str, path: &Path, error: &io::Error) -> Self {
        use io::ErrorKind as Kind;
        let system = error.to_string();
        // In the format of `Display`: what is wrong; what to do.
        let known = match error.kind() {
            Kind::NotFound => {
                "there is no such file or folder; look at the name; a name without a folder is \
                 looked for in the current one"
            }
            Kind::PermissionDenied => "permission denied; look at its owner and mode with `ls -l`",
            Kind::IsADirectory => "it is a folder; name a file in it",
            Kind::NotADirectory => "a part of the path is a file, not a folder; look at the path",
            Kind::AlreadyExists => "it exists; ",
            Kind::StorageFull | Kind::QuotaExceeded => {
                "no space is left on the device; free some, or name a file on another device"
            }
            Kind::ReadOnlyFilesystem => {
                "the file system is read-only; name a file on another file system"
            }
            Kind::UnexpectedEof => "it ends too early; it may have been cut short; copy it again",
            Kind::InvalidData => "it is not UTF-8 text; ",
            // EMFILE has no kind.
            _ if cfg!(unix) && error.raw_os_error() == Some(24) => {
                "as many files are open as this process may have; allow it more: `ulimit -n 4096`"
            }
            _ => "",
        };
        let (why, help) = known.split_once("; ").unwrap_or((&system, ""));
        let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let path: String = path.display().to_string().chars().map(plain).collect();
        let wrong = Self::file(format_args!("cannot {doing} `{path}`: {why}")).help(help);
        match error.kind() {
            Kind::AlreadyExists => wrong.help_to_replace(),
            _ => wrong,
        }
    }

    /// What to do about a file that exists.
    #[must_use]
    pub fn help_to_replace(self) -> Self {
        let rust = "name another file, or let `OutputFile::new` replace it: `force` is true";
        self.help_in(rust, "name another file, or say `--force` to replace it")
    }

    /// The text that is wrong; several are shown one after the other.
    #[must_use]
    pub fn at(mut self, place: TextSpan) -> Self {
        self.places.push(place);
        self
    }

    /// What to do about it; an empty text is left out.
    #[must_use]
    pub fn help(mut self, help: impl fmt::Display) -> Self {
        let help = Some(help.to_string()).filter(|help| !help.is_empty());
        self.remarks.extend(help.map(Remark::Help));
        self
    }

    /// What to do about it, in Rust and on the command line.
    #[must_use]
    pub fn help_in(mut self, rust: impl fmt::Display, command: impl fmt::Display) -> Self {
        self.remarks.push(Remark::HelpIn {
            rust: rust.to_string(),
            command: command.to_string(),
        });
        self
    }

    /// `{message}; {help}`, in one line, in the words of the command line.
    #[must_use]
    pub fn in_command(&self) -> String {
        let remarks = self.remarks.iter().map(Remark::in_command);
        let all: Vec<&str> = [self.message.as_str()].into_iter().chain(remarks).collect();
        all.join("; ")
    }

    /// What else one should know.
    #[must_use]
    pub fn note(mut self, note: impl fmt::Display) -> Self {
        self.remarks.push(Remark::Note(note.to_string()));
        self
    }
}

/// `{message}; {help}`, in one line, in the words of a program in Rust.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let mut remarks = self.remarks.iter();
        remarks.try_for_each(|remark| write!(f, "; {}", remark.in_rust()))
    }
}

/// The same, because `main` and `unwrap` print it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
