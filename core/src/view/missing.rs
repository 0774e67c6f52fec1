//! What is an error on purpose, so that the message says what to write.
//!
//! The second argument of `View<layout!(…)>` and of `ArrayRef<f32>`: without a default the compiler proposes to write one into
//! the macros of this crate.
#![allow(unreachable_pub, reason = "the public types of `view` name them")]

/// No type implements this, so that the default of a layout is never used.
#[diagnostic::on_unimplemented(
    message = "an array takes two types, that of its elements and its layout, and one is missing",
    label = "write both: `View<f32, layout!(f32[2,3])>`, `&ArrayRef<f32, impl Rank<2>>`; or `ViewOf<layout!(f32[2,3])>`, \
             `ArrayOf<…>`"
)]
pub trait ElementAndLayout {
    /// Never given.
    type Layout;
}

/// The layout of a view that is given one type only: an error.
pub type Layout<T> = <T as ElementAndLayout>::Layout;
