//! What an array says of its layout, and the copy that owns its memory.

use super::ArrayRef;
#[cfg(feature = "alloc")]
use super::{Array, make, storage::Storage, stored::Stored};
use crate::ArrayShape;
use crate::array_layout::ArrayLayout;
#[cfg(feature = "alloc")]
use crate::{array_layout::sealed::Token, element::Element, layout_error::LayoutError};

impl<T, L: ArrayLayout> ArrayRef<T, L> {
    /// The size of each dimension, in elements; of a dynamic one its bound. What XLA calls a shape
    /// is [`array_shape`](Self::array_shape).
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let array = Array::<f32, _>::zeros(DynLayout::new("f32[2,3]{1,0:T(2,2)}")?.ranked::<2>()?)?;
    /// assert_eq!(array.shape(), [2, 3]);
    /// assert_eq!((array.len(), array.memory().len()), (6, 8)); // 2 elements of padding
    /// // tiles have no stride for each dimension
    /// assert_eq!((array.rank(), array.strides()), (2, None));
    /// assert_eq!(array.array_shape().to_string(), "f32[2,3]{1,0:T(2,2)}");
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline]
    #[doc(alias = "nrows")]
    #[doc(alias = "extent")]
    #[doc(alias = "sizes")]
    #[must_use]
    pub fn shape(&self) -> L::Coordinates {
        self.layout.shape()
    }

    /// The number of elements, without padding.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.elements()
    }

    /// Whether a dimension has size 0.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of dimensions.
    #[doc(alias = "ndim")]
    #[inline]
    #[must_use]
    pub fn rank(&self) -> usize {
        self.layout.rank()
    }

    /// The stride of each dimension in elements; `None` if a dimension has none: see
    /// [`ArrayLayout::strides`].
    #[inline]
    #[must_use]
    pub fn strides(&self) -> Option<L::Coordinates> {
        self.layout.strides()
    }

    /// Element type, sizes and layout as XLA writes them: `f32[2,3]{0,1}`.
    #[must_use]
    pub fn array_shape(&self) -> ArrayShape {
        self.layout.array_shape()
    }
}

#[cfg(feature = "alloc")]
impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// An array of zeros of the same sizes, with the layout of a copy: see
    /// [`to_owned`](Self::to_owned). Its padding has the
    /// layout's padding value. It needs no bound in functions for any layout.
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayRef, LayoutError, Rank, StridedLayout};
    /// fn doubled<L: Rank<2>>(a: &ArrayRef<f32, L>) -> Result<Array<f32, L::Owned>, LayoutError> {
    ///     let mut double = a.zeros_like()?;
    ///     double.for_each_mut(|&at, x| *x = 2.0 * a[at]);
    ///     Ok(double)
    /// }
    /// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse()?;
    /// let array = Array::from_fn(layout, |&[i, j]| (i + j) as f32)?;
    /// assert_eq!(doubled(&array)?[[1, 2]], 6.0);
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::OutOfMemory`].
    pub fn zeros_like(&self) -> Result<Array<T, L::Owned>, LayoutError> {
        Array::zeros_of(self.layout.owned(Token))
    }

    /// An array of its own with the same elements. Its layout is this one, and its padding is
    /// copied, too; of a part, between
    /// whose elements others lie, the layout is [`ArrayLayout::Owned`].
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayLayout, DynLayout, SliceView};
    /// let layout: DynLayout = "s32[4,2]".parse()?;
    /// let array = SliceView::new(layout, &[0, 1, 10, 11, 20, 21, 30, 31][..])?.to_owned();
    /// let column: Array<i32, _> = array.slice::<1>(1..)?.to_owned();
    /// assert_eq!(column.layout().strides(), Some([1, 1].into()));
    /// assert_eq!(column.memory(), [1, 11, 21, 31]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[doc(alias = "to_array")]
    #[must_use]
    pub fn to_owned(&self) -> Array<T, L::Owned> {
        let layout = self.layout.owned(Token);
        if self.keeps_places(&layout) && self.owns_memory() {
            // As many items as the layout has places: the invariant of `self`.
            let data = self.items().all().to_vec().into();
            return super::ArrayBase { data, layout };
        }
        let zeros = alloc::vec![T::ZEROS; T::items(&layout)];
        let mut copy = make::of_zeros(zeros, layout);
        self.map_into(&mut copy, T::number);
        copy
    }

    /// Whether an element has the same place in the layout of a copy. Only the layout of a part, or
    /// of strides with gaps, is another
    /// one, and then without gaps.
    #[inline(always)]
    pub(super) fn keeps_places(&self, owned: &L::Owned) -> bool {
        L::OWNS_PADDING && self.layout.buffer_len() == owned.buffer_len()
    }
}

// A part and a tile are `Clone`, so that without these methods the `to_owned` of Rust's library is
// found: another part.

#[cfg(feature = "alloc")]
impl<S: Storage<Item: Stored>, L: ArrayLayout> super::ArrayBase<S, L> {
    /// As [`ArrayRef::to_owned`].
    #[doc(hidden)]
    #[must_use]
    pub fn to_owned(&self) -> Array<S::Item, L::Owned> {
        ArrayRef::to_owned(self)
    }
}

#[cfg(feature = "alloc")]
impl<S: Storage<Item: Stored>, W, E: ArrayLayout> super::Tile<S, W, E> {
    /// As [`ArrayRef::to_owned`].
    #[doc(hidden)]
    #[must_use]
    pub fn to_owned(&self) -> Array<S::Item, E::Owned> {
        ArrayRef::to_owned(self)
    }
}

/// The elements of a view, copied.
#[cfg(feature = "alloc")]
impl<T: Element, L: ArrayLayout> From<super::SliceView<'_, T, L>> for Array<T, L> {
    fn from(view: super::SliceView<'_, T, L>) -> Self {
        super::ArrayBase {
            data: view.data.to_vec().into(),
            layout: view.layout,
        }
    }
}
