//! What does not fit a layout: a slice, an index, a size, another layout.

mod not_bitcast;
mod not_slice;
mod text;

pub use not_bitcast::NotBitcast;
pub use not_slice::NotSlice;
pub(crate) use text::{element_bits, empty_part};

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
    /// The slice of elements, without padding, is not as long as the array has elements.
    Elements {
        /// The elements of the array.
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
        /// The type of an element.
        element_type: PrimitiveType,
        /// The bits in the layout.
        found: usize,
    },
    /// The layout has another number of dimensions than the one that is needed.
    Rank {
        /// The rank that is needed.
        expected: usize,
        /// The rank of the layout.
        found: usize,
    },
    /// A list has not one number for each dimension.
    Listed {
        /// What is listed: `coordinates`, `sizes`, `strides`.
        what: &'static str,
        /// The rank of the layout.
        expected: usize,
        /// How many are listed.
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
        /// The size that is needed.
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
    /// Two dimensions whose sizes have one name have different sizes.
    UnequalSizes {
        /// The name, without `?`.
        name: &'static str,
        /// The dimensions.
        dimensions: [usize; 2],
        /// Their sizes.
        sizes: [usize; 2],
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
    /// A stride is no whole number of elements.
    PartOfElement {
        /// The number of the dimension.
        dimension: usize,
        /// Its stride in bytes.
        stride: isize,
        /// The bytes of an element.
        bytes: usize,
    },
    /// A dimension has a negative stride.
    Reversed {
        /// The number of the dimension.
        dimension: usize,
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
    /// A part of an array, such as a block or a chunk, would have size 0.
    EmptyPart {
        /// The number of the dimension.
        dimension: usize,
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
            return Self::Listed {
                what: "coordinates",
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
