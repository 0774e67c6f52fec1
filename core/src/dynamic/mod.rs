//! Layouts that are known at run time only.

mod branded;
mod dyn_layout;
mod rearrange;
mod specialize;
mod strided;
mod strided32;

pub use branded::{Branded, branded};
pub use dyn_layout::Dyn;
pub(crate) use dyn_layout::strides_of;
pub use specialize::{Specialize, SpecializeInto};
pub use strided::Strided;
pub use strided32::Strided32;
