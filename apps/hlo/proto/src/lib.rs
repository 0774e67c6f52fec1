//! XLA's shapes and layouts as protocol buffers, byte for byte as XLA writes them.
//!
//! XLA hands out shapes in two forms: as text, which `xlayout-core` reads and prints, and as the
//! messages of `xla_data.proto`, inside serialised modules, executables and PJRT's answers. This
//! crate is for the second form.
//!
//! ```
//! use xlayout_core::Shape;
//! use xlayout_proto::Proto;
//!
//! // What XLA's `Shape::ToProto().SerializeAsString()` gives for f32[2,3]{0,1}.
//! let bytes = b"\x10\x0b\x1a\x02\x02\x03\x2a\x07\x0a\x02\x00\x01\x80\x01\x01\x32\x02\x00\x00";
//! let shape = Shape::from_proto_bytes(bytes)?;
//! shape.validate()?; // as in XLA, reading does not imply it
//! assert_eq!(shape.to_string(), "f32[2,3]{0,1}");
//! assert_eq!(shape.to_proto_bytes(), bytes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Proto`] is the way in both directions for [`Shape`], [`ArrayShape`], [`Layout`],
//! [`ProgramShape`] and [`Sharding`]; `From` and `TryFrom` say the same. Inside a message of
//! another kind (a module, a literal) use the structs: [`ShapeProto`] and the others are ordinary
//! prost messages with XLA's field numbers.
//!
//! | XLA | here |
//! |---|---|
//! | `Shape::FromProto`, `Shape::ToProto` | [`Shape::from_proto`](Proto::from_proto), [`Shape::to_proto`](Proto::to_proto) |
//! | `Layout::FromProto`, `CreateFromProto`, `ToProto` | [`Layout::from_proto`](Proto::from_proto), [`Layout::to_proto`](Proto::to_proto) |
//! | `Tile::FromProto`, `Tile::ToProto` | `Vec::<TileDim>::try_from(&TileProto)`, `TileProto::from(&[TileDim])` |
//! | `SplitConfig::CreateFromProto`, `ToProto` | `SplitConfig::from(&SplitConfigProto)`, `SplitConfigProto::from(SplitConfig)` |
//! | `HloSharding::FromProto`, `ToProto` | [`Sharding::from_proto`](Proto::from_proto), [`Sharding::to_proto`](Proto::to_proto) |
//! | `ProgramShape::FromProto`, `ToProto`, `ToString` | [`ProgramShape`] |
//! | `ParseFromString`, `SerializeAsString` | [`Proto::from_proto_bytes`], [`Proto::to_proto_bytes`], [`decode`] |
//!
//! # What is written
//! Exactly XLA's bytes: `is_dynamic_dimension` has an entry for each dimension even if all are
//! static, a tail padding alignment of 1 is written out, and what has its default is left out.
//!
//! Padding (`padded_dimensions`, `padding_value`) goes to the fields that it had before XLA retired
//! it. **Today's XLA skips those fields**, and takes the array for an unpadded one.
//!
//! # What is read, and how that differs from XLA
//! | in the message | XLA | here |
//! |---|---|---|
//! | `*` in a tile (`INT64_MIN`) | refused by TensorFlow 2.21 and jaxlib 0.10.2, read before; written by all | read |
//! | another negative entry of a tile | the same | error |
//! | negative sizes | read; validation refuses them | error: there is no [`Dim`](xlayout_core::Dim) for them |
//! | no element type, or an unknown one | an invalid shape, which validation refuses | error |
//! | `is_dynamic_dimension` of another length | refused; cut by older versions | error; none at all is "all static" |
//! | `minor_to_major` of another length | read; validation refuses it | error, as in a text |
//! | a layout on a tuple, token or opaque value | refused; skipped by older versions | error |
//! | sizes or members where there can be none | skipped | error |
//! | tail padding alignment 0 or not set | 1 | 1 |
//! | a negative tail padding alignment | refused | error |
//! | a memory space beyond 8 bits | cut to 8 bits | error |
//! | a negative metadata prefix | kept; prints as nothing | kept |
//! | padding: fields 2 (packed or not) and 3 | skipped | read |
//! | `format` (4) | skipped | `DENSE` is skipped, others are errors |
//! | `max_sparse_elements` (5) | skipped | 0 is skipped, others are errors |
//! | level types (9, 13, 14) | skipped | those of dense arrays are skipped, others are errors |
//! | `physical_shape` (10) | read; validation refuses it | error |
//! | `index_primitive_type`, `pointer_primitive_type` (11, 12) | read; validation refuses them | the same |
//! | `named_sharding` | read and written | read as the devices that it means, written as those |
//! | a tuple of shardings in another | read; prints what cannot be read | error |
//! | the kinds tuple, tiled and unknown among a sharding's subgroups | read; prints what cannot be read | error |
//! | a transpose of devices that is no permutation | read past the end of a list | error |
//! | a program's parameters without any names | refused | read |
//! | fields that are not in `xla_data.proto` here, such as newer ones | skipped | skipped |
//!
//! # Bytes that are not trusted
//! Any bytes give a value or a [`ProtoError`], which names the field
//! (`tuple_shapes[1].layout.minor_to_major`) and says what to write. Nesting stops at
//! [`MAX_DEPTH`], unless another crate of the program turns on prost's feature
//! `no-recursion-limit`. Memory is bounded by the bytes: four of them can make a member of a tuple,
//! about 1.2 KB, so limit the bytes that you take if you do not know where they come from.
//!
//! # Building
//! Needs no protoc: the structs are written by hand, and `xla_data.proto`, for people, is compared
//! with them by a test. `no_std`; needs a heap.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod error;
mod layout;
mod message;
mod program;
mod proto;
mod shape;
mod sharding;

pub use error::{MAX_DEPTH, ProtoError, ProtoErrorKind};
pub use message::*;
pub use program::{Parameter, ProgramShape};
/// The crate whose `Message` the messages are.
pub use prost;
pub use proto::{Proto, decode};

use xlayout_core::{ArrayShape, Layout, Shape};
use xlayout_sharding::Sharding;

/// `From` and `TryFrom` for those who look for them.
macro_rules! conversions {
    ($($noun:ty, $message:ty;)*) => {$(
        impl From<&$noun> for $message {
            fn from(noun: &$noun) -> Self {
                noun.to_proto()
            }
        }

        impl TryFrom<&$message> for $noun {
            type Error = ProtoError;

            fn try_from(message: &$message) -> Result<Self, ProtoError> {
                Self::from_proto(message)
            }
        }
    )*};
}

conversions! {
    Shape, ShapeProto;
    ArrayShape, ShapeProto;
    Layout, LayoutProto;
    ProgramShape, ProgramShapeProto;
    Sharding, OpSharding;
}

/// The code in README runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
