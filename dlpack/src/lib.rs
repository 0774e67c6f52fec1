//! Arrays to and from other libraries by DLPack, without a copy.
//!
//! | you have | use |
//! |---|---|
//! | an [`Array`](xlayout_core::Array) that another library is to use | [`Export`] |
//! | a tensor that another library gives | [`Import`] |
//! | an extension module of Python, with pyo3 | `python::to_python`, `python::from_python` (feature `pyo3`) |
//!
//! A tensor says where its elements are by a pointer, an offset in bytes, and a stride for each
//! dimension, so the layout has strides: tiles do not. Strides may be negative
//! ([`StridedLayout`](xlayout_core::StridedLayout)). Source: `dlpack.h` 1.1.
//!
//! ```
//! use xlayout_core::{Array, DynLayout};
//! use xlayout_dlpack::{Export, Import};
//!
//! let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
//! let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32)?;
//! // What a C function of another library gets, and gives back:
//! let tensor = Export::new(array)?.into_raw();
//! // SAFETY: the tensor was made above, and nothing else has it.
//! let import = unsafe { Import::from_raw(tensor)? };
//! // SAFETY: nothing writes to the elements.
//! let view = unsafe { import.view::<f32, [usize; 2]>()? };
//! assert_eq!(view[[1, 2]], 12.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
mod export;
mod import;
#[cfg(feature = "pyo3")]
pub mod python;
pub mod raw;

pub use error::DlpackError;
pub use export::Export;
pub use import::Import;
