//! What follows the names of attributes.

use super::lex::{Token, TokenKind};
use super::read::{Reader, Span};
use super::read_array::Spans;
use super::read_list::{ItemState, Stop};
use crate::element_type::ElementType;
use crate::error::{Attribute, ErrorKind, Expected, Item, suggest_type};
use crate::layout::Layout;
use crate::tile::TileDim;

impl Reader<'_, '_> {
    /// What follows the name of an attribute.
    pub(super) fn attribute(
        &mut self,
        attribute: Attribute,
        name: Span,
        layout: &mut Layout,
        spans: &mut Spans,
    ) {
        if !self.at(b'(') {
            let found = self.found();
            self.blame(ErrorKind::AttributeArgument { attribute, found });
            match self.token.tok {
                TokenKind::Integer | TokenKind::Number(_) => {
                    self.advance();
                }
                // `T[8,128]`: the other brackets are the whole mistake.
                TokenKind::Mark(b'[' | b'{' | b'<') => self.skip_group(),
                _ => {}
            }
            return;
        }
        match attribute {
            Attribute::Tiles => {
                while self.at(b'(') {
                    self.tile(layout, spans);
                }
            }
            Attribute::Splits => {
                while self.at(b'(') {
                    self.split(layout, spans);
                }
            }
            Attribute::IndexType => {
                layout.index_primitive_type = self.type_argument();
                spans.index_type = (name.0, self.last_end);
            }
            Attribute::PointerType => {
                layout.pointer_primitive_type = self.type_argument();
                spans.pointer_type = (name.0, self.last_end);
            }
            Attribute::Levels => self.levels(name),
            Attribute::PhysicalShape => {
                self.skip_group();
                self.say(ErrorKind::Sparse { attribute }, (name.0, self.last_end));
            }
            _ => self.number_attribute(attribute, layout, spans),
        }
    }

    /// The argument of an attribute that is a number.
    fn number_attribute(&mut self, attribute: Attribute, layout: &mut Layout, spans: &mut Spans) {
        let Some((value, span)) = self.number() else {
            return;
        };
        match attribute {
            // XLA's reader aborts here.
            Attribute::TailAlignment if value <= 0 => {
                self.say(ErrorKind::TailAlignment { alignment: value }, span);
                return;
            }
            // XLA wraps it: `S(300)` prints `S(44)`.
            Attribute::MemorySpace if i8::try_from(value).is_err() => {
                self.say(ErrorKind::MemorySpace { space: value }, span);
                return;
            }
            Attribute::TailAlignment => spans.tail = span,
            Attribute::ElementSize => spans.element_size = span,
            _ => {}
        }
        layout.set_number(attribute, value);
    }

    /// `(100)`
    fn number(&mut self) -> Option<(i64, Span)> {
        let open = self.enter();
        let span = self.here();
        let value = self.integer(Item::Argument).ok();
        self.close_argument(open);
        value.map(|value| (value, span))
    }

    /// The closing parenthesis after a single argument.
    pub(super) fn close_argument(&mut self, open: Token) {
        if !self.at_closing_or_end() {
            self.unexpected(Expected::CloseParenthesis);
            self.skip_to(&[]);
            while self.at(b',') {
                self.advance();
                self.skip_to(&[]);
            }
        }
        self.leave(open);
    }

    /// `(u32)`
    fn type_argument(&mut self) -> Option<ElementType> {
        let open = self.enter();
        let found = self.found();
        let mut read = None;
        if self.token.tok == TokenKind::Word {
            let name = self.slice(self.here());
            read = ElementType::from_name(name);
            if read.is_none() {
                let suggestion = suggest_type(name);
                self.blame(ErrorKind::UnknownType { found, suggestion });
            }
            self.advance();
        } else {
            self.unexpected(Expected::Type);
        }
        self.close_argument(open);
        read
    }

    /// `(8,128)`, `(*,2)`
    fn tile(&mut self, layout: &mut Layout, spans: &mut Spans) {
        let open = self.enter();
        let tiles = &mut layout.tiles;
        let known = self.items(open, Item::Tile, Stop::NONE, &mut |reader| {
            let span = reader.here();
            let (entry, mut read) = if reader.eat(b'*') {
                (TileDim::Combine, ItemState::Well)
            } else {
                match reader.integer(Item::Tile) {
                    Ok(size @ ..0) => {
                        reader.say(ErrorKind::NegativeTile { size }, span);
                        (TileDim::Size(1), ItemState::Badly)
                    }
                    Ok(size) => (TileDim::Size(size), ItemState::Well),
                    Err(read) => (TileDim::Size(1), read),
                }
            };
            Self::keep_place(&mut spans.tile_entry, span);
            if tiles.push_entry(entry).is_err() {
                reader.too_many(Item::Tile, 12, span);
                read = ItemState::Doubtful;
            }
            read
        });
        if !known.items && layout.tiles.is_fully_empty() {
            // `T(,)`: what it holds was complained about, so it must not be called empty.
            if layout.tiles.push_entry(TileDim::Size(1)).is_err() {
                unreachable!("an empty list takes an entry");
            }
        }
        let ends = layout.tiles.end_tile();
        self.leave(open);
        let span = (open.start, self.last_end);
        Self::keep_place(&mut spans.tile, span);
        if ends.is_err() {
            self.too_many(Item::WholeTile, 4, span);
        }
    }

    /// `(1:40,130)`
    fn split(&mut self, layout: &mut Layout, spans: &mut Spans) {
        let open = self.enter();
        let dimension = self.integer(Item::SplitDimension);
        if dimension.is_err() {
            self.skip_to(b":");
        }
        if !self.eat(b':') {
            self.unexpected(Expected::SplitColon);
            self.skip_to(b":");
            self.eat(b':');
        }
        let splits = &mut layout.split_configs;
        self.items(open, Item::SplitIndex, Stop::NONE, &mut |reader| {
            let span = reader.here();
            match reader.integer(Item::SplitIndex) {
                Ok(at) => {
                    let _ = spans.split_index.try_push(span);
                    if splits.push_index(at).is_err() {
                        reader.too_many(Item::SplitIndex, 8, span);
                    }
                    ItemState::Well
                }
                Err(read) => read,
            }
        });
        let ends = splits.end_split(dimension.unwrap_or(0));
        self.leave(open);
        let _ = spans.split.try_push((open.start, self.last_end));
        if spans.splits == Span::default() {
            spans.splits.0 = open.start;
        }
        spans.splits.1 = self.last_end;
        if ends.is_err() {
            self.too_many(Item::WholeSplit, 2, (open.start, self.last_end));
        }
    }

    /// `(D,D)`: dense levels say nothing, others are of sparse layouts.
    fn levels(&mut self, name: Span) {
        let open = self.enter();
        let mut sparse = false;
        self.items(open, Item::Level, Stop::NONE, &mut |reader| {
            let level = reader.slice(reader.here());
            if !matches!(level, "D" | "C" | "S" | "H") {
                reader.blame(ErrorKind::ExpectedItem {
                    item: Item::Level,
                    found: reader.found(),
                });
                return ItemState::Badly;
            }
            sparse |= level != "D";
            reader.advance();
            sparse |= reader.eat(b'+') | reader.eat(b'~');
            ItemState::Well
        });
        self.leave(open);
        if sparse {
            let attribute = Attribute::Levels;
            self.say(ErrorKind::Sparse { attribute }, (name.0, self.last_end));
        }
    }
}
