//! Layouts that are known at run time only, and parts whose sizes are.

mod branded;
mod dyn_layout;
mod into_shape;
mod own_region;
mod reach;
mod region_layout;
mod strided_layout;

pub use branded::{BrandedLayout, branded};
pub use dyn_layout::DynLayout;
pub(crate) use dyn_layout::strides_of;
pub(crate) use into_shape::IntoShape;
pub(crate) use own_region::{own_layout, own_region};
pub use reach::strided_reach;
pub use region_layout::RegionLayout;
pub use strided_layout::{Stride, StridedLayout};
