//! Why two arrays cannot be copied into each other.

use alloc::boxed::Box;
use core::fmt;

use xlayout_core::words::{Counted, from_fn};
use xlayout_core::{ArrayShape, ElementType, LayoutError};

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

xlayout_core::error_table! {
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
///     "dimension 0 is 2 in the source and 3 in the destination; both sides must be the same \
///      logical array, so transpose by minor_to_major and keep the dimensions",
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelayoutError {
    /// The element types differ; a relayout does not convert elements.
    ElementType {
        /// That of the source.
        source: ElementType,
        /// That of the destination.
        destination: ElementType,
    } => [
        "the source holds {source}, the destination {destination}";
        "a relayout copies elements as they are, so convert them first"
    ]
    /// The numbers of dimensions differ.
    Rank {
        /// That of the source.
        source: usize,
        /// That of the destination.
        destination: usize,
    } => [
        "the source has {}, the destination {destination}", Counted(*source, "dimension");
        "both sides must be the same logical array, so reshape one of them first"
    ]
    /// A dimension has another size.
    Size {
        /// The dimension.
        dimension: usize,
        /// The size in the source.
        source: usize,
        /// The size in the destination.
        destination: usize,
    } => [
        "dimension {dimension} is {source} in the source and {destination} in the destination";
        "both sides must be the same logical array, so transpose by minor_to_major and keep the \
         dimensions"
    ]
    /// The two sides keep elements at different widths, and one of them is narrower than the type.
    Narrow {
        /// The side that has fewer bits than the type.
        end: End,
        /// The type of the elements.
        element_type: ElementType,
        /// The bits that the side keeps of each element.
        bits: usize,
    } => [
        "the {end} keeps {} of each {element_type}{}: elements would lose bits on the way",
        Counted(*bits, "bit"), of_bits(element_type.bits());
        "give both sides the same `E(…)`"
    ]
    /// The numbers of sizes and of strides differ.
    Strides {
        /// The number of sizes.
        sizes: usize,
        /// The number of strides.
        strides: usize,
    } => [
        "there are {} and {}", Counted(*sizes, "size"), Counted(*strides, "stride");
        "each dimension needs one of both"
    ]
    /// Strides lead to before the first byte.
    BeforeStart {
        /// The least offset that keeps the first element where it is and all others inside.
        needed: usize,
        /// The offset that was given.
        found: usize,
    } => [
        "the strides lead to before the first byte: the element at the origin lies at byte \
         {found}, and must lie at byte {needed} or later";
        "pass that as the offset"
    ]
    /// Several indices of the destination are the same element.
    NotUnique => [
        "several indices of the destination are one element, because a dimension is broadcast";
        "copy to the array before it is broadcast"
    ]
    /// Two elements of a strided destination overlap, or the budget was too small to decide it.
    Overlapping => [
        "elements of the destination overlap: a stride is shorter than what the smaller strides \
         span";
        "give each dimension a stride of at least that many bytes"
    ]
    /// A plan that fills padding was run on a part of an array.
    PartPadding => [
        "the plan fills padding, and the destination is a part of an array, which has none: other \
         elements of the array may be there";
        "make the plan without `fill_padding`"
    ]
    /// A dimension is reversed in the destination and tiled in the source.
    Reversed {
        /// The dimension.
        dimension: usize,
    } => [
        "the destination has dimension {dimension} in reversed sequence, and the source has it in \
         tiles";
        "copy to a layout without reversed dimensions first"
    ]
    /// Offsets of bytes (of bits, where elements are packed) do not fit into an `isize`.
    TooLarge {
        /// The side.
        end: End,
    } => [
        "the {end} is too large for this machine: its offsets, in bits where elements are packed, \
         must fit into an `isize`";
        "copy it by parts, or give smaller strides"
    ]
    /// A buffer is not as long as its layout says.
    Length {
        /// The side of the buffer.
        end: End,
        /// The bytes that the layout allocates.
        expected: usize,
        /// The bytes of the buffer.
        found: usize,
    } => [
        "the {end} has {} where its layout allocates {expected}, padding included", Counted(*found, "byte");
        "pass a slice of exactly that length"
    ]
    /// A buffer ends before the last element that strides lead to.
    Short {
        /// The side of the buffer.
        end: End,
        /// The bytes up to the end of the last element.
        needed: usize,
        /// The bytes of the buffer.
        found: usize,
    } => [
        "the {end} has {}, but its strides lead up to byte {needed}", Counted(*found, "byte");
        "pass the whole buffer that they are for"
    ]
    /// The elements of a slice have another width than those of the layout.
    ElementBits {
        /// The side of the slice.
        end: End,
        /// The bits of an element in the layout.
        expected: usize,
        /// The bits of the Rust type.
        found: usize,
    } => [
        "the slice of the {end} has elements of {} where its layout has {expected}", Counted(*found, "bit");
        "pass elements of that width, or the bytes to `run_bytes`"
    ]
    /// A `bool` must be 0 or 1, but the plan's elements or its padding may have other values.
    NotPred {
        /// The type of the plan's elements, or of what padding is filled with.
        found: ElementType,
    } => [
        "not every {found} is a `bool`"; "pass the memory as `u8`, or the bytes to `run_bytes`"
    ]
    /// A value for the padding has another width than an element.
    Padding {
        /// The bytes of an element (1, where elements are packed).
        expected: usize,
        /// The bytes of the value.
        found: usize,
    } => [
        "the value for the padding has {}, an element has {expected}", Counted(*found, "byte");
        "pass a value of the elements' type{}", if *expected == 1 { " (packed elements: a `u8`)" } else { "" }
    ]
    /// An array was given to a plan that was made for another layout.
    OtherLayout {
        /// The side of the array.
        end: End,
        /// The layout that the plan was made for; `None` if it was made for strides.
        planned: Option<Box<ArrayShape>>,
        /// Whether that is the layout of a slice, whose gaps hold the rest of another array.
        planned_is_slice: bool,
        /// The layout that the array has.
        found: Box<ArrayShape>,
        /// Whether the array is such a slice.
        found_is_slice: bool,
    } => [
        "the {end} is {}{found}, but the plan was made for {}",
        slice(*found_is_slice), made_for(planned.as_deref(), *planned_is_slice, found, *found_is_slice);
        "make a plan for it by `Plan::new`, or use `relayout`"
    ]
    /// The arrays take different numbers of bytes, so one cannot replace the other in place.
    InPlace {
        /// The bytes before.
        source: usize,
        /// The bytes after.
        destination: usize,
    } => [
        "the array takes {} now and would take {destination}", Counted(*source, "byte");
        "only layouts of the same number of bytes can take each other's place, so copy to another \
         buffer"
    ]
    /// The array is a slice, and the other layout would place its elements where the rest of the
    /// array that was sliced is.
    OutsideSlice => [
        "the array is a slice, and some of its elements would take places of the rest of the \
         sliced array";
        "copy to another buffer"
    ]
    /// There is not enough memory for a buffer of the copy, or for the destination.
    NoMemory {
        /// The requested bytes.
        bytes: usize,
        /// What the memory is for.
        of: &'static str,
        /// What to do instead.
        instead: &'static str,
    } => ["there is no memory for {} of {of}", Counted(*bytes, "byte"); "{instead}"]
    /// A text that is not a `Measurement`.
    NotMeasurement {
        /// The text.
        found: Box<str>,
    } => [
        "`{found}` is no measurement of a plan, such as `lines 4 x 8 direct, streamed`";
        "pass a text that this version of the crate has written, or measure anew"
    ]
    /// A line that `wisdom` does not write.
    NotWisdom {
        /// The line.
        found: Box<str>,
    } => [
        "`{found}` is no line of what plans have learned";
        "pass a text that `wisdom` of this version of the crate has written"
    ]
    /// The text was learned on another processor.
    OtherProcessor {
        /// This processor.
        expected: Box<str>,
        /// The first line of the text.
        found: Box<str>,
    } => [
        "the text begins with `{found}`, and what was learned on this processor with `{expected}`";
        "pass a text that `wisdom` has written on such a processor"
    ]
    /// One of the layouts cannot be addressed.
    Layout(error: LayoutError) => (error)
}
}

xlayout_core::explained!(RelayoutError);

/// `, which has 32`
fn of_bits(bits: Option<u32>) -> impl fmt::Display {
    from_fn(move |f| match bits {
        Some(bits) => write!(f, ", which has {bits}"),
        None => Ok(()),
    })
}

const fn slice(is_slice: bool) -> &'static str {
    if is_slice { "a slice " } else { "" }
}

/// Names what the plan was made for. It says if the strides differ where XLA's texts, which have no
/// strides, are equal.
fn made_for<'a>(
    planned: Option<&'a ArrayShape>,
    planned_is_slice: bool,
    found: &'a ArrayShape,
    found_is_slice: bool,
) -> impl fmt::Display + 'a {
    let same = planned == Some(found) && found_is_slice == planned_is_slice;
    from_fn(move |f| {
        match planned {
            Some(planned) => write!(f, "{}{planned}", slice(planned_is_slice))?,
            None => f.write_str("strides of bytes")?,
        }
        f.write_str(if same { " with other strides" } else { "" })
    })
}

/// Lets a function that returns the error of layouts also copy, with `?`.
///
/// ```
/// use xlayout_core::{Array, ArrayRef, DynLayout, LayoutError};
/// use xlayout_relayout::relayout;
/// fn copy(a: &ArrayRef<f32, DynLayout>) -> Result<Array<f32, DynLayout>, LayoutError> {
///     let mut b = Array::zeros("f32[2,3]{0,1}".parse()?)?;
///     relayout(a, &mut b)?;
///     Ok(b)
/// }
/// let a = Array::<f32, DynLayout>::zeros("f32[3,2]".parse()?)?;
/// assert!(copy(&a).unwrap_err().to_string().starts_with("dimension 0 is 3 in the source and 2 in the destination; "));
/// # Ok::<(), LayoutError>(())
/// ```
impl From<RelayoutError> for LayoutError {
    fn from(error: RelayoutError) -> Self {
        match error {
            RelayoutError::Layout(error) => error,
            other => Self::other(&other),
        }
    }
}
