//! Layouts of parts of an array: a range of each dimension, with the memory of the whole.
//!
//! A part begins where tiles do. Then the linear index in the whole is the linear index in the part
//! plus one number, the linear index of the part's first element. (A reversed dimension is counted
//! from its other end.) `region/place.rs` has the rule and the proof. So the layout of a part
//! computes linear indices as the layout of the whole does, and the view of a part begins at its
//! first element.
//!
//! | layout | of what |
//! |---|---|
//! | [`RegionLayout<L>`] | a part with sizes that the run time knows |
//! | [`BlockLayout<L, B>`] | a part with sizes that the type fixes, at multiples of these sizes |
//! | [`StridedLayout<C>`] | run-time strides, as of a NumPy array that was sliced with steps |
//! | [`StridedLayout<C, isize>`] | the same with negative strides: `a[::-1]` |
//! | [`BroadcastLayout<L, DIM>`] | a dimension of size 1, repeated |
//!
//! Laws, each with a test (`tests/core/parts`):
//! 1. An element of a part is the element of the whole at the part's first index plus the index.
//! 2. The parts of a split, of chunks and of tiles are disjoint, and together they are the whole.

mod block;
mod broadcast;
mod permuted;
mod tile_by;

pub use block::BlockLayout;
pub use broadcast::BroadcastLayout;
pub use tile_by::{ConstTiles, TileBy};
