//! Layouts whose type fixes the modes: what is done for each mode, written out. A loop over a
//! constant array is up to eight times slower inside nested loops, since it is unrolled too late.
//!
//! All such layouts share the functions here, and do each step by a function of a trait. So the
//! compiler checks the written-out steps once, and the body of a step once, and not for every mode
//! that a layout may have.

use core::ops::{Div, Rem};

use super::{Loop, MAX_LOOPS, Mode};
use crate::coordinates::Coordinates;

/// An integer that indices are computed in, or the elements of a run are counted in.
pub(crate) trait Unsigned: Copy + Div<Output = Self> + Rem<Output = Self> {
    fn of(number: usize) -> Self;
    fn widen(self) -> usize;
    /// The sum, wrapping.
    fn plus(self, other: Self) -> Self;
}

macro_rules! unsigned {
    ($($int:ty)*) => {$(
        impl Unsigned for $int {
            #[inline(always)]
            fn of(number: usize) -> Self {
                number as $int
            }

            #[inline(always)]
            fn widen(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        }
    )*};
}

unsigned!(u16 u32 usize);

/// A layout whose type fixes the modes. `I` is the integer that linear indices are computed in.
pub(crate) trait KnownModes<C, I = usize> {
    /// The modes, the most minor one first.
    const MODES: &'static [Mode];

    /// The term of the `K`-th mode in the sum that is the linear index of an index in bounds.
    fn term<const K: usize>(&self, index: &C) -> I;

    /// Visits the loops up to the `K`-th at once, and answers true; or answers false.
    #[inline(always)]
    fn visit_run<const K: usize>(
        _at: C,
        _linear: usize,
        _visit: &mut impl FnMut(&C, usize),
    ) -> bool {
        false
    }
}

/// A layout whose type fixes the modes that a linear index is divided by.
pub(crate) trait TakeDigit<C>: KnownModes<C> {
    /// Takes the digit of the `K`-th mode from the linear index, or from `rest`, what the more
    /// major modes have left of it, and adds it to the coordinates; false where the array has no
    /// elements.
    fn take_digit<const K: usize>(
        &self,
        index: &mut C,
        linear_index: usize,
        rest: &mut usize,
    ) -> bool;
}

/// Writes `$step!(k)` for the number of each mode, the most major one first.
macro_rules! each_mode {
    ($modes:expr, $step:ident) => {
        each_mode!(@ $modes, $step, 16, 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16);
        each_mode!(@ $modes, $step, 8, 15 14 13 12 11 10 9 8);
        each_mode!(@ $modes, $step, 4, 7 6 5 4);
        each_mode!(@ $modes, $step, 0, 3 2 1 0);
    };
    (@ $modes:expr, $step:ident, $first:literal, $($k:literal)*) => {
        if const { $modes.len() > $first } {
            $(if const { $modes.len() > $k } { $step!($k); })*
        }
    };
}

/// The linear index of an index in bounds: the most major term first, as a person would write it.
#[inline(always)]
pub(crate) fn sum<L: KnownModes<C, I>, C, I: Unsigned>(layout: &L, index: &C) -> I {
    let mut linear = I::of(0);
    macro_rules! add {
        ($k:literal) => {
            linear = linear.plus(layout.term::<$k>(index))
        };
    }
    each_mode!(L::MODES, add);
    linear
}

/// The coordinates of an element, of an array of this rank.
#[inline(always)]
pub(crate) fn digits<L: TakeDigit<C>, C: Coordinates>(
    layout: &L,
    rank: usize,
    linear_index: usize,
) -> C {
    let mut index = C::origin(rank);
    let mut rest = linear_index;
    macro_rules! take {
        ($k:literal) => {
            if !layout.take_digit::<$k>(&mut index, linear_index, &mut rest) {
                return index;
            }
        };
    }
    each_mode!(L::MODES, take);
    // What the last mode leaves is 0, unless the number was wrong.
    let _ = rest;
    index
}

/// Ten nested loops, most major outermost, around `visit(coordinates, linear index)`. The numbers
/// of the loops may be known at run time only; `rank` is that of the array.
#[inline(always)]
pub(crate) fn nest<L: KnownModes<C>, C: Coordinates + Copy>(
    loops: &[Loop; MAX_LOOPS],
    rank: usize,
    visit: &mut impl FnMut(&C, usize),
) {
    macro_rules! level {
        ($at:expr, $linear:expr, $k:literal $($rest:literal)*) => {{
            let mut at = $at;
            let mut linear = $linear;
            if !L::visit_run::<$k>(at, linear, visit) {
                // Read once: each inline constant has its own cost in rustc.
                let this = if const { L::MODES.len() > $k } { loops[$k] } else { Loop::NONE };
                let rounds = if this.edge == 0 {
                    this.size
                } else {
                    this.count(at.coordinate(this.dim))
                };
                let mut round = 0;
                while round < rounds {
                    level!(at, linear, $($rest)*);
                    if const { L::MODES.len() > $k } {
                        at.set(this.dim, at.coordinate(this.dim) + this.divisor);
                        linear += this.stride;
                    }
                    round += 1;
                }
            }
            let _ = (at, linear);
        }};
        ($at:expr, $linear:expr,) => {
            visit(&$at, $linear)
        };
    }
    level!(C::origin(rank), 0_usize, 9 8 7 6 5 4 3 2 1 0);
}

/// The `k`-th mode, where there is one.
#[inline]
pub(crate) const fn nth(modes: &[Mode], k: usize) -> Mode {
    if modes.len() > k {
        modes[k]
    } else {
        Mode::NONE
    }
}
