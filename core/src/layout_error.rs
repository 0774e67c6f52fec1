//! What does not fit a layout: a slice, an index, a size, another layout.

mod not_bitcast;
mod not_slice;

use core::fmt;

pub use not_bitcast::NotBitcast;
pub use not_slice::NotSlice;

use crate::PrimitiveType;
use crate::error::ParseError;
use crate::modes::LowerError;

/// Something does not fit a layout. Each variant carries what was expected and what was found.
///
/// ```
/// use xlayout_core::{DynLayout, LayoutError, View};
/// let layout: DynLayout = "f32[2,3]".parse().unwrap();
/// let layout_error = View::new(&[0.0_f32; 5][..], layout).unwrap_err();
/// assert_eq!(layout_error, LayoutError::Length { expected: 6, found: 5 });
/// assert_eq!(
///     layout_error.to_string(),
///     "the slice has 5 items, but the layout allocates 6 (padding included); pass a slice of \
///      exactly that length",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// The slice is not as long as the buffer of the layout.
    Length {
        /// The elements that the layout allocates.
        expected: usize,
        /// The length of the slice.
        found: usize,
    },
    /// The slice of bytes is not as long as the layout says.
    Bytes {
        /// The bytes that the layout takes.
        expected: usize,
        /// The length of the slice.
        found: usize,
    },
    /// There is no memory for an array.
    OutOfMemory {
        /// The type of an element.
        element_type: PrimitiveType,
        /// The elements that the layout allocates.
        buffer_len: usize,
        /// The bytes that the layout takes.
        bytes: usize,
    },
    /// The bytes do not begin where an element may begin.
    Alignment {
        /// The alignment of the element type in bytes.
        expected: usize,
        /// How many bytes the slice begins behind such a place.
        found: usize,
    },
    /// The element types differ.
    ElementType {
        /// The type of the layout that was asked for, or of the Rust type.
        expected: PrimitiveType,
        /// The type that was found.
        found: PrimitiveType,
    },
    /// The layout gives an element another width than the Rust type has.
    ElementBits {
        /// The bits of the Rust type, or of the layout that was asked for.
        expected: usize,
        /// The bits in the layout.
        found: usize,
    },
    /// Packed access needs elements of 1, 2 or 4 bits.
    NotPacked {
        /// The bits in the layout.
        found: usize,
    },
    /// Another number of dimensions.
    Rank {
        /// The rank of the layout.
        expected: usize,
        /// The number of sizes or coordinates.
        found: usize,
    },
    /// There is no dimension with this number.
    NoDimension {
        /// The number of the dimension.
        dimension: usize,
        /// The number of dimensions.
        rank: usize,
    },
    /// A dimension has another size.
    Size {
        /// The number of the dimension.
        dimension: usize,
        /// The size that the layout's type says.
        expected: usize,
        /// The size that was found.
        found: usize,
    },
    /// A dimension is larger than its bound.
    AboveBound {
        /// The number of the dimension.
        dimension: usize,
        /// The size that was found.
        size: usize,
        /// The bound.
        bound: usize,
    },
    /// A dimension is larger than its padded width.
    AbovePadded {
        /// The number of the dimension.
        dimension: usize,
        /// The size that was found.
        size: usize,
        /// The padded width.
        width: usize,
    },
    /// A coordinate is out of bounds.
    OutOfBounds {
        /// The number of the dimension.
        dimension: usize,
        /// The coordinate.
        coordinate: usize,
        /// The size of the dimension.
        size: usize,
    },
    /// A linear index lies in padding.
    InPadding {
        /// The linear index.
        linear_index: usize,
    },
    /// A linear index lies beyond the end.
    BeyondEnd {
        /// The linear index.
        linear_index: usize,
        /// The allocated elements.
        buffer_len: usize,
    },
    /// With these strides, two elements may have one linear index.
    Overlap {
        /// The number of the dimension.
        dimension: usize,
        /// Its stride.
        stride: usize,
        /// The largest linear index that the dimensions of smaller strides reach.
        reached: usize,
    },
    /// A part of a packed array would have elements in a byte that has elements of another part.
    SharedByte {
        /// The number of the dimension.
        dimension: usize,
        /// Where the part begins or ends.
        at: usize,
        /// How many elements of the dimension share a byte; `None` if parts of it always share one.
        multiple: Option<usize>,
        /// A part may begin and end at this number plus a multiple of `multiple`. It is 0, except in a
        /// dimension that negative strides reverse.
        beyond: usize,
    },
    /// A step of 0 along a dimension.
    NoStep {
        /// The number of the dimension.
        dimension: usize,
    },
    /// The elements lie in memory in another sequence.
    MemoryMap,
    /// The array lies in another memory.
    MemorySpace {
        /// The memory space of the layout that was asked for.
        expected: i8,
        /// The memory space that was found.
        found: i8,
    },
    /// A dimension has no stride: the layout is tiled.
    NotStrided,
    /// The layout allocates more elements than the integers of the index arithmetic count.
    TooLargeFor32Bits {
        /// The allocated elements.
        buffer_len: usize,
    },
    /// A reshape or a transpose is no bitcast.
    NoBitcast(NotBitcast),
    /// A part of a dimension is no array of its own.
    NoSlice(NotSlice),
    /// The shape cannot be lowered.
    Lower(LowerError),
    /// The shape is not valid.
    Invalid(ParseError),
}

impl LayoutError {
    /// The first coordinate that is out of bounds.
    #[inline]
    pub(crate) fn index(index: &[usize], sizes: &[usize]) -> Self {
        if index.len() != sizes.len() {
            return Self::Rank {
                expected: sizes.len(),
                found: index.len(),
            };
        }
        let mut pairs = index.iter().zip(sizes).enumerate();
        match pairs.find(|(_, (i, n))| i >= n) {
            Some((dimension, (&coordinate, &size))) => Self::OutOfBounds {
                dimension,
                coordinate,
                size,
            },
            None => unreachable!("the index was found out of bounds"),
        }
    }

    /// A linear index that is no element's.
    #[inline]
    pub(crate) fn linear(linear_index: usize, buffer_len: usize) -> Self {
        if linear_index < buffer_len {
            Self::InPadding { linear_index }
        } else {
            Self::BeyondEnd {
                linear_index,
                buffer_len,
            }
        }
    }
}

impl fmt::Display for LayoutError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, found } => write!(
                f,
                "the slice has {found} items, but the layout allocates {expected} (padding \
                 included); pass a slice of exactly that length",
            ),
            Self::Bytes { expected, found } => write!(
                f,
                "the slice has {found} bytes, but the layout takes {expected} (padding included); \
                 pass a slice of exactly that length",
            ),
            Self::OutOfMemory {
                element_type,
                buffer_len,
                bytes,
            } => write!(
                f,
                "no memory for {buffer_len} elements of type {element_type} (padding included), {bytes} \
                 bytes; use smaller dimensions, or a view of memory that you have",
            ),
            Self::Alignment { expected, found } => write!(
                f,
                "the bytes begin {found} bytes behind a multiple of {expected}, the alignment of \
                 an element; copy them to an aligned buffer",
            ),
            Self::ElementType { expected, found } => {
                write!(f, "expected elements of type {expected}, found {found}")
            }
            Self::ElementBits { expected, found } => write!(
                f,
                "the layout gives each element {found} bits, but {expected} are expected; for \
                 1, 2 or 4 bits use a packed view",
            ),
            Self::NotPacked { found } => write!(
                f,
                "packed views are for elements of 1, 2 or 4 bits, but the layout gives each \
                 {found}; use a view of the element's Rust type",
            ),
            Self::Rank { expected, found } => {
                write!(
                    f,
                    "the layout has {expected} dimensions, but {found} are given"
                )
            }
            Self::NoDimension { dimension, rank } => write!(
                f,
                "there is no dimension {dimension}: the layout has {rank} dimensions, which are counted \
                 from 0",
            ),
            Self::Size {
                dimension,
                expected,
                found,
            } => write!(
                f,
                "dimension {dimension} has size {found}, but the type of the layout says {expected}",
            ),
            Self::AboveBound {
                dimension,
                size,
                bound,
            } => write!(
                f,
                "dimension {dimension} has size {size}, but the layout says at most {bound}",
            ),
            Self::AbovePadded {
                dimension,
                size,
                width,
            } => write!(
                f,
                "dimension {dimension} has size {size}, but padded_dimensions allocates only {width}",
            ),
            Self::OutOfBounds {
                dimension,
                coordinate,
                size: 0,
            } => write!(
                f,
                "coordinate {coordinate} of dimension {dimension} is out of bounds: the dimension \
                 has size 0, so the array has no elements",
            ),
            Self::OutOfBounds {
                dimension,
                coordinate,
                size,
            } => write!(
                f,
                "coordinate {coordinate} of dimension {dimension} is out of bounds: the dimension \
                 has size {size}, so that its last index is {}",
                size - 1,
            ),
            Self::InPadding { linear_index } => {
                write!(
                    f,
                    "linear index {linear_index} lies in padding, where there is no element"
                )
            }
            Self::BeyondEnd {
                linear_index,
                buffer_len,
            } => write!(
                f,
                "linear index {linear_index} lies beyond the {buffer_len} elements that are allocated",
            ),
            Self::Overlap {
                dimension,
                stride,
                reached,
            } => write!(
                f,
                "the stride {stride} of dimension {dimension} lets elements overlap: dimensions of \
                 smaller strides reach linear index {reached}; use a stride above {reached}, or \
                 `broadcast` for a dimension that is repeated",
            ),
            Self::SharedByte {
                dimension,
                at,
                multiple: Some(multiple),
                beyond: 0,
            } => write!(
                f,
                "a part that begins or ends at {at} in dimension {dimension} shares a byte with another \
                 part; use a multiple of {multiple}",
            ),
            Self::SharedByte {
                dimension,
                at,
                multiple: Some(multiple),
                beyond,
            } => write!(
                f,
                "a part that begins or ends at {at} in dimension {dimension} shares a byte with another \
                 part: the dimension is reversed, and its bytes begin at its end; use {beyond} plus a multiple \
                 of {multiple}",
            ),
            Self::SharedByte {
                dimension,
                at,
                multiple: None,
                ..
            } => write!(
                f,
                "a part that begins or ends at {at} in dimension {dimension} may share a byte with another \
                 part: rows do not begin at bytes; copy the array to a layout whose rows do",
            ),
            Self::NoStep { dimension } => write!(
                f,
                "a slice of dimension {dimension} has step 0; use a step of at least 1, or \
                 `broadcast` to repeat an element",
            ),
            Self::MemoryMap => f.write_str(
                "the elements lie in memory in another sequence: minor_to_major, tiles or padding \
                 differ",
            ),
            Self::MemorySpace { expected, found } => {
                write!(
                    f,
                    "expected an array in memory space S({expected}), found S({found})"
                )
            }
            Self::NotStrided => {
                f.write_str("the layout is tiled, so that not every dimension has a stride")
            }
            Self::TooLargeFor32Bits { buffer_len } => write!(
                f,
                "the layout allocates {buffer_len} elements, more than 32-bit indices can count",
            ),
            Self::NoBitcast(obstacle) => obstacle.fmt(f),
            Self::NoSlice(why) => why.fmt(f),
            Self::Lower(error) => error.fmt(f),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for LayoutError {}

impl From<LowerError> for LayoutError {
    #[inline]
    fn from(error: LowerError) -> Self {
        Self::Lower(error)
    }
}

impl From<NotSlice> for LayoutError {
    #[inline]
    fn from(why: NotSlice) -> Self {
        Self::NoSlice(why)
    }
}

impl From<ParseError> for LayoutError {
    #[inline]
    fn from(error: ParseError) -> Self {
        Self::Invalid(error)
    }
}
