//! Index arithmetic in 32 bits for layouts that are known at run time.

use super::{Dyn, Strided};
use crate::laid_out::{LaidOut, sealed};
use crate::misfit::Misfit;

/// The strides of a layout of rank `N` in 32-bit integers, as GPU-shaped code wants them; that all
/// linear indices fit is checked once, when it is made.
///
/// ```
/// use xlayout_core::{Strided, Strided32};
///
/// let layout: Strided<2> = "f32[2,3]{0,1}".parse().unwrap();
/// let narrow = Strided32::new(&layout).unwrap();
/// assert_eq!(narrow.linear_index(&[1, 2]), 5);
/// # #[cfg(target_pointer_width = "64")]
/// # {
/// let huge: Strided<2> = "f32[65536,65536]".parse().unwrap();
/// assert!(Strided32::new(&huge).is_err());
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided32<const N: usize> {
    sizes: [u32; N],
    strides: [u32; N],
}

impl<const N: usize> Strided32<N> {
    /// The sizes and strides of a layout.
    ///
    /// # Errors
    /// When the layout allocates more than 2^32 - 1 elements, or a size is above that.
    pub fn new(layout: &Strided<N>) -> Result<Self, Misfit> {
        let places = layout.places();
        let too_large = Misfit::TooLargeFor32Bits { places };
        let sizes = layout.sizes();
        let fits = |n: &usize| u32::try_from(*n).is_ok();
        // Sizes and strides can be above the places only where a dimension has size 0.
        if !fits(&places) || !sizes.iter().chain(layout.stride_table()).all(fits) {
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
    /// use xlayout_core::{Strided, Strided32};
    /// let layout: Strided<2> = "f32[2,3]{0,1}".parse().unwrap();
    /// let narrow = Strided32::new(&layout).unwrap();
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

impl Dyn {
    /// The linear index of an index **in bounds**, in 32-bit integers: every layout, tiled ones
    /// too. `None` when the layout allocates more than 2^32 - 1 elements or the rank is another.
    ///
    /// ```
    /// use xlayout_core::Dyn;
    /// let layout: Dyn = "bf16[16,256]{1,0:T(8,128)(2,1)}".parse().unwrap();
    /// assert_eq!(layout.linear_index_u32(&[8, 0]), Some(2048));
    /// # #[cfg(target_pointer_width = "64")]
    /// # {
    /// let huge: Dyn = "u8[65536,65536]".parse().unwrap();
    /// assert_eq!(huge.linear_index_u32(&[0, 0]), None);
    /// # }
    /// ```
    #[must_use]
    pub fn linear_index_u32(&self, index: &[u32]) -> Option<u32> {
        if index.len() != self.rank() || u32::try_from(self.places()).is_err() {
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
