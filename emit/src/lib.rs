//! Index arithmetic as code of other languages.
//!
//! [`Functions`] are two functions: `linear_index` says where the element of an index lies, in
//! elements, and `multi_index` which index lies at a place. [`Functions::emit`] writes them in one
//! of six languages. They are simplified: shifts and masks in place of divisions by powers of two,
//! no division by what is 1, no `%` of what is smaller, and each common subexpression once.
//!
//! ```
//! use xlayout_core::DynLayout;
//! use xlayout_emit::{Functions, IndexMap, Language, Options};
//!
//! let layout: DynLayout = "f32[20,300]{1,0:T(8,128)}".parse().unwrap();
//! let functions = Functions::new(&IndexMap::of(&layout)?)?;
//! assert_eq!(functions.linear_index(&[9, 130]), 3072 + 1024 + 128 + 2);
//! let code = functions.emit(&Options::new(Language::C))?;
//! let returned = "return (i0 >> 3) * 3072 + (i1 >> 7) * 1024 + (i0 & 7) * 128 + (i1 & 127);";
//! assert!(code.contains(returned));
//! # Ok::<(), xlayout_emit::EmitError>(())
//! ```
//!
//! | language | numbers | functions |
//! |---|---|---|
//! | [`Rust`](Language::Rust) | `u64`, or `u32` | `const fn` |
//! | [`C`](Language::C) | `uint64_t`, or `uint32_t` | `static inline` |
//! | [`Cuda`](Language::Cuda) | `uint32_t`, or `uint64_t` | for host and device |
//! | [`Wgsl`](Language::Wgsl) | `u32` | |
//! | [`Mlir`](Language::Mlir) | `index` | affine maps; common subexpressions are repeated, since affine maps have no names |
//! | [`Python`](Language::Python) | `int`, and NumPy's arrays of integers | |
//!
//! The functions check nothing: an index has to be in bounds. Where a layout has padding,
//! `multi_index` of a place without an element returns numbers of which one or more may be beyond
//! the sizes.
//!
//! The crate needs a heap and no standard library.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;

mod error;
mod expression;
mod functions;
mod index_map;
mod languages;
mod print;

pub use error::EmitError;
pub use functions::Functions;
pub use index_map::IndexMap;
pub use languages::Language;
pub use print::Options;
