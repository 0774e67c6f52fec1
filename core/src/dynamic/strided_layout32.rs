//! Index arithmetic in 32 bits for layouts that are known at run time.

use super::{DynLayout, StridedLayout};
use crate::array_layout::{ArrayLayout, sealed};
use crate::layout_error::LayoutError;

/// The strides of a layout of rank `N` in 32-bit integers, as GPU-shaped code wants them; that all
/// linear indices fit is checked once, when it is made.
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

    /// The linear index of an index **in bounds**. Out of bounds the answer is some number or
    /// other; nothing panics.
    #[inline(always)]
    #[must_use]
    pub fn linear_index(&self, index: &[u32; N]) -> u32 {
        let terms = index.iter().zip(&self.strides);
        terms.fold(0, |sum: u32, (i, stride)| {
            sum.wrapping_add(i.wrapping_mul(*stride))
        })
    }
}

impl DynLayout {
    /// The linear index of an index **in bounds**, in 32-bit integers: every layout, tiled ones
    /// too. `None` when the layout allocates more than 2^32 - 1 elements or the rank is another.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// let layout: DynLayout = "bf16[16,256]{1,0:T(8,128)(2,1)}".parse().unwrap();
    /// assert_eq!(layout.linear_index_u32(&[8, 0]), Some(2048));
    /// # #[cfg(target_pointer_width = "64")]
    /// # {
    /// let huge: DynLayout = "u8[65536,65536]".parse().unwrap();
    /// assert_eq!(huge.linear_index_u32(&[0, 0]), None);
    /// # }
    /// ```
    #[must_use]
    #[inline]
    pub fn linear_index_u32(&self, index: &[u32]) -> Option<u32> {
        if index.len() != self.rank() || u32::try_from(self.buffer_len()).is_err() {
            return None;
        }
        self.with_resolved(sealed::Token, |resolved| {
            if !resolved.terms.is_empty() {
                let mut wide = self.sizes();
                for (to, &from) in wide.as_mut().iter_mut().zip(index) {
                    *to = from as usize;
                }
                return Some(resolved.linear_index(wide.as_ref()) as u32);
            }
            // Divisors, sizes and strides are below the places, so that nothing is cut off.
            Some(resolved.modes.iter().fold(0, |sum: u32, mode| {
                let digit = index[mode.dim] / mode.divisor as u32;
                let digit = if mode.top {
                    digit
                } else {
                    digit % mode.size as u32
                };
                sum.wrapping_add(digit.wrapping_mul(mode.stride as u32))
            }))
        })
    }
}
