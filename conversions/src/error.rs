//! What keeps an array of one crate from being one of another.

use xlayout_core::{ElementType, LayoutError};

xlayout_core::error_table! {
/// Why an array is not converted.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields are what the line above them names"
)]
pub enum ConversionError {
    /// The sizes and strides are no layout of xlayout.
    Layout(why: LayoutError) => { match (why) {
        LayoutError::Overlap { dimension, stride: 0, .. } => [
            "dimension {dimension} has stride 0: all its elements are one in memory";
            "convert the array first and broadcast it then, or copy it to an array of its own"
        ]
        why => (why)
    } }
    /// A dimension has no stride.
    Tiled { library: &'static str, shape: String } => [
        "an array of {library} has one stride for each dimension, which {shape} does not have";
        "copy it to a layout without tiles first: `relayout` of the crate xlayout-relayout"
    ]
    /// A stride is negative.
    Reversed { library: &'static str, dimension: usize } => [
        "dimension {dimension} has a negative stride, and strides of {library} have no sign";
        "convert the array first and reverse the dimension then, or copy it to a layout whose \
         strides are positive: `relayout` of the crate xlayout-relayout"
    ]
    /// The other crate owns elements in one sequence only.
    Sequence {
        library: &'static str,
        needed: &'static str,
        shape: String,
        strides: Vec<isize>,
    } => [
        "{library} takes the memory of {needed}, and {shape} has the strides {strides:?}";
        "pass a reference, if a view is enough, or copy the array to such a layout first: \
         `relayout` of the crate xlayout-relayout"
    ]
    /// The elements are of another type.
    ElementType { expected: ElementType, found: String } => [
        "the elements are of type {found}, and elements of type {expected} are asked for";
        "ask for the type that they have, or convert them first: `tensor.to_dtype(…)`"
    ]
    /// The elements are not in the memory of the processor.
    Device { found: &'static str } => [
        "the elements are in the memory of a device ({found}), not in that of the processor";
        "copy them first: `tensor.to_device(&Device::Cpu)`"
    ]
    /// What the other crate says.
    Other { library: &'static str, message: String } => [
        "{library} says: {message}"; "see the documentation of {library}"
    ]
}
}

xlayout_core::explained!(ConversionError);

impl From<LayoutError> for ConversionError {
    fn from(why: LayoutError) -> Self {
        Self::Layout(why)
    }
}

/// So that a function which returns the error of layouts can convert arrays, too.
impl From<ConversionError> for LayoutError {
    fn from(error: ConversionError) -> Self {
        match error {
            ConversionError::Layout(why) => why,
            other => Self::other(&other),
        }
    }
}
