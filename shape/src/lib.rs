//! XLA's shapes and layouts: their text, validation and errors, and lowering to modes.
//!
//! The macros of `xlayout` compile this crate and nothing more of the library. Programs use the
//! facade `xlayout`, which exports the items that are documented here.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[doc(hidden)]
pub mod const_text;
#[doc(hidden)]
pub mod dims;
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
#[doc(hidden)]
pub mod primitive;
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

pub use dims::{Dim, Dims, INLINE_RANK, dimension_letter, dimension_number};
pub use error::{ErrorKind, ParseError};
pub use layout::{Layout, PaddingValue};
pub use list::{CapacityError, List};
pub use modes::{LowerError, Mode, Term};
pub use order::{MajorToMinor, MinorToMajor};
pub use primitive::PrimitiveType;
pub use shape::ArrayShape;
#[cfg(feature = "alloc")]
pub use shape::{Shape, ShapeIndex};
pub use split::{SplitConfig, SplitConfigs};
pub use tile::{TileDim, Tiles};
