//! What is converted: arrays of xlayout in three forms, and arrays of the other crates.

use xlayout_core::{
    Array, ArrayBase, ArrayLayout, ArrayRef, Element, Storage, StorageMut, View, ViewMut,
};

use crate::ConversionError;

/// Converts an array of another crate: `&array` gives a [`View`], `&mut array` a [`ViewMut`], and
/// `array` an [`Array`] in the same memory.
///
/// # Errors
/// Strides that no layout of xlayout has: see the [errors](ConversionError).
pub fn to_xlayout<A: IntoXlayout>(array: A) -> Result<A::Array, ConversionError> {
    array.into_xlayout()
}

/// Arrays of another crate that [`to_xlayout`] takes.
#[diagnostic::on_unimplemented(
    message = "`to_xlayout` does not take a `{Self}`",
    label = "no array of a crate whose feature is on",
    note = "a reference becomes a view: pass `&array`, or `&mut array` to write; an array of its \
            own is taken of ndarray and nalgebra, and a tensor of candle by \
            `&candle::read::<f32, [usize; 2]>(&tensor)?`",
    note = "the features of xlayout-conversions are `ndarray`, `nalgebra`, `faer` and \
            `candle-core`; the version of the other crate must be that of xlayout-conversions"
)]
pub trait IntoXlayout {
    /// The array of xlayout.
    type Array;

    /// See [`to_xlayout`].
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn into_xlayout(self) -> Result<Self::Array, ConversionError>;
}

/// Arrays of xlayout as they are passed: a reference to any array, view or part, or an array, a
/// [`View`] or a [`ViewMut`] itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not passed as an array of xlayout",
    label = "expected `&array`, `&mut array`, or an array or a part of one",
    note = "of a view of a slice pass a reference: `&view`"
)]
pub trait Source {
    /// One of [`View`], [`ViewMut`] and [`Array`].
    type Form;
    /// The same array in this form.
    #[doc(hidden)]
    fn form(self) -> Self::Form;
}

impl<'a, S: Storage<Item: Element>, L: ArrayLayout> Source for &'a ArrayBase<S, L> {
    type Form = View<'a, S::Item, L>;
    fn form(self) -> Self::Form {
        self.as_view()
    }
}

impl<'a, S: StorageMut<Item: Element>, L: ArrayLayout> Source for &'a mut ArrayBase<S, L> {
    type Form = ViewMut<'a, S::Item, L>;
    fn form(self) -> Self::Form {
        self.as_view_mut()
    }
}

impl<'a, T: Element, L: ArrayLayout> Source for &'a ArrayRef<T, L> {
    type Form = View<'a, T, L>;
    fn form(self) -> Self::Form {
        self.as_view()
    }
}

impl<'a, T: Element, L: ArrayLayout> Source for &'a mut ArrayRef<T, L> {
    type Form = ViewMut<'a, T, L>;
    fn form(self) -> Self::Form {
        self.as_view_mut()
    }
}

macro_rules! forms {
    ($($form:ty)*) => {$(
        impl<T: Element, L: ArrayLayout> Source for $form {
            type Form = Self;
            fn form(self) -> Self {
                self
            }
        }
    )*};
}

forms! { View<'_, T, L> ViewMut<'_, T, L> Array<T, L> }
