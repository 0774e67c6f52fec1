//! Copies between layouts that are known at compile time. The plan is made at compile time, too.
#![allow(unsafe_code)]

mod made;

use core::fmt;
use core::marker::PhantomData;

use xlayout_core::{ArrayLayout, ArrayRef, ConstLayout, Element, INLINE_RANK};

use crate::error::{End, RelayoutError};
use crate::kernels;
use crate::kernels::Run;
use crate::piece::Share;
use crate::side::{Side, same_length, same_type, same_width};
use crate::way::Way;
use made::{FEW, Made, differ, made};

/// Copies an array to another layout, both known at compile time: nothing is planned at run time,
/// and a few elements are copied without a loop.
///
/// Other sizes do not compile.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_core::{ConstLayout, SliceView, SliceViewMut};
/// use xlayout_relayout::relayout_static;
///
/// // layout!(f32[2,3]{1,0})
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// // layout!(f32[2,3]{0,1})
/// type B = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
///
/// let src = SliceView::new(A::NEW, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0][..]).unwrap();
/// let mut out = [0.0_f32; 6];
/// let mut dst = SliceViewMut::new(B::NEW, &mut out[..]).unwrap();
/// relayout_static(&src, &mut dst);
/// assert_eq!(out, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// ```
#[inline]
pub fn relayout_static<T, A, B>(src: &ArrayRef<T, A>, dst: &mut ArrayRef<T, B>)
where
    T: Element,
    A: ConstLayout,
    B: ConstLayout,
{
    // SAFETY: arrays hold all elements of their layouts, at their linear indices and of the
    // layouts' own width. The borrows do not overlap.
    let copied = unsafe { run::<T, A, B>(src.as_ptr(), dst.as_mut_ptr()) };
    if let Err(error) = copied {
        unreachable!(
            "views of both layouts exist, so that law 3 says that both can be planned: {error}"
        );
    }
}

/// A plan between two layouts that are known at compile time. It has no data beside its type.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_relayout::StaticPlan;
///
/// // layout!(f32[2,3]{1,0})
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// // layout!(f32[2,3]{0,1})
/// type B = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
///
/// let mut out = [0.0_f32; 6];
/// StaticPlan::<A, B>::new().run(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut out).unwrap();
/// assert_eq!(out, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// ```
#[derive(Clone, Copy, Default)]
pub struct StaticPlan<A, B>(PhantomData<fn() -> (A, B)>);

impl<A: ConstLayout, B: ConstLayout> StaticPlan<A, B> {
    /// Returns the plan; there is only one of this type.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Copies an array. The padding of the destination is not written.
    ///
    /// # Errors
    /// If a slice is not as long as its layout says, its elements have another width or type, or
    /// the copy cannot be planned.
    #[inline]
    pub fn run<T: Element>(&self, src: &[T], dst: &mut [T]) -> Result<(), RelayoutError> {
        let from = A::NEW;
        let to = B::NEW;
        same_type(from.element_type(), to.element_type())?;
        let width = size_of::<T>();
        same_width(End::Source, from.element_bits(), 8 * width)?;
        same_width(End::Destination, to.element_bits(), 8 * width)?;
        same_length(End::Source, A::BUFFER_LEN * width, size_of_val(src))?;
        same_length(End::Destination, B::BUFFER_LEN * width, size_of_val(dst))?;
        // SAFETY: just checked; the borrows do not overlap.
        unsafe { run::<T, A, B>(src.as_ptr(), dst.as_mut_ptr()) }
    }
}

impl<A: ConstLayout, B: ConstLayout> fmt::Debug for StaticPlan<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "StaticPlan({} -> {})",
            A::NEW.array_shape(),
            B::NEW.array_shape()
        )
    }
}

/// Copies between two layouts that the types fix.
///
/// # Safety
/// The memory has the lengths of the layouts and does not overlap, and `T` has the width of their
/// elements.
#[inline(always)]
unsafe fn run<T: Element, A: ConstLayout, B: ConstLayout>(
    src: *const T,
    dst: *mut T,
) -> Result<(), RelayoutError> {
    const { same_sizes(A::SIZES, B::SIZES) }
    // SAFETY: the caller's promise.
    if unsafe { Planned::<T, A, B>::run(src, dst) } {
        return Ok(());
    }
    let from = Side::of(&A::NEW, End::Source)?;
    let to = Side::of(&B::NEW, End::Destination)?;
    let run = Run::of(B::ELEMENTS * size_of::<T>());
    // SAFETY: the caller's promise; the elements are at the offsets of `SIDE`, and whole ones are
    // written.
    unsafe { Way::new(B::SIZES, &from, &to)?.run(src.cast(), dst.cast(), &run, Share::WHOLE) };
    Ok(())
}

/// Stops the compiler if the sizes differ.
const fn same_sizes(src: &[usize], dst: &[usize]) {
    assert!(
        src.len() == dst.len(),
        "the source and the destination have different numbers of dimensions: both must be the \
         same logical array"
    );
    assert!(
        !differ(src, dst),
        "a dimension has another size in the source than in the destination: both must be the same \
         logical array"
    );
}

/// The sizes of a layout with a type that fixes them and the place of each element; `None` for
/// other layouts.
const fn known_sizes<L: ArrayLayout>() -> Option<([usize; INLINE_RANK], usize)> {
    let dims = L::KNOWN_DIMS;
    let modes = L::KNOWN_MODES;
    // Empty lists of modes are unknown.
    let known = L::FIXED_SIZES && L::UNIQUE && !L::REVERSES && !modes.is_empty();
    if !known || dims.is_empty() || dims.len() > INLINE_RANK {
        return None;
    }
    let mut sizes = [0; INLINE_RANK];
    each!(k, 0..dims.len(), {
        sizes[k] = match dims[k].bound() {
            Some(size) => size as usize,
            None => return None,
        };
    });
    Some((sizes, dims.len()))
}

/// The plan between two layouts, made by the compiler if their types fix them.
pub(crate) struct Planned<T, A, B>(PhantomData<(T, A, B)>);

impl<T: Element, A: ArrayLayout, B: ArrayLayout> Planned<T, A, B> {
    const MADE: Made = match (known_sizes::<A>(), known_sizes::<B>()) {
        (Some((from, src_rank)), Some((to, rank))) => {
            let from = from.split_at(src_rank).0;
            let to = to.split_at(rank).0;
            made((from, A::KNOWN_MODES), (to, B::KNOWN_MODES), size_of::<T>())
        }
        _ => Made::Later,
    };
    /// The offsets of the elements that are copied without a loop, and their number.
    const PAIRS: ([(usize, usize); FEW], usize) = match Self::MADE {
        Made::Few(pairs, count) => (pairs, count),
        _ => ([(0, 0); FEW], 0),
    };

    /// Copies all elements. Returns `false`, and copies nothing, if the plan must be made at run
    /// time.
    ///
    /// # Safety
    /// The elements of `A` from `src` on can be read, and those of `B` from `dst` on can be
    /// written. They do not overlap. Both layouts give elements the width of `T`.
    #[inline(always)]
    pub(crate) unsafe fn run(src: *const T, dst: *mut T) -> bool {
        if const { Self::PAIRS.1 > 0 } {
            // SAFETY: the caller's promise.
            unsafe { Self::few(src, dst) };
            return true;
        }
        match const { &Self::MADE } {
            // There are no elements.
            Made::Few(..) => {}
            Made::Tasks(tasks, len, bytes) => {
                let run = Run::of(*bytes);
                for task in &tasks[..*len] {
                    // SAFETY: the caller's promise. The offsets are sums over the modes of both
                    // types, which are the linear indices (law 3); whole elements are written.
                    unsafe { kernels::run(task, src.cast(), dst.cast(), &run) };
                }
            }
            Made::Later => return false,
        }
        true
    }

    /// Copies a few elements, each by its own statement: a loop over a table would not be unrolled
    /// early enough to become straight code.
    ///
    /// # Safety
    /// As `run`.
    #[inline(always)]
    unsafe fn few(src: *const T, dst: *mut T) {
        macro_rules! each {
            ($first:literal: $($k:literal)*) => {
                if const { Self::PAIRS.1 > $first } {
                    $(if const { Self::PAIRS.1 > $k } {
                        let (from, to) = const { Self::PAIRS.0[$k] };
                        // SAFETY: linear indices of elements, and the caller's promise.
                        unsafe { *dst.add(to) = *src.add(from) };
                    })*
                }
            };
        }
        each!(0: 0 1 2 3 4 5 6 7);
        each!(8: 8 9 10 11 12 13 14 15);
        each!(16: 16 17 18 19 20 21 22 23);
        each!(24: 24 25 26 27 28 29 30 31);
    }
}

#[cfg(test)]
mod tests;
