//! Errors: which field, what was found in it, and what to write instead.

mod words;

use words::Help;

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Display;

use prost::DecodeError;
use xlayout_core::{CapacityError, PrimitiveType};
use xlayout_sharding::ShardingErrorKind;

/// A mistake in a message, or in the bytes of one.
///
/// `{}` shows it in one line; `{:#}` adds what to write instead.
///
/// ```
/// use xlayout_core::Shape;
/// use xlayout_proto::{Proto, ShapeProto};
///
/// let mut message = "(f32[2,3], s32[])".parse::<Shape>()?.to_proto();
/// message.tuple_shapes[0].is_dynamic_dimension.pop();
/// let error = Shape::from_proto(&message).unwrap_err();
/// assert_eq!(error.path(), "tuple_shapes[0].is_dynamic_dimension");
/// assert_eq!(
///     format!("{error:#}"),
///     "`tuple_shapes[0].is_dynamic_dimension` has 1 entry, but the shape has 2 dimensions\n\
///      help: give one entry for each dimension, or none at all",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtoError {
    path: String,
    kind: ProtoErrorKind,
}

/// What is wrong with a message, to match on.
///
/// ```
/// use xlayout_core::{PrimitiveType, Shape};
/// use xlayout_proto::{Proto, ProtoErrorKind, ShapeProto};
///
/// let error = Shape::from_proto(&ShapeProto::default()).unwrap_err();
/// assert_eq!(error.kind(), &ProtoErrorKind::NoElementType);
/// assert!(error.help().to_string().contains("11 for f32"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtoErrorKind {
    /// The bytes are no message of this kind. The path names the field as far as it is known,
    /// without the places in lists.
    Malformed {
        /// The name of the message.
        message: &'static str,
        /// What prost says.
        error: DecodeError,
    },
    /// Messages are nested more than [`MAX_DEPTH`](crate::MAX_DEPTH) deep.
    TooDeep,
    /// The number of an enum that has no such number.
    UnknownNumber {
        /// XLA's name of the enum.
        of: &'static str,
        /// The number.
        number: i32,
    },
    /// The element type is not set, or `PRIMITIVE_TYPE_INVALID`.
    NoElementType,
    /// An array was wanted, and something else was found.
    NotAnArray {
        /// The type that was found.
        element_type: PrimitiveType,
    },
    /// A field is set that a shape of this type does not have.
    NotInShape {
        /// The type of the shape.
        element_type: PrimitiveType,
    },
    /// A list of another length than the number of dimensions.
    Length {
        /// The entries of the list.
        entries: usize,
        /// The dimensions of the shape.
        dimensions: usize,
    },
    /// A negative size, or the mark of an unbounded dimension on one that is not dynamic.
    Size {
        /// The size.
        size: i64,
    },
    /// A negative entry of a tile other than the mark for `*`.
    TileSize {
        /// The entry.
        size: i64,
    },
    /// A negative tail padding alignment.
    TailAlignment {
        /// The alignment.
        alignment: i64,
    },
    /// A memory space that does not fit in 8 bits.
    MemorySpace {
        /// The memory space.
        space: i64,
    },
    /// The field makes the array sparse. XLA has removed sparse arrays.
    Sparse,
    /// A buffer does not hold exactly one shape.
    BufferShapes {
        /// The shapes that it holds.
        shapes: usize,
    },
    /// A program has no result.
    NoResult,
    /// There are names, but not one for each parameter.
    ParameterNames {
        /// The names.
        names: usize,
        /// The parameters.
        parameters: usize,
    },
    /// The tiles or the devices of a sharding are wrong.
    Sharding(ShardingErrorKind),
    /// A list of the core crate is full. Cannot happen: it takes a core crate without a heap.
    #[doc(hidden)]
    CapacityError(CapacityError),
}

impl ProtoError {
    /// An error in the message itself; what contains it adds the path.
    pub(crate) const fn new(kind: ProtoErrorKind) -> Self {
        Self {
            path: String::new(),
            kind,
        }
    }

    /// An error in this field.
    pub(crate) fn at(field: &str, kind: ProtoErrorKind) -> Self {
        Self {
            path: field.into(),
            kind,
        }
    }

    /// An error in an entry of this field.
    pub(crate) fn at_item(field: &str, k: usize, kind: ProtoErrorKind) -> Self {
        Self {
            path: format!("{field}[{k}]"),
            kind,
        }
    }

    /// The same error, seen from the message around it.
    pub(crate) fn within(mut self, field: &str) -> Self {
        if !self.path.is_empty() {
            self.path.insert(0, '.');
        }
        self.path.insert_str(0, field);
        self
    }

    /// The same error, seen from the message around it, where this is an entry of a list.
    pub(crate) fn within_item(self, field: &str, k: usize) -> Self {
        self.within(&format!("{field}[{k}]"))
    }

    /// An error in bytes that were to be a `message`.
    pub(crate) fn malformed(message: &'static str, error: DecodeError) -> Self {
        let words = error.to_string();
        let (fields, what) = split(&words);
        if what == RECURSION {
            return Self::new(ProtoErrorKind::TooDeep);
        }
        let mut path = String::new();
        // prost names the innermost field first.
        for field in fields {
            if !path.is_empty() {
                path.insert(0, '.');
            }
            path.insert_str(0, field);
        }
        Self {
            path,
            kind: ProtoErrorKind::Malformed { message, error },
        }
    }

    /// The field that is wrong, from the message that was read: `tuple_shapes[1].layout.tiles[0]`.
    /// Empty for the message as a whole.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong, to match on.
    #[must_use]
    pub const fn kind(&self) -> &ProtoErrorKind {
        &self.kind
    }

    /// What to write instead.
    pub fn help(&self) -> impl Display + '_ {
        Help(self)
    }

    /// The last field of the path, without its place in a list.
    fn field(&self) -> &str {
        let last = self.path.rsplit('.').next().unwrap_or("");
        last.split('[').next().unwrap_or("")
    }
}

/// prost's words where it stops before the stack overflows.
const RECURSION: &str = "recursion limit reached";

/// prost's words taken apart: the fields that it names, innermost first, and what is wrong.
/// It offers them as text only; were they to change, all of them would count as what is wrong.
fn split(words: &str) -> (impl Iterator<Item = &str>, &str) {
    let words = words
        .strip_prefix("failed to decode Protobuf message: ")
        .unwrap_or(words);
    let field = |part: &str| {
        let name = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        part.split_once('.')
            .is_some_and(|(message, field)| name(message) && name(field))
    };
    let mut rest = words;
    while let Some((part, after)) = rest.split_once(": ") {
        if !field(part) {
            break;
        }
        rest = after;
    }
    let fields = &words[..words.len() - rest.len()];
    let fields = fields
        .split_terminator(": ")
        .filter_map(|part| part.split('.').nth(1));
    (fields, rest)
}

impl core::error::Error for ProtoError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            ProtoErrorKind::Malformed { error, .. } => Some(error),
            ProtoErrorKind::CapacityError(full) => Some(full),
            _ => None,
        }
    }
}
