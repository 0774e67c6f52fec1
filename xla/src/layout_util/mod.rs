//! XLA's `LayoutUtil`: `layout_util.h` and `layout_util.cc`; and what `Layout` does there.
//!
//! A function about any shape takes an array, or a `Shape` with arrays inside: [`AnyShape`](crate::AnyShape).

pub(crate) mod of_array;
#[cfg(feature = "alloc")]
pub(crate) mod of_shape;
pub(crate) mod order;
pub(crate) mod parts;

pub use of_array::{
    byte_strides_is_major_to_minor, clear_layout, clear_tiles, get_default_layout_for_shape,
    get_with_default_layout, has_custom_element_size_in_bits, is_untiled, is_untiled_layout,
    memory_space, minor_to_major, set_to_default_layout, validate_layout_in_shape,
};
#[cfg(feature = "alloc")]
pub use of_shape::{
    copy_layout_between_shapes, has_any_layout, has_layout, layouts_in_shapes_equal,
    validate_for_shape,
};
pub use order::{
    are_dimensions_consecutive, is_monotonic_with_dim0_major, is_monotonic_with_dim0_minor, major,
    make_logical_to_physical, minor, move_dim_to_major, move_dim_to_minor,
};
pub use parts::{
    DEFAULT_MEMORY_SPACE, GENERIC_FAST_MEMORY_SPACE, HOST_MEMORY_SPACE, delete_dimension,
    get_split_config,
};
