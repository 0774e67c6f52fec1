//! Errors: what was found, where, and what to write instead.
//!
//! A [`ParseError`] is small and holds no heap: its [`kind`](ParseError::kind) carries the numbers
//! and a short copy of the text that was found, its [`span`](ParseError::span) the place. Words are
//! made when it is shown, by the same code for the compiler and for a running program.

mod expected;
mod kind;
mod not_lowered;
mod number;
mod parts;
mod render;
pub(crate) mod suggest;
mod write;

use core::fmt::{self, Display};
use core::ops::Range;

pub use crate::explain::{Explain, Say};
pub use expected::{Expected, Hint, Item, ItemWords};
pub use kind::ErrorKind;
pub use not_lowered::NotLowered;
pub(crate) use number::{split_at_byte, whole_part};
#[doc(hidden)]
pub use parts::Found;
pub use parts::{Attribute, Excerpt, Missing, NumberFlaw, OrderAdvice, Product, ShortOrder};
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
/// // In one line, and as `main` prints it:
/// assert_eq!(
///     error.to_string(),
///     "minor_to_major lists 1 dimension, but the shape has 2 (at byte 8); write `{1,0}` \
///      (row-major) or `{0,1}` (column-major); the dimension that varies fastest comes first",
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError<K = ErrorKind> {
    kind: K,
    span: Option<(usize, usize)>,
}

impl<K: Explain> Explain for ParseError<K> {
    fn explain(&self, say: &mut Say<'_>) -> fmt::Result {
        self.kind.explain(say)
    }

    fn span(&self) -> Option<Range<usize>> {
        self.span.map(|(start, end)| start..end)
    }
}

explained!(ParseError<K>, K: Explain);

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
    /// The message, the line of `text` that it is about with its place underlined, and the help.
    ///
    /// `text` is the text that was read. Long lines are cut to a window around the place.
    pub fn render<'a>(&'a self, text: &'a str) -> impl Display + 'a {
        render::render(self, text, "error: ")
    }

    /// The same without the word `error`, inside of another error.
    #[cfg(feature = "serde")]
    pub(crate) fn render_plain<'a>(&'a self, text: &'a str) -> impl Display + 'a {
        render::render(self, text, "")
    }
}

impl<K: Explain> From<K> for ParseError<K> {
    fn from(kind: K) -> Self {
        Self::new(kind, None)
    }
}
