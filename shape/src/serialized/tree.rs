//! Shapes of any kind: a list of nodes, a tuple before its members.
//!
//! ```text
//! read: for each node
//!     a tuple with members: open it
//!     another shape: it is the next member of the innermost open tuple
//!     while the innermost open tuple has all its members: close it, it is the next member of the next
//! ```
//!
//! A list of nodes, instead of nodes in nodes, because serde reads and writes what is nested by recursion,
//! and the input controls how deeply.

use core::fmt;

use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, SerializeTuple, Serializer};

use super::{Fields, Written};
use crate::shape::{Build, Step};
use crate::text::MAX_DEPTH;
use crate::{ArrayShape, Dims, ErrorKind, PrimitiveType, Shape};

fn has_text(shape: &Shape) -> bool {
    let mut arrays = shape.leaves().filter_map(Shape::as_array_or_buffer);
    arrays.all(super::shape::has_text)
}

/// One shape without its members.
enum Node<'a> {
    Array(&'a ArrayShape),
    Other(PrimitiveType, usize),
}

/// A tuple of four fields: the fields of an array, and the number of members.
impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_tuple(OwnedNode::FIELDS)?;
        let members = match self {
            Self::Array(array) => {
                super::shape::write_head(
                    &mut fields,
                    array.element_type,
                    &array.dims,
                    &array.layout,
                )?;
                0
            }
            Self::Other(kind, members) => {
                super::shape::write_head(&mut fields, *kind, &Dims::new(), &None)?;
                *members
            }
        };
        fields.serialize_element(&(members as u64))?;
        fields.end()
    }
}

/// As XLA's text, `"(f32[2,3]{1,0}, token[])"`; in binary formats, and where a layout is missing,
/// as a list of nodes.
impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && has_text(self) {
            return serializer.collect_str(self);
        }
        let nodes = self.walk().map(|step| match step {
            Step::Leaf(Self::Buffer(_), _) => 2,
            Step::Open(..) | Step::Leaf(..) => 1,
            Step::Close(_) => 0,
        });
        let mut list = serializer.serialize_seq(Some(nodes.sum()))?;
        for step in self.walk() {
            match step {
                Step::Leaf(Self::Array(array), _) => list.serialize_element(&Node::Array(array))?,
                Step::Leaf(Self::Buffer(array), _) => {
                    list.serialize_element(&Node::Other(PrimitiveType::Buffer, 1))?;
                    list.serialize_element(&Node::Array(array))?;
                }
                Step::Open(shape, _) | Step::Leaf(shape, _) => {
                    let members = shape.tuple_shapes().map_or(0, <[Self]>::len);
                    list.serialize_element(&Node::Other(shape.element_type(), members))?;
                }
                Step::Close(_) => {}
            }
        }
        list.end()
    }
}

/// What [`Node`] writes.
struct OwnedNode {
    head: ArrayShape,
    members: u64,
}

impl OwnedNode {
    const FIELDS: usize = 4;

    fn error<E: Error>(&self) -> E {
        let (kind, members) = (self.head.element_type, self.members);
        let dimensions = self.head.dims.len();
        let layout = if self.head.layout.is_some() {
            "a"
        } else {
            "no"
        };
        E::custom(format_args!(
            "a shape of type `{kind}` with dimensions: {dimensions}, layout: {layout}, members: \
             {members}; only arrays have dimensions and a layout, only tuples have members, and a \
             buffer has one, an array"
        ))
    }
}

impl<'de> Deserialize<'de> for OwnedNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(Self::FIELDS, NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = OwnedNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an element type, dimensions, a layout and the number of members")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, fields: A) -> Result<OwnedNode, A::Error> {
        let mut fields = Fields {
            fields,
            read: 0,
            what: "an element type, dimensions, a layout and the number of members",
        };
        Ok(OwnedNode {
            head: super::shape::read_head(&mut fields)?,
            members: fields.next()?,
        })
    }
}

impl Written for Shape {
    const WHAT: &'static str = "a shape such as `f32[2,3]{1,0}` or `(f32[2], token[])`";
    const FIELDS: Option<usize> = None;

    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        text.parse()
            .map_err(|error| super::text_error(&error, text))
    }

    fn from_fields<'de, A: SeqAccess<'de>>(nodes: &mut Fields<A>) -> Result<Self, A::Error> {
        let mut build = Build::default();
        // How many members each open tuple still lacks.
        let mut lacking: Vec<u64> = Vec::new();
        let shape = loop {
            let node: OwnedNode = nodes.next()?;
            let bare = node.head.dims.is_empty() && node.head.layout.is_none();
            let read = match (node.head.element_type, node.members) {
                (PrimitiveType::Tuple, members) if bare => {
                    if lacking.len() == MAX_DEPTH {
                        let kind = ErrorKind::TooDeep { limit: MAX_DEPTH };
                        return Err(super::error(&crate::ParseError::new(kind, None)));
                    }
                    // The number is not trusted: memory grows with what is read.
                    build.open(0);
                    lacking.push(members);
                    None
                }
                (PrimitiveType::Buffer, 1) if bare => {
                    let inner: OwnedNode = nodes.next()?;
                    if !inner.head.element_type.is_array() || inner.members != 0 {
                        return Err(node.error());
                    }
                    Some(Self::Buffer(inner.head))
                }
                (PrimitiveType::Token, 0) if bare => Some(Self::Token),
                (PrimitiveType::OpaqueType, 0) if bare => Some(Self::Opaque),
                (kind, 0) if kind.is_array() => Some(Self::Array(node.head)),
                _ => return Err(node.error()),
            };
            let mut whole = None;
            if let Some(shape) = read {
                whole = build.put(shape);
                if let Some(left) = lacking.last_mut() {
                    *left -= 1;
                }
            }
            while let Some(0) = lacking.last() {
                lacking.pop();
                whole = build.close();
                if let Some(left) = lacking.last_mut() {
                    *left -= 1;
                }
            }
            if let Some(whole) = whole {
                break whole;
            }
        };
        nodes.end::<OwnedNode>()?;
        match shape.validate_with_optional_layout() {
            Ok(()) => Ok(shape),
            Err(error) => Err(super::error(&error)),
        }
    }
}

/// What is read is validated; layouts may be missing.
impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::read(deserializer)
    }
}
