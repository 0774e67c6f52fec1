//! The kinds of layouts. Each implements [`ArrayLayout`](crate::ArrayLayout).
//!
//! | layout | of what | file |
//! |---|---|---|
//! | [`StaticLayout`](crate::types::StaticLayout), [`SliceLayout`](crate::types::SliceLayout) | everything is in the type | `types/` |
//! | [`MixedLayout`](struct@crate::types::MixedLayout) | all but some sizes is in the type | `types/` |
//! | [`DynLayout`] | everything is known at run time | `dyn_layout.rs` |
//! | [`StridedLayout<C>`](StridedLayout) | run-time strides, as of a NumPy array that was sliced with steps | `strided_layout/` |
//! | [`StridedLayout<C, isize>`](StridedLayout) | the same with negative strides: `a[::-1]` | `strided_layout/` |
//! | [`RegionLayout<L>`] | a part with sizes that the run time knows | `region/` |
//! | [`BlockLayout<L, B>`] | a part with sizes that the type fixes, at multiples of these sizes | `block.rs` |
//! | [`BroadcastLayout<L, DIM>`] | a dimension of size 1, repeated | `broadcast.rs` |
//! | [`BrandedLayout<L>`] | a layout whose indices are proven although the run time knows its sizes | `branded.rs` |
//!
//! # Parts
//! A part is a range of each dimension, with the memory of the whole.
//! A part begins where tiles do. Then the linear index in the whole is the linear index in the part
//! plus one number, the linear index of the part's first element. (A reversed dimension is counted
//! from its other end.) `region/place.rs` has the rule and the proof. So the layout of a part
//! computes linear indices as the layout of the whole does, and the view of a part begins at its
//! first element.
//!
//! Laws, each with a test (`tests/core/parts`):
//! 1. An element of a part is the element of the whole at the part's first index plus the index.
//! 2. The parts of a split, of chunks and of tiles are disjoint, and together they are the whole.

mod block;
mod branded;
mod broadcast;
mod dyn_layout;
mod into_shape;
pub(crate) mod region;
mod strided_layout;
mod tile_by;
pub mod types;

pub use block::BlockLayout;
pub use branded::{BrandedLayout, branded};
pub use broadcast::BroadcastLayout;
pub use dyn_layout::DynLayout;
pub(crate) use dyn_layout::strides_of;
pub(crate) use into_shape::IntoShape;
pub use region::RegionLayout;
pub(crate) use region::{own_layout, own_region};
pub use strided_layout::{Stride, StridedLayout, strided_reach};
pub use tile_by::{ConstTiles, TileBy};
