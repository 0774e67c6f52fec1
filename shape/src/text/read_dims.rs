//! What comes before a layout: the element type and the dimensions.

use super::lex::{Token, TokenKind, trim, until};
use super::read::Reader;
use super::read_array::Spans;
use super::read_list::{ItemState, Known, Stop};
use crate::dims::{Dim, Dims};
use crate::element_type::ElementType;
use crate::error::{ErrorKind, Excerpt, Item, Suggestion, suggest_type};

impl Reader<'_, '_> {
    pub(super) fn element_type(&mut self) -> Option<ElementType> {
        let found = self.found();
        match self.token.tok {
            TokenKind::Word => {
                let name = self.slice(self.here());
                let element_type = ElementType::from_name(name);
                if let (None, Some(end)) = (element_type, self.end_of_path()) {
                    // `np::float32`: the last word is the type.
                    let span = (self.token.start, end.end);
                    let found = Excerpt::new(self.slice(span));
                    let last = self.slice((end.start, end.end));
                    let suggestion = match ElementType::from_name(last) {
                        Some(known) => Suggestion::Alias(known),
                        None => suggest_type(last),
                    };
                    self.blame_at(ErrorKind::UnknownType { found, suggestion }, span);
                    while self.token.start < end.start {
                        self.advance();
                    }
                } else if element_type.is_none() {
                    let suggestion = suggest_type(name);
                    let alone = self.tuples == 0 && self.second().tok == TokenKind::End;
                    self.blame(match suggestion {
                        Suggestion::None if alone => ErrorKind::WordAlone { found },
                        _ => ErrorKind::UnknownType { found, suggestion },
                    });
                }
                self.advance();
                element_type
            }
            _ => {
                self.blame(ErrorKind::MissingType { found });
                if !matches!(self.token.tok, TokenKind::Mark(_) | TokenKind::End) {
                    self.advance();
                }
                None
            }
        }
    }

    /// The last word of `np::float32`, whose first word is the next token.
    fn end_of_path(&self) -> Option<Token> {
        let mut ahead = self.lexer;
        let mut end = None;
        loop {
            let first = ahead.next();
            let second = ahead.next();
            let word = ahead.next();
            if (first.tok, second.tok, word.tok)
                != (
                    TokenKind::Mark(b':'),
                    TokenKind::Mark(b':'),
                    TokenKind::Word,
                )
            {
                return end;
            }
            end = Some(word);
        }
    }

    /// `[2,<=3,?]`
    pub(super) fn dims(
        &mut self,
        element_type: Option<ElementType>,
        spans: &mut Spans,
    ) -> (Dims, Known) {
        let mut dims = Dims::new();
        match (self.token.tok, element_type) {
            (TokenKind::Mark(b'['), _) => {}
            (TokenKind::Mark(mark @ (b'(' | b'{' | b'<')), Some(element_type)) => {
                let span = self.here();
                let text = &self.text[span.1..];
                let inside = until(text, super::read::closing(mark));
                let inside = Excerpt::new(trim(inside, b" ([{)]},"));
                let open = char::from(mark);
                self.blame(ErrorKind::WrongBracket {
                    element_type,
                    open,
                    inside,
                });
            }
            (_, element_type) => {
                if let Some(element_type) = element_type {
                    let found = self.found();
                    self.blame(ErrorKind::MissingDimensions {
                        element_type,
                        found,
                    });
                }
                return (dims, Known::NOTHING);
            }
        }
        let open = self.enter();
        // A layout may begin where `]` was forgotten.
        let stop = Stop {
            marks: if open.tok == TokenKind::Mark(b'{') {
                &[]
            } else {
                b"{"
            },
            attributes: false,
        };
        let mut known = self.items(open, Item::Dimension, stop, &mut |reader| {
            let start = reader.token.start;
            let (dim, read) = match reader.dim(dims.len()) {
                Ok(dim) => (dim, ItemState::Well),
                // It is one dimension nevertheless: keep its place.
                Err(read) => (Dim::Unbounded, read),
            };
            Self::keep_place(&mut spans.dim, (start, reader.last_end.max(start)));
            match reader.push(&mut dims, dim, Item::Dimension) {
                ItemState::Well => read,
                full => full,
            }
        });
        if !self.leave(open) {
            known = Known::NOTHING;
        }
        spans.dims = (open.start, self.last_end);
        (dims, known)
    }

    fn dim(&mut self, dimension: usize) -> Result<Dim, ItemState> {
        let start = self.token.start;
        let bounded = match self.token.tok {
            TokenKind::Mark(b'?') => {
                self.advance();
                if matches!(
                    self.token.tok,
                    TokenKind::Integer | TokenKind::AtMost | TokenKind::Mark(b'=' | b'<')
                ) {
                    return Err(self.bound_with_question_mark(start));
                }
                if self.token.tok == TokenKind::Word {
                    self.blame(ErrorKind::NamedRunTimeSize {
                        found: self.found(),
                    });
                    self.advance();
                    return Err(ItemState::Badly);
                }
                return Ok(Dim::Unbounded);
            }
            TokenKind::AtMost => {
                self.advance();
                true
            }
            TokenKind::Mark(b'(' | b'[') => return Err(self.dimensions_in_brackets()),
            TokenKind::Mark(b'<' | b'=' | b'>') => return Err(self.bound_with_other_sign()),
            _ => false,
        };
        let item = if bounded {
            Item::Bound
        } else {
            Item::Dimension
        };
        let size = self.integer(item)?;
        if self.at(b'?') {
            return Err(self.bound_with_question_mark(start));
        }
        if size < 0 {
            self.say(
                ErrorKind::NegativeDimension { dimension, size },
                (start, self.last_end),
            );
            return Err(ItemState::Badly);
        }
        Ok(if bounded {
            Dim::Bounded(size)
        } else {
            Dim::Static(size)
        })
    }

    /// `(2,3)` or `[2,3]`
    fn dimensions_in_brackets(&mut self) -> ItemState {
        let start = self.token.start;
        // What is wrong with the outer brackets was said with what is in these.
        let before = self.text[..start].trim_end().as_bytes();
        let said = matches!(before.last(), Some(b'(' | b'{' | b'<'));
        self.skip_group();
        let span = (start, self.last_end);
        let inside = Excerpt::new(trim(self.slice(span), b" ([)],"));
        if !said {
            self.say(ErrorKind::NestedDimensions { inside }, span);
        }
        ItemState::Doubtful
    }

    /// `<3`, `=<3`, `>=3`: the number belongs to the sign.
    fn bound_with_other_sign(&mut self) -> ItemState {
        self.blame(ErrorKind::BoundSign {
            found: self.found(),
        });
        while matches!(
            self.token.tok,
            TokenKind::Mark(b'<' | b'=' | b'>') | TokenKind::AtMost
        ) {
            self.advance();
        }
        if matches!(self.token.tok, TokenKind::Integer | TokenKind::Number(_)) {
            self.advance();
        }
        ItemState::Badly
    }

    /// `?8`, `?<=8` or `8?`, which begins at `start`.
    fn bound_with_question_mark(&mut self, start: usize) -> ItemState {
        while matches!(
            self.token.tok,
            TokenKind::Integer | TokenKind::AtMost | TokenKind::Mark(b'=' | b'<' | b'?')
        ) {
            self.advance();
        }
        let (found, span) = self.read_since(start);
        self.say(ErrorKind::BoundSign { found }, span);
        ItemState::Badly
    }
}
