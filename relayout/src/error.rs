//! Why two arrays cannot be copied into each other.

use alloc::boxed::Box;
use core::fmt;

use xlayout_core::{ArrayShape, LayoutError, PrimitiveType};

/// One of the two sides of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Where elements are read.
    Source,
    /// Where elements are written.
    Destination,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Source => "source",
            Self::Destination => "destination",
        })
    }
}

/// Why a copy cannot be planned, or a plan cannot be run.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::Plan;
///
/// let a: DynLayout = "f32[2,3]{1,0}".parse().unwrap();
/// let b: DynLayout = "f32[3,2]{1,0}".parse().unwrap();
/// assert_eq!(
///     Plan::new(&a, &b).unwrap_err().to_string(),
///     "dimension 0 is 2 in the source and 3 in the destination: both sides must be the same \
///      logical array, so transpose by minor_to_major and keep the dimensions",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelayoutError {
    /// The element types differ; a relayout copies elements as they are.
    ElementType {
        /// The source's.
        source: PrimitiveType,
        /// The destination's.
        destination: PrimitiveType,
    },
    /// The numbers of dimensions differ.
    Rank {
        /// The source's.
        source: usize,
        /// The destination's.
        destination: usize,
    },
    /// A dimension has another size.
    Size {
        /// The number of the dimension.
        dimension: usize,
        /// The source's.
        source: usize,
        /// The destination's.
        destination: usize,
    },
    /// The two sides keep elements at different widths, and one of them is narrower than the type.
    Narrow {
        /// The side that has fewer bits than the type.
        end: End,
        /// The type of the elements.
        element_type: PrimitiveType,
        /// The bits that the side keeps of each element.
        bits: usize,
    },
    /// The numbers of sizes and of strides differ.
    Strides {
        /// The sizes.
        sizes: usize,
        /// The strides.
        strides: usize,
    },
    /// Strides lead to before the first byte.
    BeforeStart {
        /// The least offset that keeps the first element where it is and all others inside.
        needed: usize,
        /// The offset that was given.
        found: usize,
    },
    /// Several indices of the destination are one element.
    NotUnique,
    /// A plan that fills padding was run on a part of an array.
    PartPadding,
    /// A dimension that the destination has in reversed sequence is in tiles of the source.
    Reversed {
        /// The number of the dimension.
        dimension: usize,
    },
    /// Offsets of bytes (of bits, where elements are packed) do not fit into an `isize`.
    TooLarge {
        /// The side.
        end: End,
    },
    /// A buffer is not as long as its layout says.
    Length {
        /// Whose buffer.
        end: End,
        /// The bytes that the layout allocates.
        expected: usize,
        /// The bytes of the buffer.
        found: usize,
    },
    /// A buffer ends before the last element that strides lead to.
    Short {
        /// The bytes up to the end of the last element.
        needed: usize,
        /// The bytes of the buffer.
        found: usize,
    },
    /// The elements of a slice have another width than those of the layout.
    ElementBits {
        /// Whose slice.
        end: End,
        /// The bits of an element in the layout.
        expected: usize,
        /// The bits of the Rust type.
        found: usize,
    },
    /// A `bool` must be 0 or 1, and the plan's elements or its padding need not be.
    NotPred {
        /// The type of the plan's elements, or of what padding is filled with.
        found: PrimitiveType,
    },
    /// A value for the padding has another width than an element.
    Padding {
        /// The bytes of an element (1, where elements are packed).
        expected: usize,
        /// The bytes of the value.
        found: usize,
    },
    /// An array was given to a plan that was made for another layout.
    OtherLayout {
        /// Whose.
        end: End,
        /// The layout that the plan was made for; nothing where it was made for strides.
        planned: Option<Box<ArrayShape>>,
        /// Whether that is the layout of a slice, whose gaps hold the rest of another array.
        planned_is_slice: bool,
        /// The layout that the array has.
        found: Box<ArrayShape>,
        /// Whether the array is such a slice.
        found_is_slice: bool,
    },
    /// The arrays take different numbers of bytes, so that one cannot take the other's place.
    InPlace {
        /// The bytes before.
        source: usize,
        /// The bytes after.
        destination: usize,
    },
    /// The array is a slice, and in the other layout its elements would take places that belong to
    /// the rest of the array that was sliced.
    OutsideSlice,
    /// There is no memory for the marks of an in-place copy: a bit for each element.
    NoMemory {
        /// The bytes that were asked for.
        bytes: usize,
    },
    /// There is no memory for the two buffers that a plan is measured on.
    NoMemoryToMeasure {
        /// The bytes that were asked for.
        bytes: usize,
    },
    /// One of the layouts cannot be addressed.
    Layout(LayoutError),
}

impl fmt::Display for RelayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ElementType {
                source,
                destination,
            } => write!(
                f,
                "the source holds {source}, the destination {destination}: a relayout copies \
                 elements as they are, so convert them first"
            ),
            Self::Rank {
                source,
                destination,
            } => write!(
                f,
                "the source has {source} dimensions, the destination {destination}: both sides \
                 must be the same logical array, so reshape one of them first"
            ),
            Self::Size {
                dimension,
                source,
                destination,
            } => write!(
                f,
                "dimension {dimension} is {source} in the source and {destination} in the \
                 destination: both sides must be the same logical array, so transpose by \
                 minor_to_major and keep the dimensions"
            ),
            Self::Narrow {
                end,
                element_type,
                bits,
            } => {
                write!(f, "the {end} keeps {bits} bits of each {element_type}")?;
                if let Some(own) = element_type.bits() {
                    write!(f, ", which has {own}")?;
                }
                f.write_str(
                    ": elements would lose bits on the way; give both sides the same `E(…)`",
                )
            }
            Self::Strides { sizes, strides } => write!(
                f,
                "there are {sizes} sizes and {strides} strides; each dimension needs one of both"
            ),
            Self::BeforeStart { needed, found } => write!(
                f,
                "the strides lead to before the first byte: the element at the origin lies at byte \
                 {found}, and must lie at byte {needed} or later; pass that as the offset"
            ),
            Self::NotUnique => f.write_str(
                "several indices of the destination are one element, because a dimension is broadcast; copy to \
                 the array before it is broadcast",
            ),
            Self::PartPadding => f.write_str(
                "the plan fills padding, and the destination is a part of an array, which has none: other \
                 elements of the array may be there; make the plan without `fill_padding`",
            ),
            Self::Reversed { dimension } => write!(
                f,
                "the destination has dimension {dimension} in reversed sequence, and the source has it in tiles; \
                 copy to a layout without reversed dimensions first"
            ),
            Self::TooLarge { end } => write!(
                f,
                "the {end} is too large for this machine: its offsets, in bits where elements are \
                 packed, must fit into an `isize`; copy it by parts, or give smaller strides"
            ),
            Self::Length {
                end,
                expected,
                found,
            } => write!(
                f,
                "the {end} has {found} bytes where its layout allocates {expected}, padding \
                 included; pass a slice of exactly that length"
            ),
            Self::Short { needed, found } => write!(
                f,
                "the source has {found} bytes, but its strides lead up to byte {needed}; pass the \
                 whole buffer that they are for"
            ),
            Self::ElementBits {
                end,
                expected,
                found,
            } => write!(
                f,
                "the slice of the {end} has elements of {found} bits where its layout has \
                 {expected}; pass elements of that width, or the bytes to `run_bytes`"
            ),
            Self::NotPred { found } => write!(
                f,
                "not every {found} is a `bool`; pass the memory as `u8`, or the bytes to `run_bytes`"
            ),
            Self::Padding { expected, found } => write!(
                f,
                "the value for the padding has {found} bytes, an element has {expected}; pass a \
                 value of the elements' type{}",
                if *expected == 1 {
                    " (packed elements: a `u8`)"
                } else {
                    ""
                }
            ),
            Self::OtherLayout {
                end,
                planned,
                planned_is_slice,
                found,
                found_is_slice,
            } => {
                let slice = |is_slice: bool| if is_slice { "a slice " } else { "" };
                let (is, of) = (slice(*found_is_slice), slice(*planned_is_slice));
                write!(f, "the {end} is {is}{found}, but the plan was made for ")?;
                match planned {
                    Some(planned) => write!(f, "{of}{planned}")?,
                    None => f.write_str("strides of bytes")?,
                }
                // XLA's text has no strides.
                if planned.as_ref() == Some(found) && found_is_slice == planned_is_slice {
                    f.write_str(" with other strides")?;
                }
                f.write_str("; make a plan for it by `Plan::new`, or use `relayout`")
            }
            Self::InPlace {
                source,
                destination,
            } => write!(
                f,
                "the array takes {source} bytes now and would take {destination}: only layouts of \
                 the same number of bytes can take each other's place, so copy to another buffer"
            ),
            Self::OutsideSlice => f.write_str(
                "the array is a slice, and some of its elements would come to lie where the rest of the \
                 sliced array lies; copy to another buffer",
            ),
            Self::NoMemory { bytes } => write!(
                f,
                "there is no memory for {bytes} bytes of marks, a bit for each element; copy to \
                 another buffer by parts"
            ),
            Self::NoMemoryToMeasure { bytes } => write!(
                f,
                "there is no memory for {bytes} bytes of buffers to measure the plan on; use the \
                 plan as `Plan::new` made it"
            ),
            Self::Layout(layout_error) => layout_error.fmt(f),
        }
    }
}

impl core::error::Error for RelayoutError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Layout(layout_error) => Some(layout_error),
            _ => None,
        }
    }
}

impl From<LayoutError> for RelayoutError {
    fn from(layout_error: LayoutError) -> Self {
        Self::Layout(layout_error)
    }
}
