//! Sizes and strides with signs: dimensions that memory has in reversed sequence.

use core::fmt;

use super::GappedLayout;
use crate::array_layout::{ArrayLayout, sealed};
use crate::element::{AnyType, DType, Element};
use crate::layout_error::LayoutError;
use crate::modes::Resolved;
use crate::{ArrayShape, Coordinates, PrimitiveType};

/// A layout of sizes and strides, some of them negative: such as those of NumPy's `a[::-1]`, or of an
/// array of ndarray with an inverted axis.
///
/// `C` are the coordinates, `[usize; N]` or [`DynCoordinates`](crate::DynCoordinates). Linear indices count
/// from the lowest element in memory, so the linear index of `[0, 0, …]` is not 0 if a stride is negative.
/// [`with_signed_step`](crate::ArrayBase::with_signed_step) makes this layout, too.
///
/// ```
/// use xlayout_core::{ArrayLayout, SignedLayout, View};
///
/// // NumPy: a = np.arange(6).reshape(2, 3)[:, ::-1], whose strides are 3 and -1 elements.
/// let data = [0, 1, 2, 3, 4, 5];
/// let view = View::new(&data[..], SignedLayout::new::<i32>([2, 3], [3, -1])?)?;
/// assert_eq!((view[[0, 0]], view[[1, 2]]), (2, 3));
/// assert_eq!(view.layout().linear_index(&[0, 0]), 2);
/// assert!(SignedLayout::new::<i32>([2, 3], [-2, 1]).is_err()); // elements overlap
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub struct SignedLayout<C, E = AnyType> {
    /// The array as memory has it: the strides without their signs.
    stored: GappedLayout<C, E>,
    /// The strides. A negative one is stored modulo 2^`usize::BITS`, so that the sum of the products wraps
    /// to the right one. 0 for a dimension with fewer than 2 coordinates.
    steps: C,
    /// The linear index of the element at `[0, 0, …]`.
    first: usize,
}

impl<C: Coordinates, E: DType> SignedLayout<C, E> {
    /// The layout with these sizes and strides, which count elements of type `T`, dimension 0 first.
    ///
    /// # Errors
    /// As [`GappedLayout::new`] for the strides without their signs.
    pub fn new<T: Element<Type = E>>(
        sizes: C,
        strides: impl AsRef<[isize]>,
    ) -> Result<Self, LayoutError> {
        let strides = strides.as_ref();
        let rank = sizes.as_ref().len();
        if strides.len() != rank {
            return Err(LayoutError::Listed {
                what: "strides",
                expected: rank,
                found: strides.len(),
            });
        }
        let mut widths = C::origin(rank);
        for (dim, stride) in strides.iter().enumerate() {
            widths.set(dim, stride.unsigned_abs());
        }
        let stored = GappedLayout::new::<T>(sizes, widths)?;
        Ok(Self::of_stored(stored, |dim| strides[dim] < 0))
    }
}

impl<C: Coordinates, E> SignedLayout<C, E> {
    /// The layout whose memory is that of `stored`, with some dimensions reversed.
    pub(crate) fn of_stored(
        stored: GappedLayout<C, E>,
        is_reversed: impl Fn(usize) -> bool,
    ) -> Self {
        let sizes = stored.sizes();
        let mut steps = C::origin(stored.rank());
        let mut first = 0_usize;
        for dim in 0..stored.rank() {
            let (size, stride) = (sizes.coordinate(dim), stored.stride_table().coordinate(dim));
            if size < 2 {
                continue;
            }
            if is_reversed(dim) {
                steps.set(dim, stride.wrapping_neg());
                // An array without elements may have sizes whose products are too large.
                first = first.wrapping_add((size - 1).wrapping_mul(stride));
            } else {
                steps.set(dim, stride);
            }
        }
        if stored.elements() == 0 {
            first = 0;
        }
        Self {
            stored,
            steps,
            first,
        }
    }

    /// The stride of each dimension in elements; 0 for a dimension with fewer than 2 coordinates.
    ///
    /// ```
    /// use xlayout_core::SignedLayout;
    /// let layout = SignedLayout::new::<f32>([4, 1, 3], [-3, 7, 1])?;
    /// assert_eq!(layout.signed_strides().collect::<Vec<_>>(), [-3, 0, 1]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn signed_strides(&self) -> impl ExactSizeIterator<Item = isize> {
        // `GappedLayout` has found that all bytes fit into an `isize`.
        self.steps.as_ref().iter().map(|&step| step as isize)
    }
}

impl<C, E> sealed::Sealed for SignedLayout<C, E> {}

// `INSIDE` and law 1: an index in bounds is an index in bounds of `stored`, each coordinate of a reversed
// dimension replaced by `size - 1` less it, and the linear index is that of `stored`. Proof of the latter:
// `first` plus the product of `i` and the negative stride is `(size - 1 - i)` times the stride, modulo
// 2^`usize::BITS`, and the true sum is below the number of places.
#[diagnostic::do_not_recommend]
impl<C: Coordinates, E> ArrayLayout for SignedLayout<C, E> {
    type Type = E;
    type Coordinates = C;
    const FIXED_SIZES: bool = false;
    const OWNS_PADDING: bool = false;
    const REVERSES: bool = true;
    type Region = Self;

    fn region(&self, sizes: C, token: sealed::Token) -> Self {
        Self::of_stored(self.stored.region(sizes, token), |dim| {
            self.is_reversed(dim)
        })
    }

    #[inline(always)]
    fn is_reversed(&self, dimension: usize) -> bool {
        let step = self.steps.as_ref().get(dimension);
        step.is_some_and(|&step| (step as isize) < 0)
    }

    #[inline(always)]
    fn element_type(&self) -> PrimitiveType {
        self.stored.element_type()
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        self.stored.rank()
    }

    #[inline(always)]
    fn sizes(&self) -> C {
        self.stored.sizes()
    }

    #[inline(always)]
    fn in_bounds(&self, index: &C) -> bool {
        self.stored.in_bounds(index)
    }

    #[inline]
    fn linear_index_in_bounds(&self, index: &[usize]) -> Option<usize> {
        // Whether it is in bounds, `stored` says.
        self.stored.linear_index_in_bounds(index)?;
        let terms = index.iter().zip(self.steps.as_ref());
        Some(terms.fold(self.first, |sum, (i, step)| {
            sum.wrapping_add(i.wrapping_mul(*step))
        }))
    }

    #[inline(always)]
    fn linear_index(&self, index: &C) -> usize {
        self.first.wrapping_add(index.dot(&self.steps))
    }

    fn multi_index(&self, linear_index: usize) -> Option<C> {
        let index = self.stored.multi_index(linear_index)?;
        Some(self.in_table(&index))
    }

    fn with_resolved<R>(&self, token: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        self.stored.with_resolved(token, use_)
    }

    /// The sizes, and the dimensions in the sequence of their strides. XLA's text has no strides.
    fn shape(&self) -> ArrayShape {
        self.stored.shape()
    }

    /// `None` if a stride is negative: see [`signed_strides`](SignedLayout::signed_strides).
    fn strides(&self) -> Option<C> {
        if (0..self.rank()).any(|dim| self.is_reversed(dim)) {
            return None;
        }
        self.stored.strides()
    }

    #[inline(always)]
    fn elements(&self) -> usize {
        self.stored.elements()
    }

    #[inline(always)]
    fn buffer_len(&self) -> usize {
        self.stored.buffer_len()
    }

    #[inline(always)]
    fn element_bits(&self) -> usize {
        self.stored.element_bits()
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.stored.bytes()
    }
}

// Written out, since deriving would ask the same of `E`.

impl<C: Clone, E> Clone for SignedLayout<C, E> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self {
            stored: self.stored.clone(),
            steps: self.steps.clone(),
            first: self.first,
        }
    }
}

impl<C: Copy, E> Copy for SignedLayout<C, E> {}

impl<C: PartialEq, E> PartialEq for SignedLayout<C, E> {
    fn eq(&self, other: &Self) -> bool {
        self.stored == other.stored && self.steps == other.steps
    }
}

impl<C: Eq, E> Eq for SignedLayout<C, E> {}

impl<C: Coordinates, E> fmt::Debug for SignedLayout<C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "SignedLayout({}{:?}, strides ",
            self.element_type(),
            self.sizes().as_ref()
        )?;
        f.debug_list().entries(self.signed_strides()).finish()?;
        f.write_str(")")
    }
}
