//! How strided layouts are made, and what is checked then.

use core::marker::PhantomData;
use core::str::FromStr;

use xlayout_shape::lowering::same_map;

use super::inverse::Inverse;
use super::{Stride, StridedLayout};
use crate::ElementType;
use crate::array_layout::{ArrayLayout, sealed};
use crate::coordinates::Coordinates;
use crate::dims::INLINE_RANK;
use crate::element::{DType, Element};
use crate::layout_error::LayoutError;
use crate::layouts::DynLayout;
use crate::layouts::region::widths_of;
use crate::list::List;
use crate::modes::{Count, ElementCounts, NotLowered};

/// Strides as they are at hand: a list of integers of any type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of strides",
    label = "expected an array or a slice of integers, one for each dimension: of a `Vec` write \
             `&strides[..]`"
)]
pub trait IntoStrides {
    /// # Errors
    /// When a number is beyond `isize`.
    #[doc(hidden)]
    fn into_strides(self) -> Result<List<isize, INLINE_RANK>, NotLowered>;
}

impl<I: Copy + TryInto<isize>, const N: usize> IntoStrides for [I; N] {
    #[inline]
    fn into_strides(self) -> Result<List<isize, INLINE_RANK>, NotLowered> {
        (&self[..]).into_strides()
    }
}

impl<I: Copy + TryInto<isize>> IntoStrides for &[I] {
    #[inline]
    fn into_strides(self) -> Result<List<isize, INLINE_RANK>, NotLowered> {
        let mut strides = List::new();
        for &stride in self {
            let stride = stride.try_into().map_err(|_| NotLowered::TooLarge)?;
            let pushed = strides.try_push(stride);
            pushed.map_err(|_| NotLowered::TooManyModes)?;
        }
        Ok(strides)
    }
}

impl<C: Coordinates> StridedLayout<C, isize> {
    /// The layout with these sizes and strides, which count elements of type `T`, dimension 0
    /// first. A negative stride reverses a dimension. [`forwards`](Self::forwards) gives the layout
    /// without signs.
    ///
    /// Together with the address of the element `[0, 0, …]` this is what NumPy, ndarray and DLPack
    /// know of an array: see [`View::from_address`](crate::View::from_address).
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, StridedLayout, SliceView};
    ///
    /// // Every second column of two rows of 7.
    /// let data: Vec<f32> = (0..14).map(|n| n as f32).collect();
    /// let layout = StridedLayout::new::<f32>([2, 3], [7, 2])?;
    /// let view = SliceView::new(layout, &data[1..][..layout.buffer_len()])?;
    /// assert_eq!((view[[0, 0]], view[[1, 2]]), (1.0, 12.0));
    /// assert_eq!(
    ///     StridedLayout::new::<f32>([2, 3], [2, -2]).unwrap_err().to_string(),
    ///     "the stride 2 of dimension 0 lets elements overlap or interleave: dimensions of \
    ///      strides that are not larger reach linear index 4; use a stride above 4, or \
    ///      `broadcast` for a dimension that is repeated",
    /// );
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Listed`] when there are not as many strides as sizes;
    /// [`LayoutError::Overlap`] when two elements may have one linear index, or lie between each
    /// other; [`NotLowered::TooLarge`] when the last element is beyond what can be addressed. Each
    /// stride, without its sign, must be above the largest linear index that the dimensions of
    /// smaller strides reach; a stride of a dimension of size 1 is not looked at.
    // The compiler shows the name of the parameter where it is not given.
    pub fn new<T: Element>(sizes: C, strides: impl IntoStrides) -> Result<Self, LayoutError> {
        let element = (T::Type::TYPE, 8 * size_of::<T>());
        Self::checked(element, sizes.as_ref(), &strides.into_strides()?)
    }

    /// The layout with these sizes and strides in bytes, as NumPy has them, of elements of type
    /// `T`.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, StridedLayout};
    /// let layout = StridedLayout::from_byte_strides::<f32>([2, 3], [-12, 4])?;
    /// assert_eq!(layout.linear_index(&[0, 2]), 5);
    /// assert_eq!(
    ///     StridedLayout::from_byte_strides::<f32>([2, 3], [14, 4]).unwrap_err().to_string(),
    ///     "the stride of dimension 0 is 14 bytes, but an element has 4; use a multiple of 4, or \
    ///      copy the array",
    /// );
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::PartOfElement`] when a stride is no whole number of elements, and as
    /// [`new`](Self::new).
    pub fn from_byte_strides<T: Element>(
        sizes: C,
        strides: impl IntoStrides,
    ) -> Result<Self, LayoutError> {
        let bytes = size_of::<T>() as isize;
        let mut strides = strides.into_strides()?;
        for (dimension, stride) in strides.iter_mut().enumerate() {
            let used = sizes.as_ref().get(dimension).is_some_and(|&size| size > 1);
            if used && *stride % bytes != 0 {
                return Err(LayoutError::PartOfElement {
                    dimension,
                    stride: *stride,
                    bytes: size_of::<T>(),
                });
            }
            *stride /= bytes;
        }
        Self::new::<T>(sizes, &strides[..])
    }

    /// The layout without signs, which has one addition less for each index and can be broadcast.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, StridedLayout};
    /// let layout: StridedLayout<_> = StridedLayout::new::<f32>([2, 3], [4, 1])?.forwards()?;
    /// assert_eq!(layout.strides(), Some([4, 1]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Reversed`] when a stride is negative.
    pub fn forwards(self) -> Result<StridedLayout<C>, LayoutError> {
        StridedLayout::of(&self)
    }
}

impl<C: Coordinates, I: Stride> StridedLayout<C, I> {
    /// The strides of another layout, which is dense or padded, or has tiles that change nothing.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, DynLayout, LayoutError, StridedLayout};
    /// let layout: DynLayout = "f32[2,3]{0,1}, padded_dimensions = [4, 3]".parse()?;
    /// let fast: StridedLayout<[usize; 2]> = StridedLayout::of(&layout)?;
    /// assert_eq!((fast.linear_index(&[1, 2]), fast.buffer_len()), (9, 12));
    /// let tiled: DynLayout = "f32[4,4]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(StridedLayout::<[usize; 2]>::of(&tiled), Err(LayoutError::NotStrided));
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Rank`] when the rank differs; [`LayoutError::NotStrided`] for tiles;
    /// [`LayoutError::Reversed`] for a negative stride if `I` is `usize`; [`LayoutError::Overlap`]
    /// for a repeated dimension.
    pub fn of<L: ArrayLayout>(layout: &L) -> Result<Self, LayoutError> {
        let sizes = coordinates_of(layout.shape().as_ref())?;
        Self::check_signs(layout)?;
        let widths = widths_of(layout).ok_or(LayoutError::NotStrided)?;
        let strided = Self::of_part(
            (layout.element_type(), layout.element_bits()),
            sizes,
            coordinates_of(widths.as_ref())?,
            |dim| layout.is_reversed(dim),
            sealed::Token,
        );
        // The strides of an array without elements mean nothing, and fit as those of the other
        // layout do.
        if strided.numbers.elements > 0 {
            strided.check()?;
        }
        strided.with_memory(layout.buffer_len(), layout.owns_padding())
    }

    /// The dense layout of these sizes, the last dimension the most minor one: what NumPy, ndarray
    /// and DLPack have where they list no strides.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, StridedLayout};
    /// let layout: StridedLayout<_> = StridedLayout::row_major::<f32>([2, 3])?;
    /// assert_eq!(layout.strides(), Some([3, 1]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`NotLowered::TooLarge`] when the last element is beyond what can be addressed; a size of 0
    /// counts as 1.
    pub fn row_major<T: Element>(sizes: C) -> Result<Self, LayoutError> {
        let mut strides = sizes.clone();
        let mut stride = 1_usize;
        for dim in (0..sizes.as_ref().len()).rev() {
            strides.set(dim, stride);
            let size = sizes.coordinate(dim).max(1);
            stride = stride.checked_mul(size).ok_or(NotLowered::TooLarge)?;
        }
        let element = (T::Type::TYPE, 8 * size_of::<T>());
        Self::of_part(element, sizes, strides, |_| false, sealed::Token).fitting()
    }

    /// The dense layout with the sizes and the minor_to_major of another one. A dimension is
    /// reversed where it is there, if these strides can say so.
    pub(crate) fn dense<L: ArrayLayout<Coordinates = C>>(source: &L, token: sealed::Token) -> Self {
        let sizes = source.shape();
        let mut widths = C::origin(source.rank());
        let mut width = 1_usize;
        let Some(layout) = source.array_shape().layout else {
            unreachable!("the shape of what is laid out has a layout");
        };
        for &dim in layout.minor_to_major.iter() {
            let dim = dim as usize;
            widths.set(dim, width);
            // Elements are counted, so that the product of the sizes fits.
            width = width.wrapping_mul(sizes.coordinate(dim).max(1));
        }
        let element = (source.element_type(), source.element_bits());
        Self::of_part(element, sizes, widths, |dim| source.is_reversed(dim), token)
    }

    /// The layout with its dimensions permuted: dimension `i` is what was dimension `numbers[i]`.
    pub(crate) fn permuted(&self, permuted: impl Fn(&C) -> C, numbers: &[usize]) -> Self {
        let mut result = Self::of_part(
            (self.element_type, self.numbers.element_bits),
            permuted(&self.sizes),
            permuted(&self.widths()),
            |dim| self.is_reversed(numbers[dim]),
            sealed::Token,
        );
        // Padding at the end stays, too.
        result.numbers = self.numbers;
        result.owns_padding = self.owns_padding;
        let mut inverse = result.inverse.clone();
        result.with_resolved(sealed::Token, |resolved| inverse.find_factors(&resolved));
        result.inverse = inverse;
        result
    }

    /// The strides without their signs.
    fn widths(&self) -> C {
        let mut widths = self.strides.clone();
        for dim in 0..self.rank() {
            widths.set(dim, self.width(dim));
        }
        widths
    }

    /// Checks that these strides can say which dimensions of a layout are reversed.
    pub(crate) fn check_signs<L: ArrayLayout>(layout: &L) -> Result<(), LayoutError> {
        match (0..layout.rank()).find(|&dim| !I::SIGNED && layout.is_reversed(dim)) {
            Some(dimension) => Err(LayoutError::Reversed { dimension }),
            None => Ok(()),
        }
    }

    /// Sizes and strides from elsewhere, for elements of a type with a number of bits.
    pub(crate) fn checked(
        element: (ElementType, usize),
        sizes: &[usize],
        strides: &[isize],
    ) -> Result<Self, LayoutError> {
        let rank = sizes.len();
        if strides.len() != rank {
            return Err(LayoutError::Listed {
                what: "strides",
                expected: rank,
                found: strides.len(),
            });
        }
        let mut widths = C::origin(rank);
        let sizes = coordinates_of(sizes)?;
        for (dim, stride) in strides.iter().enumerate() {
            if *stride < 0 && !I::SIGNED {
                return Err(LayoutError::Reversed { dimension: dim });
            }
            widths.set(dim, stride.unsigned_abs());
        }
        let is_reversed = |dim: usize| strides[dim] < 0;
        Self::of_part(element, sizes, widths, is_reversed, sealed::Token).fitting()
    }

    /// The layout, if its elements fit into memory that ends with the last one.
    fn fitting(self) -> Result<Self, LayoutError> {
        self.check()?;
        let buffer_len = self.numbers.buffer_len;
        self.with_memory(buffer_len, false)
    }

    /// The layout with these sizes, and strides without their signs. The caller knows that they
    /// fit, or checks it.
    pub(crate) fn of_part(
        (element_type, element_bits): (ElementType, usize),
        sizes: C,
        widths: C,
        is_reversed: impl Fn(usize) -> bool,
        _: sealed::Token,
    ) -> Self {
        let inverse = Inverse::of(&sizes, &widths);
        let mut strides = widths;
        if const { I::SIGNED } {
            for dim in (0..sizes.as_ref().len()).filter(|&dim| is_reversed(dim)) {
                strides.set(dim, strides.coordinate(dim).wrapping_neg());
            }
        }
        let numbers = ElementCounts {
            elements: 0,
            buffer_len: 0,
            element_bits,
        };
        Self {
            sizes,
            strides,
            first: 0,
            numbers,
            element_type,
            owns_padding: false,
            inverse,
            marker: PhantomData,
        }
        .counted()
    }

    /// Checks that no two elements overlap, and that all can be addressed.
    fn check(&self) -> Result<(), LayoutError> {
        let dims = List::<usize, INLINE_RANK>::try_from_iter(0..self.rank());
        dims.map_err(|_| NotLowered::TooManyModes)?;
        let mut places = 1_usize;
        for dimension in self.moving() {
            let size = self.sizes.coordinate(dimension);
            let stride = self.width(dimension);
            if stride < places {
                return Err(LayoutError::Overlap {
                    dimension,
                    stride,
                    reached: places - 1,
                });
            }
            places = (size - 1)
                .checked_mul(stride)
                .and_then(|reach| places.checked_add(reach))
                .ok_or(NotLowered::TooLarge)?;
        }
        let times = |count: Count, size: &usize| count.times(*size);
        let elements = self.sizes.as_ref().iter().fold(Count::ONE, times);
        elements.checked()?;
        Ok(self.check_places(places)?)
    }

    /// Checks that all bytes of this many places can be addressed.
    fn check_places(&self, places: usize) -> Result<(), NotLowered> {
        match places as u128 * self.numbers.element_bits as u128 {
            bits if bits > 8 * isize::MAX as u128 => Err(NotLowered::TooLarge),
            _ => Ok(()),
        }
    }

    /// The layout in memory of this length, which may have padding at the end. Linear indices are
    /// taken apart by multiplications where that is possible.
    pub(crate) fn with_memory(
        mut self,
        buffer_len: usize,
        owns_padding: bool,
    ) -> Result<Self, LayoutError> {
        if buffer_len < self.numbers.buffer_len {
            let linear_index = self.numbers.buffer_len - 1;
            return Err(LayoutError::linear(linear_index, buffer_len));
        }
        self.check_places(buffer_len)?;
        self.numbers.buffer_len = buffer_len;
        self.owns_padding = owns_padding;
        let mut inverse = self.inverse.clone();
        self.with_resolved(sealed::Token, |resolved| inverse.find_factors(&resolved));
        self.inverse = inverse;
        Ok(self)
    }
}

/// Numbers of dimensions as coordinates of a type, which may be of another rank.
fn coordinates_of<C: Coordinates>(numbers: &[usize]) -> Result<C, LayoutError> {
    let mut coordinates = C::origin(numbers.len());
    let expected = coordinates.as_ref().len();
    if expected != numbers.len() {
        return Err(LayoutError::Rank {
            expected,
            found: numbers.len(),
        });
    }
    coordinates.as_mut().copy_from_slice(numbers);
    Ok(coordinates)
}

impl<C: Coordinates, I: Stride> FromStr for StridedLayout<C, I> {
    type Err = LayoutError;

    /// Reads a shape with its layout: see [`of`](StridedLayout::of).
    fn from_str(text: &str) -> Result<Self, LayoutError> {
        Self::of(&text.parse::<DynLayout>()?)
    }
}

/// The shape whose dense layout has these strides.
///
/// ```
/// use xlayout_core::{DynLayout, LayoutError, StridedLayout};
/// let columns = StridedLayout::new::<f32>([2, 3], [1, 2])?;
/// assert_eq!(DynLayout::try_from(columns)?.to_string(), "f32[2,3]{0,1}");
/// let gaps = StridedLayout::new::<f32>([2, 3], [8, 1])?;
/// assert_eq!(DynLayout::try_from(gaps), Err(LayoutError::MemoryMap));
/// # Ok::<(), LayoutError>(())
/// ```
///
/// # Errors
/// [`LayoutError::Reversed`]; [`LayoutError::MemoryMap`] when there are gaps.
impl<C: Coordinates, I: Stride> TryFrom<StridedLayout<C, I>> for DynLayout {
    type Error = LayoutError;

    fn try_from(strided: StridedLayout<C, I>) -> Result<Self, LayoutError> {
        StridedLayout::<C>::check_signs(&strided)?;
        let layout = Self::new(strided.array_shape())?;
        let same = strided.with_resolved(sealed::Token, |resolved| {
            layout.with_resolved(sealed::Token, |dense| {
                resolved.numbers == dense.numbers && same_map(resolved.modes, dense.modes)
            })
        });
        same.then_some(layout).ok_or(LayoutError::MemoryMap)
    }
}
