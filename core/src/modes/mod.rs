//! Linear indices from the modes that `xlayout-shape` lowers layouts to.

mod blocks;
mod memory_map;
mod reciprocal;
mod resolved;
#[cfg(test)]
mod tests;
mod unrolled;
mod walk;

pub(crate) use blocks::fold_blocks;
pub(crate) use memory_map::MemoryMap;
pub(crate) use reciprocal::{NO_DIGIT, factor, has_factors, take_digit};
pub(crate) use resolved::{Resolved, merged_coordinate};
pub(crate) use unrolled::{KnownModes, TakeDigit, Unsigned, digits, nest, nth, sum};
pub(crate) use walk::{Loop, MAX_LOOPS, Run, advance, in_byte, walk};
pub(crate) use xlayout_shape::modes::*;
