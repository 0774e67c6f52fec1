//! What the readers of all notations share: the tokens of the shapes' reader, and numbers.

use super::error::Error;
use super::{BoundaryError, Library, MAX_RANK};
use xlayout_shape::dims::INLINE_RANK;
use xlayout_shape::error::Excerpt;
use xlayout_shape::list::List;
use xlayout_shape::text::lex::{Lexer, Token, TokenKind};

/// Reads one notation, up to the first mistake.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) library: Library,
    lexer: Lexer<'t>,
    /// The token that is read next.
    pub(super) token: Token,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, library: Library) -> Self {
        Self::at_byte(text, library, 0)
    }

    /// A reader that begins at this byte, where a character begins.
    pub(super) fn at_byte(text: &'t str, library: Library, at: usize) -> Self {
        let mut lexer = Lexer::at(text, at);
        let token = lexer.next();
        Self {
            text,
            library,
            lexer,
            token,
        }
    }

    /// The next token's text.
    pub(super) fn found(&self) -> &'t str {
        &self.text[self.token.start..self.token.end]
    }

    pub(super) fn at(&self, mark: u8) -> bool {
        self.token.tok == TokenKind::Mark(mark)
    }

    pub(super) fn is_end(&self) -> bool {
        self.token.tok == TokenKind::End
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.token;
        if token.tok != TokenKind::End {
            self.token = self.lexer.next();
        }
        token
    }

    pub(super) fn eat(&mut self, mark: u8) -> bool {
        let here = self.at(mark);
        if here {
            self.advance();
        }
        here
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let here = self.token.tok == TokenKind::Word && self.found() == word;
        if here {
            self.advance();
        }
        here
    }

    pub(super) fn expect_word(&mut self, word: &'static str) -> Result<(), Error> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.unexpected(word)),
        }
    }

    /// An error about the next token.
    pub(super) fn error(&self, error: BoundaryError) -> Error {
        self.error_at(error, (self.token.start, self.token.end))
    }

    pub(super) fn error_at(&self, error: BoundaryError, span: (usize, usize)) -> Error {
        Error::new(error, Some(span))
    }

    pub(super) fn excerpt(&self) -> Excerpt {
        Excerpt::new(self.found())
    }

    /// Something else is written here.
    pub(super) fn unexpected(&self, expected: &'static str) -> Error {
        self.error(BoundaryError::Expected {
            library: self.library,
            expected,
            found: self.excerpt(),
        })
    }

    /// A form of the notation that is not read.
    pub(super) fn unread(&self, form: &'static str) -> Error {
        self.error(BoundaryError::Unread {
            library: self.library,
            form,
            found: self.excerpt(),
        })
    }

    /// A form of the notation that is not read, from here to where `end` is.
    pub(super) fn unread_until(&self, end: &Self, form: &'static str) -> Error {
        let (start, end) = (self.token.start, end.token.start);
        let text = self.text[start..end].trim_end();
        let error = BoundaryError::Unread {
            library: self.library,
            form,
            found: Excerpt::new(text),
        };
        self.error_at(error, (start, start + text.len()))
    }

    /// A parameter that is given again here.
    pub(super) fn twice(&self) -> Error {
        self.error(BoundaryError::Twice {
            library: self.library,
            found: self.excerpt(),
        })
    }

    /// A parameter is missing.
    pub(super) fn missing(&self, name: &'static str) -> Error {
        let library = self.library;
        self.error(BoundaryError::Missing { library, name })
    }

    pub(super) fn expect(&mut self, mark: u8, expected: &'static str) -> Result<(), Error> {
        if self.eat(mark) {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    /// Something else was read from `start` on.
    pub(super) fn unexpected_since(&self, start: &Self, expected: &'static str) -> Error {
        let text = self.text[start.token.start..self.token.start].trim_end();
        let text = text.trim_end_matches(',').trim_end();
        let error = BoundaryError::Expected {
            library: self.library,
            expected,
            found: Excerpt::new(text),
        };
        self.error_at(error, (start.token.start, start.token.start + text.len()))
    }

    pub(super) fn end(&self) -> Result<(), Error> {
        if self.is_end() {
            Ok(())
        } else {
            Err(self.unexpected("the end of the text"))
        }
    }

    /// A number, with a sign if need be.
    pub(super) fn number(&mut self) -> Result<i64, Error> {
        if !matches!(self.token.tok, TokenKind::Integer | TokenKind::Number(_)) {
            return Err(self.unexpected("a number"));
        }
        match self.found().parse() {
            Ok(number) => {
                self.advance();
                Ok(number)
            }
            Err(_) => Err(self.bad_number(i64::MIN)),
        }
    }

    pub(super) fn bad_number(&self, least: i64) -> Error {
        self.error(BoundaryError::Number {
            library: self.library,
            found: self.excerpt(),
            least,
        })
    }

    /// A number that is not negative.
    pub(super) fn size(&mut self) -> Result<i64, Error> {
        let here = *self;
        match self.number() {
            Ok(size @ 0..) => Ok(size),
            Err(error) if !matches!(here.token.tok, TokenKind::Integer | TokenKind::Number(_)) => {
                Err(error)
            }
            _ => Err(here.bad_number(0)),
        }
    }

    /// Adds to a list that has a number for each dimension.
    pub(super) fn push<T: Copy>(
        &self,
        list: &mut List<T, INLINE_RANK>,
        item: T,
    ) -> Result<(), Error> {
        let limit = if cfg!(feature = "alloc") {
            MAX_RANK
        } else {
            INLINE_RANK
        };
        if list.len() >= limit || list.try_push(item).is_err() {
            return Err(self.error(BoundaryError::TooManyDimensions { limit }));
        }
        Ok(())
    }

    /// Python's tuple of numbers: `()`, `(2,)`, `(2, 3)`; a list in brackets or braces, too.
    pub(super) fn tuple(&mut self) -> Result<List<i64, INLINE_RANK>, Error> {
        let close = match self.token.tok {
            TokenKind::Mark(b'[') => b']',
            TokenKind::Mark(b'{') => b'}',
            _ if self.at(b'(') => b')',
            _ => return Err(self.unexpected("`(` and numbers")),
        };
        self.advance();
        let mut list = List::new();
        while !self.eat(close) {
            let number = *self;
            let value = self.number()?;
            number.push(&mut list, value)?;
            if !self.eat(b',') && !self.at(close) {
                return Err(self.unexpected("`,` or the closing bracket"));
            }
        }
        Ok(list)
    }
}
