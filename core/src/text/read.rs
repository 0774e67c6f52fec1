//! The reader: what all parts of it share.
//!
//! Recursive descent that goes on after a mistake. Two rules keep follow-ups away: one token is
//! blamed once, and what was misread is left out of later checks.

use super::lex::{Lexer, Tok, Token};
use super::{Notation, Rules};
use crate::error::{Error, ErrorKind, Excerpt, Hint, Item};
use crate::list::List;

/// How many mistakes are reported at most: a text with more is not a shape at all.
const MAX_ERRORS: usize = 32;

/// A byte range of the text.
pub(super) type Span = (usize, usize);

/// The brackets that a shape is made of.
const BRACKETS: [(u8, u8); 4] = [(b'(', b')'), (b'[', b']'), (b'{', b'}'), (b'<', b'>')];

pub(super) const fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        _ => b'>',
    }
}

fn bracket_of(close: u8) -> Option<usize> {
    BRACKETS.iter().position(|pair| pair.1 == close)
}

fn bracket(open: u8) -> Option<usize> {
    BRACKETS.iter().position(|pair| pair.0 == open)
}

/// How an item of a list was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    /// As it should be.
    Well,
    /// Wrongly, but it is one item: the list is as long as it was meant to be.
    Badly,
    /// It may stand for any number of items.
    Doubtful,
}

/// What ends a list besides its closing bracket: the beginning of what follows when that bracket
/// was forgotten or is not due yet.
#[derive(Clone, Copy)]
pub(super) struct Stop {
    pub(super) marks: &'static [u8],
    pub(super) words: bool,
}

impl Stop {
    pub(super) const NONE: Self = Self {
        marks: &[],
        words: false,
    };
}

/// What is known of a list after reading it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// All items were read well.
    pub(super) items: bool,
    /// At least their number is sure.
    pub(super) count: bool,
}

impl Known {
    pub(super) const ALL: Self = Self {
        items: true,
        count: true,
    };
    pub(super) const NOTHING: Self = Self {
        items: false,
        count: false,
    };
}

pub(super) struct Reader<'t, 'r> {
    pub(super) text: &'t str,
    pub(super) lexer: Lexer<'t>,
    /// The token that is read next.
    pub(super) token: Token,
    /// Where the token before it ended.
    pub(super) last_end: usize,
    pub(super) rules: Rules,
    /// Whether XLA's validation follows the reading.
    pub(super) validate: bool,
    /// In how many tuples the next token stands.
    pub(super) tuples: usize,
    /// Whether more text may follow the shape.
    pub(super) prefix: bool,
    report: &'r mut dyn FnMut(Error),
    errors: usize,
    /// Where the token begins that was blamed last.
    blamed: Option<usize>,
    /// How many brackets of each kind are open, in the sequence of `BRACKETS`.
    open: [usize; 4],
}

impl<'t, 'r> Reader<'t, 'r> {
    pub(super) fn new(
        text: &'t str,
        rules: Rules,
        validate: bool,
        report: &'r mut dyn FnMut(Error),
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
    pub(super) fn say(&mut self, kind: ErrorKind, span: Span) {
        if self.errors < MAX_ERRORS {
            (self.report)(Error::new(kind, Some(span)));
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
        match self.token.tok {
            // These are wrong wherever they stand, and say more than what was expected instead.
            Tok::OpenComment => self.say(ErrorKind::UnterminatedComment, self.here_open_comment()),
            Tok::Quoted => self.say(
                ErrorKind::Quoted {
                    found: self.found(),
                },
                self.here(),
            ),
            _ => self.say(kind, span),
        }
    }

    /// Reports that the next token is wrong.
    pub(super) fn blame(&mut self, kind: ErrorKind) {
        self.blame_at(kind, self.here());
    }

    /// Where the next token stands.
    pub(super) fn here(&self) -> Span {
        (self.token.start, self.token.end)
    }

    fn here_open_comment(&self) -> Span {
        (self.token.start, self.token.start + 2)
    }

    /// The next token's text.
    pub(super) fn found(&self) -> Excerpt {
        Excerpt::new(self.slice(self.here()))
    }

    pub(super) fn slice(&self, span: Span) -> &'t str {
        &self.text[span.0..span.1]
    }

    // Tokens.

    pub(super) fn advance(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.end;
        if token.tok != Tok::End {
            self.token = self.lexer.next();
        }
        token
    }

    pub(super) fn at(&self, mark: u8) -> bool {
        self.token.tok == Tok::Mark(mark)
    }

    pub(super) fn eat(&mut self, mark: u8) -> bool {
        let there = self.at(mark);
        if there {
            self.advance();
        }
        there
    }

    /// The token after the next one.
    pub(super) fn second(&self) -> Token {
        let mut ahead = self.lexer;
        ahead.next()
    }

    /// Whether nothing more can be read.
    pub(super) fn at_end(&self) -> bool {
        matches!(self.token.tok, Tok::End | Tok::OpenComment)
    }

    fn at_closing(&self) -> Option<u8> {
        match self.token.tok {
            Tok::Mark(mark) if bracket_of(mark).is_some() => Some(mark),
            _ => None,
        }
    }

    /// Passes over tokens to the next comma or closing bracket outside of brackets that open on
    /// the way, or to what `stop` names.
    pub(super) fn skip_to(&mut self, stop: &[u8]) {
        let mut depth = 0usize;
        while !self.at_end() {
            if let Tok::Mark(mark) = self.token.tok {
                if depth == 0
                    && (mark == b',' || bracket_of(mark).is_some() || stop.contains(&mark))
                {
                    return;
                }
                if bracket(mark).is_some() {
                    depth += 1;
                } else if bracket_of(mark).is_some() {
                    depth -= 1;
                }
            }
            self.advance();
        }
    }

    /// Passes over a bracket, which is the next token, and all that stands in it. Answers the
    /// range of what stands inside.
    pub(super) fn skip_group(&mut self) -> Span {
        let start = self.token.end;
        let mut depth = 0usize;
        while !self.at_end() {
            if let Tok::Mark(mark) = self.token.tok {
                if bracket(mark).is_some() {
                    depth += 1;
                } else if bracket_of(mark).is_some() {
                    depth -= 1;
                }
            }
            let token = self.advance();
            if depth == 0 {
                return (start, token.start.max(start));
            }
        }
        (start, self.last_end.max(start))
    }

    // Lists.

    /// Enters a bracket, which is the next token.
    pub(super) fn enter(&mut self) -> Token {
        let open = self.advance();
        if let Tok::Mark(mark) = open.tok {
            if let Some(kind) = bracket(mark) {
                self.open[kind] += 1;
            }
        }
        open
    }

    /// Leaves the bracket that began with `open`. Reports when it is not closed here; answers
    /// whether anything closed it.
    pub(super) fn leave(&mut self, open: Token) -> bool {
        let Tok::Mark(mark) = open.tok else {
            return true;
        };
        let close = closing(mark);
        if let Some(kind) = bracket(mark) {
            self.open[kind] = self.open[kind].saturating_sub(1);
        }
        if self.eat(close) {
            return true;
        }
        let (opened, expected) = (char::from(mark), char::from(close));
        if let Some(found) = self.at_closing() {
            // A bracket of another kind: take it for this one, unless it closes an outer one.
            if bracket_of(found).is_some_and(|kind| self.open[kind] == 0) {
                let found = char::from(found);
                self.blame(ErrorKind::WrongClose {
                    open: opened,
                    close: expected,
                    found,
                });
                self.advance();
                return true;
            }
        }
        self.blame_at(
            ErrorKind::Unclosed {
                open: opened,
                close: expected,
            },
            (open.start, open.end),
        );
        false
    }

    /// Reads items separated by commas up to the closing bracket, which is left to [`leave`], or
    /// to a mark of `stop`.
    ///
    /// [`leave`]: Self::leave
    pub(super) fn items(
        &mut self,
        open: Token,
        item: Item,
        stop: Stop,
        read: &mut dyn FnMut(&mut Self) -> Read,
    ) -> Known {
        let close = match open.tok {
            Tok::Mark(mark) => closing(mark),
            _ => b')',
        };
        let mut known = Known::ALL;
        let mut comma = None;
        loop {
            let ends = self.at(close) || self.at_stop(stop);
            match self.token.tok {
                Tok::Mark(b',') => {
                    self.blame(ErrorKind::MissingItem { item });
                    known = Known::NOTHING;
                    self.advance();
                    // `[,]` is one mistake, not two.
                    if self.at(close) {
                        return known;
                    }
                    continue;
                }
                _ if ends || self.at_closing().is_some() || self.at_end() => {
                    // Nothing stands here: right if the list is empty, else after a comma.
                    if let (Some(comma), true) = (comma, ends) {
                        self.blame_at(ErrorKind::TrailingComma { item }, comma);
                    } else if comma.is_some() {
                        self.blame(ErrorKind::ExpectedItem {
                            item,
                            found: self.found(),
                        });
                        known = Known::NOTHING;
                    }
                    return known;
                }
                _ => match read(self) {
                    Read::Well => {}
                    Read::Badly => {
                        known.items = false;
                        self.skip_to(stop.marks);
                    }
                    Read::Doubtful => {
                        known = Known::NOTHING;
                        self.skip_to(stop.marks);
                    }
                },
            }
            match self.token.tok {
                Tok::Mark(b',') => comma = Some(self.here()),
                _ if self.at_closing().is_some() || self.at_stop(stop) || self.at_end() => {
                    return known;
                }
                _ => {
                    let close = char::from(close);
                    self.blame(ErrorKind::MissingComma {
                        item,
                        close,
                        found: self.found(),
                    });
                    known = Known::NOTHING;
                    // What stands here is an item, or else rubbish up to the next one.
                    let begins = matches!(self.token.tok, Tok::Int | Tok::Word | Tok::AtMost)
                        || self.at(b'?')
                        || self.at(b'(');
                    if begins {
                        continue;
                    }
                    self.skip_to(stop.marks);
                    if !self.at(b',') {
                        return known;
                    }
                    comma = Some(self.here());
                }
            }
            self.advance();
        }
    }

    fn at_stop(&self, stop: Stop) -> bool {
        match self.token.tok {
            Tok::Mark(mark) => stop.marks.contains(&mark),
            Tok::Word => stop.words,
            _ => false,
        }
    }

    // Numbers.

    /// Reads a number, or reports what stands in its place.
    pub(super) fn integer(&mut self, item: Item) -> Result<i64, Read> {
        let found = self.found();
        match self.token.tok {
            Tok::Int => match self.slice(self.here()).parse() {
                Ok(value) => {
                    self.advance();
                    Ok(value)
                }
                Err(_) => {
                    self.blame(ErrorKind::NumberTooLarge { item, found });
                    self.advance();
                    Err(Read::Badly)
                }
            },
            Tok::Number(flaw) => {
                use crate::error::NumberFlaw::{Fraction, Times};
                self.blame(ErrorKind::Number { item, found, flaw });
                self.advance();
                Err(if matches!(flaw, Fraction | Times) {
                    Read::Doubtful
                } else {
                    Read::Badly
                })
            }
            _ => {
                self.blame(ErrorKind::ExpectedItem { item, found });
                if matches!(self.token.tok, Tok::Word | Tok::Quoted | Tok::Other) {
                    self.advance();
                }
                Err(Read::Badly)
            }
        }
    }

    /// Keeps a value and its place; without a heap a list has a limit.
    pub(super) fn push<T: Copy, const N: usize>(
        &mut self,
        list: &mut List<T, N>,
        value: T,
        item: Item,
    ) -> Read {
        if list.try_push(value).is_ok() {
            return Read::Well;
        }
        let span = (self.last_end.saturating_sub(1), self.last_end);
        self.blame_at(ErrorKind::TooMany { item, limit: N }, span);
        Read::Doubtful
    }

    // The end.

    /// Nothing may stand behind a shape.
    pub(super) fn end(&mut self) {
        if self.token.tok == Tok::End {
            return;
        }
        let (tok, found) = (self.token.tok, self.found());
        let hint = match tok {
            Tok::Mark(b'(') => Hint::Parentheses,
            Tok::Mark(b'[') => Hint::Brackets,
            Tok::Mark(b',') => Hint::Comma,
            Tok::Mark(mark) if bracket_of(mark).is_some() => Hint::Close,
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
