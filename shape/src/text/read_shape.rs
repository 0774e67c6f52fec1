//! Shapes of any kind: tuples and buffers hold other shapes.

use alloc::vec::Vec;

use super::MAX_DEPTH;
use super::lex::TokenKind;
use super::read::Reader;
use super::read_array::Leaf;
use super::read_list::{ItemState, Stop};
use crate::error::{ErrorKind, Expected, Item, NotAnArray};
use crate::primitive::PrimitiveType;
use crate::shape::Shape;

impl Reader<'_, '_> {
    /// A whole text that is one shape of any kind.
    #[inline]
    pub(super) fn whole_shape(mut self) -> Option<Shape> {
        if self.token.tok == TokenKind::End {
            self.say(ErrorKind::Empty, (self.token.start, self.token.start));
            return None;
        }
        let shape = self.shape(0)?;
        self.end();
        (self.errors() == 0).then_some(shape)
    }

    /// The shape at the beginning of a longer text, and where it ends.
    #[inline]
    pub(super) fn prefix(mut self) -> Option<(Shape, usize)> {
        self.prefix = true;
        if self.token.tok == TokenKind::End {
            self.say(ErrorKind::Empty, (self.token.start, self.token.start));
            return None;
        }
        let shape = self.shape(0)?;
        (self.errors() == 0).then_some((shape, self.last_end))
    }

    #[inline]
    fn shape(&mut self, depth: usize) -> Option<Shape> {
        if self.at(b'(') {
            return self.tuple(depth).map(Shape::Tuple);
        }
        if self.at_buffer() {
            return self.buffer(depth);
        }
        Some(match self.leaf()? {
            Leaf::Array(array) => Shape::Array(array),
            Leaf::Token => Shape::Token,
            Leaf::Opaque => Shape::Opaque,
        })
    }

    /// `(f32[2], (), token[])`
    #[inline]
    fn tuple(&mut self, depth: usize) -> Option<Vec<Shape>> {
        if depth == MAX_DEPTH {
            let span = self.here();
            self.skip_group();
            self.say(ErrorKind::TooDeep { limit: MAX_DEPTH }, span);
            return None;
        }
        let open = self.enter();
        self.tuples += 1;
        let mut members = Vec::new();
        self.items(
            open,
            Item::Member,
            Stop::NONE,
            &mut |reader| match reader.shape(depth + 1) {
                Some(member) => {
                    members.push(member);
                    ItemState::Well
                }
                None => ItemState::Badly,
            },
        );
        self.tuples -= 1;
        self.leave(open);
        self.no_layout(PrimitiveType::Tuple);
        Some(members)
    }

    /// `b(f32[2])`
    #[inline]
    fn buffer(&mut self, depth: usize) -> Option<Shape> {
        self.advance();
        if depth == MAX_DEPTH {
            let span = self.here();
            self.skip_group();
            self.say(ErrorKind::TooDeep { limit: MAX_DEPTH }, span);
            return None;
        }
        let open = self.enter();
        let start = self.token.start;
        let inner = self.shape(depth + 1);
        let end = self.last_end.max(start);
        if !self.at(b')') && !self.at_end() {
            let expected = Expected::CloseParenthesis;
            self.blame(ErrorKind::Unexpected {
                expected,
                found: self.found(),
            });
            while self.at(b',') {
                self.advance();
                self.skip_to(&[]);
            }
        }
        self.leave(open);
        self.no_layout(PrimitiveType::Buffer);
        let found = match inner? {
            Shape::Array(array) => return Some(Shape::Buffer(array)),
            Shape::Tuple(_) => NotAnArray::Tuple,
            Shape::Token => NotAnArray::Token,
            Shape::Opaque => NotAnArray::Opaque,
            Shape::Buffer(_) => NotAnArray::Buffer,
        };
        self.say(ErrorKind::BufferOfNonArray { found }, (start, end));
        None
    }
}
