#![cfg_attr(feature = "operations", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "operations"),
    doc = "Whether maps from coordinates to offsets are equal."
)]
#![no_std]

#[macro_use(each, tri)]
extern crate xlayout_shape;

/// Refuses what does not hold: the second argument is a variant of `MapError`.
macro_rules! ensure {
    ($holds:expr, $($error:tt)+) => {
        if !$holds {
            return Err($crate::MapError::$($error)+);
        }
    };
}

mod error;
mod list;
mod number;
mod term;

mod map;
mod rewrite;

mod compose;
mod layout;

mod atoms;
mod equal;

/// Beside what says whether two layouts are equal, which `xlayout-core` needs.
macro_rules! operations {
    ($($module:ident)*) => { $(#[cfg(feature = "operations")] mod $module;)* };
}
operations! { combine show values groups search injective onto parts divide inverse bits swizzle banks }

pub use equal::Budget;
pub use error::MapError;
pub(crate) use error::Result;
pub use map::{MAX_DIMENSIONS, MAX_SUMS, Map};
pub use number::gcd;
pub use term::{Digit, Source, Term};
#[cfg(feature = "operations")]
pub use {
    banks::{Banks, Best, Wavefronts, bank_conflicts, best_swizzle},
    bits::Bits,
    onto::View,
    parts::{Block, Blocks, refine},
    swizzle::Swizzle,
};
