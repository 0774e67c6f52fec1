//! XLA's `ShapeUtil`: `shape_util.h` and `shape_util.cc`.

mod align;
mod bitcast;
mod decompose;
mod factors;
mod normalize;
mod permutation;

use xlayout_core::bitcast::DimensionNumbers;

pub use align::{align_layouts, xla_align_layouts};
pub use bitcast::{
    xla_deduce_transpose_dimensions_for_bitcast, xla_is_reshape_or_transpose_bitcast,
    xla_reshape_is_bitcast, xla_transpose_is_bitcast,
};
pub use decompose::{
    BitcastDecomposition, BitcastDecompositionTrt, decompose_bitcast, decompose_bitcast_to_trt,
    is_decomposable_bitcast, xla_decompose_bitcast, xla_decompose_bitcast_to_trt,
    xla_is_decomposable_bitcast,
};
pub use factors::{
    InsertedOrDeleted1SizedDimensions, dimensions_unmodified_by_reshape,
    inserted_or_deleted_1_sized_dimensions, reshape_leaves_dimensions_unmodified,
};
pub use normalize::{
    NormalizedTranspose, get_normalized_logical_transpose_shape, get_normalized_transpose_shape,
};
