//! Coordinates that are proven in bounds one by one: what the loops of a kernel run over.

#[cfg(all(test, feature = "alloc"))]
mod tests;

use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

use super::axis_blocks::AxisBlocks;
use super::{ArrayLayout, ConstLayout};
use crate::Coordinates as _;
use crate::HasDimension;
use crate::const_text::ConstText;
use crate::dims::Dim;
use crate::layout_error::{LayoutError, NotSlice};

/// A coordinate that is proven to be below the size of dimension `D` of layout `L`.
///
/// [`ConstLayout::axis`] hands them out. A tuple of them, one for each dimension, accesses a view
/// without a check, or becomes an [`Index`](super::Index). A coordinate of one layout serves another whose
/// dimension has the same size, so that a product can use `k` for both operands; where the sizes
/// differ it does not compile. The sizes are compared when code is generated: `cargo build` says
/// so, `cargo check` does not.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_core::{Array, ConstLayout, View, ViewMut};
///
/// /// A matrix product of arrays in any layouts: no check at run time, and no wrong index.
/// fn product<A, B, C>(a: View<f32, A>, b: View<f32, B>, mut c: ViewMut<f32, C>)
/// where
///     A: ConstLayout<Coordinates = [usize; 2]>,
///     B: ConstLayout<Coordinates = [usize; 2]>,
///     C: ConstLayout<Coordinates = [usize; 2]>,
/// {
///     for i in C::axis::<0>() {
///         for j in C::axis::<1>() {
///             c[(i, j)] = A::axis::<1>().map(|k| a[(i, k)] * b[(k, j)]).sum();
///         }
///     }
/// }
///
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>; // layout!(f32[2,3]{1,0})
/// type B = StaticLayout<f32, (Nat<3>, Nat<2>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>; // layout!(f32[3,2]{0,1})
/// type C = StaticLayout<f32, (Nat<2>, Nat<2>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>; // layout!(f32[2,2]{1,0})
///
/// let a = View::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..], A::NEW).unwrap();
/// let b = View::new(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0][..], B::NEW).unwrap();
/// let mut c = Array::zeros(C::NEW).unwrap();
/// product(a, b, c.as_view_mut());
/// assert_eq!(c.memory(), [1.0, 3.0, 4.0, 6.0]);
/// ```
///
/// `b[(j, k)]` instead of `b[(k, j)]` would not compile here: dimension 0 of `B` has size 3, and `j`
/// is a coordinate of a dimension of size 2.
///
/// ```compile_fail
/// # use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// # use xlayout_core::{ConstLayout, View};
/// # type B = StaticLayout<f32, (Nat<3>, Nat<2>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
/// # let b = View::new(&[0.0; 6][..], B::NEW).unwrap();
/// for (k, j) in B::axis::<0>().zip(B::axis::<1>()) {
///     println!("{}", b[(j, k)]);
/// }
/// ```
pub struct Coordinate<L, const D: usize> {
    value: usize,
    of: PhantomData<fn() -> L>,
}

impl<L, const D: usize> Coordinate<L, D> {
    #[inline(always)]
    pub(super) const fn proven(value: usize) -> Self {
        Self {
            value,
            of: PhantomData,
        }
    }

    /// The number.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> usize {
        self.value
    }
}

impl<L: ConstLayout, const D: usize> Coordinate<L, D> {
    /// The size of the dimension.
    const SIZE: usize = size::<L>(D);

    /// Proves that a number is below the size of dimension `D`.
    ///
    /// # Errors
    /// When it is not, with the size.
    #[inline]
    pub fn new(coordinate: usize) -> Result<Self, LayoutError>
    where
        L::Coordinates: HasDimension<D>,
    {
        if coordinate < Self::SIZE {
            Ok(Self::proven(coordinate))
        } else {
            Err(LayoutError::OutOfBounds {
                dimension: D,
                coordinate,
                size: Self::SIZE,
            })
        }
    }

    /// The coordinate that is `steps` away; `None` if there is none.
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
    pub fn checked_offset(self, steps: isize) -> Option<Self> {
        let value = self.value.checked_add_signed(steps)?;
        (value < Self::SIZE).then_some(Self::proven(value))
    }

    /// The same number as a coordinate of dimension `E` of layout `M`, which must be at least as
    /// large: otherwise it does not compile. (Equal sizes need no conversion.) The sizes are compared
    /// when code is generated: `cargo build` says so, `cargo check` does not.
    #[inline(always)]
    #[must_use]
    pub fn along<M: ConstLayout, const E: usize>(self) -> Coordinate<M, E>
    where
        M::Coordinates: HasDimension<E>,
    {
        const {
            if Self::SIZE > size::<M>(E) {
                mismatch(E, size::<M>(E), ", too small for a coordinate", Self::SIZE);
            }
        }
        Coordinate::proven(self.value)
    }
}

/// The size of a dimension; a compile error where there is none of that number.
const fn size<L: ConstLayout>(dimension: usize) -> usize {
    if dimension < L::DIMS.len() {
        return L::DIMS[dimension];
    }
    let message = ConstText::new()
        .text("there is no dimension ")
        .number(dimension)
        .text(": the layout has rank ")
        .number(L::DIMS.len())
        .text(", and dimensions count from 0");
    panic!("{}", message.as_str());
}

/// The size of a dimension, if the type of the layout fixes it.
const fn known_size<L: ArrayLayout>(dimension: usize) -> Option<usize> {
    if dimension >= L::KNOWN_DIMS.len() {
        return None;
    }
    match L::KNOWN_DIMS[dimension] {
        Dim::Static(size) | Dim::Bounded(size) => Some(size as usize),
        Dim::Unbounded => None,
    }
}

/// Whether both types fix the size: then [`check_same`] compares them, and nothing is left to check.
pub(crate) const fn both_known<L: ArrayLayout, M: ArrayLayout>(from: usize, to: usize) -> bool {
    known_size::<L>(from).is_some() && known_size::<M>(to).is_some()
}

/// A compile error where a coordinate of dimension `from` of `L` is none of dimension `to` of `M`.
pub(crate) const fn check_same<L: ArrayLayout, M: ArrayLayout>(from: usize, to: usize) {
    if let (Some(of), Some(size)) = (known_size::<L>(from), known_size::<M>(to))
        && of != size
    {
        mismatch(to, size, ", but the coordinate is one", of);
    }
}

#[track_caller]
#[inline]
const fn mismatch(dimension: usize, size: usize, but: &str, other: usize) {
    let message = ConstText::new()
        .text("dimension ")
        .number(dimension)
        .text(" of this array has size ")
        .number(size)
        .text(but)
        .text(" of a dimension of size ")
        .number(other);
    panic!("{}", message.as_str());
}

/// The coordinates of dimension `D` of layout `L`, in sequence; [`ConstLayout::axis`] makes it.
///
/// In a tiled layout, `map`, `sum`, `fold` and `for_each` run over whole tiles and then their
/// inside, so that no division or mask is left in the innermost loop. A `for` loop cannot do that:
/// use it for the outer loops of a kernel and these for the innermost one.
pub struct Axis<L, const D: usize> {
    pub(super) range: Range<usize>,
    pub(super) of: PhantomData<fn() -> L>,
}

impl<L: ConstLayout, const D: usize> Axis<L, D> {
    pub(crate) const ALL: Self = Self {
        range: 0..size::<L>(D),
        of: PhantomData,
    };
}

impl<L: ArrayLayout, const D: usize> Axis<L, D> {
    /// All coordinates of this value of `L`.
    #[inline(always)]
    pub(crate) fn of(layout: &L) -> Self {
        let end = match const { known_size::<L>(D) } {
            Some(size) => size,
            None => layout.sizes().coordinate(D),
        };
        Self {
            range: 0..end,
            of: PhantomData,
        }
    }

    /// The coordinates of a range; each is still proven.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{ConstLayout, View};
    /// type A = StaticLayout<f32, (Nat<4>,), MinorToMajor<(Nat<0>,)>, ()>; // layout!(f32[4])
    /// let view = View::new(&[1.0, 2.0, 3.0, 4.0][..], A::NEW)?;
    /// assert_eq!(A::axis::<0>().range(1..3)?.map(|i| view[(i,)]).sum::<f32>(), 5.0);
    /// assert!(A::axis::<0>().range(1..5).is_err());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// When the range is not among the coordinates that are left.
    #[inline]
    pub fn range(self, range: Range<usize>) -> Result<Self, LayoutError> {
        if range.start < self.range.start || range.end > self.range.end || range.start > range.end {
            return Err(LayoutError::NoSlice(NotSlice::OutOfBounds {
                dimension: D,
                start: range.start,
                end: range.end,
                size: self.range.end,
            }));
        }
        Ok(Self { range, ..self })
    }

    /// The coordinates in blocks of `N`, and then what is left:
    /// [`AxisBlocks::remainder`]. A loop over a block has a constant number of rounds.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{ConstLayout, View};
    /// type A = StaticLayout<f32, (Nat<5>,), MinorToMajor<(Nat<0>,)>, ()>; // layout!(f32[5])
    /// let view = View::new(&[1.0, 2.0, 3.0, 4.0, 5.0][..], A::NEW)?;
    /// let blocks = A::axis::<0>().blocks::<2>();
    /// let rest: f32 = blocks.remainder().map(|i| view[(i,)]).sum();
    /// let sums: Vec<f32> = blocks.map(|block| block.map(|i| view[(i,)]).sum()).collect();
    /// assert_eq!((sums, rest), (vec![3.0, 7.0], 5.0));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn blocks<const N: usize>(self) -> AxisBlocks<L, D, N> {
        const { assert!(N > 0, "a block of an axis has at least one coordinate") }
        AxisBlocks {
            count: (self.range.end - self.range.start) / N,
            next: 0,
            range: self.range,
            of: PhantomData,
        }
    }

    /// The two widths at which memory along this dimension changes its step: 2 and 8 for dimension
    /// 0 of `T(8,128)(2,1)`, both 128 for dimension 1; 0 where it has one step throughout. They
    /// only decide how the loops of [`fold`](Iterator::fold) are cut: the second is a multiple of
    /// the first.
    const WIDTHS: [usize; 2] = {
        let narrow = next_width(L::KNOWN_MODES, D, 1);
        match next_width(L::KNOWN_MODES, D, narrow) {
            0 => [narrow; 2],
            wide => [narrow, wide],
        }
    };
}

/// The smallest divisor of the dimension's digits that is a proper multiple of `below`; 0 where
/// there is none.
#[inline]
const fn next_width(modes: &[crate::Mode], dimension: usize, below: usize) -> usize {
    let mut width = 0;
    let mut m = 0;
    while m < modes.len() && below > 0 {
        let divisor = modes[m].divisor;
        if modes[m].dim == dimension
            && divisor > below
            && divisor.is_multiple_of(below)
            && (width == 0 || divisor < width)
        {
            width = divisor;
        }
        m += 1;
    }
    width
}

impl<L: ArrayLayout, const D: usize> Iterator for Axis<L, D> {
    type Item = Coordinate<L, D>;

    #[inline(always)]
    fn next(&mut self) -> Option<Coordinate<L, D>> {
        self.range.next().map(Coordinate::proven)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }

    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<Coordinate<L, D>> {
        self.range.nth(n).map(Coordinate::proven)
    }

    #[inline(always)]
    fn fold<T, F>(self, init: T, mut call: F) -> T
    where
        F: FnMut(T, Coordinate<L, D>) -> T,
    {
        let [narrow, wide] = const { Self::WIDTHS };
        let mut state = init;
        let mut rest = self.range;
        if const { Self::WIDTHS[0] > 0 } && rest.start == 0 {
            let size = rest.end;
            for tile in 0..size / wide {
                for part in 0..wide / narrow {
                    for inside in 0..narrow {
                        let value = tile * wide + part * narrow + inside;
                        state = call(state, Coordinate::proven(value));
                    }
                }
            }
            rest.start = size - size % wide;
        }
        for value in rest {
            state = call(state, Coordinate::proven(value));
        }
        state
    }
}

impl<L: ArrayLayout, const D: usize> DoubleEndedIterator for Axis<L, D> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Coordinate<L, D>> {
        self.range.next_back().map(Coordinate::proven)
    }
}

impl<L: ArrayLayout, const D: usize> ExactSizeIterator for Axis<L, D> {}

impl<L: ArrayLayout, const D: usize> FusedIterator for Axis<L, D> {}

// Written out, since deriving would ask the same of `L`.

impl<L, const D: usize> Clone for Coordinate<L, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, const D: usize> Copy for Coordinate<L, D> {}

impl<L, const D: usize> PartialEq for Coordinate<L, D> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<L, const D: usize> Eq for Coordinate<L, D> {}

impl<L, const D: usize> PartialOrd for Coordinate<L, D> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<L, const D: usize> Ord for Coordinate<L, D> {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.value.cmp(&other.value)
    }
}

impl<L, const D: usize> Hash for Coordinate<L, D> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl<L, const D: usize> fmt::Debug for Coordinate<L, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<L, const D: usize> Clone for Axis<L, D> {
    fn clone(&self) -> Self {
        Self {
            range: self.range.clone(),
            of: PhantomData,
        }
    }
}

impl<L, const D: usize> fmt::Debug for Axis<L, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.range.fmt(f)
    }
}
