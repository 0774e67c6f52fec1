//! The elements of both sides of a copy.

use crate::side::Side;

/// The bits of an element on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) src_bits: usize,
    pub(crate) dst_bits: usize,
}

impl Cells {
    pub(crate) const fn of(src: &Side, dst: &Side) -> Self {
        let src_bits = src.bits;
        let dst_bits = dst.bits;
        Self { src_bits, dst_bits }
    }

    /// The bytes of an element, if it has the same number of whole bytes on both sides.
    pub(crate) fn whole(&self) -> Option<usize> {
        let is_whole = self.src_bits == self.dst_bits && self.src_bits.is_multiple_of(8);
        is_whole.then_some(self.src_bits / 8)
    }
}

/// The bits of the unit that offsets count: a byte, or an element if elements are packed into
/// bytes.
pub(crate) const fn unit(bits: usize) -> usize {
    if bits.is_multiple_of(8) { 8 } else { bits }
}
