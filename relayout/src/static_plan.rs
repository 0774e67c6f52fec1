//! Copies between layouts that are known at compile time: so is the plan.
#![allow(unsafe_code)]

use core::fmt;
use core::marker::PhantomData;

use xlayout_core::{ArrayBase, ConstLayout, Element, Mode, SliceStorage, SliceStorageMut};

use crate::bytes;
use crate::error::{End, RelayoutError};
use crate::kernels;
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
use crate::nest::MAX_LOOPS;
use crate::refine::{Digit, Refinement};
use crate::side::Side;
use crate::way::Way;

/// Copies an array to another layout, both known at compile time: nothing is planned at run time,
/// and a few elements are copied without a loop.
///
/// Other sizes do not compile.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_core::{ConstLayout, View, ViewMut};
/// use xlayout_relayout::relayout_static;
///
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>; // layout!(f32[2,3]{1,0})
/// type B = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>; // layout!(f32[2,3]{0,1})
///
/// let src = View::new(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0][..], A::NEW).unwrap();
/// let mut out = [0.0_f32; 6];
/// let mut dst = ViewMut::new(&mut out[..], B::NEW).unwrap();
/// relayout_static(&src, &mut dst);
/// assert_eq!(out, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// ```
#[inline]
pub fn relayout_static<T, S, D, A, B>(src: &ArrayBase<S, A>, dst: &mut ArrayBase<D, B>)
where
    T: Element,
    S: SliceStorage<Item = T>,
    D: SliceStorageMut<Item = T>,
    A: ConstLayout,
    B: ConstLayout,
{
    let (src, dst) = (src.memory(), dst.memory_mut());
    // SAFETY: views hold as many elements as their layouts have places, of the layouts' own width.
    let copied = unsafe { Planned::<T, A, B>::run(src, dst) };
    if let Err(error) = copied {
        unreachable!(
            "views of both layouts exist, so that law 3 says that both can be planned: {error}"
        );
    }
}

/// A plan between two layouts that are known at compile time. Its type is all there is to it.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_relayout::StaticPlan;
///
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>; // layout!(f32[2,3]{1,0})
/// type B = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>; // layout!(f32[2,3]{0,1})
///
/// let mut out = [0.0_f32; 6];
/// StaticPlan::<A, B>::NEW.run(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut out).unwrap();
/// assert_eq!(out, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// ```
pub struct StaticPlan<A, B>(PhantomData<fn() -> (A, B)>);

impl<A: ConstLayout, B: ConstLayout> StaticPlan<A, B> {
    /// The plan; there is only one of this type.
    pub const NEW: Self = Self(PhantomData);

    /// Copies an array; the padding of the destination is left alone.
    ///
    /// # Errors
    /// When a slice is not as long as its layout says, its elements have another width or type, or
    /// the copy cannot be planned.
    #[inline]
    pub fn run<T: Element>(&self, src: &[T], dst: &mut [T]) -> Result<(), RelayoutError> {
        let (from, to) = (A::NEW, B::NEW);
        crate::side::same_type(from.element_type(), to.element_type())?;
        let found = 8 * size_of::<T>();
        for (end, expected) in [
            (End::Source, from.element_bits()),
            (End::Destination, to.element_bits()),
        ] {
            if expected != found {
                return Err(RelayoutError::ElementBits {
                    end,
                    expected,
                    found,
                });
            }
        }
        for (end, expected, found) in [
            (End::Source, A::BUFFER_LEN, src.len()),
            (End::Destination, B::BUFFER_LEN, dst.len()),
        ] {
            if expected != found {
                return Err(RelayoutError::Length {
                    end,
                    expected: expected * size_of::<T>(),
                    found: found * size_of::<T>(),
                });
            }
        }
        // SAFETY: just checked.
        unsafe { Planned::<T, A, B>::run(src, dst) }
    }
}

impl<A, B> Clone for StaticPlan<A, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, B> Copy for StaticPlan<A, B> {}

impl<A: ConstLayout, B: ConstLayout> Default for StaticPlan<A, B> {
    fn default() -> Self {
        Self::NEW
    }
}

impl<A: ConstLayout, B: ConstLayout> fmt::Debug for StaticPlan<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StaticPlan({} -> {})", A::NEW.shape(), B::NEW.shape())
    }
}

/// So many elements are copied without a loop.
const FEW: usize = 32;
/// So many boxes are planned at compile time.
const BOXES: usize = 9;

/// The way, made at compile time.
#[expect(
    clippy::large_enum_variant,
    reason = "it is a constant, of which there is one for each pair of layouts"
)]
enum Made {
    Nothing,
    /// The offsets of a few elements, in elements, as the destination has them.
    Few([(usize, usize); FEW]),
    Tasks([Task; BOXES], usize),
    /// Left to the run time.
    Later,
}

struct Planned<T, A, B>(PhantomData<(T, A, B)>);

impl<T: Element, A: ConstLayout, B: ConstLayout> Planned<T, A, B> {
    const MADE: Made = made(
        (A::DIMS, A::MODES),
        (B::DIMS, B::MODES),
        B::ELEMENTS,
        size_of::<T>(),
    );
    /// How many elements are copied without a loop.
    const COUNT: usize = match Self::MADE {
        Made::Few(_) => B::ELEMENTS,
        _ => 0,
    };
    const PAIRS: [(usize, usize); FEW] = match Self::MADE {
        Made::Few(pairs) => pairs,
        _ => [(0, 0); FEW],
    };

    /// # Safety
    /// The slices have the lengths of the layouts, and `T` the width of their elements.
    #[inline(always)]
    unsafe fn run(src: &[T], dst: &mut [T]) -> Result<(), RelayoutError> {
        debug_assert!(src.len() == A::BUFFER_LEN && dst.len() == B::BUFFER_LEN);
        if const { Self::COUNT > 0 } {
            // SAFETY: the caller's promise.
            unsafe { Self::few(src, dst) };
            return Ok(());
        }
        let by = Run::of(size_of_val(dst));
        // SAFETY: the caller's promise; law 1; whole elements are written.
        unsafe {
            let (from, to) = (bytes::of(src).as_ptr(), bytes::of_mut(dst).as_mut_ptr());
            match const { &Self::MADE } {
                Made::Nothing | Made::Few(_) => {}
                Made::Tasks(tasks, len) => {
                    for task in &tasks[..*len] {
                        kernels::run(task, from, to, &by);
                    }
                }
                Made::Later => {
                    let src = Side::of(&A::NEW, End::Source)?;
                    let dst = Side::of(&B::NEW, End::Destination)?;
                    Way::new(B::DIMS, &src, &dst)?.run(from, to, &by, (0, 1));
                }
            }
        }
        Ok(())
    }

    /// A few elements, each by itself: a loop over a table is not unrolled in time to become
    /// straight code.
    ///
    /// # Safety
    /// As `run`.
    #[inline(always)]
    unsafe fn few(src: &[T], dst: &mut [T]) {
        macro_rules! each {
            ($first:literal: $($k:literal)*) => {
                if const { Self::COUNT > $first } {
                    $(if const { Self::COUNT > $k } {
                        let (from, to) = const { Self::PAIRS[$k] };
                        // SAFETY: linear indices of elements: law 1 says that they are below the
                        // lengths.
                        unsafe { *dst.get_unchecked_mut(to) = *src.get_unchecked(from) };
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

/// Plans at compile time; sizes that differ stop the compiler.
const fn made(
    (src_sizes, src): (&[usize], &[Mode]),
    (dst_sizes, dst): (&[usize], &[Mode]),
    elements: usize,
    width: usize,
) -> Made {
    assert!(
        src_sizes.len() == dst_sizes.len(),
        "the source and the destination have different numbers of dimensions: both must be the same logical array"
    );
    let mut dim = 0;
    while dim < src_sizes.len() {
        assert!(
            src_sizes[dim] == dst_sizes[dim],
            "a dimension has another size in the source than in the destination: both must be the same logical array"
        );
        dim += 1;
    }
    if elements == 0 {
        return Made::Nothing;
    }
    let (Some(from), Some(to)) = (
        digits(src, src_sizes.len(), width),
        digits(dst, dst_sizes.len(), width),
    ) else {
        return Made::Later;
    };
    if elements <= FEW {
        return Made::Few(pairs(
            src_sizes,
            (&from, src.len()),
            (&to, dst.len()),
            elements,
            width,
        ));
    }
    let (from, to) = (from.split_at(src.len()).0, to.split_at(dst.len()).0);
    let Ok(refinement) = Refinement::new(src_sizes, from, to) else {
        return Made::Later;
    };
    let mut boxes = refinement.first();
    let Some(mut nest) = refinement.next(src_sizes, &mut boxes, width) else {
        return Made::Nothing;
    };
    nest.normalise();
    let mut tasks = [Task::new(&nest); BOXES];
    let mut len = 1;
    while let Some(mut nest) = refinement.next(src_sizes, &mut boxes, width) {
        if len == BOXES {
            return Made::Later;
        }
        nest.normalise();
        tasks[len] = Task::new(&nest);
        len += 1;
    }
    Made::Tasks(tasks, len)
}

/// The digits of modes; nothing where there are too many, or coordinates are merged.
const fn digits(modes: &[Mode], rank: usize, width: usize) -> Option<[Digit; MAX_LOOPS]> {
    let mut digits = [Digit::NONE; MAX_LOOPS];
    if modes.len() > MAX_LOOPS {
        return None;
    }
    let mut k = 0;
    while k < modes.len() {
        if modes[k].dim >= rank {
            return None;
        }
        digits[k] = match Digit::of(modes[k], width) {
            Some(digit) => digit,
            None => {
                panic!("the array is larger than any buffer: its strides do not fit into a pointer")
            }
        };
        k += 1;
    }
    Some(digits)
}

/// Where each of a few elements comes from and goes to, sorted by the latter.
const fn pairs(
    sizes: &[usize],
    src: (&[Digit; MAX_LOOPS], usize),
    dst: (&[Digit; MAX_LOOPS], usize),
    elements: usize,
    width: usize,
) -> [(usize, usize); FEW] {
    const fn offset(
        digits: (&[Digit; MAX_LOOPS], usize),
        sizes: &[usize],
        number: usize,
        width: usize,
    ) -> usize {
        // The index whose number in row-major sequence this is, the last dimension first.
        let (mut sum, mut rest, mut dim) = (0, number, sizes.len());
        while dim > 0 {
            dim -= 1;
            let coordinate = rest % sizes[dim];
            rest /= sizes[dim];
            let mut k = 0;
            while k < digits.1 {
                if digits.0[k].dim == dim {
                    sum += digits.0[k].offset(coordinate);
                }
                k += 1;
            }
        }
        sum as usize / width
    }
    let mut pairs = [(0, 0); FEW];
    let mut number = 0;
    while number < elements {
        let pair = (
            offset(src, sizes, number, width),
            offset(dst, sizes, number, width),
        );
        let mut k = number;
        while k > 0 && pairs[k - 1].1 > pair.1 {
            pairs[k] = pairs[k - 1];
            k -= 1;
        }
        pairs[k] = pair;
        number += 1;
    }
    pairs
}
