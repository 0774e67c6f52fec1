//! Layouts that are known at compile time, all of them.

use core::convert::Infallible;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ops::{Div, Rem};

use super::parts::{Attributes, StaticDimensions};
use super::spec::{OrderOf, Spec};
use crate::array_layout::{ArrayLayout, ConstLayout, FixedSizes, sealed};
use crate::const_text::stop;
use crate::dims::Dim;
use crate::element::DType;
use crate::modes::{Loop, Loops, Mode, Resolved, Run, merged_coordinate, nest};
use crate::region::RegionLayout;
use crate::{ArrayShape, Coordinates, PrimitiveType};

/// A layout that is known at compile time: what `layout!(f32[2,3]{1,0})` names.
///
/// The type is its own value (`layout!(…)` is both), holds nothing, and carries the const stride
/// table as associated constants. Its parameters are the element type, the dimensions, the
/// minor-to-major list and the attributes; two equal notations are one type.
///
/// ```
/// # use xlayout_core as xlayout;
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
///
/// // What `layout!(f32[2,3]{0,1})` expands to:
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
/// assert_eq!(A::STRIDES, [1, 2]);
/// assert_eq!(A::BYTES, 24);
/// static BUFFER: [f32; A::BUFFER_LEN] = [0.0; 6];
/// ```
pub enum StaticLayout<E, D, O, A> {
    /// The value, which stands beside the type under the type's name.
    Value,
    #[doc(hidden)]
    Parameters(Infallible, PhantomData<fn() -> (E, D, O, A)>),
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> StaticLayout<E, D, O, A> {
    const MERGES: bool = !Spec::<E, D, O, A>::LOWERED.terms.is_empty();

    /// The size of each dimension (a bounded dynamic one at its bound), dimension 0 first.
    pub const DIMS: &'static [usize] = D::SIZES;
    /// The dimension numbers, the one that varies fastest first.
    pub const MINOR_TO_MAJOR: &'static [usize] = {
        let _checked = Spec::<E, D, O, A>::LOWERED;
        O::SIZES
    };
    /// The stride of each dimension in elements. A tiled layout has none: using this constant of
    /// one is a compile error.
    pub const STRIDES: &'static [usize] = {
        let Some(strides) = Spec::<E, D, O, A>::LOWERED.strides else {
            stop("a tiled layout has no stride for each dimension; use MODES instead of STRIDES");
        };
        strides
    };
    /// The table of modes, the most minor first.
    pub const MODES: &'static [Mode] = Spec::<E, D, O, A>::LOWERED.modes;
    /// The elements that memory is allocated for, padding included: the length of the buffer.
    pub const BUFFER_LEN: usize = Spec::<E, D, O, A>::LOWERED.numbers.buffer_len;
    /// The number of elements.
    pub const ELEMENTS: usize = Spec::<E, D, O, A>::LOWERED.numbers.elements;
    /// The bytes that memory is allocated for, padding included.
    pub const BYTES: usize = Spec::<E, D, O, A>::LOWERED.bytes;
    /// The bits of one element in memory.
    pub const ELEMENT_BITS: usize = Spec::<E, D, O, A>::LOWERED.numbers.element_bits;
    /// The value of this type; there is only one.
    pub const NEW: Self = Self::Value;

    const RESOLVED: Resolved<'static> = Resolved {
        sizes: D::SIZES,
        modes: Self::MODES,
        terms: Spec::<E, D, O, A>::LOWERED.terms,
        numbers: Spec::<E, D, O, A>::LOWERED.numbers,
    };
}

/// The linear index: the terms of the sum, written out. A loop over a constant array is up to eight
/// times slower inside nested loops, since it is unrolled too late. `$term` is a function of one
/// term, so that the compiler checks its body once.
macro_rules! sum {
    ($term:ident, $index:ident, $int:ty) => {{
        let mut linear: $int = 0;
        // The most major term first, as a person would write it.
        sum!(@ linear, $term, $index, 16, 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16);
        sum!(@ linear, $term, $index, 8, 15 14 13 12 11 10 9 8);
        sum!(@ linear, $term, $index, 4, 7 6 5 4);
        sum!(@ linear, $term, $index, 0, 3 2 1 0);
        linear
    }};
    (@ $linear:ident, $term:ident, $index:ident, $first:literal, $($k:literal)*) => {
        if const { Self::MODES.len() > $first } {
            $(if const { Self::MODES.len() > $k } {
                $linear = $linear.wrapping_add(Self::$term::<$k>($index));
            })*
        }
    };
}

/// The term of the `K`-th mode, in one integer type.
macro_rules! term {
    ($index:ident, $int:ty, $coordinate:expr) => {{
        let mode = const { nth(Self::MODES, K) };
        let coordinate = if const { Self::MERGES && nth(Self::MODES, K).dim >= D::SIZES.len() } {
            Self::merged($index.as_ref(), mode.dim) as $int
        } else {
            $coordinate(mode.dim)
        };
        let digit = if const { nth(Self::MODES, K).divisor != 1 } {
            coordinate / mode.divisor as $int
        } else {
            coordinate
        };
        let digit = if mode.top {
            digit
        } else {
            digit % mode.size as $int
        };
        digit.wrapping_mul(mode.stride as $int)
    }};
}

/// The `k`-th mode.
pub(super) const fn nth(modes: &[Mode], k: usize) -> Mode {
    if modes.len() > k {
        modes[k]
    } else {
        Mode::NONE
    }
}

/// The `k`-th mode, and the stride of the one above it; 0 for the most major one.
const fn mode_and_above(modes: &[Mode], k: usize) -> (Mode, usize) {
    if k >= modes.len() {
        return (Mode::NONE, 0);
    }
    (
        modes[k],
        if k + 1 < modes.len() {
            modes[k + 1].stride
        } else {
            0
        },
    )
}

/// Whether each stride divides the next.
const fn divide(modes: &[Mode]) -> bool {
    let mut divide = true;
    let mut k = 1;
    while k < modes.len() {
        divide &= modes[k].stride.is_multiple_of(modes[k - 1].stride);
        k += 1;
    }
    divide
}

/// An integer that indices are computed in.
pub(crate) trait Coordinate: Copy {
    fn widen(self) -> usize;
}

impl Coordinate for usize {
    #[inline(always)]
    fn widen(self) -> usize {
        self
    }
}

impl Coordinate for u32 {
    #[inline(always)]
    fn widen(self) -> usize {
        self as usize
    }
}

/// An integer that counts the elements of a run.
trait RunStep: Copy + Div<Output = Self> + Rem<Output = Self> {
    fn of(number: usize) -> Self;
    fn widen(self) -> usize;
}

macro_rules! run_step {
    ($($int:ty)*) => {$(
        impl RunStep for $int {
            #[inline(always)]
            fn of(number: usize) -> Self {
                number as $int
            }

            #[inline(always)]
            fn widen(self) -> usize {
                self as usize
            }
        }
    )*};
}

run_step!(u16 u32);

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> StaticLayout<E, D, O, A> {
    /// The value of a coordinate that a `*` merged.
    #[cold]
    fn merged(index: &[impl Coordinate], coordinate: usize) -> usize {
        let mut wide = D::SIZE_COORDINATES;
        for (to, from) in wide.as_mut().iter_mut().zip(index) {
            *to = from.widen();
        }
        merged_coordinate(Self::RESOLVED.terms, wide.as_ref(), coordinate)
    }

    /// The loops that visit the elements in the sequence of memory.
    const LOOPS: [Loop; crate::modes::MAX_LOOPS] = {
        let mut loops = [Loop::NONE; crate::modes::MAX_LOOPS];
        let mut k = 0;
        while k < loops.len() && !Self::MERGES {
            loops[k] = Loops::of(Self::MODES, k, D::SIZES);
            k += 1;
        }
        loops
    };

    /// The innermost of them that are one run of memory.
    const RUN: Run = Run::of(Self::MODES);

    /// The term of the `K`-th mode.
    #[inline(always)]
    fn term<const K: usize>(index: &D::Coordinates) -> usize {
        term!(index, usize, |dim| index.coordinate(dim))
    }

    /// Adds the digit of the `K`-th mode to the coordinates. Each digit is taken from the whole
    /// linear index, so that none waits for another.
    #[inline(always)]
    fn add_digit<const K: usize>(index: &mut D::Coordinates, linear_index: usize) {
        let (mode, above) = const { mode_and_above(Self::MODES, K) };
        let digit = if above == 0 {
            linear_index / mode.stride
        } else if const { mode_and_above(Self::MODES, K).0.stride.is_power_of_two() } {
            linear_index % above / mode.stride
        } else {
            linear_index / mode.stride - linear_index / above * (above / mode.stride)
        };
        index.set(mode.dim, index.coordinate(mode.dim) + digit * mode.divisor);
    }

    /// Whether the run that begins at these coordinates is inside the array along the dimension of
    /// its `K`-th mode.
    #[inline(always)]
    fn holds_run_along<const K: usize>(at: &D::Coordinates) -> bool {
        if const { Self::RUN.modes <= K || Self::LOOPS[K].edge == 0 } {
            return true;
        }
        let reach = const {
            if Self::RUN.modes > K {
                Self::RUN.reach(Self::MODES, K)
            } else {
                0
            }
        };
        at.coordinate(const { Self::LOOPS[K].dim }) + reach <= const { Self::LOOPS[K].edge }
    }

    /// Whether the run that begins at these coordinates is all inside the array.
    #[inline(always)]
    fn holds_run(at: &D::Coordinates) -> bool {
        macro_rules! all {
            ($($k:literal)*) => { $(Self::holds_run_along::<$k>(at) &&)* true };
        }
        all!(0 1 2 3 4 5 6 7)
    }

    /// Adds the digit of the `K`-th mode of a step of the run to the coordinates.
    #[inline(always)]
    fn add_digit_of_run<const K: usize, Step: RunStep>(at: &mut D::Coordinates, step: Step) {
        if const { Self::RUN.modes > K } {
            let digit = step / Step::of(const { Self::LOOPS[K].stride });
            let digit = if const { Self::RUN.modes == K + 1 } {
                digit
            } else {
                digit % Step::of(const { Self::LOOPS[K].size })
            };
            let dim = const { Self::LOOPS[K].dim };
            let steps = digit.widen() * const { Self::LOOPS[K].divisor };
            at.set(dim, at.coordinate(dim) + steps);
        }
    }

    /// The coordinates of an element of the run that begins at `at`.
    #[inline(always)]
    fn in_run<Step: RunStep>(mut at: D::Coordinates, step: Step) -> D::Coordinates {
        macro_rules! all {
            ($($k:literal)*) => { $(Self::add_digit_of_run::<$k, Step>(&mut at, step);)* };
        }
        all!(0 1 2 3 4 5 6 7);
        at
    }

    /// Visits the run that begins at these coordinates, if the run has the modes up to the `K`-th
    /// and is inside the array; answers whether it did.
    #[inline(always)]
    fn visit_run<const K: usize>(
        at: D::Coordinates,
        linear: usize,
        visit: &mut impl FnMut(&D::Coordinates, usize),
    ) -> bool {
        if const { Self::RUN.modes != K + 1 } || !Self::holds_run(&at) {
            return false;
        }
        // Counters as wide as the elements: the compiler computes several indices at once when they
        // fit beside the elements that it loads at once.
        if const { Self::ELEMENT_BITS <= 16 && Self::RUN.len <= u16::MAX as usize } {
            for step in 0..const { Self::RUN.len as u16 } {
                visit(&Self::in_run(at, step), linear + step as usize);
            }
        } else {
            for step in 0..const { Self::RUN.len as u32 } {
                visit(&Self::in_run(at, step), linear + step as usize);
            }
        }
        true
    }
}

impl<E, D, O, A, const N: usize> StaticLayout<E, D, O, A>
where
    E: DType,
    D: StaticDimensions<Coordinates = [usize; N]>,
    O: OrderOf,
    A: Attributes,
{
    /// The term of the `K`-th mode.
    #[inline(always)]
    fn term_u32<const K: usize>(index: &[u32; N]) -> u32 {
        term!(index, u32, |dim: usize| index[dim])
    }

    /// The linear index in 32-bit arithmetic, as GPU-shaped code wants it, of an index **in
    /// bounds**. A layout of more than 2^32 - 1 allocated elements does not compile here.
    #[inline(always)]
    #[must_use]
    pub fn linear_index_u32(&self, index: &[u32; N]) -> u32 {
        const {
            if Self::BUFFER_LEN as u64 > u32::MAX as u64 {
                stop("the layout allocates more than 2^32 - 1 elements; use linear_index");
            }
        }
        sum!(term_u32, index, u32)
    }
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> sealed::Sealed
    for StaticLayout<E, D, O, A>
{
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> ArrayLayout
    for StaticLayout<E, D, O, A>
{
    type Type = E;
    type Coordinates = D::Coordinates;
    const FIXED_SIZES: bool = true;
    const KNOWN_DIMS: &'static [Dim] = D::DIMS;
    const KNOWN_MODES: &'static [Mode] = if Self::MERGES { &[] } else { Self::MODES };
    type Region = RegionLayout<Self>;

    #[inline(always)]
    fn region(&self, sizes: Self::Coordinates, _: sealed::Token) -> RegionLayout<Self> {
        RegionLayout::new(*self, sizes)
    }

    #[inline(always)]
    fn element_type(&self) -> PrimitiveType {
        E::TYPE
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        D::SIZES.len()
    }

    #[inline(always)]
    fn sizes(&self) -> D::Coordinates {
        D::SIZE_COORDINATES
    }

    #[inline(always)]
    fn linear_index(&self, index: &D::Coordinates) -> usize {
        sum!(term, index, usize)
    }

    #[inline]
    fn multi_index(&self, linear_index: usize) -> Option<D::Coordinates> {
        const { Self::RESOLVED }.multi_index(linear_index)
    }

    #[inline(always)]
    fn multi_index_of_element(&self, linear_index: usize) -> D::Coordinates {
        if const { Self::MERGES || Self::ELEMENTS == 0 || !divide(Self::MODES) } {
            match self.multi_index(linear_index) {
                Some(index) => return index,
                None => {
                    unreachable!("a `LinearIndex` of this type is the linear index of an element")
                }
            }
        }
        let mut index = <D::Coordinates as Coordinates>::origin(D::SIZES.len());
        macro_rules! take {
            ($first:literal, $($k:literal)*) => {
                if const { Self::MODES.len() > $first } {
                    $(if const { Self::MODES.len() > $k } {
                        Self::add_digit::<$k>(&mut index, linear_index);
                    })*
                }
            };
        }
        take!(16, 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16);
        take!(8, 15 14 13 12 11 10 9 8);
        take!(4, 7 6 5 4);
        take!(0, 3 2 1 0);
        index
    }

    #[inline(always)]
    fn with_resolved<R>(&self, _: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        use_(const { Self::RESOLVED })
    }

    fn shape(&self) -> ArrayShape {
        Spec::<E, D, O, A>::shape(D::SIZES)
    }

    fn strides(&self) -> Option<D::Coordinates> {
        let mut strides = D::SIZE_COORDINATES;
        strides
            .as_mut()
            .copy_from_slice(const { Spec::<E, D, O, A>::LOWERED.strides }?);
        Some(strides)
    }

    #[inline(always)]
    fn for_each_in_memory(&self, mut visit: impl FnMut(&D::Coordinates, usize)) {
        if const { Self::MERGES || Self::MODES.len() > Self::LOOPS.len() || Self::ELEMENTS == 0 } {
            return Self::RESOLVED.for_each(visit);
        }
        macro_rules! loop_of {
            ($k:tt) => {
                const { Self::MODES.len() > $k }
            };
            ($k:tt, $field:ident) => {
                const { Self::LOOPS[$k].$field }
            };
        }
        macro_rules! run {
            ($k:tt, $at:expr, $linear:expr) => {
                Self::visit_run::<$k>($at, $linear, &mut visit)
            };
        }
        let origin = <D::Coordinates as Coordinates>::origin(D::SIZES.len());
        nest!(loop_of, run, origin, |at, linear| visit(&at, linear));
    }
}

#[diagnostic::do_not_recommend]
impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> FixedSizes
    for StaticLayout<E, D, O, A>
{
}

#[diagnostic::do_not_recommend]
impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> ConstLayout
    for StaticLayout<E, D, O, A>
{
    const DIMS: &'static [usize] = Self::DIMS;
    const MINOR_TO_MAJOR: &'static [usize] = Self::MINOR_TO_MAJOR;
    const STRIDES: &'static [usize] = Self::STRIDES;
    const MODES: &'static [Mode] = Self::MODES;
    const BUFFER_LEN: usize = Self::BUFFER_LEN;
    const ELEMENTS: usize = Self::ELEMENTS;
    const BYTES: usize = Self::BYTES;
    const NEW: Self = Self::NEW;
    const SIZE_COORDINATES: D::Coordinates = D::SIZE_COORDINATES;
    const MEMORY_MAP: crate::modes::MemoryMap<'static> =
        Spec::<E, D, O, A>::memory_map(Self::RESOLVED);
}

// Written out, since deriving would ask the same of the parameters.

impl<E, D, O, A> Clone for StaticLayout<E, D, O, A> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, D, O, A> Copy for StaticLayout<E, D, O, A> {}

impl<E, D, O, A> Default for StaticLayout<E, D, O, A> {
    #[inline(always)]
    fn default() -> Self {
        Self::Value
    }
}

impl<E, D, O, A> PartialEq for StaticLayout<E, D, O, A> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl<E, D, O, A> Eq for StaticLayout<E, D, O, A> {}

impl<E, D, O, A> Hash for StaticLayout<E, D, O, A> {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> fmt::Debug
    for StaticLayout<E, D, O, A>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "layout!({})", self.shape())
    }
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> fmt::Display
    for StaticLayout<E, D, O, A>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shape().fmt(f)
    }
}
