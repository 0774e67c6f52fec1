//! Visiting the innermost modes of a layout as one run of memory: see [`Run`].

use super::StaticLayout;
use crate::array_layout::ArrayLayout;
use crate::coordinates::Coordinates;
use crate::element::DType;
use crate::layouts::types::parts::{Attributes, StaticDimensions};
use crate::layouts::types::spec::OrderOf;
use crate::modes::{Loop, MAX_LOOPS, Run, Unsigned};

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> StaticLayout<E, D, O, A> {
    /// The loops that visit the elements in the sequence of memory.
    pub(super) const LOOPS: [Loop; MAX_LOOPS] = if Self::MERGES {
        [Loop::NONE; MAX_LOOPS]
    } else {
        Loop::all(Self::MODES, D::SIZES)
    };

    /// The innermost of them that are one run of memory.
    pub(super) const RUN: Run = Run::of(Self::MODES);

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
    pub(super) fn holds_run(at: &D::Coordinates) -> bool {
        macro_rules! all {
            ($($k:literal)*) => { $(Self::holds_run_along::<$k>(at) &&)* true };
        }
        all!(0 1 2 3 4 5 6 7)
    }

    /// Adds the digit of the `K`-th mode of a step of the run to the coordinates.
    #[inline(always)]
    fn add_digit_of_run<const K: usize, Step: Unsigned>(at: &mut D::Coordinates, step: Step) {
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
    pub(super) fn in_run<Step: Unsigned>(mut at: D::Coordinates, step: Step) -> D::Coordinates {
        macro_rules! all {
            ($($k:literal)*) => { $(Self::add_digit_of_run::<$k, Step>(&mut at, step);)* };
        }
        all!(0 1 2 3 4 5 6 7);
        at
    }
}
