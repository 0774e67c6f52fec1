//! XLA's `ShapeUtil`: `shape_util.h` and `shape_util.cc`; and what `Shape` does there.
//!
//! The functions take an [`ArrayShape`](xlayout_core::ArrayShape), or, where XLA's function is
//! about tuples, a `Shape`. What can be asked of both takes either: [`AnyShape`](crate::AnyShape).

mod align;
mod bitcast;
mod decompose;
mod device;
pub(crate) mod dynamic;
pub(crate) mod edit;
mod factors;
mod iterate;
pub(crate) mod make;
#[cfg(feature = "alloc")]
mod nested;
mod normalize;
pub(crate) mod permutation;
pub(crate) mod permute;
pub(crate) mod query;
pub(crate) mod sizes;

use xlayout_core::bitcast::DimensionNumbers;

#[cfg(feature = "alloc")]
pub use crate::compare::equal_structure;
pub use crate::compare::{
    same_dimensions, same_element_type, same_element_type_ignoring_fp_precision, same_rank,
};
#[cfg(feature = "alloc")]
pub use crate::walk::{
    leaf_shapes, leaf_shapes_mut, subshape, subshape_mut, subshapes, subshapes_post_order,
};
pub use align::*;
pub use bitcast::*;
pub use decompose::*;
pub use device::*;
pub use dynamic::*;
pub use edit::*;
pub use factors::*;
pub use iterate::*;
pub use make::*;
#[cfg(feature = "alloc")]
pub use nested::*;
pub use normalize::*;
pub use permute::*;
pub use query::*;
pub use sizes::*;
pub use xlayout_core::bitcast::deduce_transpose_dimensions_for_bitcast;
