//! Errors: which field, what was found in it, and what to write instead.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Display, Formatter};

use prost::DecodeError;
use xlayout_core::{ElementType, ParseError};
use xlayout_shape::error::{Explain, Say};
use xlayout_sharding::ShardingErrorKind;

/// How many messages may be nested inside the outermost one: what protobuf's own readers, XLA's
/// among them, allow.
///
/// Text may be nested a little more deeply. A tuple of more than 100 levels is written, but cannot
/// be read.
pub const MAX_DEPTH: usize = 100;

/// A mistake in a message, or in the bytes of one.
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
///     error.to_string(),
///     "`tuple_shapes[0].is_dynamic_dimension` has 1 entry, but the shape has 2 dimensions; give \
///      one entry for each dimension, or none at all",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ProtoError {
    path: String,
    kind: ProtoErrorKind,
}

/// What is wrong with a message, to match on.
///
/// ```
/// use xlayout_core::{ElementType, Shape};
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
        element_type: ElementType,
    },

    /// A field is set that a shape of this type does not have.
    NotInShape {
        /// The type of the shape.
        element_type: ElementType,
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
    Full(ParseError),
}

impl Explain for ProtoErrorKind {
    fn explain(&self, say: &mut Say<'_>) -> fmt::Result {
        match self {
            Self::Malformed { message, .. } => say(
                format_args!("the bytes are no {message}"),
                format_args!(
                    "give the whole serialised {message} and nothing else: no text, no JSON, no hexadecimal digits, no length \
         before it"
                ),
            ),
            Self::TooDeep => say(
                format_args!("messages are nested more than {MAX_DEPTH} deep"),
                format_args!("protobuf's own readers stop there, too; nest less deeply"),
            ),
            Self::UnknownNumber { of, number } => say(
                format_args!("is {number}, but no {of} has this number"),
                format_args!("{}", numbers(of)),
            ),
            Self::NoElementType => say(
                format_args!("is missing, or 0 (PRIMITIVE_TYPE_INVALID)"),
                format_args!(
                    "write the number of a ElementType, such as 11 for f32 or 13 for a tuple"
                ),
            ),
            Self::NotAnArray { element_type } => say(
                format_args!(
                    "is {}, {}, where an array is required",
                    element_type.number(),
                    kind_of(*element_type)
                ),
                format_args!("give an array, or read any kind of shape as a `Shape`"),
            ),
            Self::NotInShape { element_type } => say(
                format_args!("is set, but {} has none", kind_of(*element_type)),
                format_args!("leave the field out, or correct `element_type`"),
            ),
            Self::Length {
                entries,
                dimensions,
            } => say(
                format_args!(
                    "has {}, but the shape has {}",
                    counted(*entries, "entry"),
                    counted(*dimensions, "dimension")
                ),
                format_args!("give one entry for each dimension, or none at all"),
            ),
            Self::Size { size } => match *size {
                i64::MIN => say(
                    format_args!(
                        "is {size}, which marks an unbounded dimension, but the dimension is not dynamic"
                    ),
                    format_args!(
                        "set the dimension's entry of `is_dynamic_dimension`, or give its size"
                    ),
                ),
                _ => say(
                    format_args!("is {size}, but a size cannot be negative"),
                    format_args!(
                        "write a size of 0 or more; -9223372036854775808 and an entry of `is_dynamic_dimension` for a dimension \
             without a bound"
                    ),
                ),
            },
            Self::TileSize { size } => say(
                format_args!("is {size}, but a size cannot be negative"),
                format_args!("write a size of 1 or more; -9223372036854775808 for `*`"),
            ),
            Self::TailAlignment { alignment } => say(
                format_args!("is {alignment}, but must be at least 1"),
                format_args!("0 and a missing field count as 1"),
            ),
            Self::MemorySpace { space } => say(
                format_args!("is {space}, which does not fit in 8 bits"),
                format_args!(
                    "write -128 to 127, 0 for the default one; XLA would cut {space} to {}",
                    *space as i8
                ),
            ),
            Self::Sparse => say(
                format_args!("makes the array sparse, but only dense arrays can be read"),
                format_args!(
                    "XLA has removed sparse arrays; write the array dense, without this field"
                ),
            ),
            Self::BufferShapes { shapes } => say(
                format_args!(
                    "holds {}, but a buffer holds exactly one",
                    counted(*shapes, "shape")
                ),
                format_args!("give the shape of the one array in the buffer"),
            ),
            Self::NoResult => say(
                format_args!("is missing"),
                format_args!(
                    "write the shape of the result; `()` for a computation without a result"
                ),
            ),
            Self::ParameterNames { names, parameters } => say(
                format_args!(
                    "has {}, but there {} {parameters}",
                    counted(*names, "name"),
                    if *parameters == 1 { "is" } else { "are" }
                ),
                format_args!(
                    "give one name for each parameter, and an empty name for a parameter without one"
                ),
            ),
            Self::Sharding(error) => error.explain(say),
            Self::Full(error) => error.explain(say),
        }
    }
}

impl ProtoErrorKind {
    /// A number that an enum of XLA's does not have.
    pub(crate) const fn unknown(enum_name: &'static str, number: i32) -> Self {
        Self::UnknownNumber {
            of: enum_name,
            number,
        }
    }

    /// An error in this field; in the message itself if it is empty. What contains the message adds
    /// the path.
    pub(crate) fn at(self, field: &str) -> ProtoError {
        ProtoError {
            path: field.into(),
            kind: self,
        }
    }

    /// An error in an entry of this field.
    pub(crate) fn at_item(self, field: &str, k: usize) -> ProtoError {
        self.at("").within_item(field, k)
    }
}

impl ProtoError {
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
            return ProtoErrorKind::TooDeep.at("");
        }
        let kind = ProtoErrorKind::Malformed { message, error };
        // prost names the innermost field first.
        fields.fold(kind.at(""), Self::within)
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

    /// The last field of the path, without its place in a list.
    fn field(&self) -> &str {
        self.path
            .rsplit('.')
            .next()
            .unwrap_or("")
            .split('[')
            .next()
            .unwrap_or("")
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
    let fields = words[..words.len() - rest.len()]
        .split_terminator(": ")
        .filter_map(|part| part.split('.').nth(1));
    (fields, rest)
}

/// What to write in the place of a number that an enum does not have.
fn numbers(of: &str) -> &'static str {
    match of {
        "ElementType" => {
            "element types have numbers from 1 to 36, such as 11 for f32; a newer XLA may have more"
        }
        "Format" => "leave the field out, or write 1 (DENSE)",
        "PaddingValue" => {
            "write 0 (none), 1 (zero), 2 (one), 3 (lowest), 4 (highest) or 5 (unknown)"
        }
        "OpSharding.Type" => {
            "write 0 (replicated), 1 (maximal), 2 (tuple), 3 (tiled), 4 (manual), 5 (unknown) \
             or 6 (unreduced)"
        }
        "OpSharding.Type of a subgroup" => {
            "write 0 (replicated), 1 (maximal), 4 (manual) or 6 (unreduced)"
        }
        "ShardGroupType" => "write 0 (as) or 1 (like)",
        _ => "leave the field out: an array is dense without it",
    }
}

/// A path, the middle of a long one left out. Paths are names of fields and numbers: ASCII.
struct Path<'a>(&'a str);

impl Display for Path<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const LONG: usize = 100;
        const END: usize = 40;
        let path = self.0;
        if path.len() > LONG {
            let start = path[..END].rfind('.');
            let end = path[path.len() - END..]
                .find('.')
                .map(|at| path.len() - END + at);
            if let (Some(start), Some(end)) = (start, end) {
                return write!(f, "`{}…{}`", &path[..=start], &path[end..]);
            }
        }
        write!(f, "`{path}`")
    }
}

impl Explain for ProtoError {
    fn explain(&self, say: &mut Say<'_>) -> fmt::Result {
        let path = Path(&self.path);
        // A message is about all the bytes, about what the field holds, or about the field.
        let colon = match &self.kind {
            ProtoErrorKind::TooDeep => return self.kind.explain(say),
            ProtoErrorKind::Malformed { error, .. } => {
                let words = error.to_string();
                let words = split(&words).1;
                return self
                    .kind
                    .explain(&mut |message, help| match &self.path[..] {
                        "" => say(format_args!("{message}: {words}"), help),
                        _ => say(format_args!("{message}: {path}: {words}"), help),
                    });
            }
            ProtoErrorKind::Sharding(_) | ProtoErrorKind::Full(_) => ":",
            _ => "",
        };
        let orders =
            matches!(self.kind, ProtoErrorKind::Length { .. }) && self.field() == "minor_to_major";
        self.kind.explain(&mut |message, help| {
            if orders {
                return say(
                    format_args!("{path}{colon} {message}"),
                    format_args!("list each dimension once, the one that varies fastest first"),
                );
            }
            say(format_args!("{path}{colon} {message}"), help)
        })
    }
}

impl ProtoError {
    /// What is wrong, in one line, with the field.
    #[must_use]
    pub fn message(&self) -> String {
        self.part(|message, _| message.to_string())
    }

    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> String {
        self.part(|_, help| help.to_string())
    }

    fn part(&self, part: impl Fn(fmt::Arguments<'_>, fmt::Arguments<'_>) -> String) -> String {
        let mut text = String::new();
        match self.explain(&mut |message, help| {
            text = part(message, help);
            Ok(())
        }) {
            Ok(()) => text,
            Err(fmt::Error) => unreachable!("a `String` takes any text"),
        }
    }
}

/// What is wrong, where, and what to write instead.
impl Display for ProtoError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.explain(&mut |message, help| write!(f, "{message}; {help}"))
    }
}

/// The same, because `main` and `unwrap` print it.
impl fmt::Debug for ProtoError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl core::error::Error for ProtoError {}

/// `1 dimension`, `2 entries`
fn counted(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix("entry")) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}entries"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// A kind of shape with its article.
const fn kind_of(element_type: ElementType) -> &'static str {
    match element_type {
        ElementType::Tuple => "a tuple",
        ElementType::Token => "a token",
        ElementType::OpaqueType => "an opaque value",
        ElementType::Buffer => "a buffer",
        _ => "an array",
    }
}
