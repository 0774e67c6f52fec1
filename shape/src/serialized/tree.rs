//! Shapes of any kind.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};

use super::{Fields, Written};
use crate::text::MAX_DEPTH;
use crate::{ArrayShape, Dims, ErrorKind, PrimitiveType, Shape};

fn has_text(shape: &Shape) -> bool {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => super::shape::has_text(array),
        Shape::Tuple(members) => members.iter().all(has_text),
        Shape::Token | Shape::Opaque => true,
    }
}

/// A sequence of nothing. (An array is a tuple, which has no length in binary formats.)
const NO_MEMBERS: &[()] = &[];

/// The array in a buffer, as its only member.
struct Inside<'a>(&'a ArrayShape);

impl Serialize for Inside<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_tuple(Shape::FIELDS)?;
        super::shape::write_head(
            &mut fields,
            self.0.element_type,
            &self.0.dims,
            &self.0.layout,
        )?;
        fields.serialize_element(NO_MEMBERS)?;
        fields.end()
    }
}

/// As XLA's text, `"(f32[2,3]{1,0}, token[])"`; in binary formats, and where a layout is missing,
/// as a tuple of the fields.
impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && has_text(self) {
            return serializer.collect_str(self);
        }
        if let Self::Array(array) = self {
            return Inside(array).serialize(serializer);
        }
        let mut fields = serializer.serialize_tuple(Self::FIELDS)?;
        let element_type = self.element_type_including_buffer();
        super::shape::write_head(&mut fields, element_type, &Dims::new(), &None)?;
        match self {
            Self::Tuple(members) => fields.serialize_element(members.as_slice())?,
            Self::Buffer(array) => fields.serialize_element(&[Inside(array)][..])?,
            _ => fields.serialize_element(NO_MEMBERS)?,
        }
        fields.end()
    }
}

impl Written for Shape {
    const WHAT: &'static str = "a shape such as `f32[2,3]{1,0}` or `(f32[2], token[])`";
    const FIELDS: usize = 4;

    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        text.parse()
            .map_err(|error| super::text_error(&error, text))
    }

    fn from_fields<'de, A: SeqAccess<'de>>(fields: &mut Fields<A>) -> Result<Self, A::Error> {
        let mut read = Vec::new();
        Node {
            depth: 0,
            into: &mut read,
        }
        .fields(fields)?;
        let Some(shape) = read.pop() else {
            unreachable!("a node puts one shape into the list");
        };
        match shape.validate_with_optional_layout() {
            Ok(()) => Ok(shape),
            Err(error) => Err(super::error(&error)),
        }
    }
}

/// Reads a shape and puts it behind others. What is inside is validated with the whole.
///
/// Shapes are large, and these functions call each other for each tuple around another: none holds
/// a shape on the stack meanwhile.
struct Node<'a> {
    /// In how many shapes it is.
    depth: usize,
    into: &'a mut Vec<Shape>,
}

impl Node<'_> {
    fn fields<'de, A: SeqAccess<'de>>(self, fields: &mut Fields<A>) -> Result<(), A::Error> {
        let head = boxed_head(fields)?;
        let mut members = Vec::new();
        fields.next_seed(Members {
            depth: self.depth + 1,
            into: &mut members,
        })?;
        put_together(head, members, self.into).map_err(A::Error::custom)
    }
}

#[inline(never)]
fn boxed_head<'de, A: SeqAccess<'de>>(fields: &mut Fields<A>) -> Result<Box<ArrayShape>, A::Error> {
    super::shape::read_head(fields).map(Box::new)
}

/// Makes a shape of its fields and puts it behind others.
#[inline(never)]
fn put_together(
    head: Box<ArrayShape>,
    mut members: Vec<Shape>,
    into: &mut Vec<Shape>,
) -> Result<(), Malformed> {
    let malformed = Malformed {
        kind: head.element_type,
        dimensions: head.dims.len(),
        layout: head.layout.is_some(),
        members: members.len(),
    };
    let bare = malformed.dimensions == 0 && !malformed.layout;
    into.push(match (head.element_type, members.len()) {
        (kind, 0) if kind.is_array() => Shape::Array(*head),
        (PrimitiveType::Tuple, _) if bare => Shape::Tuple(members),
        (PrimitiveType::Token, 0) if bare => Shape::Token,
        (PrimitiveType::OpaqueType, 0) if bare => Shape::Opaque,
        (PrimitiveType::Buffer, 1) if bare => match members.pop() {
            Some(Shape::Array(array)) => Shape::Buffer(array),
            _ => return Err(malformed),
        },
        _ => return Err(malformed),
    });
    Ok(())
}

/// Fields that do not go together.
struct Malformed {
    kind: PrimitiveType,
    dimensions: usize,
    layout: bool,
    members: usize,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, layout) = (self.kind, if self.layout { "a" } else { "no" });
        write!(
            f,
            "a shape of type `{kind}` with dimensions: {}, layout: {layout}, members: {}; only \
             arrays have dimensions and a layout, only tuples have members, and a buffer has one, \
             an array",
            self.dimensions, self.members,
        )
    }
}

/// The members of a shape.
struct Members<'a> {
    depth: usize,
    into: &'a mut Vec<Shape>,
}

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of shapes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { depth, into } = self;
        while items.next_element_seed(Node { depth, into })?.is_some() {}
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.depth > MAX_DEPTH {
            let kind = ErrorKind::TooDeep { limit: MAX_DEPTH };
            return Err(super::error(&crate::ParseError::new(kind, None)));
        }
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_tuple(Shape::FIELDS, self)
        }
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Shape::WHAT)
    }

    #[inline(never)]
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.into.push(Shape::from_text(text)?);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, fields: A) -> Result<(), A::Error> {
        self.fields(&mut Fields {
            fields,
            read: 0,
            what: Shape::WHAT,
        })
    }
}

/// What is read is validated; layouts may be missing.
impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::read(deserializer)
    }
}
