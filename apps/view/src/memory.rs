//! The bytes of arrays.

use xlayout::{ArrayLayout, DynLayout};

/// Bytes of one array, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bytes {
    /// Those of the elements alone, rounded up to whole bytes for each array.
    pub(crate) logical: u128,
    /// Those with all padding.
    pub(crate) allocated: u128,
}

impl Bytes {
    pub(crate) fn of(array: &impl ArrayLayout) -> Self {
        let bits = array.elements() as u128 * array.element_bits() as u128;
        Self {
            logical: bits.div_ceil(8),
            allocated: array.bytes() as u128,
        }
    }

    /// The allocated bytes that hold no elements.
    pub(crate) fn padding(self) -> u128 {
        self.allocated.saturating_sub(self.logical)
    }
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, next| Self {
            logical: sum.logical.saturating_add(next.logical),
            allocated: sum.allocated.saturating_add(next.allocated),
        })
    }
}

/// The strides in bytes, of elements of whole bytes.
pub(crate) fn byte_strides(array: &DynLayout) -> Option<Vec<u128>> {
    let bits = array.element_bits();
    let strides = array.strides().filter(|_| bits.is_multiple_of(8))?;
    let bytes = strides
        .iter()
        .map(|&stride| stride as u128 * bits as u128 / 8);
    Some(bytes.collect())
}
