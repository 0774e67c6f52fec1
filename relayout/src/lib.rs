//! Copies an array from any layout to any other of the same logical shape, at the speed of memory:
//! any minor_to_major, padding, tiles of several levels on either side or both, sources at any
//! strides of bytes, packed elements to unpacked and back.
//!
//! ```
//! use xlayout_core::{Array, DynLayout};
//! use xlayout_relayout::relayout;
//!
//! let rows: DynLayout = "f32[200,300]{1,0}".parse().unwrap();
//! let tiles: DynLayout = "f32[200,300]{1,0:T(8,128)}".parse().unwrap();
//! let a = Array::from_fn(rows, |index| (300 * index[0] + index[1]) as f32).unwrap();
//! let mut b = Array::zeros(tiles).unwrap();
//! relayout(&a, &mut b).unwrap();
//! assert_eq!(b[[7, 5]], 2105.0);
//! ```
//!
//! # When to use what
//! | you have | use | planning |
//! |---|---|---|
//! | two views or parts of arrays, one copy | [`relayout`] | each time, well below a microsecond; by the compiler where the types fix both layouts |
//! | two layouts that are known at compile time | [`relayout_static`], [`StaticPlan`] | by the compiler; a few elements become straight code |
//! | two layouts, many copies | [`Plan::new`], then [`run`](Plan::run), [`run_bytes`](Plan::run_bytes) or [`run_views`](Plan::run_views) | once |
//! | two layouts, and a copy that must be as fast as this machine can | [`Plan::measured`] | by timing the strategies |
//! | the same few layouts in places that know nothing of each other | [`PlanCache`] | once for each pair |
//! | strides of bytes, from numpy or DLPack, negative and zero ones too | [`Plan::from_strided`] | once |
//! | large arrays and several processors | [`Plan::run_threads`] or [`Plan::run_views_threads`], with the feature `rayon` also `Plan::run_parallel` | once |
//! | threads of your own, or a progress bar | [`Plan::chunks`] or [`Plan::chunks_views`] | once |
//! | no memory for a second array | [`relayout_in_place`], [`relayout_bytes_in_place`] | each time; slower |
//! | packed elements (`E(4)`, `E(2)`, `E(1)`) | [`Plan::run_bytes`] | once |
//!
//! # What is promised
//! - Law 5: there and back is the identity. Padding that is not asked to be written
//!   ([`Plan::fill_padding`]) is not touched, whatever it holds.
//! - Elements are copied as they are. Where one side packs them, their bits are: a wider destination
//!   gets zeros above them, as in XLA's `UnpackIntN`.
//! - Of a part of an array only the elements are read and written, so threads may use the other parts.
//! - Lengths, sizes and types are checked, and an error says what to do. Nothing panics.
//! - What a plan will do it says when it is printed; [`Plan::traffic`] counts the bytes.
//!
//! # Features
//! `std` (default): the instructions of the processor at hand (AVX2, AVX-512), the sizes of its
//! caches, by which plans choose a strategy, measured plans, and threads. Without it the crate is
//! `no_std` and needs `alloc`; the kernels are those of the target features that the program is
//! compiled for, and caches of 32 KiB and 1 MiB are assumed. `rayon`: `Plan::run_parallel`.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(any(feature = "std", test))]
#[cfg_attr(test, macro_use)]
extern crate std;

mod bits;
mod bytes;
mod cache;
mod cells;
mod checks;
mod describe;
mod error;
mod general;
mod in_place;
#[cfg(test)]
mod instructions;
mod kernels;
mod machine;
#[cfg(feature = "std")]
mod measure;
mod measurement;
mod nest;
mod one_off;
mod padding;
mod piece;
mod plan;
mod refine;
mod side;
mod static_plan;
mod strides;
#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
mod threads;
mod way;

pub use cache::PlanCache;
pub use describe::Traffic;
pub use error::{End, RelayoutError};
pub use in_place::{relayout_bytes_in_place, relayout_in_place};
pub use measurement::{Measurement, MeasurementError};
pub use one_off::relayout;
pub use plan::{Chunk, Chunks, Plan};
pub use static_plan::{StaticPlan, relayout_static};

/// The code in README runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
