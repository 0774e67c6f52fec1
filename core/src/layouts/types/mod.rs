//! Layouts known at compile time, in whole or in part, as types.
//!
//! `layout!` writes these types; the names here are what error messages of the compiler print.
//! A type has four parameters: the element type, the dimensions, the minor-to-major list, and the
//! attributes. `layout!(bf16[16,256]{1,0:T(8,128)(2,1)})` is
//!
//! ```text
//! StaticLayout<bf16, (Nat<16>, Nat<256>), MinorToMajor<(Nat<1>, Nat<0>)>,
//!     (Tile<(Nat<8>, Nat<128>)>, Tile<(Nat<2>, Nat<1>)>)>
//! ```

mod dense;
mod from_dyn;
mod gather;
#[doc(hidden)]
pub mod list;
mod mixed_layout;
mod parts;
mod rearrange;
#[doc(hidden)]
pub mod short_names;
mod spec;
mod static_layout;
#[cfg(test)]
mod tests;

// After the other parts, since the compiler lists types in this sequence: its messages name a few,
// and `Named` has 32 parameters.
mod named;

#[cfg(test)]
mod check_tests;

/// What only this crate can implement.
mod sealed {
    /// A part of a layout's type.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be a part of a layout's type",
        label = "only xlayout implements this trait",
        note = "access without a check relies on what the parts of a layout's type say; to write a \
                layout, use `layout!(f32[2,3]{{1,0}})`"
    )]
    pub trait Sealed {}

    /// What changes a layout into another layout. `By` is a parameter of the public traits, so that
    /// a type of another crate could be in its place.
    #[diagnostic::on_unimplemented(
        message = "`{By}` is no change of a layout",
        label = "only xlayout implements this trait",
        note = "a layout is changed by `Permute`, `InsertUnit` and `DeleteUnit`; a slice has the \
                size `Nat<LEN>` or `RunTime`"
    )]
    pub trait ChangedBy<By> {}
}

/// The value under the name of its type. Imported by a glob it gives way to the type where a type
/// is meant, so that one path is both. (Were the variant itself called `StaticLayout`, the compiler
/// would print the type's name with a long path in every message, for it would not be unique.)
mod value {
    pub use super::static_layout::StaticLayout::Value as StaticLayout;
}

pub use from_dyn::FromDynLayout;
pub use mixed_layout::MixedLayout;
pub use named::Named;
pub use parts::*;
pub(crate) use rearrange::offset;
pub use rearrange::{
    DeleteUnit, InsertUnit, NotSlice, Permute, Permuted, Rearrange, SliceDimension, SliceLayout,
    Sliced, WithUnit, WithoutUnit,
};
pub use spec::OrderOf;
pub use static_layout::StaticLayout;
pub use value::*;

pub use crate::order::MinorToMajor;
