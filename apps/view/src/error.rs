//! Mistakes in what a user gives, each with the text that it is about.

use std::fmt;
use std::ops::Range;

use xlayout::ParseError;
use xlayout::shape::error::Explain;

/// The result of what reads a text of a user.
pub(crate) type Outcome<T = ()> = Result<T, Error>;

/// Everything that is wrong with what was asked for: at least one mistake.
///
/// Its text has a line for each mistake, `{message}; {help}`. Options are called as those of the
/// program `xlayout`: `--sizes`.
///
/// ```
/// use xlayout_view::{Explanation, Given};
/// let error = Explanation::read("f33[2,3]", &Given::default()).unwrap_err();
/// let place = &error.mistakes()[0].places[0];
/// assert_eq!(&place.text[place.span.clone()], "f33");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    mistakes: Vec<Mistake>,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong.
    pub message: String,
    /// The wrong texts; empty if no text is.
    pub places: Vec<Place>,
    /// What to do about it.
    pub helps: Vec<String>,
}

/// A text that a user gave, and the part of it that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the text: `SHAPE`, `--at`.
    pub origin: String,
    /// The whole text.
    pub text: String,
    /// The wrong part, in bytes.
    pub span: Range<usize>,
    /// What to say at the part; may be empty.
    pub label: String,
}

impl Place {
    pub(crate) fn new(origin: &str, text: &str, span: Range<usize>) -> Self {
        Self {
            origin: origin.to_owned(),
            text: text.to_owned(),
            span,
            label: String::new(),
        }
    }

    pub(crate) fn of_whole(origin: &str, text: impl fmt::Display) -> Self {
        let text = text.to_string();
        Self::new(origin, &text, 0..text.len())
    }

    pub(crate) fn label(mut self, label: impl fmt::Display) -> Self {
        self.label = label.to_string();
        self
    }
}

impl Error {
    /// The mistakes, in the sequence of what they are about.
    #[must_use]
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }

    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self {
            mistakes: vec![Mistake {
                message: message.to_string(),
                places: Vec::new(),
                helps: Vec::new(),
            }],
        }
    }

    /// An error in the text of a shape, a layout or a type of MLIR.
    pub(crate) fn of_text<K: Explain>(error: &ParseError<K>, origin: &str, text: &str) -> Self {
        let span = error.span().unwrap_or(0..text.len());
        let mut failure = Self::new(error.message());
        if !text.is_empty() {
            failure = failure.at(Place::new(origin, text, span));
        }
        failure.help(error.help())
    }

    /// A text that the last mistake is about.
    pub(crate) fn at(mut self, place: Place) -> Self {
        if let Some(last) = self.mistakes.last_mut() {
            last.places.push(place);
        }
        self
    }

    /// What to do about the last mistake; an empty text is left out.
    pub(crate) fn help(mut self, help: impl fmt::Display) -> Self {
        let help = Some(help.to_string()).filter(|help| !help.is_empty());
        if let Some(last) = self.mistakes.last_mut() {
            last.helps.extend(help);
        }
        self
    }

    pub(crate) fn and(mut self, other: Self) -> Self {
        self.mistakes.extend(other.mistakes);
        self
    }

    /// Joins two errors that there may be.
    pub(crate) fn both(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, mistake) in self.mistakes.iter().enumerate() {
            f.write_str(if number == 0 { "" } else { "\n" })?;
            f.write_str(&mistake.message)?;
            let mut helps = mistake.helps.iter();
            helps.try_for_each(|help| write!(f, "; {help}"))?;
        }
        Ok(())
    }
}

/// As `Display`: it is what `main` prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
