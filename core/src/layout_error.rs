//! What does not fit a layout: a slice, an index, a size, another layout.

#[cfg(feature = "std")]
mod io;
mod not_bitcast;
mod not_slice;

pub use not_bitcast::NotBitcast;
pub use not_slice::NotSlice;

use crate::ElementType;
use crate::const_text::ConstText;
use crate::error::ParseError;
use crate::modes::NotLowered;
use crate::words::Counted;

crate::error_table! {
/// Something does not fit a layout. Each variant carries what was expected and what was found.
///
/// ```
/// use xlayout_core::{DynLayout, LayoutError, SliceView};
/// let layout: DynLayout = "f32[2,3]".parse().unwrap();
/// let layout_error = SliceView::new(layout, &[0.0_f32; 5][..]).unwrap_err();
/// assert_eq!(layout_error, LayoutError::Length { expected: 6, found: 5 });
/// assert_eq!(
///     layout_error.to_string(),
///     "the slice has 5 items, but the layout allocates 6 (padding included); pass a slice of \
///      exactly that length",
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// The slice is not as long as the buffer of the layout.
    Length {
        /// The elements that the layout allocates.
        expected: usize,
        /// The length of the slice.
        found: usize,
    } => [
        "the slice has {found} items, but the layout allocates {expected} (padding included)";
        "pass a slice of exactly that length"
    ]
    /// The slice of elements, without padding, is not as long as the array has elements.
    Elements {
        /// The elements of the array.
        expected: usize,
        /// The length of the slice.
        found: usize,
    } => [
        "the slice has {found} items, but the array has {expected} elements (padding not included)";
        "pass a slice of exactly that length"
    ]
    /// The slice of bytes is not as long as the layout says.
    Bytes {
        /// The bytes that the layout takes.
        expected: usize,
        /// The length of the slice.
        found: usize,
    } => [
        "the slice has {found} bytes, but the layout takes {expected} (padding included)";
        "pass a slice of exactly that length"
    ]
    /// There is no memory for an array.
    OutOfMemory {
        /// The type of an element.
        element_type: ElementType,
        /// The elements that the layout allocates.
        buffer_len: usize,
        /// The bytes that the layout takes.
        bytes: usize,
    } => [
        "no memory for {buffer_len} elements of type {element_type} (padding \
         included), {bytes} bytes";
        "use smaller dimensions, or a view of memory that you have"
    ]
    /// The bytes do not begin where an element may begin.
    Alignment {
        /// The alignment of the element type in bytes.
        expected: usize,
        /// How many bytes the slice begins behind such a place.
        found: usize,
    } => [
        "the address of the bytes is {found} above a multiple of {expected}, the \
         alignment of an element";
        "copy them to an aligned buffer"
    ]
    /// The element types differ.
    ElementType {
        /// The type of the layout that was asked for, or of the Rust type.
        expected: ElementType,
        /// The type that was found.
        found: ElementType,
    } => [
        "expected elements of type {expected}, found {found}";
        "convert the elements, or write the same type on both sides"
    ]
    /// `dispatch!` has no code for this element type.
    NoCode {
        /// The element type.
        element_type: ElementType,
    } => { match (element_type.bits()) {
        Some(_) => [
            "`dispatch!` has no code for elements of type {element_type}";
            "list the Rust type of it there, or convert the elements"
        ]
        None => [
            "there are no elements of type {element_type}";
            "give `dispatch!` the element type of an array"
        ]
    } }
    /// The layout gives an element another width than the Rust type has.
    ElementBits {
        /// The bits of the Rust type, or of the layout that was asked for.
        expected: usize,
        /// The bits in the layout.
        found: usize,
    } => (&element_bits(*expected, *found))
    /// Packed access needs elements of 1, 2 or 4 bits.
    NotPacked {
        /// The type of an element.
        element_type: ElementType,
        /// The bits in the layout.
        found: usize,
    } => [
        "packed views are for elements of 1, 2 or 4 bits, but the layout gives each {found}";
        match (element_type.bits()) {
            Some(bits @ (1 | 2 | 4)) => [
                "write E({bits}) in the layout if a byte holds several elements of type \
                 {element_type}, else use a `SliceView`"
            ]
            _ => ["use a `SliceView`"]
        }
    ]
    /// The layout has another number of dimensions than the one that is needed.
    Rank {
        /// The rank that is needed.
        expected: usize,
        /// The rank of the layout.
        found: usize,
    } => [
        "a layout of rank {expected} is needed, but this one has rank {found}";
        "give a layout with {}", Counted(*expected, "dimension")
    ]
    /// A list has not one number for each dimension.
    Listed {
        /// What is listed: `coordinates`, `sizes`, `strides`.
        what: &'static str,
        /// The rank of the layout.
        expected: usize,
        /// How many are listed.
        found: usize,
    } => [
        "the number of {what} is {found}, but the layout has rank {expected}";
        "give one for each dimension"
    ]
    /// There is no dimension with this number.
    NoDimension {
        /// The number of the dimension.
        dimension: usize,
        /// The number of dimensions.
        rank: usize,
    } => [
        "there is no dimension {dimension}: the layout has {}", Counted(*rank, "dimension");
        "dimensions count from 0"
    ]
    /// A dimension has another size.
    Size {
        /// The number of the dimension.
        dimension: usize,
        /// The size that is needed.
        expected: usize,
        /// The size that was found.
        found: usize,
    } => [
        "dimension {dimension} has size {found}, but size {expected} is needed";
        "give it this size, or use another layout"
    ]
    /// A dimension is larger than its bound, or than the width that padding leaves it.
    AboveBound {
        /// The number of the dimension.
        dimension: usize,
        /// The size that was found.
        size: usize,
        /// The bound.
        bound: usize,
    } => [
        "dimension {dimension} has size {size}, but the layout says at most {bound}";
        "give a smaller size, or write a larger bound or padded width"
    ]
    /// Two dimensions whose sizes have one name have different sizes.
    UnequalSizes {
        /// The name, without `?`.
        name: &'static str,
        /// The dimensions.
        dimensions: [usize; 2],
        /// Their sizes.
        sizes: [usize; 2],
    } => { match ((dimensions, sizes)) {
        ([a, b], [size, other]) => [
            "dimensions {a} and {b} have one name, `?{name}`, but the sizes {size} and {other}";
            "give equal sizes, or write another name or `?` in the type"
        ]
    } }
    /// A coordinate is out of bounds.
    OutOfBounds {
        /// The number of the dimension.
        dimension: usize,
        /// The coordinate.
        coordinate: usize,
        /// The size of the dimension.
        size: usize,
    } => { match (size) {
        0 => [
            "coordinate {coordinate} of dimension {dimension} is out of bounds: the dimension has \
             size 0, so the array has no elements";
            "look at the sizes first"
        ]
        _ => [
            "coordinate {coordinate} of dimension {dimension} is out of bounds: the dimension \
             has size {size}";
            "its last index is {}", size - 1
        ]
    } }
    /// A coordinate is not among those that an axis has left.
    NotLeft {
        /// The number of the dimension.
        dimension: usize,
        /// The coordinate.
        coordinate: usize,
        /// The first coordinate that is left.
        start: usize,
        /// Where the coordinates end that are left.
        end: usize,
    } => { match (start == end) {
        true => [
            "coordinate {coordinate} of dimension {dimension} is not on this axis: no \
             coordinate is left";
            "make the axis anew, or look at its size first"
        ]
        false => [
            "coordinate {coordinate} of dimension {dimension} is not on this axis, which has the \
             coordinates {start} to {}", end - 1;
            "use one of these"
        ]
    } }
    /// A range is not among the coordinates that an axis has left.
    RangeNotLeft {
        /// The number of the dimension.
        dimension: usize,
        /// The range.
        range: [usize; 2],
        /// The first coordinate that is left.
        start: usize,
        /// Where the coordinates end that are left.
        end: usize,
    } => [
        "the range {}..{} of dimension {dimension} is not on this axis, which has the coordinates \
         {start}..{end}", range[0], range[1];
        "begin it at {start} or after, and end it at {end} or before"
    ]
    /// A linear index lies in padding.
    InPadding {
        /// The linear index.
        linear_index: usize,
    } => [
        "linear index {linear_index} has no element: it is in padding, or between the \
         elements of a part";
        "ask for the linear index of an element"
    ]
    /// A linear index lies beyond the end.
    BeyondEnd {
        /// The linear index.
        linear_index: usize,
        /// The allocated elements.
        buffer_len: usize,
    } => [
        "linear index {linear_index} lies beyond the {buffer_len} elements that are allocated";
        "ask for one below {buffer_len}"
    ]
    /// With these strides, two elements may have one linear index, or lie between each other: then
    /// a linear index is not taken apart by divisions.
    Overlap {
        /// The number of the dimension.
        dimension: usize,
        /// Its stride.
        stride: usize,
        /// The largest linear index that the dimensions of smaller strides reach.
        reached: usize,
    } => [
        "the stride {stride} of dimension {dimension} lets elements overlap or interleave: \
         dimensions of strides that are not larger reach linear index {reached}";
        "use a stride above {reached}, or `broadcast` for a dimension that is repeated"
    ]
    /// A stride is no whole number of elements.
    PartOfElement {
        /// The number of the dimension.
        dimension: usize,
        /// Its stride in bytes.
        stride: isize,
        /// The bytes of an element.
        bytes: usize,
    } => [
        "the stride of dimension {dimension} is {stride} bytes, but an element has {bytes}";
        "use a multiple of {bytes}, or copy the array"
    ]
    /// A dimension has a negative stride.
    Reversed {
        /// The number of the dimension.
        dimension: usize,
    } => [
        "dimension {dimension} has a negative stride";
        "use `StridedLayout<_, isize>`, or copy the array"
    ]
    /// A part of a packed array would have elements in a byte that has elements of another part.
    SharedByte {
        /// The number of the dimension.
        dimension: usize,
        /// Where the part begins or ends.
        at: usize,
        /// How many elements of the dimension share a byte; `None` if parts of it always share one.
        multiple: Option<usize>,
        /// A part may begin and end at this number plus a multiple of `multiple`. It is 0, except
        /// in a dimension that negative strides reverse.
        beyond: usize,
    } => { match ((multiple, beyond)) {
        (Some(multiple), 0) => [
            "a part that begins or ends at {at} in dimension {dimension} shares a byte \
             with another part";
            "use a multiple of {multiple}"
        ]
        (Some(multiple), _) => [
            "a part that begins or ends at {at} in dimension {dimension} shares a byte with \
             another part: the dimension is reversed, and its bytes begin at its end";
            "use {beyond} plus a multiple of {multiple}"
        ]
        (None, _) => [
            "a part that begins or ends at {at} in dimension {dimension} may share a byte with \
             another part: rows do not begin at bytes";
            "copy the array to a layout whose rows do"
        ]
    } }
    /// A step of 0 along a dimension.
    NoStep {
        /// The number of the dimension.
        dimension: usize,
    } => [
        "a slice of dimension {dimension} has step 0";
        "use a step of at least 1, or `broadcast` to repeat an element"
    ]
    /// The elements lie in memory in another sequence.
    MemoryMap => [
        "the elements lie in memory in another sequence: minor_to_major, tiles or padding differ";
        "ask for the layout that the array has, or copy it"
    ]
    /// The array lies in another memory.
    MemorySpace {
        /// The memory space of the layout that was asked for.
        expected: i8,
        /// The memory space that was found.
        found: i8,
    } => [
        "expected an array in memory space S({expected}), found S({found})";
        "copy the array there, or write its memory space in the layout"
    ]
    /// A dimension has no stride: the layout is tiled.
    NotStrided => [
        "the layout is tiled, so that not every dimension has a stride";
        "loop over the coordinates of an `axis`, or copy the array to a layout without tiles"
    ]
    /// The elements along a dimension are not adjacent, so they are no slice.
    NotAdjacent {
        /// The dimension.
        dimension: usize,
    } => [
        "the elements along dimension {dimension} are not adjacent in memory";
        "take one line of them by `line::<{dimension}>(…)`, or copy the array to a layout in which \
         dimension {dimension} varies fastest"
    ]
    /// The layout allocates more elements than the integers of the index arithmetic count.
    TooLargeFor32Bits {
        /// The allocated elements.
        buffer_len: usize,
    } => [
        "the layout allocates {buffer_len} elements, more than 32-bit indices can count";
        "use a `StridedLayout`"
    ]
    /// A reshape or a transpose is no bitcast.
    NoBitcast(why: NotBitcast) => (why)
    /// A part of a dimension is no array of its own.
    NoSlice(why: NotSlice) => (why)
    /// The shape cannot be lowered.
    Lower(error: NotLowered) => (error)
    /// The shape is not valid.
    Invalid(error: ParseError) => (error)
    /// What a crate that builds on this one says: its errors become this one by `?`. A program that
    /// asks for the kind returns the error of that crate.
    #[cfg(feature = "alloc")]
    Other {
        /// What is wrong.
        message: alloc::boxed::Box<str>,
        /// What to write instead.
        help: alloc::boxed::Box<str>,
    } => ["{message}"; "{help}"]
}
}

crate::explained!(LayoutError);

impl LayoutError {
    /// The words of another error.
    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    #[must_use]
    pub fn other(error: &dyn xlayout_shape::explain::Explain) -> Self {
        use alloc::string::ToString;
        Self::Other {
            message: xlayout_shape::explain::message(error).to_string().into(),
            help: xlayout_shape::explain::help(error).to_string().into(),
        }
    }

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

/// What to say of elements of another width, in a running program and to the compiler.
#[inline]
pub(crate) const fn element_bits(expected: usize, found: usize) -> ConstText {
    let text = ConstText::new(
        "the layout gives each element {} bits, but {} are needed",
        &[found, expected],
    );
    match found {
        1 | 2 | 4 => text.help("use a packed view", &[]),
        _ => text.help("write E({})", &[expected]),
    }
}

/// The result, for what panics where its argument does not fit.
#[inline(always)]
#[track_caller]
pub(crate) fn or_panic<T>(result: Result<T, LayoutError>) -> T {
    match result {
        Ok(it) => it,
        Err(why) => panic!("{why}"),
    }
}
