//! Mistakes in what a user gives, each with the text that it is about.

use std::fmt;

use xlayout::ParseError;
use xlayout::algebra::MapError;
use xlayout::shape::Explain;
pub use xlayout_words::error::{Error as Mistake, TextSpan};
use xlayout_words::joined;

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

impl Error {
    /// The mistakes, in the sequence of what they are about.
    #[must_use]
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }

    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self {
            mistakes: vec![Mistake::usage(message)],
        }
    }

    /// An error in the text of a shape, a layout or a type of MLIR.
    #[must_use]
    pub fn of_text<K: Explain>(error: &ParseError<K>, origin: &str, text: &str) -> Self {
        let span = error.span().unwrap_or(0..text.len());
        let mut failure = Self::new(error.message());
        if !text.is_empty() {
            failure = failure.at(TextSpan::of_argument(origin, text, span));
        }
        failure.help(error.help())
    }

    /// A text that the last mistake is about.
    pub(crate) fn at(self, place: TextSpan) -> Self {
        self.with(|mistake| mistake.at(place))
    }

    /// What to do about the last mistake; an empty text is left out.
    pub(crate) fn help(self, help: impl fmt::Display) -> Self {
        self.with(|mistake| mistake.help(help))
    }

    fn with(mut self, change: impl FnOnce(Mistake) -> Mistake) -> Self {
        let last = self.mistakes.pop().map(change);
        self.mistakes.extend(last);
        self
    }

    pub(crate) fn and(mut self, other: Self) -> Self {
        self.mistakes.extend(other.mistakes);
        self
    }

    /// Joins two errors that there may be.
    pub(crate) fn both(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        match (first, second) {
            (Some(first), Some(second)) => Some(first.and(second)),
            (first, second) => first.or(second),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.mistakes, "\n"))
    }
}

/// An answer that follows from several maps.
impl From<MapError> for Error {
    fn from(error: MapError) -> Self {
        Self::new(error.message()).help(error.help())
    }
}

/// As `Display`: it is what `main` prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
