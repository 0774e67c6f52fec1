//! Sizes and strides that the run time knows, whatever made them.
//!
//! The linear index of an index is `first` plus the sum of coordinate times stride. It counts from
//! the element that is the lowest in memory, so it is never negative. A reversed dimension (a
//! negative stride) adds `(size - 1)` times its stride without the sign to `first`.
//!
//! The way back: in the sequence of memory, the digits of a linear index are the coordinates, each
//! reversed one counted from its other end. `strided_layout/inverse.rs` takes them by
//! multiplications where it can.

mod inverse;
mod make;
mod narrow;
mod reach;

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use self::inverse::Inverse;
pub use self::reach::strided_reach;
use crate::ElementType;
use crate::array_layout::{ArrayLayout, delegate, sealed};
use crate::coordinates::{Coordinates, below, dot};
use crate::dims::{Dim, INLINE_RANK};
use crate::element::AnyType;
use crate::layout::Layout;
use crate::list::List;
use crate::modes::{ElementCounts, Mode, Resolved};
use crate::order::MinorToMajor;
use crate::shape::ArrayShape;

/// A layout of sizes and strides that the run time knows: of a dense or padded array, of an array
/// of NumPy or ndarray that was sliced with steps or reversed, or of a part with steps.
///
/// `C` are the coordinates: `[usize; N]`, or [`DynCoordinates`](crate::DynCoordinates) for any
/// rank. `I` is the integer of the strides: with `usize` no stride is negative, which saves an
/// addition for each index; with `isize` a dimension may be reversed. A linear index of rank `N`
/// takes `N` multiplications and additions.
///
/// | made of | |
/// |---|---|
/// | sizes and strides in elements | [`StridedLayout::new`] |
/// | sizes and strides in bytes | [`StridedLayout::from_byte_strides`] |
/// | sizes, dense and row-major | [`StridedLayout::row_major`] |
/// | another layout that has strides | [`StridedLayout::of`] |
/// | XLA's text | `"f32[2,3]{0,1}".parse()` |
///
/// No two elements may overlap. The memory between the elements belongs to another array, except if
/// the layout was made of a padded layout. XLA's text has no strides, so the
/// [`array_shape`](ArrayLayout::array_shape) has the sizes, and the dimensions in the sequence of
/// their strides.
///
/// ```
/// use xlayout_core::{ArrayLayout, StridedLayout, SliceView};
///
/// // NumPy: a = np.arange(6).reshape(2, 3)[:, ::-1], whose strides are 3 and -1 elements.
/// let data = [0, 1, 2, 3, 4, 5];
/// let view = SliceView::new(StridedLayout::new::<i32>([2, 3], [3, -1])?, &data[..])?;
/// assert_eq!((view[[0, 0]], view[[1, 2]]), (2, 3));
/// assert_eq!(view.layout().linear_index(&[0, 0]), 2);
///
/// // The fast form of a layout that was read, for kernels that know the rank.
/// let fast: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse()?;
/// assert_eq!((fast.linear_index(&[1, 2]), fast.multi_index(5)), (5, Some([1, 2])));
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct StridedLayout<C, I = usize> {
    sizes: C,
    /// In elements. A negative one is stored modulo 2^`usize::BITS`, so that the sum of the
    /// products wraps to the right one. If strides may be negative, that of a dimension with fewer
    /// than 2 coordinates is 0.
    strides: C,
    /// The linear index of the element at `[0, 0, …]`; 0 if no stride is negative.
    first: usize,
    numbers: ElementCounts,
    element_type: ElementType,
    /// Whether what lies between the elements is padding of this array.
    owns_padding: bool,
    inverse: Inverse<C>,
    marker: PhantomData<fn() -> I>,
}

/// The integer of the strides of a [`StridedLayout`]: `usize`, or `isize` if strides may be
/// negative.
pub trait Stride: integer::Sealed + Copy {
    #[doc(hidden)]
    const SIGNED: bool;
}

mod integer {
    pub trait Sealed {}
    impl Sealed for usize {}
    impl Sealed for isize {}
}

impl Stride for usize {
    const SIGNED: bool = false;
}

impl Stride for isize {
    const SIGNED: bool = true;
}

impl<C: Coordinates, I: Stride> StridedLayout<C, I> {
    /// The stride of each dimension in elements.
    ///
    /// ```
    /// use xlayout_core::StridedLayout;
    /// let layout = StridedLayout::new::<f32>([4, 1, 3], [-3, 7, 1])?;
    /// // A dimension with fewer than 2 coordinates has no meaningful stride.
    /// assert_eq!(layout.signed_strides().collect::<Vec<_>>(), [-3, 0, 1]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn signed_strides(&self) -> impl ExactSizeIterator<Item = isize> {
        // All bytes that strides lead to fit into an `isize`.
        self.strides.as_ref().iter().map(|&stride| stride as isize)
    }

    /// Counts elements and places. An array without elements may have sizes whose products are too
    /// large.
    fn counted(mut self) -> Self {
        let mut elements = 1_usize;
        let mut buffer_len = 1_usize;
        let mut first = 0_usize;
        for dim in 0..self.sizes.as_ref().len() {
            let size = self.sizes.coordinate(dim);
            if I::SIGNED && size < 2 {
                self.strides.set(dim, 0);
            }
            let reach = size.wrapping_sub(1).wrapping_mul(self.width(dim));
            elements = elements.wrapping_mul(size);
            buffer_len = buffer_len.wrapping_add(reach);
            if self.is_reversed(dim) {
                first = first.wrapping_add(reach);
            }
        }
        let has_elements = elements > 0;
        self.first = if has_elements { first } else { 0 };
        self.numbers.elements = elements;
        self.numbers.buffer_len = if has_elements { buffer_len } else { 0 };
        self
    }

    /// The dimensions with more than one coordinate, the smallest stride first.
    fn moving(&self) -> impl Iterator<Item = usize> {
        let major_to_minor = self.inverse.major_to_minor();
        (0..self.sizes.as_ref().len())
            .rev()
            .map(move |k| major_to_minor.coordinate(k))
            .filter(|&dim| self.sizes.coordinate(dim) > 1)
    }

    /// A mode for each of these dimensions; none where there is no element.
    fn modes_of_dimensions(&self) -> List<Mode, INLINE_RANK> {
        let mut modes = List::from_slice(&[], Mode::NONE);
        if self.numbers.elements > 0 {
            for dim in self.moving() {
                modes.push(Mode::new(
                    dim,
                    1,
                    self.sizes.coordinate(dim),
                    self.width(dim),
                ));
            }
        }
        modes
    }

    /// The coordinates by division, reversed dimensions counted from their other end: at linear
    /// indices that need more than 32 bits, and of vectors.
    #[cold]
    fn divided(&self, linear_index: usize) -> C {
        let major_to_minor = self.inverse.major_to_minor();
        let mut index = C::origin(self.rank());
        let mut rest = linear_index;
        for &dim in major_to_minor.as_ref() {
            if self.sizes.coordinate(dim) > 1 {
                let digit;
                (digit, rest) = match self.width(dim) {
                    // 0 only in an array without elements.
                    0 | 1 => (rest, 0),
                    stride => (rest / stride, rest % stride),
                };
                index.set(dim, digit);
            }
        }
        index
    }

    /// The stride of a dimension without its sign.
    #[inline(always)]
    fn width(&self, dim: usize) -> usize {
        let stride = self.strides.coordinate(dim);
        if I::SIGNED {
            (stride as isize).unsigned_abs()
        } else {
            stride
        }
    }
}

impl<C, I> sealed::Sealed for StridedLayout<C, I> {}

// `INSIDE`: the places are at least one more than the sum of `size - 1` times the stride without
// its sign, over all dimensions. An index in bounds adds at most that much: a dimension with a
// positive stride the coordinate times the stride, a reversed one `size - 1` less the coordinate,
// because `first` has the rest. The true sum is below the number of places, so the sum modulo
// 2^`usize::BITS` is the true one. Law 1: each stride is above what the dimensions of smaller
// strides reach together (`check`). A part with fewer coordinates or with steps keeps this: its
// dimensions reach no further than before.
impl<C: Coordinates, I: Stride> ArrayLayout for StridedLayout<C, I> {
    type Type = AnyType;
    type Coordinates = C;
    const FIXED_SIZES: bool = false;
    const REVERSES: bool = I::SIGNED;
    type Region<'a>
        = Self
    where
        Self: 'a;

    /// The strides stay, and so do the factors, which are made of them.
    #[inline]
    fn region<'a>(&'a self, sizes: C, _: sealed::Token) -> Self
    where
        Self: 'a,
    {
        Self {
            sizes,
            owns_padding: false,
            ..self.clone()
        }
        .counted()
    }

    type Owned = Self;

    /// Without the gaps that belong to another array.
    fn owned(&self, token: sealed::Token) -> Self {
        if self.owns_padding || self.numbers.buffer_len == self.numbers.elements {
            self.clone()
        } else {
            Self::dense(self, token)
        }
    }

    #[inline(always)]
    fn owns_padding(&self) -> bool {
        self.owns_padding
    }

    delegate! { self.numbers: counts }

    #[inline(always)]
    fn is_reversed(&self, dimension: usize) -> bool {
        let stride = self.strides.as_ref().get(dimension);
        I::SIGNED && stride.is_some_and(|&stride| (stride as isize) < 0)
    }

    #[inline(always)]
    fn element_type(&self) -> ElementType {
        self.element_type
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        self.sizes.as_ref().len()
    }

    #[inline(always)]
    fn shape(&self) -> C {
        self.sizes.clone()
    }

    #[inline(always)]
    fn in_bounds(&self, index: &C) -> bool {
        index.below(&self.sizes)
    }

    #[inline]
    fn linear_index_in_bounds(&self, index: &[usize]) -> Option<usize> {
        below(index, self.sizes.as_ref())
            .then(|| self.first.wrapping_add(dot(index, self.strides.as_ref())))
    }

    #[inline(always)]
    fn linear_index(&self, index: &C) -> usize {
        let sum = index.dot(&self.strides);
        if const { I::SIGNED } {
            self.first.wrapping_add(sum)
        } else {
            sum
        }
    }

    #[inline]
    fn multi_index(&self, linear_index: usize) -> Option<C> {
        if linear_index >= self.numbers.buffer_len || self.numbers.elements == 0 {
            return None;
        }
        let index = self.multi_index_of_element(linear_index);
        // In a gap the digits add up to something else, or run out of bounds.
        (self.in_bounds(&index) && self.linear_index(&index) == linear_index).then_some(index)
    }

    #[inline(always)]
    fn multi_index_of_element(&self, linear_index: usize) -> C {
        let divided = || self.divided(linear_index);
        let mut index = self.inverse.coordinates(linear_index, divided);
        if const { I::SIGNED } {
            for dim in (0..self.rank()).filter(|&dim| self.is_reversed(dim)) {
                // Wraps to a coordinate out of bounds if the digit is.
                let last = self.sizes.coordinate(dim).wrapping_sub(1);
                index.set(dim, last.wrapping_sub(index.coordinate(dim)));
            }
        }
        index
    }

    #[inline]
    fn with_resolved<R>(&self, _: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        use_(Resolved {
            sizes: self.sizes.as_ref(),
            modes: &self.modes_of_dimensions(),
            terms: &[],
            numbers: self.numbers,
        })
    }

    fn array_shape(&self) -> ArrayShape {
        let major_to_minor = self.inverse.major_to_minor();
        let numbers = major_to_minor.as_ref().iter().rev().map(|&dim| dim as i64);
        let minor_to_major = List::try_from_iter(numbers);
        let sizes = self.sizes.as_ref().iter();
        let dims = List::try_from_iter(sizes.map(|&size| Dim::Static(size as i64)));
        let (Ok(minor_to_major), Ok(dims)) = (minor_to_major, dims) else {
            unreachable!("the coordinates have room for as many dimensions");
        };
        let mut shape = ArrayShape::scalar(self.element_type);
        shape.dims = dims;
        shape.layout = Some(Layout::new(MinorToMajor::from_list(minor_to_major)));
        shape
    }

    /// `None` if a stride is negative: see [`signed_strides`](StridedLayout::signed_strides).
    fn strides(&self) -> Option<C> {
        let reversed = (0..self.rank()).any(|dim| self.is_reversed(dim));
        (!reversed).then(|| self.strides.clone())
    }
}

/// All other numbers are made of these.
impl<C: PartialEq, I> PartialEq for StridedLayout<C, I> {
    fn eq(&self, other: &Self) -> bool {
        self.sizes == other.sizes
            && self.strides == other.strides
            && self.element_type == other.element_type
            && self.numbers == other.numbers
            && (self.owns_padding == other.owns_padding
                || self.numbers.buffer_len == self.numbers.elements)
    }
}

impl<C: Eq, I> Eq for StridedLayout<C, I> {}

/// Of what equal layouts have in common: those that differ only in whom gaps belong to may be
/// equal.
impl<C: Hash, I> Hash for StridedLayout<C, I> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sizes.hash(state);
        self.strides.hash(state);
        self.element_type.hash(state);
        self.numbers.buffer_len.hash(state);
    }
}

impl<C: Coordinates, I: Stride> fmt::Debug for StridedLayout<C, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element_type = self.element_type;
        let sizes = self.sizes.as_ref();
        write!(f, "StridedLayout({element_type}{sizes:?}, strides ")?;
        f.debug_list().entries(self.signed_strides()).finish()?;
        f.write_str(")")
    }
}
