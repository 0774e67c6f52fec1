//! What the errors say.

use core::fmt;

use super::LayoutError;
use crate::const_text::ConstText;

impl fmt::Display for LayoutError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, found } => write!(
                f,
                "the slice has {found} items, but the layout allocates {expected} (padding \
                 included); pass a slice of exactly that length",
            ),
            Self::Elements { expected, found } => write!(
                f,
                "the slice has {found} items, but the array has {expected} elements (padding not \
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
                "the address of the bytes is {found} above a multiple of {expected}, the alignment of \
                 an element; copy them to an aligned buffer",
            ),
            Self::ElementType { expected, found } => {
                write!(f, "expected elements of type {expected}, found {found}")
            }
            &Self::ElementBits { expected, found } => {
                f.write_str(element_bits(expected, found).as_str())
            }
            Self::NotPacked {
                element_type,
                found,
            } => {
                write!(
                    f,
                    "packed views are for elements of 1, 2 or 4 bits, but the layout gives each {found}; "
                )?;
                match element_type.bits() {
                    Some(bits @ (1 | 2 | 4)) => write!(
                        f,
                        "write E({bits}) in the layout if a byte holds several elements of type \
                         {element_type}, else use a `View`",
                    ),
                    _ => f.write_str("use a `View`"),
                }
            }
            Self::Rank { expected, found } => write!(
                f,
                "a layout of rank {expected} is needed, but this one has rank {found}",
            ),
            Self::Listed {
                what,
                expected,
                found,
            } => write!(
                f,
                "the number of {what} is {found}, but the layout has rank {expected}; give one for each \
                 dimension",
            ),
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
                "dimension {dimension} has size {found}, but size {expected} is needed",
            ),
            Self::AboveBound {
                dimension,
                size,
                bound,
            } => write!(
                f,
                "dimension {dimension} has size {size}, but the layout says at most {bound}",
            ),
            Self::UnequalSizes {
                name,
                dimensions: [a, b],
                sizes: [size, other],
            } => write!(
                f,
                "dimensions {a} and {b} have one name, `?{name}`, but the sizes {size} and {other}; give equal \
                 sizes, or write another name or `?` in the type",
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
                    "linear index {linear_index} has no element: it is in padding, or between the \
                     elements of a part"
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
                "the stride {stride} of dimension {dimension} lets elements overlap: dimensions of strides \
                 that are not larger reach linear index {reached}; use a stride above {reached}, or \
                 `broadcast` for a dimension that is repeated",
            ),
            Self::PartOfElement {
                dimension,
                stride,
                bytes,
            } => write!(
                f,
                "the stride of dimension {dimension} is {stride} bytes, but an element has {bytes}; use a \
                 multiple of {bytes}, or copy the array",
            ),
            Self::Reversed { dimension } => write!(
                f,
                "dimension {dimension} has a negative stride; use `StridedLayout<_, isize>` and \
                 `with_signed_step`, or copy the array",
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
            &Self::EmptyPart { dimension } => f.write_str(empty_part(dimension).as_str()),
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
            Self::NotStrided => f.write_str(
                "the layout is tiled, so that not every dimension has a stride; copy the array to a \
                 layout without tiles",
            ),
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

/// What to say of elements of another width, in a running program and to the compiler.
#[inline]
pub(crate) const fn element_bits(expected: usize, found: usize) -> ConstText {
    let text = ConstText::new()
        .text("the layout gives each element ")
        .number(found)
        .text(" bits, but ")
        .number(expected)
        .text(" are needed; ");
    match found {
        1 | 2 | 4 => text.text("use a packed view"),
        _ => text.text("write E(").number(expected).text(")"),
    }
}

/// What to say of a part of size 0, in a running program and to the compiler.
#[inline]
pub(crate) const fn empty_part(dimension: usize) -> ConstText {
    ConstText::new()
        .text("a part would have size 0 in dimension ")
        .number(dimension)
        .text("; use a size of at least 1")
}
