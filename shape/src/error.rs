//! Errors: what was found, where, and what to write instead.
//!
//! A [`ParseError`] is small and holds no heap: its [`kind`](ParseError::kind) carries the numbers and a
//! short copy of the text that was found, its [`span`](ParseError::span) the place. Words are made
//! when it is shown, by the same code for the compiler and for a running program.

mod help;
mod kind;
mod message;
mod number;
mod parts;
mod render;
pub(crate) mod suggest;

use core::fmt::{self, Display};
use core::ops::Range;

pub use kind::ErrorKind;
pub(crate) use number::{split_at_byte, whole_part};
pub use parts::{
    Attribute, Excerpt, Expected, Hint, Item, Missing, NotAnArray, NumberFlaw, OrderAdvice,
    Product, ShortOrder,
};
pub use suggest::Suggestion;
#[doc(hidden)]
pub use suggest::nearest;
pub(crate) use suggest::suggest_type;

/// A mistake in a text or in a layout: what was found, where, and what to write instead.
///
/// ```
/// use xlayout_shape::{ArrayShape, ErrorKind};
///
/// let text = "f32[2,3]{0}";
/// let error = text.parse::<ArrayShape>().unwrap_err();
/// assert_eq!(error.span(), Some(8..11));
/// assert_eq!(error.kind(), &ErrorKind::MinorToMajorLength { listed: 1, rank: 2 });
/// assert_eq!(
///     error.render(text).to_string(),
///     "error: minor_to_major lists 1 dimension, but the shape has 2\n\
///      \x20 f32[2,3]{0}\n\
///      \x20         ^^^\n\
///      help: write `{1,0}` (row-major) or `{0,1}` (column-major); \
///      the dimension that varies fastest comes first",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError<K = ErrorKind> {
    kind: K,
    span: Option<(usize, usize)>,
}

/// A kind of error: the words for what is wrong, and for what to write instead.
pub trait Explain: fmt::Debug {
    /// Writes what is wrong, in one line.
    ///
    /// # Errors
    /// Those of the formatter.
    fn message(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Writes what to write instead, in several lines at most.
    ///
    /// # Errors
    /// Those of the formatter.
    fn help(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Whether there is anything to say beyond the message.
    fn has_help(&self) -> bool {
        true
    }
}

impl Explain for ErrorKind {
    fn message(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        message::Message(self).fmt(f)
    }

    fn help(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        help::Help(self).fmt(f)
    }

    fn has_help(&self) -> bool {
        help::has_help(self)
    }
}

/// The message of a kind.
struct Message<'a, K>(&'a K);

impl<K: Explain> Display for Message<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.message(f)
    }
}

/// The help of a kind.
struct Help<'a, K>(&'a K);

impl<K: Explain> Display for Help<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.help(f)
    }
}

impl<K> ParseError<K> {
    /// An error of this kind, about these bytes of the text that was read, if one was.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(kind: K, span: Option<(usize, usize)>) -> Self {
        Self { kind, span }
    }

    /// What is wrong, to match on.
    #[must_use]
    pub const fn kind(&self) -> &K {
        &self.kind
    }

    /// The bytes of the text that the error is about; `None` for a layout that was not read.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.map(|(start, end)| start..end)
    }

    /// The same error with another kind: where a larger text holds what was read.
    #[doc(hidden)]
    #[must_use]
    pub fn map<J>(self, kind: impl FnOnce(K) -> J) -> ParseError<J> {
        ParseError {
            kind: kind(self.kind),
            span: self.span,
        }
    }
}

impl<K: Explain> ParseError<K> {
    /// What is wrong, in one line.
    pub fn message(&self) -> impl Display + '_ {
        Message(&self.kind)
    }

    /// What to write instead; several lines at most. `None` where the message says it all.
    pub fn help(&self) -> Option<impl Display + '_> {
        self.kind.has_help().then_some(Help(&self.kind))
    }

    /// The message, the line of `text` that it is about with its place underlined, and the help.
    ///
    /// `text` is the text that was read. Long lines are cut to a window around the place.
    pub fn render<'a>(&'a self, text: &'a str) -> impl Display + 'a {
        let head = "error: ";
        render::Render {
            error: self,
            text,
            head,
        }
    }

    /// The same without the word `error`, inside of another error.
    #[cfg(feature = "serde")]
    pub(crate) fn render_plain<'a>(&'a self, text: &'a str) -> impl Display + 'a {
        let head = "";
        render::Render {
            error: self,
            text,
            head,
        }
    }
}

/// The message; with `{:#}` the help, too, on lines of its own.
impl<K: Explain> Display for ParseError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)?;
        match self.help() {
            Some(help) if f.alternate() => write!(f, "\nhelp: {help}"),
            _ => Ok(()),
        }
    }
}

impl<K: Explain> core::error::Error for ParseError<K> {}

impl<K: Explain> From<K> for ParseError<K> {
    fn from(kind: K) -> Self {
        Self::new(kind, None)
    }
}
