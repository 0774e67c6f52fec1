// The example of the README is of ndarray.
#![cfg_attr(feature = "ndarray", doc = include_str!("../README.md"))]
//!
//! # What is converted
//! A function takes what is to be converted as Rust passes it: `&array` gives a view, `&mut array`
//! a view to write, and `array` an array of the other crate in the same memory. A part of an array
//! is passed as it is.
//!
//! | | `&`, `&mut` | owned | strides | sizes in types |
//! |---|---|---|---|---|
//! | ndarray | both directions | both directions | of either sign | the rank |
//! | nalgebra | both directions | both directions; of xlayout, column-major | positive | sizes |
//! | faer | both directions | none: it allocates in its own way | of either sign | the rank |
//! | candle | from candle; to write, inside a call | to candle, dense or padded | positive | none |
//!
//! Layouts with tiles are errors that name `relayout`, which copies an array to a layout without
//! them. Packed elements (`E(4)`) are no elements of another crate, so that the compiler refuses
//! them. Two things that xlayout has no layout for are errors: a dimension of stride 0 with several
//! coordinates, and strides by which elements lie between each other.
//!
//! A trait of this crate says what a function takes. Nobody else needs to name it.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "candle-core")]
pub mod candle;
mod error;
#[cfg(feature = "faer")]
pub mod faer;
mod memory;
#[cfg(feature = "nalgebra")]
pub mod nalgebra;
#[cfg(feature = "ndarray")]
pub mod ndarray;
mod source;

#[cfg(feature = "candle-core")]
pub use candle::to_candle;
pub use error::ConversionError;
#[cfg(feature = "faer")]
pub use faer::to_faer;
#[cfg(feature = "nalgebra")]
pub use nalgebra::to_nalgebra;
#[cfg(feature = "ndarray")]
pub use ndarray::to_ndarray;
pub use source::{IntoXlayout, Source, to_xlayout};

/// The code in it runs.
#[cfg(doctest)]
#[doc = include_str!("../TRANSPOSES.md")]
struct Transposes;
