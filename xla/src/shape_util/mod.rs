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
#[cfg(feature = "alloc")]
mod kinds;
pub(crate) mod make;
mod normalize;
mod permutation;
pub(crate) mod permute;
pub(crate) mod query;
pub(crate) mod sizes;
#[cfg(feature = "alloc")]
mod tree;
#[cfg(feature = "alloc")]
pub(crate) mod tuple;
#[cfg(feature = "alloc")]
pub(crate) mod tuple_sizes;

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
pub use align::align_layouts;
pub use bitcast::{is_reshape_or_transpose_bitcast, reshape_is_bitcast, transpose_is_bitcast};
pub use decompose::{
    BitcastDecomposition, BitcastDecompositionTrt, decompose_bitcast, decompose_bitcast_to_trt,
};
pub use device::{
    change_element_type, device_shape_is_host_shape, device_shape_to_host_shape,
    update_element_size_in_bits,
};
pub use dynamic::{
    clear_dynamic_dimensions, copy_dynamic_dimensions, dimension_minor,
    dynamic_array_shape_is_compatible, dynamic_dimensions, set_dimension, set_dimension_minor,
    set_dynamic_dimension, set_unbounded_dynamic_dimension, to_static,
};
pub use edit::{
    add_dimension, append_major_dimension, append_minor_dimension, clear_dimensions,
    delete_dimension, delete_dimensions, drop_degenerate_dimensions, filter_dimensions,
    has_degenerate_dimensions, insert_dimension, insert_dimensions, prepend_major_dimension,
};
pub use factors::{
    InsertedOrDeleted1SizedDimensions, dimensions_unmodified_by_reshape,
    inserted_or_deleted_1_sized_dimensions, reshape_leaves_dimensions_unmodified,
};
pub use iterate::{Indices, IterationSpace, indices, indices_in, indices_in_parts};
#[cfg(feature = "alloc")]
pub use kinds::{
    are_all_leaves_integers, dynamic_shape_is_compatible, element_is_signed, has_primitive_type,
};
pub use make::{
    validated, validated_dynamic, with_dense_layout,
    with_descending_layout_and_same_physical_layout, with_type,
};
pub use normalize::{
    NormalizedTranspose, get_normalized_logical_transpose_shape, get_normalized_transpose_shape,
};
pub use permute::{
    move_dim_to_major, permute_dimensions, permute_dimensions_ignoring_layout,
    with_minor_to_major_only,
};
pub use query::{
    get_dimension, is_effective_scalar, is_effectively_most_major_dimension, is_scalar,
    is_scalar_with_element_type, is_zero_element_array, last_dim_is_minor_most,
    packed_factor_for_1d_interleaved_array, static_extent_product, true_num_dimensions,
};
pub use sizes::{
    byte_size_of, byte_strides, elements_in, max_elements_in_per_split, max_split_size,
    unpacked_byte_strides,
};
#[cfg(feature = "alloc")]
pub use tree::{index_is_valid, is_leaf_index, subshape_count};
#[cfg(feature = "alloc")]
pub use tuple::{
    append_shape_to_tuple, is_empty_tuple, is_nested_tuple, maybe_tuple, nil, slice_tuple,
    update_dynamic_dimension, update_tuple_shape, validated_tuple,
};
#[cfg(feature = "alloc")]
pub use tuple_sizes::{
    byte_size_of_tuple_index_table, byte_size_with_pointers, elements_in_recursive,
};
pub use xlayout_core::bitcast::deduce_transpose_dimensions_for_bitcast;
