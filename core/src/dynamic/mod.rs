//! Layouts that are known at run time only.

mod branded;
mod dyn_layout;
mod strided_layout;

pub use branded::{BrandedLayout, branded};
pub use dyn_layout::DynLayout;
pub(crate) use dyn_layout::{IntoShape, strides_of};
pub use strided_layout::{Stride, StridedLayout};
