//! What a plan copies from, and to: slices, or arrays with layouts.

use alloc::vec::Vec;
use xlayout_core::{ArrayBase, ArrayLayout, ArrayRef, Element, Storage, StorageMut};

use super::Plan;
use crate::error::RelayoutError;

/// What [`Plan::run`] copies to a `Destination`: elements `T` of a slice, a vector or an array of Rust to another of
/// these; or an array with a layout to another. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "a plan does not copy from `{Self}` to `{Destination}`",
    label = "expected two slices or two arrays, with elements of one type",
    note = "slices are copied to slices, as `plan.run(a.memory(), b.memory_mut())`, and arrays with layouts to arrays, \
            as `plan.run(&a, &mut b)`; bytes by `run_bytes`"
)]
pub trait CopySource<Destination: ?Sized, T>: sealed::Sealed {
    /// See [`Plan::run`].
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn copy_to(&self, dst: &mut Destination, plan: &Plan) -> Result<(), RelayoutError>;
}

mod sealed {
    use super::{ArrayBase, ArrayRef, Vec};

    pub trait Sealed {}
    impl<T> Sealed for [T] {}
    impl<T> Sealed for Vec<T> {}
    impl<T, const N: usize> Sealed for [T; N] {}
    impl<T, L> Sealed for ArrayRef<T, L> {}
    impl<S, L> Sealed for ArrayBase<S, L> {}
}

macro_rules! slices {
    ($([$($generics:tt)*] $from:ty;)*) => {$(
        slices!(@ [$($generics)*] $from => [T]);
        slices!(@ [$($generics)*] $from => Vec<T>);
        slices!(@ [$($generics)* const M: usize] $from => [T; M]);
    )*};
    (@ [$($generics:tt)*] $from:ty => $to:ty) => {
        impl<T: Element, $($generics)*> CopySource<$to, T> for $from {
            #[inline]
            fn copy_to(&self, dst: &mut $to, plan: &Plan) -> Result<(), RelayoutError> {
                plan.run_slices(self, dst)
            }
        }
    };
}

slices! {
    [] [T];
    [] Vec<T>;
    [const N: usize,] [T; N];
}

impl<T: Element, L: ArrayLayout, M: ArrayLayout> CopySource<ArrayRef<T, M>, T> for ArrayRef<T, L> {
    #[inline]
    fn copy_to(&self, dst: &mut ArrayRef<T, M>, plan: &Plan) -> Result<(), RelayoutError> {
        plan.run_views(self, dst)
    }
}

impl<T, L, S, M> CopySource<ArrayBase<S, M>, T> for ArrayRef<T, L>
where
    T: Element,
    L: ArrayLayout,
    S: StorageMut<Item = T>,
    M: ArrayLayout,
{
    #[inline]
    fn copy_to(&self, dst: &mut ArrayBase<S, M>, plan: &Plan) -> Result<(), RelayoutError> {
        plan.run_views(self, dst)
    }
}

impl<S, L, D: ?Sized, T> CopySource<D, T> for ArrayBase<S, L>
where
    S: Storage<Item = T>,
    ArrayRef<T, L>: CopySource<D, T>,
{
    #[inline]
    fn copy_to(&self, dst: &mut D, plan: &Plan) -> Result<(), RelayoutError> {
        (**self).copy_to(dst, plan)
    }
}
