//! What keeps an array from being a tensor, or a tensor from being an array.

use core::fmt;

use xlayout_core::{LayoutError, PrimitiveType};
use xlayout_interop::Error;

/// Why a tensor was not made or not taken.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields are the numbers that the line above them names"
)]
pub enum DlpackError {
    /// The sizes and strides are no layout, or not the one that is asked for.
    Layout(LayoutError),
    /// The element type exists on one side only.
    Type(Error),
    /// The layout has no strides.
    NotStrided { shape: String },
    /// The memory is not that of the processor.
    Device { device_type: i32, device_id: i32 },
    /// The structure has a version that this library does not know.
    Version { major: u32, minor: u32 },
    /// The tensor is read-only.
    ReadOnly,
    /// What the older structure cannot say.
    NotUnversioned { what: &'static str },
    /// A negative number of dimensions or a negative size, or a pointer that is null or not aligned.
    Malformed { what: &'static str },
    /// The first element is not at a multiple of its alignment.
    Alignment { expected: usize, found: usize },
    /// An element of type `pred` is neither 0 nor 1.
    NotPred { found: u8 },
    /// The elements are of another type.
    ElementType {
        expected: PrimitiveType,
        found: PrimitiveType,
    },
    /// Elements narrower than a byte share bytes.
    Packed { element_type: PrimitiveType },
}

impl fmt::Display for DlpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(why) => why.fmt(f),
            Self::Type(why) => why.fmt(f),
            Self::NotStrided { shape } => write!(
                f,
                "a tensor of DLPack has a stride for each dimension, which {shape} does not have; copy the \
                 array to a layout without tiles first with the crate xlayout-relayout"
            ),
            Self::Device {
                device_type,
                device_id,
            } => write!(
                f,
                "the tensor is in the memory of device {device_id} of type {device_type}; only memory of the \
                 CPU (type 1) can be read; copy the array to the CPU first, in JAX with \
                 `jax.device_put(x, jax.devices(\"cpu\")[0])`, in PyTorch with `x.cpu()`"
            ),
            Self::Version { major, minor } => write!(
                f,
                "the tensor has version {major}.{minor} of DLPack; only version 1 is known"
            ),
            Self::ReadOnly => f.write_str(
                "the tensor is read-only; use `view`, or copy it with `to_array` and write to the copy",
            ),
            Self::NotUnversioned { what } => write!(
                f,
                "the structure `DLManagedTensor` cannot say that {what}; ask for version 1 \
                 (`max_version=(1, 0)`)"
            ),
            Self::Malformed { what } => write!(f, "the tensor is malformed: {what}"),
            Self::Alignment { expected, found } => write!(
                f,
                "the first element is {found} bytes behind a multiple of {expected}, which its type needs; \
                 copy the array first"
            ),
            Self::NotPred { found } => write!(
                f,
                "an element of the type pred is {found}, and only 0 and 1 are a `bool`"
            ),
            Self::ElementType { expected, found } => write!(
                f,
                "the tensor has elements of type {found}, and elements of type {expected} are asked for"
            ),
            Self::Packed { element_type } => write!(
                f,
                "several elements of type {element_type} share a byte; views of such a tensor are not \
                 supported, convert it to one byte for each element first"
            ),
        }
    }
}

impl std::error::Error for DlpackError {}

impl From<LayoutError> for DlpackError {
    fn from(why: LayoutError) -> Self {
        Self::Layout(why)
    }
}

impl From<Error> for DlpackError {
    fn from(why: Error) -> Self {
        Self::Type(why)
    }
}
