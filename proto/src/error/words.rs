//! The messages of errors, and their help.

use alloc::string::ToString;
use core::fmt::{self, Display, Formatter};

use xlayout_core::PrimitiveType;

use super::{ProtoError, ProtoErrorKind, split};
use crate::MAX_DEPTH;

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

/// `1 entry`, `2 entries`.
struct Count(usize, &'static str, &'static str);

impl Display for Count {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(n, one, many) = self;
        write!(f, "{n} {}", if *n == 1 { one } else { many })
    }
}

/// `an array`, `a tuple`, …
const fn kind_of(element_type: PrimitiveType) -> &'static str {
    match element_type {
        PrimitiveType::Tuple => "a tuple",
        PrimitiveType::Token => "a token",
        PrimitiveType::OpaqueType => "an opaque value",
        PrimitiveType::Buffer => "a buffer",
        _ => "an array",
    }
}

impl Display for ProtoError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let path = Path(&self.path);
        match &self.kind {
            ProtoErrorKind::Malformed { message, error } => {
                let words = error.to_string();
                write!(f, "the bytes are no {message}: ")?;
                if !self.path.is_empty() {
                    write!(f, "{path}: ")?;
                }
                f.write_str(split(&words).1)
            }
            ProtoErrorKind::TooDeep => write!(f, "messages are nested more than {MAX_DEPTH} deep"),
            ProtoErrorKind::UnknownNumber { of, number } => {
                write!(f, "{path} is {number}, but no {of} has this number")
            }
            ProtoErrorKind::NoElementType => {
                write!(f, "{path} is missing, or 0 (PRIMITIVE_TYPE_INVALID)")
            }
            ProtoErrorKind::NotAnArray { element_type } => {
                let (number, kind) = (element_type.number(), kind_of(*element_type));
                write!(f, "{path} is {number}, {kind}, where an array is required")
            }
            ProtoErrorKind::NotInShape { element_type } => {
                write!(f, "{path} is set, but {} has none", kind_of(*element_type))
            }
            ProtoErrorKind::Length {
                entries,
                dimensions,
            } => {
                let entries = Count(*entries, "entry", "entries");
                let dimensions = Count(*dimensions, "dimension", "dimensions");
                write!(f, "{path} has {entries}, but the shape has {dimensions}")
            }
            ProtoErrorKind::Size { size: i64::MIN } => write!(
                f,
                "{path} is {}, which marks an unbounded dimension, but the dimension is not dynamic",
                i64::MIN
            ),
            ProtoErrorKind::TileSize { size: i64::MIN } => {
                write!(f, "{path} is {}, which marks a `*`", i64::MIN)
            }
            ProtoErrorKind::Size { size } | ProtoErrorKind::TileSize { size } => {
                write!(f, "{path} is {size}, but a size cannot be negative")
            }
            ProtoErrorKind::TailAlignment { alignment } => {
                write!(f, "{path} is {alignment}, but must be at least 1")
            }
            ProtoErrorKind::MemorySpace { space } => {
                write!(f, "{path} is {space}, which does not fit in 8 bits")
            }
            ProtoErrorKind::Sparse => {
                write!(
                    f,
                    "{path} makes the array sparse, but only dense arrays can be read"
                )
            }
            ProtoErrorKind::BufferShapes { shapes } => {
                let shapes = Count(*shapes, "shape", "shapes");
                write!(f, "{path} holds {shapes}, but a buffer holds exactly one")
            }
            ProtoErrorKind::NoResult => write!(f, "{path} is missing"),
            ProtoErrorKind::ParameterNames { names, parameters } => {
                let are = if *parameters == 1 { "is" } else { "are" };
                let names = Count(*names, "name", "names");
                let parameters = Count(*parameters, "parameter", "parameters");
                write!(f, "{path} has {names}, but there {are} {parameters}")
            }
            ProtoErrorKind::Sharding(kind) => write!(f, "{path}: {kind}"),
            ProtoErrorKind::CapacityError(full) => write!(f, "{path}: {full}"),
        }?;
        if f.alternate() {
            write!(f, "\nhelp: {}", self.help())
        } else {
            Ok(())
        }
    }
}

pub(super) struct Help<'a>(pub(super) &'a ProtoError);

impl Display for Help<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0.kind {
            ProtoErrorKind::Malformed { message, .. } => {
                return write!(
                    f,
                    "give the whole serialised {message} and nothing else: no text, no JSON, no \
                     hexadecimal digits, no length before it"
                );
            }
            ProtoErrorKind::TooDeep => "protobuf's own readers stop there, too; nest less deeply",
            ProtoErrorKind::UnknownNumber { of: "PrimitiveType", .. } => {
                "element types have numbers from 1 to 36, such as 11 for f32; a newer XLA may have more"
            }
            ProtoErrorKind::UnknownNumber { of: "Format", .. } => {
                "leave the field out, or write 1 (DENSE)"
            }
            ProtoErrorKind::UnknownNumber { of: "PaddingValue", .. } => {
                "write 0 (none), 1 (zero), 2 (one), 3 (lowest), 4 (highest) or 5 (unknown)"
            }
            ProtoErrorKind::UnknownNumber { of: "OpSharding.Type", .. } => {
                "write 0 (replicated), 1 (maximal), 2 (tuple), 3 (tiled), 4 (manual), 5 (unknown) \
                 or 6 (unreduced)"
            }
            ProtoErrorKind::UnknownNumber { of: "OpSharding.Type of a subgroup", .. } => {
                "write 0 (replicated), 1 (maximal), 4 (manual) or 6 (unreduced)"
            }
            ProtoErrorKind::UnknownNumber { of: "ShardGroupType", .. } => {
                "write 0 (as) or 1 (like)"
            }
            ProtoErrorKind::UnknownNumber { .. } => "leave the field out: an array is dense without it",
            ProtoErrorKind::NoElementType => {
                "write the number of a PrimitiveType, such as 11 for f32 or 13 for a tuple"
            }
            ProtoErrorKind::NotAnArray { .. } => {
                "give an array, or read any kind of shape as a `Shape`"
            }
            ProtoErrorKind::NotInShape { .. } => "leave the field out, or correct `element_type`",
            ProtoErrorKind::Length { .. } if self.0.field() == "minor_to_major" => {
                "list each dimension once, the one that varies fastest first"
            }
            ProtoErrorKind::Length { .. } => "give one entry for each dimension, or none at all",
            ProtoErrorKind::Size { size: i64::MIN } => {
                "set the dimension's entry of `is_dynamic_dimension`, or give its size"
            }
            ProtoErrorKind::Size { .. } => {
                "write a size of 0 or more; -9223372036854775808 and an entry of \
                 `is_dynamic_dimension` for a dimension without a bound"
            }
            ProtoErrorKind::TileSize { size: i64::MIN } => {
                "the newest XLA does not read `*` in a tile from a proto, although it writes it; \
                 `Layout::from_proto` of this crate does"
            }
            ProtoErrorKind::TileSize { .. } => {
                "write a size of 1 or more; -9223372036854775808 for `*`"
            }
            ProtoErrorKind::TailAlignment { .. } => "0 and a missing field count as 1",
            ProtoErrorKind::MemorySpace { space } => {
                let cut = *space as i8;
                return write!(
                    f,
                    "write -128 to 127, 0 for the default one; XLA would cut {space} to {cut}"
                );
            }
            ProtoErrorKind::Sparse => {
                "XLA has removed sparse arrays; write the array dense, without this field"
            }
            ProtoErrorKind::BufferShapes { .. } => "give the shape of the one array in the buffer",
            ProtoErrorKind::NoResult => "write the shape of the result, `()` if there is none",
            ProtoErrorKind::ParameterNames { .. } => {
                "give one name for each parameter, an empty one where there is none"
            }
            ProtoErrorKind::Sharding(kind) => kind.help(),
            ProtoErrorKind::CapacityError(_) => "turn on the feature `alloc` of xlayout-core",
        })
    }
}
