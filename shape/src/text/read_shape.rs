//! Shapes of any kind: tuples and buffers hold other shapes.
//!
//! ```text
//! loop
//!     a group begins here: put it on the stack; if its first member begins, go on with that
//!     otherwise: read a shape that has no parts
//!     while the shape that was read last completes the group around it:
//!         take the group from the stack; it is the shape that was read last
//!     the stack is empty: this is the answer
//! ```
//!
//! The text controls how deeply groups are nested, so they are not read by recursion.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::MAX_DEPTH;
use super::lex::{Token, TokenKind};
use super::read::Reader;
use super::read_array::Leaf;
use super::read_list::{ItemState, Items, Stop};
use crate::element_type::ElementType;
use crate::error::{ErrorKind, Item};
use crate::shape::Shape;

/// What is in parentheses and not yet read to its end.
enum Group {
    /// `(f32[2], (), token[])`
    Tuple {
        open: Token,
        list: Items,
        members: Vec<Shape>,
    },
    /// `b(f32[2])`
    Buffer {
        open: Token,
        start: usize,
        inner: Option<Box<Shape>>,
    },
}

impl Reader<'_, '_> {
    /// A whole text that is one shape of any kind.
    #[inline]
    pub(super) fn whole_shape(mut self) -> Option<Shape> {
        let shape = self.shape()?;
        self.end();
        (self.errors() == 0).then_some(shape)
    }

    /// The shape at the beginning of a longer text, and where it ends.
    #[inline]
    pub(super) fn prefix(mut self) -> Option<(Shape, usize)> {
        self.prefix = true;
        let shape = self.shape()?;
        (self.errors() == 0).then_some((shape, self.last_end))
    }

    fn shape(&mut self) -> Option<Shape> {
        if self.token.tok == TokenKind::End {
            self.say(ErrorKind::Empty, (self.token.start, self.token.start));
            return None;
        }
        let mut around: Vec<Group> = Vec::new();
        loop {
            let mut read = if self.at(b'(') || self.at_buffer() {
                match self.enter_group(around.len()) {
                    Some((group, true)) => {
                        around.push(group);
                        continue;
                    }
                    Some((group, false)) => self.leave_group(group),
                    None => None,
                }
            } else {
                self.leaf().map(|leaf| match leaf {
                    Leaf::Array(array) => Shape::Array(array),
                    Leaf::Token => Shape::Token,
                    Leaf::Opaque => Shape::Opaque,
                })
            };
            loop {
                let Some(group) = around.last_mut() else {
                    return read;
                };
                if self.goes_on(group, read) {
                    break;
                }
                read = around.pop().and_then(|group| self.leave_group(group));
            }
        }
    }

    /// Enters a tuple or a buffer, and says whether a member of it begins here.
    fn enter_group(&mut self, depth: usize) -> Option<(Group, bool)> {
        let buffer = !self.at(b'(');
        if buffer {
            self.advance();
        }
        if depth == MAX_DEPTH {
            let span = self.here();
            self.skip_group();
            self.say(ErrorKind::TooDeep { limit: MAX_DEPTH }, span);
            return None;
        }
        let open = self.enter();
        if buffer {
            let start = self.token.start;
            let inner = None;
            return Some((Group::Buffer { open, start, inner }, true));
        }
        self.tuples += 1;
        let mut list = Items::new(open, Item::Member, Stop::NONE);
        let begins = self.item_begins(&mut list);
        let members = Vec::new();
        Some((
            Group::Tuple {
                open,
                list,
                members,
            },
            begins,
        ))
    }

    /// Gives a group the shape that was read for it, `None` if that failed. Answers whether another
    /// member begins here.
    fn goes_on(&mut self, group: &mut Group, read: Option<Shape>) -> bool {
        match group {
            Group::Tuple { list, members, .. } => {
                let state = match read {
                    Some(member) => {
                        members.push(member);
                        ItemState::Well
                    }
                    None => ItemState::Badly,
                };
                self.list_goes_on(list, state) && self.item_begins(list)
            }
            Group::Buffer { inner, .. } => {
                *inner = read.map(Box::new);
                false
            }
        }
    }

    fn leave_group(&mut self, group: Group) -> Option<Shape> {
        match group {
            Group::Tuple { open, members, .. } => {
                self.tuples -= 1;
                self.leave(open);
                self.no_layout(ElementType::Tuple);
                Some(Shape::Tuple(members))
            }
            Group::Buffer { open, start, inner } => self.leave_buffer(open, start, inner),
        }
    }

    fn leave_buffer(
        &mut self,
        open: Token,
        start: usize,
        inner: Option<Box<Shape>>,
    ) -> Option<Shape> {
        let end = self.last_end.max(start);
        self.close_argument(open);
        self.no_layout(ElementType::Buffer);
        let found = match *inner? {
            Shape::Array(array) => return Some(Shape::Buffer(array)),
            other => other.element_type(),
        };
        self.say(ErrorKind::BufferOfNonArray { found }, (start, end));
        None
    }
}
