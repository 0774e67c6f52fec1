//! Layouts: minor_to_major and the attributes.

use super::lex::Tok;
use super::read::{Known, Read, Reader, Span, Stop};
use super::read_shape::Spans;
use crate::error::{Attribute, ErrorKind, Excerpt, Expected, Item, suggest_type};
use crate::layout::Layout;
use crate::primitive::PrimitiveType;
use crate::tile::TileDim;

/// What ends minor_to_major: the `:` before the attributes, or an attribute where it is missing.
const ATTRIBUTES_BEGIN: Stop = Stop {
    marks: b":;#*(",
    words: true,
};

impl Reader<'_, '_> {
    /// A whole text that is one layout.
    pub(super) fn whole_layout(mut self) -> Option<Layout> {
        let mut layout = Layout::new(Default::default());
        let mut spans = Spans::default();
        match self.token.tok {
            Tok::Mark(b'{') => {}
            Tok::Mark(b'<') if self.extended() => {}
            Tok::Mark(b'<') => {
                let start = self.token.start;
                self.skip_group();
                let span = (start, self.last_end);
                let found = Excerpt::new(self.slice(span));
                self.say(ErrorKind::NotXla { found }, span);
                return None;
            }
            _ => {
                let found = self.found();
                self.blame(ErrorKind::Unexpected {
                    expected: Expected::Layout,
                    found,
                });
                return None;
            }
        }
        self.layout(&mut layout, &mut spans);
        self.options(&mut layout, None, &mut spans);
        self.end();
        (self.errors() == 0).then_some(layout)
    }

    /// `{1,0:T(8,128)}` or `<1,0>`; the bracket is the next token.
    pub(super) fn layout(&mut self, layout: &mut Layout, spans: &mut Spans) -> Known {
        let open = self.enter();
        let angles = open.tok == Tok::Mark(b'<');
        let list_start = self.token.start;
        let mut order = crate::list::List::new();
        let mut known = self.items(open, Item::MinorToMajor, ATTRIBUTES_BEGIN, &mut |reader| {
            let span = reader.here();
            match reader.integer(Item::MinorToMajor) {
                Ok(dimension) => {
                    let _ = spans.order_entry.try_push(span);
                    reader.push(&mut order, dimension, Item::MinorToMajor)
                }
                Err(read) => read,
            }
        });
        layout.minor_to_major = crate::order::MinorToMajor::from_list(order);
        spans.order = (list_start, self.last_end.max(list_start));
        let dense = self.at(super::read::closing(if angles { b'<' } else { b'{' }));

        if !dense && !self.at_end() {
            if angles {
                let rest = &self.text[open.end..];
                let inside = Excerpt::new(rest[..rest.find('>').unwrap_or(rest.len())].trim());
                self.blame(ErrorKind::AttributesInAngles { inside });
                self.eat(b':');
                known = Known::NOTHING;
            } else if !self.eat(b':') && self.attribute_begins() {
                self.blame(ErrorKind::MissingColon {
                    found: self.found(),
                });
                self.eat(b';');
                // `{T(2)}` lists nothing, and that is the same mistake.
                known = if layout.minor_to_major.is_empty() {
                    Known::NOTHING
                } else {
                    known
                };
            }
            self.attributes(layout, spans);
        }
        self.leave(open);
        if dense {
            spans.order = (open.start, self.last_end);
        }
        known
    }

    fn attribute_begins(&self) -> bool {
        matches!(
            self.token.tok,
            Tok::Word | Tok::Mark(b'#' | b'*' | b'(' | b';')
        )
    }

    /// The attributes, up to a closing bracket.
    fn attributes(&mut self, layout: &mut Layout, spans: &mut Spans) {
        let mut last: Option<Attribute> = None;
        let mut seen = 0u16;
        loop {
            let start = self.token.start;
            let attribute = match self.token.tok {
                Tok::Word | Tok::Mark(b'#' | b'*') => self.attribute_name(),
                Tok::Mark(b',') => {
                    self.blame(ErrorKind::AttributeComma);
                    self.advance();
                    continue;
                }
                Tok::Mark(b'(') => {
                    let guilty = self.here();
                    let rest = &self.text[guilty.1..];
                    let inside = Excerpt::new(rest[..rest.find(')').unwrap_or(rest.len())].trim());
                    self.blame_at(ErrorKind::UnnamedTile { inside }, guilty);
                    self.skip_group();
                    continue;
                }
                Tok::Mark(b'}' | b')' | b']' | b'>') | Tok::End | Tok::OpenComment => return,
                _ => {
                    let found = self.found();
                    self.blame(ErrorKind::Unexpected {
                        expected: Expected::Attribute,
                        found,
                    });
                    self.advance();
                    while !self.attribute_begins() && !self.at(b',') && !self.at_closing_or_end() {
                        self.advance();
                    }
                    while self.at(b'(') {
                        self.skip_group();
                    }
                    continue;
                }
            };
            let Some(attribute) = attribute else { continue };
            let name = (start, self.last_end);
            let bit = 1 << attribute as u16;
            if seen & bit != 0 {
                self.say(ErrorKind::AttributeTwice { attribute }, name);
            } else if let Some(after) = last.filter(|last| *last > attribute) {
                self.say(ErrorKind::AttributeSequence { attribute, after }, name);
            } else {
                last = Some(attribute);
            }
            // A second one is read for its own mistakes, and forgotten.
            if seen & bit == 0 {
                self.attribute(attribute, name, layout, spans);
            } else {
                self.attribute(
                    attribute,
                    name,
                    &mut Layout::new(Default::default()),
                    &mut Spans::default(),
                );
            }
            seen |= bit;
        }
    }

    fn at_closing_or_end(&self) -> bool {
        self.at_end() || matches!(self.token.tok, Tok::Mark(b'}' | b')' | b']' | b'>'))
    }

    /// Reads the name of an attribute; passes over one that is none.
    fn attribute_name(&mut self) -> Option<Attribute> {
        let (name, found) = (self.slice(self.here()), self.found());
        if let Some(attribute) = Attribute::from_name(name) {
            self.advance();
            return Some(attribute);
        }
        let same = |row: &&(Attribute, &str)| row.1.eq_ignore_ascii_case(name);
        if let Some(&(attribute, _)) = Attribute::ALL.iter().find(same) {
            self.blame(ErrorKind::AttributeCase { found, attribute });
            self.advance();
            return Some(attribute);
        }
        // `S1` is meant as `S(1)`.
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        match Attribute::from_name(letters) {
            Some(attribute) if letters.len() < name.len() => {
                let found = Excerpt::new(&name[letters.len()..]);
                self.blame(ErrorKind::AttributeArgument { attribute, found });
            }
            _ => self.blame(ErrorKind::UnknownAttribute { found }),
        }
        self.advance();
        while self.at(b'(') {
            self.skip_group();
        }
        None
    }

    /// What follows the name of an attribute.
    fn attribute(
        &mut self,
        attribute: Attribute,
        name: Span,
        layout: &mut Layout,
        spans: &mut Spans,
    ) {
        if !self.at(b'(') {
            let found = self.found();
            self.blame(ErrorKind::AttributeArgument { attribute, found });
            if matches!(self.token.tok, Tok::Int | Tok::Number(_)) {
                self.advance();
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
                    self.split(layout);
                }
                // Observed in jaxlib 0.10.2; outside of tuples the same text is read.
                if self.tuples > 0 {
                    self.say(ErrorKind::SplitsInTuple, (name.0, self.last_end));
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
            _ => {
                let Some((value, span)) = self.number() else {
                    return;
                };
                match attribute {
                    Attribute::TailAlignment if value <= 0 => {
                        // XLA's reader aborts here.
                        self.say(ErrorKind::TailAlignment { alignment: value }, span);
                    }
                    Attribute::TailAlignment => {
                        layout.tail_padding_alignment_in_elements = value;
                        spans.tail = span;
                    }
                    Attribute::ElementSize => {
                        layout.element_size_in_bits = value;
                        spans.element_size = span;
                    }
                    Attribute::MemorySpace => match i8::try_from(value) {
                        Ok(space) => layout.memory_space = space,
                        // XLA wraps it: `S(300)` prints `S(44)`.
                        Err(_) => self.say(ErrorKind::MemorySpace { space: value }, span),
                    },
                    // Printing leaves 0 and less out.
                    _ => layout.dynamic_shape_metadata_prefix_bytes = value.max(0),
                }
            }
        }
    }

    /// `(100)`
    fn number(&mut self) -> Option<(i64, Span)> {
        let open = self.enter();
        let span = self.here();
        let value = self.integer(Item::Argument).ok();
        self.close_argument(open);
        value.map(|value| (value, span))
    }

    /// The closing parenthesis behind a single argument.
    fn close_argument(&mut self, open: super::lex::Token) {
        if !self.at_closing_or_end() {
            let found = self.found();
            self.blame(ErrorKind::Unexpected {
                expected: Expected::CloseParenthesis,
                found,
            });
            self.skip_to(&[]);
            while self.at(b',') {
                self.advance();
                self.skip_to(&[]);
            }
        }
        self.leave(open);
    }

    /// `(u32)`
    fn type_argument(&mut self) -> Option<PrimitiveType> {
        let open = self.enter();
        let found = self.found();
        let mut read = None;
        if self.token.tok == Tok::Word {
            let name = self.slice(self.here());
            read = PrimitiveType::from_name(name);
            if read.is_none() {
                let suggestion = suggest_type(name);
                self.blame(ErrorKind::UnknownType { found, suggestion });
            }
            self.advance();
        } else {
            self.blame(ErrorKind::MissingType { found });
        }
        self.close_argument(open);
        read
    }

    /// `(8,128)`, `(*,2)`
    fn tile(&mut self, layout: &mut Layout, spans: &mut Spans) {
        let open = self.enter();
        let tiles = &mut layout.tiles;
        self.items(open, Item::Tile, Stop::NONE, &mut |reader| {
            let span = reader.here();
            let (entry, mut read) = if reader.eat(b'*') {
                (TileDim::Combine, Read::Well)
            } else {
                match reader.integer(Item::Tile) {
                    Ok(size @ ..0) => {
                        reader.say(ErrorKind::NegativeTile { size }, span);
                        (TileDim::Size(1), Read::Badly)
                    }
                    Ok(size) => (TileDim::Size(size), Read::Well),
                    Err(read) => (TileDim::Size(1), read),
                }
            };
            let _ = spans.tile_entry.try_push(span);
            if tiles.push_entry(entry).is_err() {
                reader.blame_at(
                    ErrorKind::TooMany {
                        item: Item::Tile,
                        limit: 12,
                    },
                    span,
                );
                read = Read::Doubtful;
            }
            read
        });
        // `T(,)`, `T(x)`: what it holds was complained about, so it must not be called empty.
        let ends = tiles.end_tile();
        self.leave(open);
        let span = (open.start, self.last_end);
        let _ = spans.tile.try_push(span);
        if ends.is_err() {
            self.blame_at(
                ErrorKind::TooMany {
                    item: Item::Tile,
                    limit: 4,
                },
                span,
            );
        }
    }

    /// `(1:40,130)`
    fn split(&mut self, layout: &mut Layout) {
        let open = self.enter();
        let dimension = self.integer(Item::SplitDimension);
        if dimension.is_err() {
            self.skip_to(b":");
        }
        if !self.eat(b':') {
            let found = self.found();
            self.blame(ErrorKind::Unexpected {
                expected: Expected::SplitColon,
                found,
            });
            self.skip_to(b":");
            self.eat(b':');
        }
        let splits = &mut layout.split_configs;
        let mut full = false;
        self.items(
            open,
            Item::SplitIndex,
            Stop::NONE,
            &mut |reader| match reader.integer(Item::SplitIndex) {
                Ok(at) => {
                    full |= splits.push_index(at).is_err();
                    Read::Well
                }
                Err(read) => read,
            },
        );
        full |= splits.end_split(dimension.unwrap_or(0)).is_err();
        self.leave(open);
        if full {
            let span = (open.start, self.last_end);
            self.blame_at(
                ErrorKind::TooMany {
                    item: Item::SplitIndex,
                    limit: 8,
                },
                span,
            );
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
                return Read::Badly;
            }
            sparse |= level != "D";
            reader.advance();
            sparse |= reader.eat(b'+') | reader.eat(b'~');
            Read::Well
        });
        self.leave(open);
        if sparse {
            let attribute = Attribute::Levels;
            self.say(ErrorKind::Sparse { attribute }, (name.0, self.last_end));
        }
    }
}
