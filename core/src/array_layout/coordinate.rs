//! One coordinate of a dimension, which is in bounds.
//!
//! A coordinate is used as the number that it is: compared, added, subtracted, and as an index of a
//! slice.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ops::{Add, Div, Index, IndexMut, Mul, Rem, Sub};

use super::axis::{mismatch, size};
use super::{ArrayLayout, ConstLayout};
use crate::coordinates::HasDimension;
use crate::layout_error::LayoutError;

/// A coordinate that is proven to be below the size of dimension `D` of layout `L`.
///
/// [`ConstLayout::axis`] hands them out. A tuple of them, one for each dimension, accesses a view
/// without a check, or becomes an [`Index`](super::Index). It is a tuple because each dimension has
/// a type of its own, while `[i, j]` has one type. A tuple may also contain numbers, which are
/// checked: `view[(i, 2)]`.
///
/// A coordinate of one layout serves another whose dimension has the same size, so that a product
/// can use `k` for both operands; where the sizes differ it does not compile. The sizes are
/// compared when code is generated: `cargo build` says so, `cargo check` does not.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_core::{Array, ConstLayout, Rank, SliceView, SliceViewMut};
///
/// /// A matrix product of arrays in any layouts: no check at run time, and no wrong index.
/// fn product<A, B, C>(a: SliceView<f32, A>, b: SliceView<f32, B>, mut c: SliceViewMut<f32, C>)
/// where
///     A: ConstLayout + Rank<2>,
///     B: ConstLayout + Rank<2>,
///     C: ConstLayout + Rank<2>,
/// {
///     for i in C::axis::<0>() {
///         for j in C::axis::<1>() {
///             c[(i, j)] = A::axis::<1>().map(|k| a[(i, k)] * b[(k, j)]).sum();
///         }
///     }
/// }
///
/// // layout!(f32[2,3]{1,0})
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// // layout!(f32[3,2]{0,1})
/// type B = StaticLayout<f32, (Nat<3>, Nat<2>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
/// // layout!(f32[2,2]{1,0})
/// type C = StaticLayout<f32, (Nat<2>, Nat<2>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
///
/// let a = SliceView::new(A::NEW, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..]).unwrap();
/// let b = SliceView::new(B::NEW, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0][..]).unwrap();
/// let mut c = Array::zeros(C::NEW).unwrap();
/// product(a, b, c.as_slice_view_mut());
/// assert_eq!(c.memory(), [1.0, 3.0, 4.0, 6.0]);
/// ```
///
/// `b[(j, k)]` instead of `b[(k, j)]` would not compile here: dimension 0 of `B` has size 3, and
/// `j` is a coordinate of a dimension of size 2.
///
/// ```compile_fail
/// # use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// # use xlayout_core::{ConstLayout, SliceView};
/// # type B = StaticLayout<f32, (Nat<3>, Nat<2>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
/// # let b = SliceView::new(B::NEW, &[0.0; 6][..]).unwrap();
/// for (k, j) in B::axis::<0>().zip(B::axis::<1>()) {
///     println!("{}", b[(j, k)]);
/// }
/// ```
///
/// Everywhere else a coordinate is a number. It compares with a `usize` and with other coordinates;
/// `+`, `-`, `*`, `/` and `%` give a `usize`, and overflow as those of `usize` do; a slice and a
/// `Vec` are indexed by it. [`get`](Self::get) and `usize::from` give the number.
/// [`Axis::offset`](super::Axis::offset) gives a neighbour that is a coordinate again.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout = DynLayout::new("s32[2,3]")?.ranked::<2>()?;
/// let array = Array::from_fn(layout, |&[i, j]| (3 * i + j) as i32)?;
/// let scale = vec![1, 10, 100];
/// let mut sum = 0;
/// for i in array.axis::<0>() {
///     sum += array[(i, 2)]; // a number is checked
///     for j in array.axis::<1>().filter(|&j| j > i && j < 2) {
///         sum += scale[j] * array[(i, j)] + array[[i + 1, j - 1]];
///     }
/// }
/// assert_eq!(sum, 2 + 5 + 10 * 1 + 3);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub struct Coordinate<L, const D: usize> {
    proven: Proven,
    marker: PhantomData<fn() -> L>,
}

/// A type of its own: else the compiler proposes the private field where a number is expected.
#[derive(Clone, Copy)]
struct Proven(usize);

impl<L, const D: usize> Coordinate<L, D> {
    #[inline(always)]
    pub(super) const fn proven(value: usize) -> Self {
        Self {
            proven: Proven(value),
            marker: PhantomData,
        }
    }

    /// The number.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> usize {
        self.proven.0
    }

    /// The smaller one of this coordinate and a number or another coordinate. It is not above this
    /// one, so it is still proven.
    #[inline(always)]
    #[must_use]
    pub fn min(self, other: impl Number) -> Self {
        Self::proven(self.get().min(other.number()))
    }
}

// The bounds are at the functions: there the compiler says what is missing.
impl<L: ArrayLayout, const D: usize> Coordinate<L, D> {
    /// Proves that a number is below the size of dimension `D`, which the type knows. For a size of
    /// the run time, [`Axis::coordinate`](super::Axis::coordinate) does.
    ///
    /// # Errors
    /// When it is not, with the size.
    #[inline]
    pub fn new(coordinate: usize) -> Result<Self, LayoutError>
    where
        L: ConstLayout,
        L::Coordinates: HasDimension<D>,
    {
        let size = const { size::<L>(D) };
        if coordinate < size {
            Ok(Self::proven(coordinate))
        } else {
            Err(LayoutError::OutOfBounds {
                dimension: D,
                coordinate,
                size,
            })
        }
    }

    /// The coordinate that is `steps` away; `None` if that is outside the dimension.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{Coordinate, ConstLayout};
    /// type A = StaticLayout<f32, (Nat<4>,), MinorToMajor<(Nat<0>,)>, ()>; // layout!(f32[4])
    /// let last = Coordinate::<A, 0>::new(3)?;
    /// assert_eq!(last.checked_offset(-2).map(Coordinate::get), Some(1));
    /// assert_eq!(last.checked_offset(1), None);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn checked_offset(self, steps: isize) -> Option<Self>
    where
        L: ConstLayout,
    {
        let value = self.get().checked_add_signed(steps)?;
        (value < const { size::<L>(D) }).then_some(Self::proven(value))
    }

    /// The same number as a coordinate of dimension `E` of layout `M`, which must be at least as
    /// large: otherwise it does not compile. (Equal sizes need no conversion.) The sizes are
    /// compared when code is generated: `cargo build` says so, `cargo check` does not.
    #[inline(always)]
    #[must_use]
    pub fn along<M: ConstLayout, const E: usize>(self) -> Coordinate<M, E>
    where
        L: ConstLayout,
        M::Coordinates: HasDimension<E>,
    {
        const {
            let from = size::<L>(D);
            let to = size::<M>(E);
            if from > to {
                mismatch(E, to, ", too small for a coordinate", from);
            }
        }
        Coordinate::proven(self.get())
    }
}

impl<L, const D: usize> Clone for Coordinate<L, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, const D: usize> Copy for Coordinate<L, D> {}

impl<L, const D: usize> Hash for Coordinate<L, D> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.get().hash(state);
    }
}

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
