//! Index arithmetic in 32 bits for layouts that are known at run time.

use super::StridedLayout;
use crate::array_layout::ArrayLayout;
use crate::layout_error::LayoutError;

/// The strides of a layout of rank `N` in 32-bit integers, as code for GPUs uses them. It is checked once,
/// when the value is made, that all linear indices fit.
///
/// ```
/// use xlayout_core::{StridedLayout, StridedLayout32};
///
/// let layout: StridedLayout<2> = "f32[2,3]{0,1}".parse().unwrap();
/// let narrow = StridedLayout32::new(&layout).unwrap();
/// assert_eq!(narrow.linear_index(&[1, 2]), 5);
/// # #[cfg(target_pointer_width = "64")]
/// # {
/// let huge: StridedLayout<2> = "f32[65536,65536]".parse().unwrap();
/// assert!(StridedLayout32::new(&huge).is_err());
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StridedLayout32<const N: usize> {
    sizes: [u32; N],
    strides: [u32; N],
}

impl<const N: usize> StridedLayout32<N> {
    /// The sizes and strides of a layout.
    ///
    /// # Errors
    /// When the layout allocates more than 2^32 - 1 elements, or a size is above that.
    pub fn new(layout: &StridedLayout<N>) -> Result<Self, LayoutError> {
        let buffer_len = layout.buffer_len();
        let too_large = LayoutError::TooLargeFor32Bits { buffer_len };
        let sizes = layout.sizes();
        let fits = |n: &usize| u32::try_from(*n).is_ok();
        // Sizes and strides can be above the places only where a dimension has size 0.
        if !fits(&buffer_len) || !sizes.iter().chain(layout.stride_table()).all(fits) {
            return Err(too_large);
        }
        Ok(Self {
            sizes: sizes.map(|n| n as u32),
            strides: layout.stride_table().map(|n| n as u32),
        })
    }

    /// The size of each dimension.
    ///
    /// ```
    /// use xlayout_core::{StridedLayout, StridedLayout32};
    /// let layout: StridedLayout<2> = "f32[2,3]{0,1}".parse().unwrap();
    /// let narrow = StridedLayout32::new(&layout).unwrap();
    /// assert_eq!((narrow.sizes(), narrow.strides()), (&[2, 3], &[1, 2]));
    /// ```
    #[must_use]
    pub const fn sizes(&self) -> &[u32; N] {
        &self.sizes
    }

    /// The stride of each dimension in elements.
    #[must_use]
    pub const fn strides(&self) -> &[u32; N] {
        &self.strides
    }

    /// The linear index of an index **in bounds**. Out of bounds the result has no meaning;
    /// nothing panics.
    #[inline(always)]
    #[must_use]
    pub fn linear_index(&self, index: &[u32; N]) -> u32 {
        let terms = index.iter().zip(&self.strides);
        terms.fold(0, |sum: u32, (i, stride)| {
            sum.wrapping_add(i.wrapping_mul(*stride))
        })
    }
}
