//! Parts of arrays: a range of each dimension, with the memory of the whole. `place.rs` has the
//! rule and the proof.

mod own_region;
pub(crate) mod parts;
pub(crate) mod place;
mod region_layout;
mod strides;

pub(crate) use own_region::{own_layout, own_region};
pub use region_layout::RegionLayout;
#[cfg(test)]
pub(crate) use strides::strides_in_table;
pub(crate) use strides::{
    forward_strides, is_strided, known_strides, shape_of_part, strides_in_part, widths_of,
};
