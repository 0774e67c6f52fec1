//! Runs of a plan: on slices, or on arrays with layouts.

use alloc::vec::Vec;
use xlayout_core::{ArrayBase, ArrayLayout, ArrayRef, Element, Storage, StorageMut};

use super::{Ends, Plan};
use crate::error::RelayoutError;
use crate::kernels::{self, Run};
#[cfg(feature = "std")]
use crate::learn;
use crate::piece::Share;
use crate::way::Way;

impl Plan {
    /// Copies an array: from a slice to a slice, or between arrays that have the layouts of the
    /// plan, as [`run_views`](Self::run_views). The padding of the destination is not written,
    /// unless [`fill_padding`](Self::fill_padding) was called.
    ///
    /// The elements of the slices may have another type than those of the layouts, but must have
    /// their width: `u16` is used for `bf16`.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// use xlayout_relayout::Plan;
    /// let rows: DynLayout = "s32[2,3]{1,0}".parse().unwrap();
    /// let columns: DynLayout = "s32[2,3]{0,1}".parse().unwrap();
    /// let plan = Plan::new(&rows, &columns).unwrap();
    /// let a = Array::from_fn(rows, |at| (10 * at[0] + at[1]) as i32).unwrap();
    /// let mut b = Array::zeros(columns).unwrap();
    /// plan.run(&a, &mut b).unwrap();
    /// assert_eq!(a, b);
    /// plan.run(&[0, 1, 2, 10, 11, 12], b.memory_mut()).unwrap();
    /// assert_eq!(a, b);
    /// ```
    ///
    /// # Errors
    /// If a slice is not as long as its layout says, or its elements have another width; if an
    /// array has another layout.
    #[inline]
    pub fn run<T, A, B>(&self, src: &A, dst: &mut B) -> Result<(), RelayoutError>
    where
        A: CopySource<B, T> + ?Sized,
        B: ?Sized,
    {
        src.copy_to(dst, self)
    }

    /// As [`run`](Self::run), for bytes of any alignment.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    /// // From packed to a byte each.
    /// let packed: DynLayout = "u4[3]{0:E(4)}".parse().unwrap();
    /// let unpacked: DynLayout = "u4[3]{0}".parse().unwrap();
    /// let mut out = [0; 3];
    /// Plan::new(&packed, &unpacked).unwrap().run_bytes(&[0x21, 0x03], &mut out).unwrap();
    /// assert_eq!(out, [1, 2, 3]);
    /// ```
    ///
    /// # Errors
    /// If a slice is not as long as its layout says.
    #[inline]
    pub fn run_bytes(&self, src: &[u8], dst: &mut [u8]) -> Result<(), RelayoutError> {
        // SAFETY: just checked; the borrows do not overlap.
        unsafe { self.run_raw(self.of_bytes(src, dst)?) };
        Ok(())
    }

    /// Copies all elements, and fills the padding if [`fill_padding`](Self::fill_padding) was
    /// called.
    ///
    /// # Safety
    /// The elements of the source can be read and those of the destination written, and its
    /// padding, if it is filled. Nothing else touches them, and they do not overlap.
    #[inline(always)]
    pub(crate) unsafe fn run_raw(&self, (src, dst): Ends) {
        // SAFETY: the caller's promise.
        let copy = |run: &Run| unsafe { self.run_with(src, dst, run) };
        #[cfg(feature = "std")]
        return learn::run(&self.lessons, dst, &self.run, copy);
        #[cfg(not(feature = "std"))]
        copy(&self.run);
    }

    /// As [`run_raw`](Self::run_raw), with the data of the run.
    ///
    /// # Safety
    /// As `run_raw`.
    #[inline(always)]
    pub(crate) unsafe fn run_with(&self, src: *const u8, dst: *mut u8, run: &Run) {
        // SAFETY: the caller's promise.
        unsafe {
            // The usual case avoids the calls that the others need: they take longer than copying a
            // few elements.
            if self.fill.is_none()
                && let Way::Task(task, _) = &self.way
            {
                kernels::run(task, src, dst, run);
            } else {
                self.fill_raw(dst);
                self.way.run(src, dst, run, Share::WHOLE);
            }
        }
    }

    /// Copies from view to view. Their layouts must be those of the plan. A view may be a
    /// [part](xlayout_core::View) of an array: only its elements are read or written.
    ///
    /// ```
    /// use xlayout_core::{Array, StridedLayout};
    /// use xlayout_relayout::Plan;
    /// let rows: StridedLayout<[usize; 2]> = "s32[2,3]{1,0}".parse().unwrap();
    /// let a = Array::from_fn(rows, |[y, x]| (y + x) as i32);
    /// let b = Array::zeros("s32[2,3]{0,1}".parse::<StridedLayout<[usize; 2]>>().unwrap());
    /// let (a, mut b) = (a.unwrap(), b.unwrap());
    /// let plan = Plan::new(a.layout(), b.layout()).unwrap();
    /// plan.run_views(&a, &mut b).unwrap();
    /// assert_eq!(b.memory(), [0, 1, 1, 2, 2, 3]);
    /// ```
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// use xlayout_relayout::Plan;
    /// let whole: DynLayout = "s32[4,6]{1,0}".parse().unwrap();
    /// let whole = Array::from_fn(whole, |at| (10 * at[0] + at[1]) as i32).unwrap();
    /// let part = whole.with_step::<1>(.., -2).unwrap(); // whole[:, ::-2] in NumPy
    /// let tiles: DynLayout = "s32[4,3]{1,0:T(2,2)}".parse().unwrap();
    /// let mut tiles = Array::zeros(tiles).unwrap();
    /// Plan::new(part.layout(), tiles.layout()).unwrap().run_views(&part, &mut tiles).unwrap();
    /// assert_eq!((tiles[[0, 0]], tiles[[3, 2]]), (5, 31));
    /// ```
    ///
    /// # Errors
    /// If the plan was made for other layouts, or fills the padding of a part.
    pub fn run_views<T: Element, A: ArrayLayout, B: ArrayLayout>(
        &self,
        src: &ArrayRef<T, A>,
        dst: &mut ArrayRef<T, B>,
    ) -> Result<(), RelayoutError> {
        // SAFETY: just checked; the borrows do not overlap.
        unsafe { self.run_raw(self.of_views(src, dst)?) };
        Ok(())
    }
}

/// The sources that [`Plan::run`] copies to a `Destination`. Elements `T` of a slice, a vector or
/// an array of Rust are copied to another of these, and an array with a layout to another one. The
/// trait is sealed.
#[diagnostic::on_unimplemented(
    message = "a plan does not copy from `{Self}` to `{Destination}`",
    label = "expected two slices or two arrays, with elements of one type",
    note = "slices are copied to slices, as `plan.run(a.memory(), b.memory_mut())`, and arrays \
            with layouts to arrays, as `plan.run(&a, &mut b)`; bytes run `run_bytes`"
)]
pub trait CopySource<Destination: ?Sized, T>: sealed::Sealed {
    /// See [`Plan::run`].
    ///
    /// # Errors
    /// As [`Plan::run`].
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
                // SAFETY: just checked; the borrows do not overlap.
                unsafe { plan.run_raw(plan.of_slices(self, dst)?) };
                Ok(())
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
