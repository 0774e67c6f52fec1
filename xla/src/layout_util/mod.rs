//! XLA's `LayoutUtil`: `layout_util.h` and `layout_util.cc`; and what `Layout` does there.
//!
//! A function about any shape takes an array, or a `Shape` with arrays inside:
//! [`AnyShape`](crate::AnyShape).

pub(crate) mod of_array;
#[cfg(feature = "alloc")]
pub(crate) mod of_shape;
pub(crate) mod order;
pub(crate) mod parts;

pub use of_array::*;
#[cfg(feature = "alloc")]
pub use of_shape::*;
pub use order::*;
pub use parts::*;
