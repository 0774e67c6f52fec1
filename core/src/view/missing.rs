//! What is an error on purpose, so that the message says what to write.
//!
//! The second argument of `View<layout!(…)>`: without a default the compiler proposes to write one into
//! the macros of this crate. The index of a packed array: without `Index` the compiler says that it cannot be
//! indexed, and nothing else.
#![allow(unreachable_pub, reason = "the public types of `view` name them")]

/// No type implements this, so that the default of a layout is never used.
#[diagnostic::on_unimplemented(
    message = "a view takes two types, that of its elements and its layout, and one is missing",
    label = "write both: `View<f32, layout!(f32[2,3])>`; or `ViewOf<layout!(f32[2,3])>`, `ArrayOf<…>`"
)]
pub trait ElementAndLayout {
    /// Never given.
    type Layout;
}

/// The layout of a view that is given one type only: an error.
pub type Layout<T> = <T as ElementAndLayout>::Layout;

/// No type implements this, so that a packed array is never indexed.
#[diagnostic::on_unimplemented(
    message = "a packed array is not indexed by `[…]`",
    label = "several elements share a byte, so there is no reference to one",
    note = "read an element by `array.at([i, j])` or `array.get(&[i, j])`, with its sign by `array.get_signed(&[i, j])`",
    note = "write an element by `array.set_at([i, j], bits)` or `array.set(&[i, j], bits)`"
)]
pub trait ElementsWithAddress {
    /// Never called.
    fn element(&self) -> &u8;
    /// Never called.
    fn element_mut(&mut self) -> &mut u8;
}

#[doc(hidden)]
impl<S, L, I> core::ops::Index<I> for super::PackedBase<S, L>
where
    Self: ElementsWithAddress,
{
    type Output = u8;
    fn index(&self, _: I) -> &u8 {
        self.element()
    }
}

#[doc(hidden)]
impl<S, L, I> core::ops::IndexMut<I> for super::PackedBase<S, L>
where
    Self: ElementsWithAddress,
{
    fn index_mut(&mut self, _: I) -> &mut u8 {
        self.element_mut()
    }
}
