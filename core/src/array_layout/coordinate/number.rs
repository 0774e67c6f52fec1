//! A coordinate is used as the number that it is: compared, added, subtracted, and as an index of a
//! slice.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, Div, Index, IndexMut, Mul, Rem, Sub};

use super::Coordinate;

/// A coordinate, or a number that may be one. The trait is not exported, so no other crate
/// implements it.
pub trait Number: Copy {
    fn number(self) -> usize;
}

impl Number for usize {
    #[inline(always)]
    fn number(self) -> usize {
        self
    }
}

impl<L, const D: usize> Number for Coordinate<L, D> {
    #[inline(always)]
    fn number(self) -> usize {
        self.get()
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl<L, const D: usize> From<Coordinate<L, D>> for $number {
            #[inline(always)]
            fn from(coordinate: Coordinate<L, D>) -> Self {
                coordinate.get() as $number
            }
        }
    )*};
}

numbers!(usize u64);

// Coordinates of different axes compare as numbers: `i <= j` in a triangular loop. A number on the
// left side would make `n == text.parse().unwrap()` ambiguous in programs that have nothing to do
// with coordinates.
impl<L, M, const D: usize, const E: usize> PartialEq<Coordinate<M, E>> for Coordinate<L, D> {
    #[inline(always)]
    fn eq(&self, other: &Coordinate<M, E>) -> bool {
        self.get() == other.get()
    }
}

impl<L, const D: usize> Eq for Coordinate<L, D> {}

impl<L, M, const D: usize, const E: usize> PartialOrd<Coordinate<M, E>> for Coordinate<L, D> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Coordinate<M, E>) -> Option<Ordering> {
        Some(self.get().cmp(&other.get()))
    }
}

impl<L, const D: usize> Ord for Coordinate<L, D> {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        self.get().cmp(&other.get())
    }
}

impl<L, const D: usize> PartialEq<usize> for Coordinate<L, D> {
    #[inline(always)]
    fn eq(&self, other: &usize) -> bool {
        self.get() == *other
    }
}

impl<L, const D: usize> PartialOrd<usize> for Coordinate<L, D> {
    #[inline(always)]
    fn partial_cmp(&self, other: &usize) -> Option<Ordering> {
        Some(self.get().cmp(other))
    }
}

/// Arithmetic whose result is a number.
macro_rules! arithmetic {
    ($($operator:ident $method:ident),*) => {$(
        impl<L, const D: usize> $operator<usize> for Coordinate<L, D> {
            type Output = usize;

            #[inline(always)]
            #[track_caller]
            fn $method(self, other: usize) -> usize {
                $operator::$method(self.get(), other)
            }
        }

        impl<L, const D: usize> $operator<Coordinate<L, D>> for usize {
            type Output = usize;

            #[inline(always)]
            #[track_caller]
            fn $method(self, other: Coordinate<L, D>) -> usize {
                $operator::$method(self, other.get())
            }
        }

        impl<L, M, const D: usize, const E: usize> $operator<Coordinate<M, E>> for Coordinate<L, D> {
            type Output = usize;

            #[inline(always)]
            #[track_caller]
            fn $method(self, other: Coordinate<M, E>) -> usize {
                $operator::$method(self.get(), other.get())
            }
        }
    )*};
}

arithmetic!(Add add, Sub sub, Mul mul, Div div, Rem rem);

/// A slice is indexed by a coordinate as by its number: with a check.
macro_rules! slices {
    ($($(#[$when:meta])? $slice:ty),*) => {$(
        $(#[$when])?
        impl<T, L, const D: usize> Index<Coordinate<L, D>> for $slice {
            type Output = T;

            #[inline(always)]
            #[track_caller]
            fn index(&self, coordinate: Coordinate<L, D>) -> &T {
                &self[coordinate.get()]
            }
        }

        $(#[$when])?
        impl<T, L, const D: usize> IndexMut<Coordinate<L, D>> for $slice {
            #[inline(always)]
            #[track_caller]
            fn index_mut(&mut self, coordinate: Coordinate<L, D>) -> &mut T {
                &mut self[coordinate.get()]
            }
        }
    )*};
}

slices!([T], #[cfg(feature = "alloc")] Vec<T>);

impl<L, const D: usize> fmt::Debug for Coordinate<L, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.get(), f)
    }
}

impl<L, const D: usize> fmt::Display for Coordinate<L, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}
