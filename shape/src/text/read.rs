//! The reader: what all parts of it share.
//!
//! Recursive descent that goes on after a mistake. Two rules keep follow-ups away: one token is
//! blamed once, and what was misread is left out of later checks.

use super::lex::{Lexer, Token, TokenKind};
use super::rules::{Notation, PADDED_DIMENSIONS, PADDING_VALUE, Rules};
use crate::constant::INLINE_RANK;
use crate::error::{ErrorKind, Excerpt, Expected, Hint, Item, ParseError};
use crate::list::List;

/// How many mistakes are reported at most: a text with more is not a shape at all.
const MAX_ERRORS: usize = 32;

/// A byte range of the text.
pub type Span = (usize, usize);

/// The brackets that a shape is made of.
const BRACKETS: [(u8, u8); 4] = [(b'(', b')'), (b'[', b']'), (b'{', b'}'), (b'<', b'>')];

pub(super) fn closing(open: u8) -> u8 {
    bracket(open).map_or(b'>', |kind| BRACKETS[kind].1)
}

pub(super) fn bracket_of(close: u8) -> Option<usize> {
    BRACKETS.iter().position(|pair| pair.1 == close)
}

pub(super) fn bracket(open: u8) -> Option<usize> {
    BRACKETS.iter().position(|pair| pair.0 == open)
}

pub struct Reader<'t, 'r> {
    pub(super) text: &'t str,
    pub(super) lexer: Lexer<'t>,
    /// The token that is read next.
    pub token: Token,
    /// Where the token before it ended.
    pub last_end: usize,
    pub(super) rules: Rules,
    /// Whether XLA's validation follows the reading.
    pub(super) validate: bool,
    /// In how many tuples the next token is.
    pub(super) tuples: usize,
    /// Whether more text may follow the shape.
    pub(super) prefix: bool,
    report: &'r mut dyn FnMut(ParseError),
    errors: usize,
    /// Whether a list was too long for a build without a heap.
    full: bool,
    /// Where the token begins that was blamed last.
    blamed: Option<usize>,
    /// How many brackets of each kind are open, in the sequence of `BRACKETS`.
    pub(super) open: [usize; 4],
}

impl<'t, 'r> Reader<'t, 'r> {
    pub fn new(
        text: &'t str,
        rules: Rules,
        validate: bool,
        report: &'r mut dyn FnMut(ParseError),
    ) -> Self {
        let mut lexer = Lexer::new(text);
        let token = lexer.next();
        Self {
            text,
            lexer,
            token,
            last_end: 0,
            rules,
            validate,
            tuples: 0,
            prefix: false,
            report,
            errors: 0,
            full: false,
            blamed: None,
            open: [0; 4],
        }
    }

    pub(super) fn extended(&self) -> bool {
        self.rules.notation == Notation::Extended
    }

    /// How many mistakes there were so far.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    // Reporting.

    /// Reports a mistake at a place of its own.
    pub fn say(&mut self, kind: ErrorKind, span: Span) {
        if self.errors < MAX_ERRORS {
            (self.report)(ParseError::new(kind, Some(span)));
        }
        self.errors += 1;
    }

    /// Reports a mistake at `span` for which the next token is to blame.
    pub(super) fn blame_at(&mut self, kind: ErrorKind, span: Span) {
        let guilty = self.token.start;
        if self.blamed == Some(guilty) {
            return;
        }
        self.blamed = Some(guilty);
        let (kind, span) = self.misplaced().unwrap_or((kind, span));
        self.say(kind, span);
    }

    /// What is wrong with the next token wherever it is: that says more than what was expected
    /// instead.
    pub fn misplaced(&self) -> Option<(ErrorKind, Span)> {
        match self.token.tok {
            TokenKind::OpenComment => {
                Some((ErrorKind::UnterminatedComment, self.here_open_comment()))
            }
            TokenKind::Quoted => {
                let found = self.found();
                Some((ErrorKind::Quoted { found }, self.here()))
            }
            _ => None,
        }
    }

    /// Reports, once, that a list is too long for a build without a heap.
    pub(super) fn too_many(&mut self, item: Item, limit: usize, span: Span) {
        if !core::mem::replace(&mut self.full, true) {
            self.say(ErrorKind::TooMany { item, limit }, span);
        }
    }

    /// Reports that the next token is wrong.
    pub(super) fn blame(&mut self, kind: ErrorKind) {
        self.blame_at(kind, self.here());
    }

    /// Something else was expected at the current token.
    pub(super) fn unexpected(&mut self, expected: Expected) {
        let found = self.found();
        self.blame(ErrorKind::Unexpected { expected, found });
    }

    /// Where the next token is.
    pub fn here(&self) -> Span {
        (self.token.start, self.token.end)
    }

    fn here_open_comment(&self) -> Span {
        (self.token.start, self.token.start + 2)
    }

    /// The next token's text.
    pub fn found(&self) -> Excerpt {
        Excerpt::new(self.slice(self.here()))
    }

    pub fn slice(&self, span: Span) -> &'t str {
        &self.text[span.0..span.1]
    }

    /// Keeps the place of an entry. The lists of places are short without a heap: an entry beyond
    /// them has the place of the whole, see `Spans::at`.
    pub(super) fn keep_place(places: &mut List<Span, INLINE_RANK>, place: Span) {
        let _ = places.try_push(place);
    }

    // Tokens.

    pub fn advance(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.end;
        if token.tok != TokenKind::End {
            self.token = self.lexer.next();
        }
        token
    }

    pub fn at(&self, mark: u8) -> bool {
        self.token.tok == TokenKind::Mark(mark)
    }

    pub fn eat(&mut self, mark: u8) -> bool {
        let there = self.at(mark);
        if there {
            self.advance();
        }
        there
    }

    /// The token after the next one.
    pub fn second(&self) -> Token {
        let mut ahead = self.lexer;
        ahead.next()
    }

    /// Whether nothing more can be read.
    pub(super) fn at_end(&self) -> bool {
        matches!(self.token.tok, TokenKind::End | TokenKind::OpenComment)
    }

    pub(super) fn at_closing(&self) -> Option<u8> {
        match self.token.tok {
            TokenKind::Mark(mark) if self.closes(mark) => Some(mark),
            _ => None,
        }
    }

    /// Whether a mark closes a bracket. `>` does so only where a `<` is open.
    fn closes(&self, mark: u8) -> bool {
        matches!(mark, b')' | b']' | b'}') || mark == b'>' && self.open[3] > 0
    }

    /// Passes over tokens to the next comma or closing bracket outside of brackets that open on
    /// the way, or to what `stop` names.
    pub(super) fn skip_to(&mut self, stop: &[u8]) {
        let mut depth = 0usize;
        while !self.at_end() {
            if let TokenKind::Mark(mark) = self.token.tok {
                let closes = self.closes(mark);
                if depth == 0 && (mark == b',' || closes || stop.contains(&mark)) {
                    return;
                }
                match mark {
                    b'(' | b'[' | b'{' => depth += 1,
                    _ => depth -= usize::from(closes),
                }
            }
            self.advance();
        }
    }

    /// What was read since a place, and where it is.
    pub(super) fn read_since(&self, start: usize) -> (Excerpt, Span) {
        let span = (start, self.last_end);
        (Excerpt::new(self.slice(span)), span)
    }

    /// Passes over a bracket, which is the next token, and all that is in it.
    pub(super) fn skip_group(&mut self) {
        let open = self.token.tok;
        let angles = open == TokenKind::Mark(b'<');
        let mut depth = 0usize;
        while !self.at_end() {
            match self.token.tok {
                TokenKind::Mark(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Mark(b')' | b']' | b'}') => depth -= 1,
                TokenKind::Mark(b'<') if angles => depth += 1,
                TokenKind::Mark(b'>') if angles => depth -= 1,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    // The end.

    /// Whether the text goes on with `-> {0,1}` or `as {0,1}`.
    fn layout_after_an_arrow(&self) -> bool {
        let rest = &self.text[self.token.start..];
        for word in ["->", "=>", "as "] {
            if let Some(after) = rest.strip_prefix(word) {
                let first = after.trim_start().as_bytes().first();
                return matches!(first, Some(b'{' | b'[' | b'(' | b'<'));
            }
        }
        false
    }

    /// Nothing may follow a shape.
    pub(super) fn end(&mut self) {
        if self.token.tok == TokenKind::End {
            return;
        }
        if self.at(b',') && self.second().tok == TokenKind::Quoted {
            // The quotes are the mistake.
            self.advance();
        }
        let tok = self.token.tok;
        let found = self.found();
        let hint = match tok {
            TokenKind::Mark(b'(') => Hint::Parentheses,
            TokenKind::Mark(b'[') => Hint::Brackets,
            TokenKind::Mark(b',') if self.second().tok == TokenKind::End => Hint::Remove,
            TokenKind::Mark(b',' | b'=' | b'@' | b':' | b';' | b'|' | b'*')
                if matches!(
                    self.second().tok,
                    TokenKind::Mark(b'[' | b'{' | b'<' | b'(')
                ) =>
            {
                Hint::Parentheses
            }
            _ if self.layout_after_an_arrow() => Hint::Parentheses,
            TokenKind::Mark(b',') => Hint::Comma,
            TokenKind::Word => match self.slice(self.here()) {
                PADDED_DIMENSIONS | PADDING_VALUE => Hint::Option,
                _ => Hint::Remove,
            },
            TokenKind::Mark(mark) if bracket_of(mark).is_some() => Hint::Close,
            _ => Hint::Remove,
        };
        // Underline all of the rest, unless one character is the mistake.
        let rest = self.text[self.token.start..].trim_end();
        let span = (self.token.start, self.token.start + rest.len());
        let (found, span) = match hint {
            Hint::Close | Hint::Comma => (found, self.here()),
            _ => (Excerpt::new(rest), span),
        };
        self.blame_at(ErrorKind::Trailing { found, hint }, span);
    }
}
