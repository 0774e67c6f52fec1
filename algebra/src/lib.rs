#![doc = include_str!("../README.md")]
#![no_std]

/// `?` for constant functions.
macro_rules! tri {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

mod error;
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
operations! { show search values injective onto parts strides divide inverse bits swizzle banks }

pub use equal::Budget;
pub use error::MapError;
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
