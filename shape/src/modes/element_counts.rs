//! The elements of a layout, and the bytes that they take.

use super::count::to_usize;
use super::{Count, MAX, Source};
use crate::error::NotLowered;

/// The numbers of a layout that do not depend on the memory map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementCounts {
    /// Elements in bounds (dynamic dimensions at their bound).
    pub elements: usize,
    /// Elements that memory is allocated for, padding included.
    pub buffer_len: usize,
    /// The bits of one element in memory.
    pub element_bits: usize,
}

impl ElementCounts {
    /// The counts of a layout from its elements, and from its allocated elements before the tail
    /// alignment.
    ///
    /// # Errors
    /// The first rule that they break.
    #[inline]
    pub const fn new(
        source: &Source<'_>,
        elements: Count,
        buffer_len: Count,
    ) -> Result<Self, NotLowered> {
        let elements = tri!(elements.checked());
        let alignment = tri!(to_usize(source.tail_alignment));
        let buffer_len = tri!(round_up(tri!(buffer_len.checked()), alignment));
        let counts = Self {
            elements,
            buffer_len,
            element_bits: tri!(to_usize(source.element_bits)),
        };
        // XLA counts the bytes by the width of the type, also where elements are packed. This does
        // not overflow: both factors have 63 bits at most.
        let bytes_of_type = (elements as u128 * source.type_bits as u128).div_ceil(8);
        if counts.wide_bytes() > MAX as u128 || bytes_of_type > i64::MAX as u128 {
            return Err(NotLowered::TooLarge);
        }
        Ok(counts)
    }

    /// The bytes that memory is allocated for: the bits of all places, rounded up.
    #[inline]
    pub const fn bytes(&self) -> usize {
        // Nothing is lost: `new` has checked it.
        self.wide_bytes() as usize
    }

    /// The bytes, before it is known that they are at most [`MAX`].
    #[inline]
    const fn wide_bytes(&self) -> u128 {
        (self.buffer_len as u128 * self.element_bits as u128).div_ceil(8)
    }
}

/// The next multiple of `alignment`, checked.
#[inline]
const fn round_up(n: usize, alignment: usize) -> Result<usize, NotLowered> {
    match n.checked_next_multiple_of(alignment) {
        Some(n) if n <= MAX => Ok(n),
        _ => Err(NotLowered::TooLarge),
    }
}
