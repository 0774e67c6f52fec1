//! Parts of an array with sizes that the run time knows: a range of each dimension, with the memory of the
//! whole. `place.rs` has the rule and the proof; `crate::part` the parts whose sizes types fix.

mod own_region;
pub(crate) mod place;
mod region_layout;

pub(crate) use own_region::own_region;
pub use region_layout::RegionLayout;
pub(crate) use region_layout::{
    is_strided, known_strides, shape_of_part, strides_in_part, widths_of,
};
