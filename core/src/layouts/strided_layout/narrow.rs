//! Index arithmetic in 32 bits, as code for GPUs uses it.

use core::fmt;

use super::StridedLayout;
use super::inverse::Inverse;
use crate::layout_error::LayoutError;

impl<const N: usize> StridedLayout<[usize; N]> {
    /// The sizes and strides in 32-bit integers, as code for GPUs uses them. It is checked here,
    /// once, that all linear indices fit.
    ///
    /// ```
    /// use xlayout_core::StridedLayout;
    ///
    /// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse()?;
    /// let narrow: StridedLayout<[u32; 2]> = layout.narrow()?;
    /// assert_eq!((narrow.shape(), narrow.strides()), (&[2, 3], &[1, 2]));
    /// assert_eq!(narrow.linear_index(&[1, 2]), 5);
    /// # #[cfg(target_pointer_width = "64")]
    /// # {
    /// let huge: StridedLayout<[usize; 2]> = "f32[65536,65536]".parse()?;
    /// assert!(huge.narrow().is_err());
    /// # }
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::TooLargeFor32Bits`] when the layout allocates more than 2^32 - 1 elements, or
    /// a size is above that.
    pub fn narrow(&self) -> Result<StridedLayout<[u32; N]>, LayoutError> {
        let buffer_len = self.numbers.buffer_len;
        let fits = |n: &usize| u32::try_from(*n).is_ok();
        // Sizes and strides can be above the places only where a dimension has size 0.
        if !fits(&buffer_len) || !self.sizes.iter().chain(&self.strides).all(fits) {
            return Err(LayoutError::TooLargeFor32Bits { buffer_len });
        }
        Ok(StridedLayout {
            sizes: self.sizes.map(|n| n as u32),
            strides: self.strides.map(|n| n as u32),
            first: self.first,
            numbers: self.numbers,
            element_type: self.element_type,
            owns_padding: self.owns_padding,
            inverse: Inverse::none(),
            marker: self.marker,
        })
    }
}

impl<const N: usize> StridedLayout<[u32; N]> {
    /// The size of each dimension.
    #[must_use]
    pub const fn shape(&self) -> &[u32; N] {
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

impl<const N: usize> fmt::Debug for StridedLayout<[u32; N]> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element_type = self.element_type;
        let sizes = self.sizes;
        let strides = self.strides;
        write!(
            f,
            "StridedLayout({element_type}{sizes:?}, strides {strides:?})"
        )
    }
}
