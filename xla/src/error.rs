//! What a shape cannot be asked or made to do.

use core::fmt;

use crate::difference::Difference;
#[cfg(feature = "alloc")]
use xlayout_shape::ShapeIndex;
use xlayout_shape::{CapacityError, ParseError, PrimitiveType};

/// An operation on a shape that cannot be done. Where XLA aborts the process, this is returned.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::{ShapeError, shape_util};
/// let shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// let error = shape_util::delete_dimension(&shape, 2).unwrap_err();
/// assert_eq!(error, ShapeError::NoSuchDimension { dimension: 2, rank: 2 });
/// assert_eq!(
///     error.to_string(),
///     "there is no dimension 2: the shape has 2 dimensions, and they count from 0",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// The shape has no dimension of this number.
    NoSuchDimension {
        /// The number that was asked for.
        dimension: i64,
        /// How many dimensions there are.
        rank: usize,
    },
    /// A list names a dimension again.
    DimensionTwice {
        /// The dimension.
        dimension: i64,
    },
    /// A list must have one entry for each dimension.
    Length {
        /// What the list holds.
        list: &'static str,
        /// How many entries it has.
        listed: usize,
        /// How many dimensions there are.
        rank: usize,
    },
    /// Two shapes must have the same number of dimensions.
    Rank {
        /// The dimensions of the shape that is asked or changed.
        rank: usize,
        /// The dimensions of the other one.
        other: usize,
    },
    /// A new dimension has a negative size.
    NegativeSize {
        /// The size.
        size: i64,
    },
    /// A dimension without a bound where a size is needed.
    Unbounded {
        /// The number of the dimension.
        dimension: usize,
    },
    /// The bytes of the first dimensions exceed 64 bits, although a later size of 0 leaves none.
    Overflow {
        /// How many dimensions that are.
        prefix: usize,
    },
    /// The array has no layout, and one is needed.
    MissingLayout,
    /// The type has no elements, so no array can have it.
    ElementType {
        /// The type.
        element_type: PrimitiveType,
    },
    /// An array is needed.
    NotAnArray {
        /// The kind of the shape.
        found: PrimitiveType,
    },
    /// A tuple is needed.
    NotATuple {
        /// The kind of the shape, or the type of its elements.
        found: PrimitiveType,
    },
    /// A tuple has no member of this number.
    NoSuchMember {
        /// The number that was asked for.
        member: usize,
        /// How many members there are.
        members: usize,
    },
    /// A range of members begins behind its end or ends behind the last one.
    Members {
        /// The first member of the range.
        start: usize,
        /// The member behind the last one of the range.
        limit: usize,
        /// How many members there are.
        members: usize,
    },
    /// A path leads nowhere.
    #[cfg(feature = "alloc")]
    NoSuchSubshape {
        /// The path.
        index: ShapeIndex,
        /// How many of its entries lead somewhere.
        depth: usize,
        /// How many members the tuple has that they lead to; nothing where it is no tuple.
        members: Option<usize>,
    },
    /// An iteration would not end, or has a negative number of steps.
    Step {
        /// The number of the dimension.
        dimension: usize,
        /// How far it goes.
        count: i64,
        /// How far apart the indices are.
        increment: i64,
    },
    /// An iteration would leave the array.
    OutOfBounds {
        /// The number of the dimension.
        dimension: usize,
        /// The first index that is outside.
        index: i64,
        /// The size of the dimension, if it has a bound.
        size: Option<i64>,
    },
    /// Two shapes must agree, and do not.
    Different(Difference),
    /// The layout has several splits where one at most can be answered.
    SeveralSplits {
        /// How many there are.
        splits: usize,
    },
    /// Two indices are compared that have different lengths.
    IndexLength {
        /// The entries of the first.
        left: usize,
        /// The entries of the second.
        right: usize,
    },
    /// The shape or its layout is not valid.
    Invalid(ParseError),
    /// A list is longer than this build can hold (the feature `alloc` is off).
    CapacityError(CapacityError),
}

impl ShapeError {
    pub(crate) fn no_such_dimension(dimension: usize, rank: usize) -> Self {
        Self::NoSuchDimension {
            dimension: i64::try_from(dimension).unwrap_or(i64::MAX),
            rank,
        }
    }
}

/// A kind of shape with its article.
const fn kind(found: PrimitiveType) -> &'static str {
    match found {
        PrimitiveType::Tuple => "a tuple",
        PrimitiveType::Token => "a token",
        PrimitiveType::OpaqueType => "an opaque value",
        PrimitiveType::Buffer => "a buffer",
        _ => "an array",
    }
}

/// `1 member`, `2 members`.
struct Count(usize, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} {}{plural}", self.0, self.1)
    }
}

/// `1 entry`, `2 entries`.
struct Entries(usize);

impl fmt::Display for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.0 == 1 { "entry" } else { "entries" };
        write!(f, "{} {word}", self.0)
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchDimension { dimension, rank } => write!(
                f,
                "there is no dimension {dimension}: the shape has {}, and they count from 0",
                Count(*rank, "dimension"),
            ),
            Self::DimensionTwice { dimension } => {
                write!(
                    f,
                    "dimension {dimension} is listed more than once; list each one once"
                )
            }
            Self::Length { list, listed, rank } => write!(
                f,
                "{list} has {}, but the shape has {}; list one entry for each",
                Entries(*listed),
                Count(*rank, "dimension"),
            ),
            Self::Rank { rank, other } => write!(
                f,
                "the shape has {}, but the other one has {other}; they must have equally many",
                Count(*rank, "dimension"),
            ),
            Self::NegativeSize { size } => write!(
                f,
                "a dimension cannot have the negative size {size}; a size without a bound is \
                 `Dim::Unbounded`",
            ),
            Self::Unbounded { dimension } => write!(
                f,
                "dimension {dimension} has no bound, and a size is needed here; set one first",
            ),
            Self::Overflow { prefix } => write!(
                f,
                "the bytes of the first {} exceed 9223372036854775807; XLA refuses that, although \
                 a later size of 0 leaves no element",
                Count(*prefix, "dimension"),
            ),
            Self::MissingLayout => {
                f.write_str("the array has no layout; set one, for example the default layout")
            }
            Self::ElementType { element_type } => write!(
                f,
                "`{element_type}` is not the type of an element; use one like `f32` or `s8`",
            ),
            Self::NotAnArray { found } => {
                write!(f, "expected an array, found {}", kind(*found))
            }
            Self::NotATuple { found } => write!(f, "expected a tuple, found {}", kind(*found)),
            Self::NoSuchMember { member, members } => write!(
                f,
                "there is no member {member}: the tuple has {}, and they count from 0",
                Count(*members, "member"),
            ),
            Self::Members {
                start,
                limit,
                members,
            } => write!(
                f,
                "the tuple has {}, of which {start}..{limit} is no range; it must begin no later \
                 than it ends, and end at {members} at the latest",
                Count(*members, "member"),
            ),
            #[cfg(feature = "alloc")]
            Self::NoSuchSubshape {
                index,
                depth,
                members,
            } => {
                let reached = ShapeIndex::from(index.get(..*depth).unwrap_or(index));
                write!(f, "there is no subshape {index}: at {reached} is ")?;
                match members {
                    Some(members) => write!(f, "a tuple with {}", Count(*members, "member")),
                    None => f.write_str("no tuple"),
                }
            }
            Self::Step {
                dimension,
                count,
                increment,
            } => write!(
                f,
                "dimension {dimension} cannot go {count} far in steps of {increment}; give a \
                 count of at least 0, and where it is more an increment of at least 1",
            ),
            Self::OutOfBounds {
                dimension,
                index,
                size,
            } => {
                write!(
                    f,
                    "the iteration reaches index {index} of dimension {dimension}"
                )?;
                match size {
                    Some(size) => write!(f, ", which has size {size}"),
                    None => f.write_str(", which no dimension has"),
                }
            }
            Self::Different(difference) => write!(f, "the shapes differ: {difference}"),
            Self::SeveralSplits { splits } => write!(
                f,
                "the layout has {splits} splits, and at most one is expected; look at each of \
                 `split_configs`",
            ),
            Self::IndexLength { left, right } => write!(
                f,
                "one index has {}, the other {right}; only indices of one length have a sequence",
                Entries(*left),
            ),
            Self::Invalid(error) => error.fmt(f),
            Self::CapacityError(full) => full.fmt(f),
        }
    }
}

impl core::error::Error for ShapeError {}

impl From<Difference> for ShapeError {
    fn from(difference: Difference) -> Self {
        Self::Different(difference)
    }
}

impl From<ParseError> for ShapeError {
    fn from(error: ParseError) -> Self {
        Self::Invalid(error)
    }
}

impl From<CapacityError> for ShapeError {
    fn from(full: CapacityError) -> Self {
        Self::CapacityError(full)
    }
}

// Results with it are returned by value; clippy counts 128 bytes as too many for that.
const _: () = assert!(size_of::<ShapeError>() < 128);
