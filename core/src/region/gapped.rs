//! Sizes and strides that the run time knows, whatever made them.

use core::fmt;
use core::marker::PhantomData;

use crate::array_layout::{ArrayLayout, sealed};
use crate::dims::{Dim, INLINE_RANK};
use crate::element::AnyType;
use crate::element::{DType, Element};
use crate::layout_error::LayoutError;
use crate::list::List;
use crate::modes::{Count, ElementCounts, LowerError, Mode, Resolved};
use crate::{ArrayShape, Coordinates, Layout, MinorToMajor, PrimitiveType};

/// A layout of given sizes and strides, with gaps between elements. An example is an array of NumPy or
/// ndarray that was sliced with steps, or transposed. No two elements may overlap.
///
/// `C` are the coordinates, `[usize; N]` or [`DynCoordinates`](crate::DynCoordinates). The memory
/// between the elements belongs to another array. Strides are in elements.
///
/// ```
/// use xlayout_core::{GappedLayout, ArrayLayout, View};
///
/// // Every second column of two rows of 7.
/// let data: Vec<f32> = (0..14).map(|n| n as f32).collect();
/// let layout = GappedLayout::new::<f32>([2, 3], [7, 2])?;
/// let view = View::new(&data[1..][..layout.buffer_len()], layout)?;
/// assert_eq!((view[[0, 0]], view[[1, 2]]), (1.0, 12.0));
/// assert!(GappedLayout::new::<f32>([2, 3], [2, 2]).is_err()); // elements overlap
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub struct GappedLayout<C, E = AnyType> {
    sizes: C,
    strides: C,
    numbers: ElementCounts,
    element_type: PrimitiveType,
    of: PhantomData<fn() -> E>,
}

impl<C: Coordinates, E: DType> GappedLayout<C, E> {
    /// The layout with these sizes and strides, which count elements of type `T`, dimension 0 first.
    ///
    /// # Errors
    /// [`LayoutError::Listed`] when there are not as many strides as sizes; [`LayoutError::Overlap`] when two
    /// elements may have one linear index; [`LowerError::TooLarge`] when the last element is beyond
    /// what can be addressed. Each stride must be above the largest linear index that the dimensions of
    /// smaller strides reach; a stride of a dimension of size 1 is not looked at.
    pub fn new<T: Element<Type = E>>(sizes: C, strides: C) -> Result<Self, LayoutError> {
        Self::checked(sizes, strides, E::TYPE, 8 * size_of::<T>())
    }
}

impl<C: Coordinates, E> GappedLayout<C, E> {
    fn checked(
        sizes: C,
        strides: C,
        element_type: PrimitiveType,
        element_bits: usize,
    ) -> Result<Self, LayoutError> {
        let rank = sizes.as_ref().len();
        if strides.as_ref().len() != rank {
            return Err(LayoutError::Listed {
                what: "strides",
                expected: rank,
                found: strides.as_ref().len(),
            });
        }
        let mut layout = Self {
            sizes,
            strides,
            numbers: ElementCounts {
                elements: 0,
                buffer_len: 0,
                element_bits,
            },
            element_type,
            of: PhantomData,
        };
        let times = |count: Count, size: &usize| count.times(*size);
        let elements = layout.sizes.as_ref().iter().fold(Count::ONE, times);
        let mut buffer_len = 1_usize;
        let modes = layout.modes()?;
        for mode in &modes[..] {
            if mode.stride < buffer_len {
                return Err(LayoutError::Overlap {
                    dimension: mode.dim,
                    stride: mode.stride,
                    reached: buffer_len - 1,
                });
            }
            buffer_len = (mode.size - 1)
                .checked_mul(mode.stride)
                .and_then(|reach| buffer_len.checked_add(reach))
                .ok_or(LowerError::TooLarge)?;
        }
        let elements = elements.checked()?;
        let bytes = buffer_len.checked_mul(element_bits.div_ceil(8));
        if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
            return Err(LowerError::TooLarge.into());
        }
        layout.numbers.elements = elements;
        layout.numbers.buffer_len = if elements == 0 { 0 } else { buffer_len };
        Ok(layout)
    }

    /// A part of another layout, or one with steps: sizes and strides that are known to fit.
    pub(crate) fn of_part(
        element_type: PrimitiveType,
        element_bits: usize,
        sizes: C,
        strides: C,
        _: sealed::Token,
    ) -> Self {
        let mut elements = 1_usize;
        let mut buffer_len = 1_usize;
        for (&size, &stride) in sizes.as_ref().iter().zip(strides.as_ref()) {
            elements = elements.wrapping_mul(size);
            buffer_len = buffer_len.wrapping_add(size.wrapping_sub(1).wrapping_mul(stride));
        }
        Self {
            sizes,
            strides,
            numbers: ElementCounts {
                elements,
                buffer_len: if elements == 0 { 0 } else { buffer_len },
                element_bits,
            },
            element_type,
            of: PhantomData,
        }
    }

    /// The stride of each dimension in elements.
    #[inline(always)]
    pub(crate) const fn stride_table(&self) -> &C {
        &self.strides
    }

    /// One mode for each dimension that has one, the smallest stride first.
    fn modes(&self) -> Result<List<Mode, INLINE_RANK>, LowerError> {
        let mut modes = List::from_slice(&[], Mode::NONE);
        for (dim, (&size, &stride)) in self
            .sizes
            .as_ref()
            .iter()
            .zip(self.strides.as_ref())
            .enumerate()
        {
            if size > 1 {
                modes
                    .try_push(Mode::new(dim, 1, size, stride))
                    .map_err(|_| LowerError::TooManyModes)?;
            }
        }
        modes.sort_unstable_by_key(|mode| mode.stride);
        Ok(modes)
    }
}

impl<C, E> sealed::Sealed for GappedLayout<C, E> {}

// `INSIDE`: the number of places is one more than the sum of the largest coordinates times the strides.
// Law 1: each stride is above what the dimensions of smaller strides reach together.
#[diagnostic::do_not_recommend]
impl<C: Coordinates, E> ArrayLayout for GappedLayout<C, E> {
    type Type = E;
    type Coordinates = C;
    const FIXED_SIZES: bool = false;
    const OWNS_PADDING: bool = false;
    type Region = Self;

    #[inline(always)]
    fn region(&self, sizes: C, token: sealed::Token) -> Self {
        Self::of_part(
            self.element_type,
            self.numbers.element_bits,
            sizes,
            self.strides.clone(),
            token,
        )
    }

    #[inline(always)]
    fn element_type(&self) -> PrimitiveType {
        self.element_type
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        self.sizes.as_ref().len()
    }

    #[inline(always)]
    fn sizes(&self) -> C {
        self.sizes.clone()
    }

    #[inline(always)]
    fn in_bounds(&self, index: &C) -> bool {
        index.below(&self.sizes)
    }

    #[inline]
    fn linear_index_in_bounds(&self, index: &[usize]) -> Option<usize> {
        let sizes = self.sizes.as_ref();
        let inside = index.len() == sizes.len() && index.iter().zip(sizes).all(|(i, n)| i < n);
        let terms = index.iter().zip(self.strides.as_ref());
        inside.then(|| terms.map(|(i, stride)| i * stride).sum())
    }

    #[inline(always)]
    fn linear_index(&self, index: &C) -> usize {
        index.dot(&self.strides)
    }

    fn multi_index(&self, linear_index: usize) -> Option<C> {
        self.with_resolved(sealed::Token, |resolved| resolved.multi_index(linear_index))
    }

    fn with_resolved<R>(&self, _: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        let Ok(modes) = self.modes() else {
            unreachable!("the modes were counted when the layout was made");
        };
        use_(Resolved {
            sizes: self.sizes.as_ref(),
            modes: if self.numbers.elements == 0 {
                &[]
            } else {
                &modes
            },
            terms: &[],
            numbers: self.numbers,
        })
    }

    /// The sizes, and the dimensions in the sequence of their strides. XLA's text has no strides.
    fn shape(&self) -> ArrayShape {
        let mut order: List<usize, INLINE_RANK> = List::from_slice(&[], 0);
        for dim in 0..self.rank() {
            order.push(dim);
        }
        let strides = self.strides.as_ref();
        // Of equal strides, one is of a dimension of size 1: the last one is the most minor.
        order.sort_unstable_by_key(|&dim| (strides[dim], self.rank() - dim));
        let order = List::try_from_iter(order.iter().map(|&dim| dim as i64));
        let dims = List::try_from_iter(
            self.sizes
                .as_ref()
                .iter()
                .map(|&size| Dim::Static(size as i64)),
        );
        let (Ok(order), Ok(dims)) = (order, dims) else {
            unreachable!("the dimensions were counted when the layout was made");
        };
        let mut shape = ArrayShape::scalar(self.element_type);
        shape.dims = dims;
        shape.layout = Some(Layout::new(MinorToMajor::from_list(order)));
        shape
    }

    fn strides(&self) -> Option<C> {
        Some(self.strides.clone())
    }

    #[inline(always)]
    fn elements(&self) -> usize {
        self.numbers.elements
    }

    #[inline(always)]
    fn buffer_len(&self) -> usize {
        self.numbers.buffer_len
    }

    #[inline(always)]
    fn element_bits(&self) -> usize {
        self.numbers.element_bits
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.numbers.bytes()
    }
}

impl<C: Clone, E> Clone for GappedLayout<C, E> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self {
            sizes: self.sizes.clone(),
            strides: self.strides.clone(),
            ..*self
        }
    }
}

impl<C: Copy, E> Copy for GappedLayout<C, E> {}

impl<C: PartialEq, E> PartialEq for GappedLayout<C, E> {
    fn eq(&self, other: &Self) -> bool {
        self.sizes == other.sizes
            && self.strides == other.strides
            && self.element_type == other.element_type
            && self.numbers.element_bits == other.numbers.element_bits
    }
}

impl<C: Eq, E> Eq for GappedLayout<C, E> {}

impl<C: AsRef<[usize]>, E> fmt::Debug for GappedLayout<C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "GappedLayout({}{:?}, strides {:?})",
            self.element_type,
            self.sizes.as_ref(),
            self.strides.as_ref()
        )
    }
}
