//! What keeps an array from being a tensor, or a tensor from being an array.

use xlayout_core::words::Counted;
use xlayout_core::{ElementType, LayoutError};
use xlayout_interop::Error;

xlayout_core::error_table! {
/// Why a tensor was not made or not taken.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields are the numbers that the line above them names"
)]
pub enum DlpackError {
    /// The sizes and strides are no layout, or not the one that is asked for.
    Layout(why: LayoutError) => (why)
    /// The element type exists on one side only.
    Type(why: Error) => (why)
    /// The layout has no strides.
    NotStrided { shape: String } => [
        "a tensor of DLPack has a stride for each dimension, which {shape} does not have";
        "copy the array to a layout without tiles first with the crate xlayout-relayout"
    ]
    /// The memory is not that of the processor.
    Device { device_type: i32, device_id: i32 } => [
        "the tensor is in the memory of device {device_id} of type {device_type}; only memory of \
         the CPU (type 1) can be read";
        "copy the array to the CPU first, in JAX with `jax.device_put(x, jax.devices(\"cpu\")[0])`,
        in PyTorch with `x.cpu()`"
    ]
    /// The structure has a version that this library does not know.
    Version { major: u32, minor: u32 } => [
        "the tensor has version {major}.{minor} of DLPack; only version 1 is known";
        "ask for version 1 (`max_version=(1, 0)`)"
    ]
    /// The tensor is read-only.
    ReadOnly => [
        "the tensor is read-only"; "use `view`, or copy it with `to_array` and write to the copy"
    ]
    /// What the older structure cannot say.
    NotUnversioned { what: &'static str } => [
        "the structure `DLManagedTensor` cannot say that {what}";
        "ask for version 1 (`max_version=(1, 0)`)"
    ]
    /// A negative number of dimensions or a negative size, or a pointer that is null or not
    /// aligned.
    Malformed { what: &'static str } => [
        "the tensor is malformed: {what}"; "report it to the library that made the tensor"
    ]
    /// The first element is not at a multiple of its alignment.
    Alignment { expected: usize, found: usize } => [
        "the first element is {} behind a multiple of {expected}, which its type needs", Counted(*found, "byte");
        "copy the array first"
    ]
    /// An element of type `pred` is neither 0 nor 1.
    NotPred { found: u8 } => [
        "an element of the type pred is {found}, and only 0 and 1 are a `bool`";
        "write 0 or 1, or take the elements as `u8`"
    ]
    /// The elements are of another type.
    ElementType { expected: ElementType, found: ElementType } => [
        "the tensor has elements of type {found}, and elements of type {expected} are asked for";
        "convert the elements, or ask for the type that they have"
    ]
    /// Elements narrower than a byte share bytes.
    Packed { element_type: ElementType } => [
        "several elements of type {element_type} share a byte; views of such a tensor are not \
         supported";
        "convert it to one byte for each element first"
    ]
}
}

xlayout_core::explained!(DlpackError);

/// So that a function which returns the error of layouts can exchange tensors, too.
impl From<DlpackError> for LayoutError {
    fn from(error: DlpackError) -> Self {
        match error {
            DlpackError::Layout(why) => why,
            other => Self::other(&other),
        }
    }
}
