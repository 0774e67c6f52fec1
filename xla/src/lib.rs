//! XLA's utilities for shapes and layouts, in modules that have the names of XLA's classes.
//!
//! Programs use it as `xlayout::xla`, with the feature `xla` of the facade.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod compare;
mod error;
pub mod index_util;
pub mod layout_util;
#[cfg(feature = "alloc")]
mod shape_layout;
pub mod shape_util;

pub use compare::{Comparable, Compare, Difference, Different};
pub use error::ShapeError;
#[cfg(feature = "alloc")]
pub use shape_layout::ShapeLayout;
