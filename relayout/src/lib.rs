//! Copies an array from one layout to any other layout of the same logical shape.
//!
//! Both sides may have any minor_to_major, padding, several levels of tiles, and packed elements.
//! The source may have any strides in bytes. To move no data at all, see
//! [`bitcast`](xlayout_core::bitcast): some reshapes and transposes need no copy. The
//! [book](https://github.com/xlayout/xlayout/blob/main/book/src/copies.md) says which.
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
//! | two views or parts of arrays, one copy | [`relayout`] | each time, well below a microsecond, and from the third copy of its kind on the same thread on not at all; by the compiler where the types fix both layouts |
//! | two layouts that are known at compile time | [`relayout_static`], [`StaticPlan`] | by the compiler; a few elements become straight code |
//! | two layouts, many copies | [`Plan::new`], then [`run`](Plan::run), [`run_bytes`](Plan::run_bytes) or [`run_views`](Plan::run_views) | once |
//! | strides of bytes, from numpy or DLPack, negative and zero ones too | [`Plan::from_strided`] | once |
//! | two layouts, and no memory for the copy yet | [`Plan::run_to_vec`], [`Plan::run_to_vec_threads`] | once |
//! | pointers, sizes and strides of bytes, and no layouts | [`copy_strided`], [`copy_strided_unchecked`] | as `relayout` |
//! | large arrays and several processors | [`Plan::run_threads`] or [`Plan::run_views_threads`], with the feature `rayon` also `Plan::run_parallel` | once |
//! | threads of your own, or a progress bar | [`Plan::chunks`] or [`Plan::chunks_views`] | once |
//! | no memory for a second array | [`relayout_in_place`], [`relayout_bytes_in_place`] | each time; slower |
//! | packed elements (`E(4)`, `E(2)`, `E(1)`) | [`Plan::run_bytes`] | once |
//!
//! # Plans learn
//! All strategies of a plan write the same bytes, so the copies that a program makes anyway tell
//! which strategy is the fastest on this machine. The first run of a plan copies by the strategy
//! that is expected to be the fastest. The next runs of large copies (32 KiB or more) try others,
//! and later runs use the best. What was learned belongs to the process: all plans for copies of
//! the same class share it, [`relayout`] uses it, and [`wisdom`] and [`load_wisdom`] carry it to
//! the next run of the program. [`Plan::without_learning`] is for programs that need the same time
//! in every run.
//!
//! # Guarantees
//! - A copy to another layout and back is the identity (law 5).
//! - Padding is not written, except where [`Plan::fill_padding`] asks for it.
//! - The bits of an element do not change. If only the source is packed, the destination gets zeros
//!   above the bits, as in XLA's `UnpackIntN`.
//! - A copy of a part of an array reads and writes only its elements, so threads may use the other
//!   parts.
//! - Nothing panics. The text of a plan (`println!("{plan}")`) describes what the plan does. It is
//!   the same on all machines. [`Plan::on`] a [`Machine`] tells how a run writes, and counts the
//!   bytes.
//!
//! # Errors
//! Lengths, sizes and types are checked before the first byte is written. A [`RelayoutError`] says
//! what was found and what to do.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `std` (default) | the instructions of the processor that the program runs on (AVX2, AVX-512), the sizes of its caches, plans that learn, threads |
//! | `rayon` | `Plan::run_parallel` |
//!
//! Without `std` the crate is `no_std` and needs `alloc`. It uses the instructions of the
//! compiler's target, and assumes caches of 32 KiB and 1 MiB, and one core.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(any(feature = "std", test))]
#[cfg_attr(test, macro_use)]
extern crate std;
#[macro_use(each)]
extern crate xlayout_core;

mod bits;
mod bytes;
mod cells;
mod checks;
mod copy_strided;
mod describe;
mod error;
mod fresh;
mod general;
mod in_place;
#[cfg(feature = "std")]
mod kept;
mod kernels;
#[cfg(feature = "std")]
mod learn;
mod machine;
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

pub use copy_strided::{copy_strided, copy_strided_unchecked, strided_extent};
pub use describe::{PlanOn, Traffic};
pub use error::{End, RelayoutError};
pub use in_place::{relayout_bytes_in_place, relayout_in_place};
#[cfg(feature = "std")]
pub use learn::{forget_wisdom, load_wisdom, wisdom};
pub use machine::Machine;
#[doc(hidden)]
pub use measurement::Measurement;
pub use one_off::relayout;
pub use plan::{Chunk, Chunks, CopySource, Plan};
pub use static_plan::{StaticPlan, relayout_static};

/// The code in README runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
