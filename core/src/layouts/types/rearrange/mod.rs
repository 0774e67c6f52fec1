//! Layouts made of other layouts, as types: dimensions permuted, dimensions of size 1 put in and
//! taken out, and a part of one dimension. Nothing here touches data.
//!
//! Laws, each with a test (`tests/core/type_level`):
//! 1. What is [rearranged](Rearrange) is the same memory: each element keeps its linear index.
//! 2. A [slice](SliceDimension) is a part of the memory: each element keeps its distance from the
//!    first one.
//! 3. The type is the one that `layout!` would write, if there is a notation for it.

mod attributes;
mod change;
mod dyn_layout;
mod dynamic;
mod offset;
mod permute;
mod same;
mod slice;
mod slice_layout;
mod unit;

use change::EditSizes;
pub use change::Rearrange;
pub(crate) use offset::offset;
pub use permute::{Permute, Permuted};
pub(super) use slice::OfSizes;
pub use slice::{SliceDimension, Sliced};
pub use slice_layout::SliceLayout;
pub use unit::{DeleteUnit, InsertUnit, WithUnit, WithoutUnit};

pub use crate::layout_error::NotSlice;

#[cfg(test)]
mod tests;
