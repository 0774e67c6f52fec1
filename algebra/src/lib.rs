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
mod show;

mod atoms;
mod equal;

mod search;
mod values;

mod injective;
mod onto;

mod parts;
mod strides;

mod divide;
mod inverse;

mod bits;
mod swizzle;

mod banks;

pub use banks::{Banks, Best, Wavefronts, bank_conflicts, best_swizzle};
pub use bits::Bits;
pub use equal::Budget;
pub use error::MapError;
pub use map::{MAX_DIMENSIONS, MAX_SUMS, Map};
pub use number::gcd;
pub use onto::View;
pub use parts::{Block, Blocks, refine};
pub use swizzle::Swizzle;
pub use term::{Digit, Source, Term};
