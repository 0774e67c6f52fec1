//! What `specialize!` asks of a dynamic layout, or of a view with one.

use crate::array::{ArrayBase, ArrayRef, Storage, View};
use crate::element::StoredAs;
use crate::layouts::DynLayout;
use crate::layouts::types::FromDynLayout;

/// Something with a dynamic layout that may turn out to have the layout `L`.
///
/// `specialize!` tries one `L` after the other. The trait is sealed: nothing but what has a
/// `DynLayout` can turn out to have a layout.
///
/// ```
/// # use xlayout_core as xlayout;
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_core::{DynLayout, Specialize};
///
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
/// let layout: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// assert!(Specialize::<A>::specialize(&layout).is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "`specialize!` does not take `{Self}`",
    label = "expected a `DynLayout`, or an array, a view or an `&ArrayRef` with one; of an \
             `&mut ArrayRef` write `specialize!(mut a = a.as_view_mut(), {{ … }})`"
)]
pub trait Specialize<L: FromDynLayout>: sealed::Sealed + Sized {
    /// The same with the layout `L`.
    type Output;

    /// The same with the layout `L`, or what was given, when it has another layout.
    ///
    /// # Errors
    /// What was given.
    fn specialize(self) -> Result<Self::Output, Self>;
}

#[diagnostic::do_not_recommend]
impl<L: FromDynLayout> Specialize<L> for DynLayout {
    type Output = L;
    fn specialize(self) -> Result<L, Self> {
        L::from_dyn(&self).map_err(|_| self)
    }
}

#[diagnostic::do_not_recommend]
impl<L: FromDynLayout> Specialize<L> for &DynLayout {
    type Output = L;
    fn specialize(self) -> Result<L, Self> {
        L::from_dyn(self).map_err(|_| self)
    }
}

// Of a borrowed array the result borrows, too.
macro_rules! arrays {
    ($([$($parameter:tt)*] $given:ty, $item:ty => $output:ty, $with_layout:ident;)*) => {$(
        impl<$($parameter)*, L: FromDynLayout<Type: MatchesElements<$item>>> Specialize<L> for $given {
            type Output = $output;
            fn specialize(self) -> Result<$output, Self> {
                match L::from_dyn(self.layout()) {
                    Ok(layout) => Ok(self.$with_layout(layout)),
                    Err(_) => Err(self),
                }
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($parameter)*> sealed::Sealed for $given {}
    )*};
}

arrays! {
    [S: Storage] ArrayBase<S, DynLayout>, S::Item => ArrayBase<S, L>, with_equal_layout;
    [S: Storage] ArrayBase<S, &DynLayout>, S::Item => ArrayBase<S, L>, with_equal_layout;
    ['a, S: Storage] &'a ArrayBase<S, DynLayout>, S::Item => View<'a, S::Item, L>, with_same_memory;
    ['a, T] &'a ArrayRef<T, DynLayout>, T => View<'a, T, L>, with_same_memory;
}

/// [`Specialize`] as `specialize!` asks for it. `Answer` is a parameter, so that the compiler
/// complains once of something that has no layout: each later arm takes what the arm before it gave
/// back, and the compiler says nothing of a type that it does not know.
#[diagnostic::on_unimplemented(
    message = "`specialize!` does not take `{Self}`",
    label = "expected a `DynLayout`, or an array, a view or an `&ArrayRef` with one; of an `&mut \
             ArrayRef` write `specialize!(mut a = a.as_view_mut(), {{ … }})`"
)]
pub trait SpecializeInto<L, Answer> {
    /// See [`Specialize::specialize`].
    fn specialize(self) -> Answer;
}

impl<L: FromDynLayout, X: Specialize<L>> SpecializeInto<L, <X::Output as OrGiven<X>>::Answer>
    for X
{
    fn specialize(self) -> Result<X::Output, X> {
        Specialize::<L>::specialize(self)
    }
}

/// The element types of the arms that a view of elements `T` may take.
#[diagnostic::on_unimplemented(
    message = "this arm is never taken: its elements are `{Self}`, and those of the \
               array are `{T}`",
    label = "the elements of this array are `{T}`",
    note = "leave the arm out, or write the element type of the array"
)]
pub trait MatchesElements<T> {}

#[diagnostic::do_not_recommend]
impl<T, E: StoredAs<T>> MatchesElements<T> for E {}

/// The answer `Result<Self, X>` for an output `Self`. Where `X` has no output, no part of the
/// answer is known; the `X` in a `Result<X::Output, X>` would be.
pub trait OrGiven<X> {
    type Answer;
}

impl<Output, X> OrGiven<X> for Output {
    type Answer = Result<Output, X>;
}

mod sealed {
    use super::DynLayout;

    #[diagnostic::on_unimplemented(
        message = "`specialize!` does not take `{Self}`",
        label = "expected a `DynLayout`, or an array, a view or an `&ArrayRef` with one; of an \
                 `&mut ArrayRef` write `specialize!(mut a = a.as_view_mut(), {{ … }})`"
    )]
    pub trait Sealed {}
    #[diagnostic::do_not_recommend]
    impl Sealed for DynLayout {}
    #[diagnostic::do_not_recommend]
    impl Sealed for &DynLayout {}
}
