//! What the readers of all notations share: the tokens of the shapes' reader, and numbers.

use super::error::{Error, Items, Numbers, about, expected, unread};
use super::{BoundaryError, Library, MAX_RANK};
use xlayout_shape::error::Excerpt;
use xlayout_shape::text::lex::{Lexer, Token, TokenKind};
use xlayout_shape::{INLINE_RANK, List};

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

    /// A reader of a part of the text.
    pub(super) fn within(text: &'t str, library: Library, part: &str) -> Self {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        Self::at_byte(&text[..start + part.len()], library, start)
    }

    /// The next token's text.
    pub(super) fn found(&self) -> &'t str {
        &self.text[self.token.start..self.token.end]
    }

    pub(super) fn at(&self, mark: u8) -> bool {
        self.token.tok == TokenKind::Mark(mark)
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
        if self.eat_word(word) {
            Ok(())
        } else {
            Err(self.unexpected(word))
        }
    }

    /// An error about the next token.
    pub(super) fn error(&self, error: BoundaryError) -> Error {
        about(self.text, self.found(), error)
    }

    /// An error about what is written from here to where `end` is.
    pub(super) fn error_until(&self, end: &Self, error: BoundaryError) -> Error {
        about(self.text, self.until(end), error)
    }

    pub(super) fn excerpt(&self) -> Excerpt {
        Excerpt::new(self.found())
    }

    /// Something else is written here.
    pub(super) fn unexpected(&self, what: &'static str) -> Error {
        expected(self.library, self.text, self.found(), what)
    }

    /// Something else was read from `start` on.
    pub(super) fn unexpected_since(&self, start: &Self, what: &'static str) -> Error {
        expected(self.library, self.text, start.until(self), what)
    }

    /// A form of the notation that is not read.
    pub(super) fn unread(&self, form: &'static str) -> Error {
        unread(self.library, self.text, self.found(), form)
    }

    /// A form of the notation that is not read, from here to where `end` is.
    pub(super) fn unread_until(&self, end: &Self, form: &'static str) -> Error {
        unread(self.library, self.text, self.until(end), form)
    }

    /// What is written from here to where `end` is, without a comma behind it.
    pub(super) fn until(&self, end: &Self) -> &'t str {
        let text = self.text[self.token.start..end.token.start].trim_end();
        text.trim_end_matches(',').trim_end()
    }

    /// A parameter is missing here.
    pub(super) fn missing(&self, name: &'static str) -> Error {
        let library = self.library;
        self.error(BoundaryError::Missing { library, name })
    }

    /// A parameter is missing in all of the text.
    pub(super) fn misses(&self, name: &'static str) -> Error {
        let library = self.library;
        let kind = BoundaryError::Missing { library, name };
        about(self.text, self.text.trim_end(), kind)
    }

    /// Keeps the value of the parameter whose name is here; it may not have one yet.
    pub(super) fn once<T>(&self, slot: &mut Option<T>, value: T) -> Result<(), Error> {
        if slot.replace(value).is_none() {
            return Ok(());
        }
        Err(self.error(BoundaryError::Twice {
            library: self.library,
            found: self.excerpt(),
        }))
    }

    pub(super) fn expect(&mut self, mark: u8, expected: &'static str) -> Result<(), Error> {
        if self.eat(mark) {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    pub(super) fn end(&self) -> Result<(), Error> {
        match self.token.tok {
            TokenKind::End => Ok(()),
            _ => Err(self.unexpected("the end of the text")),
        }
    }

    /// Items with commas between them, up to the bracket `close`; `due` names what may follow an
    /// item.
    pub(super) fn items(
        &mut self,
        close: u8,
        due: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while !self.eat(close) {
            item(self)?;
            if !self.eat(b',') && !self.at(close) {
                return Err(self.unexpected(due));
            }
        }
        Ok(())
    }

    /// Passes all up to a token outside of brackets at which `ends` is true, to the bracket that
    /// closes what this is in, or to the end of the text.
    pub(super) fn skip_until(&mut self, ends: impl Fn(&Self) -> bool) {
        let mut depth = 0_usize;
        loop {
            match self.token.tok {
                TokenKind::End => return,
                _ if depth == 0 && ends(self) => return,
                TokenKind::Mark(b'<' | b'(' | b'[' | b'{') => depth += 1,
                // The arrow of an affine map is no bracket.
                TokenKind::Mark(b'>') if self.text[..self.token.start].ends_with('-') => {}
                TokenKind::Mark(b'>' | b')' | b']' | b'}') => match depth.checked_sub(1) {
                    Some(outside) => depth = outside,
                    None => return,
                },
                _ => {}
            }
            self.advance();
        }
    }

    /// A number, with a sign if need be.
    pub(super) fn number(&mut self) -> Result<i64, Error> {
        self.at_least(i64::MIN)
    }

    /// A number that is not negative.
    pub(super) fn size(&mut self) -> Result<i64, Error> {
        self.at_least(0)
    }

    fn at_least(&mut self, least: i64) -> Result<i64, Error> {
        if !matches!(self.token.tok, TokenKind::Integer | TokenKind::Number(_)) {
            return Err(self.unexpected("a number"));
        }
        let number = self.parsed(self.found(), self.found(), least)?;
        self.advance();
        Ok(number)
    }

    /// The number that a part of the text is, of which `digits` are read.
    pub(super) fn parsed(&self, part: &str, digits: &str, least: i64) -> Result<i64, Error> {
        let none = BoundaryError::Number {
            library: self.library,
            found: Excerpt::new(part),
            least,
        };
        let number = digits.parse().ok().filter(|&number| number >= least);
        number.ok_or_else(|| about(self.text, part, none))
    }

    /// Adds to a list that has a number for each dimension.
    pub(super) fn push<T: Copy>(&self, list: &mut Items<T>, item: T) -> Result<(), Error> {
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
    pub(super) fn tuple(&mut self) -> Result<Numbers, Error> {
        let close = match self.token.tok {
            TokenKind::Mark(b'[') => b']',
            TokenKind::Mark(b'{') => b'}',
            _ if self.at(b'(') => b')',
            _ => return Err(self.unexpected("`(` and numbers")),
        };
        self.advance();
        let mut list = List::new();
        self.items(close, "`,` or the closing bracket", |reader| {
            let here = *reader;
            here.push(&mut list, reader.number()?)
        })?;
        Ok(list)
    }
}
