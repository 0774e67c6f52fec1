//! What a shape cannot be asked or made to do.

use crate::difference::Difference;
#[cfg(feature = "alloc")]
use xlayout_shape::ShapeIndex;
use xlayout_shape::words::{Counted, kind_of};
use xlayout_shape::{ElementType, ParseError};

xlayout_shape::error_table! {
/// An operation on a shape that cannot be done. Where XLA aborts the process, this is returned.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::{ShapeError, shape_util};
/// let shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// let error = shape_util::delete_dimensions(&shape, &[2]).unwrap_err();
/// assert_eq!(error, ShapeError::NoSuchDimension { dimension: 2, rank: 2 });
/// assert_eq!(
///     error.to_string(),
///     "there is no dimension 2: the shape has 2 dimensions; dimensions count from 0",
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// The shape has no dimension of this number.
    NoSuchDimension {
        /// The number that was asked for.
        dimension: i64,
        /// How many dimensions there are.
        rank: usize,
    } => [
        "there is no dimension {dimension}: the shape has {}", Counted(*rank, "dimension");
        "dimensions count from 0"
    ]
    /// A list names a dimension again.
    DimensionTwice {
        /// The dimension.
        dimension: i64,
    } => ["dimension {dimension} is listed more than once"; "list each one once"]
    /// A list must have one entry for each dimension.
    Length {
        /// What the list holds.
        list: &'static str,
        /// How many entries it has.
        listed: usize,
        /// How many dimensions there are.
        rank: usize,
    } => [
        "{list} has {}, but the shape has {}", Counted(*listed, "entry"), Counted(*rank, "dimension");
        "list one entry for each"
    ]
    /// Two shapes must have the same number of dimensions.
    Rank {
        /// The dimensions of the shape that is asked or changed.
        rank: usize,
        /// The dimensions of the other one.
        other: usize,
    } => [
        "the shape has {}, but the other one has {other}", Counted(*rank, "dimension");
        "give shapes with equally many dimensions"
    ]
    /// A new dimension has a negative size.
    NegativeSize {
        /// The size.
        size: i64,
    } => [
        "a dimension cannot have the negative size {size}";
        "a size without a bound is `Dim::Unbounded`"
    ]
    /// A dimension without a bound where a size is needed.
    Unbounded {
        /// The number of the dimension.
        dimension: usize,
    } => [
        "dimension {dimension} has no bound, and a size is needed here"; "set one first"
    ]
    /// The bytes of the first dimensions exceed 64 bits, although a later size of 0 leaves none.
    Overflow {
        /// How many dimensions that are.
        prefix: usize,
    } => [
        "the bytes of the first {} exceed 9223372036854775807", Counted(*prefix, "dimension");
        "XLA refuses that, although a later size of 0 leaves no element: use smaller sizes"
    ]
    /// The array has no layout, and one is needed.
    MissingLayout => ["the array has no layout"; "set one, for example the default layout"]
    /// The type has no elements, so no array can have it.
    ElementType {
        /// The type.
        element_type: ElementType,
    } => [
        "`{element_type}` is not the type of an element"; "use one like `f32` or `s8`"
    ]
    /// An array is needed.
    NotAnArray {
        /// The kind of the shape.
        found: ElementType,
    } => [
        "expected an array, found {}", kind_of(*found); "give an array such as `f32[2,3]`"
    ]
    /// A path leads nowhere.
    #[cfg(feature = "alloc")]
    NoSuchSubshape {
        /// The path.
        index: ShapeIndex,
        /// How many of its entries lead somewhere.
        depth: usize,
        /// How many members the tuple has that they lead to; nothing where it is no tuple.
        members: Option<usize>,
    } => { match (members) {
        Some(members) => [
            "there is no subshape {index}: at {} is a tuple with {}", reached(index, *depth), Counted(*members, "member");
            "members count from 0"
        ]
        None => [
            "there is no subshape {index}: at {} is no tuple", reached(index, *depth);
            "end the path there"
        ]
    } }
    /// An iteration would not end, or has a negative number of steps.
    Step {
        /// The number of the dimension.
        dimension: usize,
        /// How far it goes.
        count: i64,
        /// How far apart the indices are.
        increment: i64,
    } => [
        "dimension {dimension} cannot go {count} far in steps of {increment}";
        "give a count of at least 0, and where it is more an increment of at least 1"
    ]
    /// An iteration would leave the array.
    OutOfBounds {
        /// The number of the dimension.
        dimension: usize,
        /// The first index that is outside.
        index: i64,
        /// The size of the dimension, if it has a bound.
        size: Option<i64>,
    } => { match (size) {
        Some(size) => [
            "the iteration reaches index {index} of dimension {dimension}, which has size {size}";
            "iterate over indices from 0 up to the size"
        ]
        None => [
            "the iteration reaches index {index} of dimension {dimension}, which no dimension has";
            "iterate over indices from 0 up to the size"
        ]
    } }
    /// Two shapes must agree, and do not.
    Different(difference: Difference) => (difference)
    /// The shape or its layout is not valid, or a list is longer than this build can hold (the
    /// feature `alloc` is off).
    Invalid(error: ParseError) => (error)
}
}

xlayout_shape::explained!(ShapeError);

impl ShapeError {
    /// Whether a list has an entry for each dimension.
    pub(crate) const fn check_length(
        list: &'static str,
        listed: usize,
        rank: usize,
    ) -> Result<(), Self> {
        if listed == rank {
            Ok(())
        } else {
            Err(Self::Length { list, listed, rank })
        }
    }

    pub(crate) fn no_such_dimension(dimension: usize, rank: usize) -> Self {
        Self::NoSuchDimension {
            dimension: i64::try_from(dimension).unwrap_or(i64::MAX),
            rank,
        }
    }
}

/// As far as the path leads.
#[cfg(feature = "alloc")]
fn reached(index: &ShapeIndex, depth: usize) -> ShapeIndex {
    ShapeIndex::from(index.get(..depth).unwrap_or(index))
}

// Results with it are returned by value; clippy counts 128 bytes as too many for that.
const _: () = assert!(size_of::<ShapeError>() < 128);
