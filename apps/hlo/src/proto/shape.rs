//! Shapes of a binary module. Each array's message is read on its own; equal bytes are read once.
//!
//! ```text
//! open = the tuples around the message, each with its members that are still to be read
//! next = the message
//! while there is a next message:
//!     without its members, it is a tuple: open it
//!     else: it is an array, and known by its bytes, or read
//!     the next message is the next member of the last open tuple; a tuple without another one is closed
//! ```

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use xlayout::shape::{PrimitiveType, Shape};
use xlayout_proto::{Proto, ShapeProto};

use super::store::{self, Field, Fields, Store};
use crate::arrays::Arrays;
use crate::tally::{Leaf, Tally};
use crate::wrong::Wrong;

/// The largest nesting depth of messages: the limit of all implementations of protos.
const DEEPEST: usize = 100;
/// The most bytes of memory that one byte of an array's message takes, as a number, a tile or a
/// split.
const EXPANSION: u64 = 100;

/// The arrays that were read, by the bytes of their messages.
#[derive(Default)]
pub(super) struct Known(HashMap<Vec<u8>, Leaf>);

impl Known {
    /// Reads a shape. The inner error is that of an array that no memory can hold.
    ///
    /// # Errors
    /// If the bytes are not a shape.
    pub(super) fn shape(
        &mut self,
        store: &mut Store,
        message: Range<u64>,
        tally: &mut Tally,
    ) -> io::Result<Result<Arrays, Wrong>> {
        let mut found = Arrays {
            paths: Some(Vec::new()),
            ..Arrays::default()
        };
        let mut open: Vec<Fields> = Vec::new();
        let mut next = Some(message);
        while let Some(message) = next.take() {
            store.take(2 * size_of::<ShapeProto>() as u64)?;
            if open.len() > DEEPEST {
                let message = format!("{} is nested more than {DEEPEST} deep", store.what);
                return Err(io::Error::other(message));
            }
            match self.one(store, message.clone(), tally)? {
                Ok(Some(leaf)) => found.leaf(leaf),
                Ok(None) => {
                    found.open();
                    open.push(Fields(message));
                }
                Err(wrong) => return Ok(Err(wrong)),
            }
            while let (None, Some(rest)) = (&next, open.last_mut()) {
                next = store.message(rest, MEMBER)?;
                if next.is_none() {
                    open.pop();
                    found.close();
                }
            }
        }
        Ok(Ok(found))
    }

    /// Reads a message without its members; `None` for a tuple.
    fn one(
        &mut self,
        store: &mut Store,
        message: Range<u64>,
        tally: &mut Tally,
    ) -> io::Result<Result<Option<Leaf>, Wrong>> {
        let (mut own, mut has_members) = (Vec::new(), false);
        let mut rest = Fields(message);
        loop {
            let begin = rest.0.start;
            match store.next(&mut rest)? {
                None => break,
                Some((MEMBER, Field::Bytes(_))) => has_members = true,
                Some(_) => {
                    store.take(EXPANSION * (rest.0.start - begin))?;
                    own.extend_from_slice(store.bytes(&(begin..rest.0.start))?);
                }
            }
        }
        if let (false, Some(&leaf)) = (has_members, self.0.get(&own)) {
            return Ok(Ok(Some(leaf)));
        }
        let mut message: ShapeProto = xlayout_proto::decode(&own)
            .map_err(|error| store::damaged(error.message().to_string()))?;
        // A buffer contains one array, as a tuple of one item does.
        let [tuple, buffer] = [PrimitiveType::Tuple, PrimitiveType::Buffer];
        if message.element_type == i32::from(buffer.number()) {
            message.element_type = tuple.number().into();
        }
        if has_members && message.element_type != i32::from(tuple.number()) {
            message.tuple_shapes.push(ShapeProto::default());
        }
        let shape = Shape::from_proto(&message)
            .map_err(|error| io::Error::other(format!("the shape of {}: {error}", store.what)))?;
        let leaf = match shape {
            Shape::Tuple(_) => return Ok(Ok(None)),
            Shape::Array(array) => match tally.array(array) {
                Ok(leaf) => leaf,
                Err(wrong) => return Ok(Err(wrong)),
            },
            _ => Leaf::NoArray,
        };
        self.0.insert(own, leaf);
        Ok(Ok(Some(leaf)))
    }
}

/// The number of the field `tuple_shapes` of `ShapeProto`.
const MEMBER: u64 = 4;
