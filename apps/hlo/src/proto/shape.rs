//! Shapes of a binary module. Each array's message is decoded on its own; equal bytes are decoded
//! once.
//!
//! ```text
//! open = the tuples around the message, each with its members that are still to be read
//! next = the message
//! while there is a next message:
//!     it is a tuple: open it
//!     else: it is an array, and known by its bytes, or read
//!     the next message is the next member of the last open tuple; a tuple without another one is
//!         closed
//! ```

use std::collections::HashMap;
use std::io;

use prost::bytes::Bytes;
use xlayout::shape::{ElementType, Shape};
use xlayout_proto::{Proto, ShapeProto};

use super::decode::{damaged, decode};
use super::message::Tuple;
use crate::arrays::Arrays;
use crate::tally::{Leaf, Tally};
use crate::wrong::Wrong;

/// The largest nesting depth of messages: the limit of all implementations of protos.
const DEEPEST: usize = 100;
/// The most bytes of the message of an array. Four of them may take 1,200 bytes of memory.
const LONGEST: usize = 64 << 10;

/// The arrays that were read, by the bytes of their messages.
#[derive(Default)]
pub(super) struct Known(HashMap<Bytes, Leaf>);

impl Known {
    /// Reads the shape of `what` into `found`, which is empty. The inner error is that of an array
    /// that no memory can hold.
    ///
    /// # Errors
    /// If the bytes are not a shape.
    pub(super) fn shape(
        &mut self,
        message: Bytes,
        what: &str,
        tally: &mut Tally,
        mut found: Arrays,
    ) -> io::Result<Result<Arrays, Wrong>> {
        let mut open: Vec<std::vec::IntoIter<Bytes>> = Vec::new();
        let mut next = Some(message);
        while let Some(message) = next.take() {
            if open.len() > DEEPEST {
                return Err(io::Error::other(format!(
                    "{what} is nested more than {DEEPEST} deep"
                )));
            }
            // A long message is that of a tuple.
            let is_short = message.len() <= LONGEST;
            if let Some(&leaf) = is_short.then(|| self.0.get(&message)).flatten() {
                found.leaf(leaf);
            } else {
                let tuple: Tuple = decode(&message)?;
                // A buffer contains one array, as a tuple of one item does.
                let tuples =
                    [ElementType::Tuple, ElementType::Buffer].map(|kind| i32::from(kind.number()));
                if tuples.contains(&tuple.element_type) {
                    noun(&tuple.without_members(), what)?;
                    found.open();
                    open.push(tuple.tuple_shapes.into_iter());
                } else {
                    match leaf(&message, what, tally)? {
                        Ok(leaf) => {
                            self.0.insert(message, leaf);
                            found.leaf(leaf);
                        }
                        Err(wrong) => return Ok(Err(wrong)),
                    }
                }
            }
            while let (None, Some(rest)) = (&next, open.last_mut()) {
                next = rest.next();
                if next.is_none() {
                    open.pop();
                    found.close();
                }
            }
        }
        Ok(Ok(found))
    }
}

/// Reads the message of a shape that is no tuple.
fn leaf(message: &Bytes, what: &str, tally: &mut Tally) -> io::Result<Result<Leaf, Wrong>> {
    if message.len() > LONGEST {
        return Err(damaged(format!(
            "an array of {what} has a message of more than 64 KiB"
        )));
    }
    let message: ShapeProto = xlayout_proto::decode(message).map_err(|e| damaged(e.message()))?;
    Ok(match noun(&message, what)? {
        Shape::Array(array) => tally.array(array),
        _ => Ok(Leaf::NoArray),
    })
}

fn noun(message: &ShapeProto, what: &str) -> io::Result<Shape> {
    Shape::from_proto(message)
        .map_err(|error| io::Error::other(format!("the shape of {what}: {error}")))
}

impl Tuple {
    /// The message of a tuple without members, to find what a tuple does not have.
    fn without_members(&self) -> ShapeProto {
        ShapeProto {
            element_type: ElementType::Tuple.number().into(),
            dimensions: self.dimensions.clone(),
            layout: self.layout.as_ref().map(|_| Box::default()),
            ..ShapeProto::default()
        }
    }
}
