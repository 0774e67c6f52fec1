//! XLA's shapes and layouts as values: element types, sizes, minor_to_major, tiles. It reads and
//! prints XLA's text, validates it, and lowers a layout to a table of modes.
//!
//! Most programs use the facade [`xlayout`](https://docs.rs/xlayout), which exports the items that
//! are documented here. The macros of `xlayout` compile this crate and nothing more of the library.
//!
//! ```
//! use xlayout_shape::{ArrayShape, ElementType};
//!
//! let shape: ArrayShape = "bf16[1000,3000]{1,0:T(8,128)(2,1)}".parse()?;
//! assert_eq!(shape.element_type, ElementType::Bf16);
//! assert_eq!(shape.to_string(), "bf16[1000,3000]{1,0:T(8,128)(2,1)}"); // what XLA prints
//!
//! // An error of a text says what is wrong, and where.
//! let error = "f32[2,3]{1,2}".parse::<ArrayShape>().unwrap_err();
//! assert!(error.to_string().contains("minor_to_major"));
//! assert!(error.span().is_some());
//! # Ok::<(), xlayout_shape::ParseError>(())
//! ```
//!
//! | task | items |
//! |---|---|
//! | an array with or without a layout | [`ArrayShape`], [`Layout`] |
//! | tuples, tokens and buffers | `Shape` (feature `alloc`) |
//! | parts of them | [`ElementType`], [`Dim`], [`MinorToMajor`], [`Tiles`], [`SplitConfig`] |
//! | reading by given rules, such as exactly what XLA accepts | [`text`] |
//! | what is wrong | [`ParseError`], [`error`] |
//! | serde | `serialized` (feature `serde`) |
//!
//! Reading does not need a heap. Without the feature `alloc` an array has at most [`INLINE_RANK`]
//! dimensions, and there are no tuples.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod constant;
#[doc(hidden)]
#[macro_use]
pub mod explain;
#[macro_use]
mod tables;

#[doc(hidden)]
#[macro_use]
pub mod const_text;
#[doc(hidden)]
pub mod dims;
#[doc(hidden)]
pub mod element_type;
pub mod error;
#[doc(hidden)]
pub mod layout;
#[doc(hidden)]
pub mod list;
#[doc(hidden)]
pub mod lowering;
#[doc(hidden)]
pub mod modes;
#[doc(hidden)]
pub mod order;
#[cfg(feature = "serde")]
pub mod serialized;
#[doc(hidden)]
pub mod shape;
#[doc(hidden)]
pub mod split;
pub mod text;
#[doc(hidden)]
pub mod tile;
#[doc(hidden)]
pub mod validate;
#[doc(hidden)]
pub mod words;

/// Walks through nested tuples without recursion: an input controls how deeply they are nested, and
/// a thread may have a small stack.
#[cfg(feature = "alloc")]
pub mod walk {
    pub use crate::shape::{Build, Step, Walk};
}

pub use dims::{Dim, Dims, INLINE_RANK, dimension_letter, dimension_number};
pub use element_type::ElementType;
pub use error::{ErrorKind, NotLowered, ParseError};
pub use layout::{Layout, PaddingValue};
pub use list::List;
pub use modes::{Mode, Term};
pub use order::{MajorToMinor, MinorToMajor};
pub use shape::ArrayShape;
#[cfg(feature = "alloc")]
pub use shape::{Shape, ShapeIndex};
pub use split::{SplitConfig, SplitConfigs};
pub use tile::{TileDim, Tiles};
