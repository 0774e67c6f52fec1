//! What an array says of its layout, and the copy that owns its memory.

use super::ArrayRef;
use crate::ArrayShape;
use crate::array_layout::ArrayLayout;
#[cfg(feature = "alloc")]
use crate::element::Element;
#[cfg(feature = "alloc")]
use crate::layout_error::LayoutError;

impl<T, L: ArrayLayout> ArrayRef<T, L> {
    /// The size of each dimension, in elements; of a dynamic one its bound.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let array = Array::<f32, _>::zeros(DynLayout::new("f32[2,3]{1,0:T(2,2)}")?.ranked::<2>()?)?;
    /// assert_eq!(array.sizes(), [2, 3]);
    /// assert_eq!((array.len(), array.memory().len()), (6, 8)); // 2 elements of padding
    /// assert_eq!((array.rank(), array.strides()), (2, None)); // tiles have no stride for each dimension
    /// assert_eq!(array.array_shape().to_string(), "f32[2,3]{1,0:T(2,2)}");
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline]
    #[doc(alias = "nrows")]
    #[doc(alias = "extent")]
    #[must_use]
    pub fn sizes(&self) -> L::Coordinates {
        self.layout.sizes()
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

    /// As [`sizes`](Self::sizes), by the name that NumPy and ndarray have for it. What XLA calls a shape is
    /// [`array_shape`](Self::array_shape).
    #[inline]
    #[must_use]
    pub fn shape(&self) -> L::Coordinates {
        self.sizes()
    }

    /// As [`rank`](Self::rank), by the name that NumPy and ndarray have for it.
    #[inline]
    #[must_use]
    pub fn ndim(&self) -> usize {
        self.rank()
    }

    /// The number of dimensions.
    #[inline]
    #[must_use]
    pub fn rank(&self) -> usize {
        self.layout.rank()
    }

    /// The stride of each dimension in elements; `None` if a dimension has none: see [`ArrayLayout::strides`].
    #[inline]
    #[must_use]
    pub fn strides(&self) -> Option<L::Coordinates> {
        self.layout.strides()
    }

    /// Element type, sizes and layout as XLA writes them: `f32[2,3]{0,1}`.
    #[must_use]
    pub fn array_shape(&self) -> ArrayShape {
        self.layout.shape()
    }
}

#[cfg(feature = "alloc")]
impl<S: super::SliceStorage<Item: Clone>, L: ArrayLayout> super::ArrayBase<S, L> {
    /// An array of its own with the same memory, padding included, and the same layout.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View};
    /// let layout: DynLayout = "f32[2]".parse()?;
    /// let mut array: Array<f32, _> = View::new(&[1.0, 2.0][..], layout)?.to_owned();
    /// array[[0]] = 3.0;
    /// assert_eq!(array.memory(), [3.0, 2.0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[doc(alias = "to_array")]
    #[must_use]
    pub fn to_owned(&self) -> super::Array<S::Item, L> {
        // As many elements as the layout has places: the invariant of `self`.
        super::ArrayBase {
            data: self.data.items().to_vec().into(),
            layout: self.layout.clone(),
        }
    }
}

#[cfg(feature = "alloc")]
impl<T: Element, L: ArrayLayout> ArrayRef<T, L> {
    /// An array of zeros with the same layout; its padding has the layout's padding value. It needs no bound in
    /// functions for any layout.
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayRef, LayoutError, Rank, StridedLayout};
    /// fn doubled<L: Rank<2>>(a: &ArrayRef<f32, L>) -> Result<Array<f32, L>, LayoutError> {
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
    pub fn zeros_like(&self) -> Result<super::Array<T, L>, LayoutError> {
        super::Array::zeros_of(self.layout.clone())
    }

    /// An array of its own with the same elements and the same layout; its padding has the layout's padding value.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[4,2]".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?;
    /// let part = array.slice::<0>(2..)?;
    /// assert_eq!(part.to_owned()[[1, 1]], 31);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[must_use]
    pub fn to_owned(&self) -> super::Array<T, L> {
        // As many elements as the layout has places: the invariant of an array.
        let mut array = super::ArrayBase {
            data: super::Owned::from(alloc::vec![T::ZERO; self.layout.buffer_len()]),
            layout: self.layout.clone(),
        };
        array.fill_padding();
        self.map_into(&mut array, |x| *x);
        array
    }
}

/// The elements of a view, copied.
#[cfg(feature = "alloc")]
impl<T: Element, L: ArrayLayout> From<super::View<'_, T, L>> for super::Array<T, L> {
    fn from(view: super::View<'_, T, L>) -> Self {
        view.to_owned()
    }
}
