//! A layout of known rank with strides that are known at run time.

use core::fmt;
use core::str::FromStr;

use super::DynLayout;
use crate::array_layout::{ArrayLayout, sealed};
use crate::element::AnyType;
use crate::layout_error::LayoutError;
use crate::modes::{ElementCounts, Mode, NO_DIGIT, Resolved, factor, has_factors, take_digit};
use crate::{ArrayShape, Coordinates, PrimitiveType};

/// A layout of rank `N` that has strides, all numbers known at run time: dense or padded, in any
/// minor-to-major sequence.
///
/// The fast form of a [`DynLayout`] for kernels that know the rank: a linear index is `N`
/// multiplications and additions.
///
/// ```
/// use xlayout_core::{DynLayout, ArrayLayout, StridedLayout};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// let fast: StridedLayout<2> = StridedLayout::new(&layout).unwrap();
/// assert_eq!(fast.linear_index(&[1, 2]), 5);
/// assert_eq!(fast.multi_index(5), Some([1, 2]));
/// ```
#[derive(Clone)]
pub struct StridedLayout<const N: usize> {
    strides: [usize; N],
    sizes: [usize; N],
    numbers: ElementCounts,
    /// The modes, most minor first, `len` of them.
    modes: [Mode; N],
    len: usize,
    apart: Apart,
    /// The factors that take the digits of a linear index, one for each dimension, most major
    /// first.
    factors: [u64; N],
    /// Which of those digits is the coordinate of a dimension.
    digit_of: [usize; N],
    shape: ArrayShape,
}

/// All numbers are made of the shape.
impl<const N: usize> PartialEq for StridedLayout<N> {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
    }
}

impl<const N: usize> Eq for StridedLayout<N> {}

/// How linear indices are taken apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Apart {
    /// By factors; the digits come in the sequence of the dimensions.
    RowMajor,
    /// By factors.
    Permuted,
    /// By division.
    Divided,
}

impl<const N: usize> StridedLayout<N> {
    /// The strides of a dynamic layout.
    ///
    /// # Errors
    /// When the rank is another one, or the layout is tiled.
    pub fn new(layout: &DynLayout) -> Result<Self, LayoutError> {
        if layout.rank() != N {
            return Err(LayoutError::Rank {
                expected: N,
                found: layout.rank(),
            });
        }
        let found = layout.strides().ok_or(LayoutError::NotStrided)?;
        let mut strides = [0; N];
        strides.copy_from_slice(&found);
        let mut sizes = [0; N];
        sizes.copy_from_slice(layout.dims());
        layout.with_resolved(sealed::Token, |resolved| {
            let len = resolved.modes.len();
            let mut modes = [Mode::NONE; N];
            modes[..len].copy_from_slice(resolved.modes);
            let modes_of = |dim| resolved.modes.iter().rposition(|mode| mode.dim == dim);
            let row_major = resolved
                .modes
                .is_sorted_by(|minor, major| major.dim < minor.dim);
            // A dimension of size 1 has no mode.
            let mut next = len;
            let digit_of = core::array::from_fn(|dim| match modes_of(dim) {
                _ if row_major => dim,
                Some(k) => len - 1 - k,
                None => {
                    next += 1;
                    next - 1
                }
            });
            let apart = match has_factors(resolved.modes, resolved.numbers.buffer_len) {
                true if row_major => Apart::RowMajor,
                true => Apart::Permuted,
                false => Apart::Divided,
            };
            let mut factors = [NO_DIGIT; N];
            for (k, mode) in resolved.modes.iter().enumerate() {
                if apart != Apart::Divided {
                    factors[digit_of[mode.dim]] = factor(resolved.modes, k);
                }
            }
            Ok(Self {
                strides,
                sizes,
                numbers: resolved.numbers,
                modes,
                len,
                apart,
                factors,
                digit_of,
                shape: layout.array_shape().clone(),
            })
        })
    }

    /// The stride of each dimension in elements.
    #[inline(always)]
    pub(crate) const fn stride_table(&self) -> &[usize; N] {
        &self.strides
    }
}

impl<const N: usize> StridedLayout<N> {
    /// The digits of a linear index, the most major first.
    #[inline(always)]
    fn digits(&self, linear_index: usize) -> [usize; N] {
        let mut rest = linear_index as u64;
        self.factors.map(
            #[inline(always)]
            |factor| {
                let digit;
                (digit, rest) = take_digit(rest, factor);
                digit
            },
        )
    }

    /// The index at a linear index that needs more than 32 bits, or of a vector.
    #[cold]
    fn divided(&self, linear_index: usize) -> [usize; N] {
        let mut index = [0; N];
        let mut rest = linear_index;
        for mode in self.modes[..self.len].iter().rev() {
            (index[mode.dim], rest) = match mode.stride {
                1 => (rest, 0),
                stride => (rest / stride, rest % stride),
            };
        }
        index
    }
}

impl<const N: usize> sealed::Sealed for StridedLayout<N> {}

impl<const N: usize> ArrayLayout for StridedLayout<N> {
    type Type = AnyType;
    type Coordinates = [usize; N];
    const FIXED_SIZES: bool = false;
    type Region = crate::region::GappedLayout<[usize; N]>;

    #[inline]
    fn region(&self, sizes: [usize; N], token: sealed::Token) -> Self::Region {
        crate::region::GappedLayout::of_part(
            self.element_type(),
            self.numbers.element_bits,
            sizes,
            self.strides,
            token,
        )
    }

    fn element_type(&self) -> PrimitiveType {
        self.shape.element_type
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        N
    }

    #[inline(always)]
    fn sizes(&self) -> [usize; N] {
        self.sizes
    }

    #[inline(always)]
    fn linear_index(&self, index: &[usize; N]) -> usize {
        index.dot(&self.strides)
    }

    #[inline]
    fn multi_index(&self, linear_index: usize) -> Option<[usize; N]> {
        if linear_index >= self.numbers.buffer_len || self.numbers.elements == 0 {
            return None;
        }
        let index = self.multi_index_of_element(linear_index);
        // In a gap of the padding the digits add up to something else, or run out of bounds.
        (self.in_bounds(&index) && self.linear_index(&index) == linear_index).then_some(index)
    }

    #[inline(always)]
    fn multi_index_of_element(&self, linear_index: usize) -> [usize; N] {
        match self.apart {
            Apart::RowMajor => self.digits(linear_index),
            Apart::Permuted => {
                let digits = self.digits(linear_index);
                // Looked up one by one: what is scattered in memory piece by piece is slow to read
                // as a whole.
                core::array::from_fn(
                    #[inline(always)]
                    |dim| {
                        let digit = self.digit_of[dim];
                        // Both are always so; the shorter one is taken where it does.
                        digits[if N.is_power_of_two() {
                            digit % N
                        } else {
                            digit.min(N - 1)
                        }]
                    },
                )
            }
            Apart::Divided => {
                let index = self.divided(linear_index);
                // One by one again, so that all three ways give numbers and none gives memory.
                core::array::from_fn(
                    #[inline(always)]
                    |dim| index[dim],
                )
            }
        }
    }

    fn with_resolved<R>(&self, _: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        use_(Resolved {
            sizes: &self.sizes,
            modes: &self.modes[..self.len],
            terms: &[],
            numbers: self.numbers,
        })
    }

    fn shape(&self) -> ArrayShape {
        self.shape.clone()
    }

    fn strides(&self) -> Option<[usize; N]> {
        Some(self.strides)
    }
}

impl<const N: usize> FromStr for StridedLayout<N> {
    type Err = LayoutError;
    fn from_str(text: &str) -> Result<Self, LayoutError> {
        Self::new(&text.parse()?)
    }
}

impl<const N: usize> fmt::Debug for StridedLayout<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StridedLayout({})", self.shape)
    }
}
