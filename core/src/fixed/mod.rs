//! Layouts known at compile time, in whole or in part, as types.
//!
//! `layout!` writes these types; the names here are what error messages of the compiler print.
//! A type has four parameters: the element type, the dimensions, the minor-to-major list, and the
//! attributes. `layout!(bf16[16,256]{1,0:T(8,128)(2,1)})` is
//!
//! ```text
//! Fixed<bf16, (D<16>, D<256>), MinorToMajor<(D<1>, D<0>)>, (T<(D<8>, D<128>)>, T<(D<2>, D<1>)>)>
//! ```

mod check;
#[expect(clippy::module_inception, reason = "the type and its value share a name and a module")]
mod fixed;
mod mixed;
mod parts;
mod spec;
mod to_fixed;

// The glob brings the variant `Fixed::Fixed` into the value namespace beside the type, so that one
// path is a type and a value.
#[doc(hidden)]
pub use check::check;
pub use fixed::Fixed;
pub use fixed::Fixed::*;
pub use mixed::Mixed;
pub use parts::{
    At, AtMost, Attribute, AttributeValue, Attributes, D, Dimension, Dimensions, E, Fill, Highest,
    L, Lowest, M, MinorToMajor, Num, Number, Numbers, One, Padded, RunTime, S, Sc, Star,
    StaticDimension, StaticDimensions, T, TileEntries, TileEntry, Unknown, Zero,
};
pub use spec::OrderOf;
pub use to_fixed::FromDyn;
