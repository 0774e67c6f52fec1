//! The reader of shapes' tokens, with the mistakes that only shardings have.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use super::{ShardingErrorKind as Kind, ShardingPart};
use xlayout_shape::error::{ErrorKind, ParseError};
use xlayout_shape::text::XLA;
use xlayout_shape::text::lex::TokenKind;
use xlayout_shape::text::read::Reader as Tokens;
pub(super) use xlayout_shape::text::read::Span;

xlayout_shape::error_table! {
/// What is wrong with the text of a sharding.
///
/// ```
/// use xlayout_shape::ErrorKind;
/// use xlayout_sharding::{ReadErrorKind, Sharding, ShardingErrorKind};
///
/// let error = "{devices=[2,4]<=[6]}".parse::<Sharding>().unwrap_err();
/// let kind = ShardingErrorKind::DeviceCount { tiles: 8, devices: 6 };
/// assert_eq!(error.kind(), &ReadErrorKind::Sharding(kind));
/// let error = "{replicated".parse::<Sharding>().unwrap_err();
/// let kind = ErrorKind::Unclosed { open: '{', close: '}' };
/// assert_eq!(error.kind(), &ReadErrorKind::Text(kind));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// A mistake that a shape can have, too: a number, a bracket, a comment.
    Text(error: ErrorKind) => (error)
    /// A mistake that only a sharding can have.
    Sharding(error: Kind) => (error)
}
}

/// A mistake in the text of a sharding: what was found, where, and what to write instead.
pub type ReadError = ParseError<ReadErrorKind>;

/// The tokens of a sharding, and its first mistake.
pub(super) struct Reader<'t, 'r> {
    tokens: Tokens<'t, 'r>,
    mistake: Option<ReadError>,
}

impl<'t, 'r> Deref for Reader<'t, 'r> {
    type Target = Tokens<'t, 'r>;
    fn deref(&self) -> &Tokens<'t, 'r> {
        &self.tokens
    }
}

impl DerefMut for Reader<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.tokens
    }
}

/// Reads all of a text.
pub(super) fn whole<T>(
    text: &str,
    read: impl FnOnce(&mut Reader<'_, '_>) -> Option<T>,
) -> Result<T, ReadError> {
    first(text, |reader| {
        let read = read(reader)?;
        if reader.token.tok != TokenKind::End {
            let found = reader.found();
            return reader.wrong(Kind::Trailing { found });
        }
        Some(read)
    })
}

/// Reads up to the first mistake.
pub(super) fn first<T>(
    text: &str,
    read: impl FnOnce(&mut Reader<'_, '_>) -> Option<T>,
) -> Result<T, ReadError> {
    let mut of_text = None;
    let mut report = |error: ParseError| {
        of_text.get_or_insert(error);
    };
    let mut reader = Reader {
        tokens: Tokens::new(text, XLA, true, &mut report),
        mistake: None,
    };
    let value = read(&mut reader);
    let mistake = reader.mistake.take();
    value.ok_or_else(|| {
        let of_text = of_text.map(|error| error.map(ReadErrorKind::Text));
        // A reader that returns no value has reported a mistake.
        mistake
            .or(of_text)
            .unwrap_or(ParseError::new(ReadErrorKind::Sharding(Kind::Empty), None))
    })
}

impl Reader<'_, '_> {
    /// Reports what is wrong with the next token.
    pub(super) fn wrong<T>(&mut self, kind: Kind) -> Option<T> {
        match self.misplaced() {
            Some((kind, span)) => {
                self.say(kind, span);
                None
            }
            None => self.wrong_at(kind, self.here()),
        }
    }

    pub(super) fn wrong_at<T>(&mut self, kind: Kind, span: Span) -> Option<T> {
        let error = ParseError::new(ReadErrorKind::Sharding(kind), Some(span));
        self.mistake.get_or_insert(error);
        None
    }

    /// What is needed here, and what to write.
    pub(super) fn expected<T>(&mut self, part: &'static [&'static str; 2]) -> Option<T> {
        let expected = ShardingPart(part);
        let found = self.found();
        self.wrong(Kind::Expected { expected, found })
    }

    /// One item or more, with commas between them.
    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut list = Vec::from([item(self)?]);
        while self.eat(b',') {
            list.push(item(self)?);
        }
        Some(list)
    }

    /// A comma, or a mark that comes next and ends the list.
    pub(super) fn comma_or(&mut self, close: u8, part: &'static [&'static str; 2]) -> Option<()> {
        if self.eat(b',') || self.at(close) {
            return Some(());
        }
        self.expected(part)
    }

    pub(super) fn need(&mut self, mark: u8, part: &'static [&'static str; 2]) -> Option<()> {
        if self.eat(mark) {
            return Some(());
        }
        self.expected(part)
    }
}
