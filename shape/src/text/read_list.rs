//! Lists in brackets, and the numbers in them.

use super::lex::{Token, TokenKind};
use super::read::{Reader, Span, bracket, bracket_of, closing};
use crate::error::{ErrorKind, Excerpt, Item, whole_part};
use crate::list::List;

/// How an item of a list was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ItemState {
    /// As it should be.
    Well,
    /// Wrongly, but it is one item: the list is as long as it was meant to be.
    Badly,
    /// It may mean any number of items.
    Doubtful,
}

/// What ends a list besides its closing bracket: the beginning of what follows when that bracket
/// was forgotten or is not due yet.
#[derive(Clone, Copy)]
pub(super) struct Stop {
    pub(super) marks: &'static [u8],
    /// A word that is the name of an attribute ends the list, too.
    pub(super) attributes: bool,
}

impl Stop {
    pub(super) const NONE: Self = Self {
        marks: &[],
        attributes: false,
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

/// A list that is read.
pub(super) struct Items {
    close: u8,
    item: Item,
    stop: Stop,
    known: Known,
    /// The last comma.
    comma: Option<Span>,
}

impl Items {
    /// The list after this bracket.
    pub(super) fn new(open: Token, item: Item, stop: Stop) -> Self {
        let close = match open.tok {
            TokenKind::Mark(mark) => closing(mark),
            _ => b')',
        };
        Self {
            close,
            item,
            stop,
            known: Known::ALL,
            comma: None,
        }
    }
}

impl Reader<'_, '_> {
    /// Enters a bracket, which is the next token.
    pub(super) fn enter(&mut self) -> Token {
        let open = self.advance();
        if let TokenKind::Mark(mark) = open.tok
            && let Some(kind) = bracket(mark)
        {
            self.open[kind] += 1;
        }
        open
    }

    /// Leaves the bracket that began with `open`. Reports when it is not closed here; answers
    /// whether anything closed it.
    pub(super) fn leave(&mut self, open: Token) -> bool {
        let TokenKind::Mark(mark) = open.tok else {
            return true;
        };
        let close = closing(mark);
        if let Some(kind) = bracket(mark) {
            self.open[kind] = self.open[kind].saturating_sub(1);
        }
        if self.eat(close) {
            return true;
        }
        let opened = char::from(mark);
        let expected = char::from(close);
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
        read: &mut dyn FnMut(&mut Self) -> ItemState,
    ) -> Known {
        let mut list = Items::new(open, item, stop);
        while self.item_begins(&mut list) {
            let state = read(self);
            if !self.list_goes_on(&mut list, state) {
                break;
            }
        }
        list.known
    }

    /// Whether an item of the list begins here. If not, the list ends.
    pub(super) fn item_begins(&mut self, list: &mut Items) -> bool {
        let Items {
            close, item, stop, ..
        } = *list;
        while self.at(b',') {
            self.blame(ErrorKind::MissingItem { item });
            list.known = Known::NOTHING;
            self.advance();
            // `[,]` is one mistake, not two.
            if self.at(close) {
                return false;
            }
        }
        let ends = self.at(close) || self.at_stop(stop);
        if !ends && self.at_closing().is_none() && !self.at_end() {
            return true;
        }
        // Nothing is here: right if the list is empty, else after a comma.
        if let (Some(comma), true) = (list.comma, ends) {
            // `{1,0,T(8)}`: a `:` belongs there.
            let attributes = stop.attributes && !self.at(close);
            let kind = if attributes {
                ErrorKind::MissingColon {
                    found: Excerpt::new(","),
                }
            } else {
                ErrorKind::TrailingComma { item }
            };
            self.blame_at(kind, comma);
        } else if list.comma.is_some() {
            self.blame(ErrorKind::ExpectedItem {
                item,
                found: self.found(),
            });
            list.known = Known::NOTHING;
        }
        false
    }

    /// Passes over the comma after an item that was read like this. `false` if the list ends.
    pub(super) fn list_goes_on(&mut self, list: &mut Items, state: ItemState) -> bool {
        let Items {
            close, item, stop, ..
        } = *list;
        match state {
            ItemState::Well => {}
            ItemState::Badly => {
                list.known.items = false;
                self.skip_to(stop.marks);
            }
            ItemState::Doubtful => {
                list.known = Known::NOTHING;
                self.skip_to(stop.marks);
            }
        }
        if !self.at(b',') {
            if self.at_closing().is_some() || self.at_stop(stop) || self.at_end() {
                return false;
            }
            let close = char::from(close);
            self.blame(ErrorKind::MissingComma {
                item,
                close,
                found: self.found(),
            });
            list.known = Known::NOTHING;
            // `[2;3]`: meant as a comma.
            if !self.at(b';') {
                // What is here is an item, or else rubbish up to the next one.
                let begins = matches!(
                    self.token.tok,
                    TokenKind::Integer | TokenKind::Word | TokenKind::AtMost
                ) || self.at(b'?')
                    || self.at(b'(');
                if begins {
                    return true;
                }
                self.skip_to(stop.marks);
                if !self.at(b',') {
                    return false;
                }
            }
        }
        list.comma = Some(self.here());
        self.advance();
        true
    }

    fn at_stop(&self, stop: Stop) -> bool {
        match self.token.tok {
            // `{1,0;T(2)}` begins the attributes, `{1;0}` does not.
            TokenKind::Mark(b';') => stop.attributes && self.second().tok == TokenKind::Word,
            TokenKind::Mark(mark) => stop.marks.contains(&mark),
            TokenKind::Word => stop.attributes && self.at_attribute(),
            _ => false,
        }
    }

    // Numbers.

    /// Reads a number, or reports what is in its place.
    pub fn integer(&mut self, item: Item) -> Result<i64, ItemState> {
        let found = self.found();
        match self.token.tok {
            TokenKind::Integer => match self.slice(self.here()).parse() {
                Ok(value) => {
                    self.advance();
                    Ok(value)
                }
                Err(_) => {
                    self.blame(ErrorKind::NumberTooLarge { item, found });
                    self.advance();
                    Err(ItemState::Badly)
                }
            },
            TokenKind::Number(flaw) => {
                use crate::error::NumberFlaw::{Fraction, Times};
                self.blame(ErrorKind::Number { item, found, flaw });
                self.advance();
                // `2.0` is one item; `2.3` may be two.
                let whole = whole_part(found.as_str()).is_some();
                Err(if matches!(flaw, Fraction | Times) && !whole {
                    ItemState::Doubtful
                } else {
                    ItemState::Badly
                })
            }
            _ => {
                self.blame(ErrorKind::ExpectedItem { item, found });
                if matches!(
                    self.token.tok,
                    TokenKind::Word | TokenKind::Quoted | TokenKind::Other
                ) {
                    self.advance();
                }
                Err(ItemState::Badly)
            }
        }
    }

    /// Keeps a value and its place; without a heap a list has a limit.
    pub(super) fn push<T: Copy, const N: usize>(
        &mut self,
        list: &mut List<T, N>,
        value: T,
        item: Item,
    ) -> ItemState {
        if list.try_push(value).is_ok() {
            return ItemState::Well;
        }
        let span = (self.last_end.saturating_sub(1), self.last_end);
        self.too_many(item, N, span);
        ItemState::Doubtful
    }
}
