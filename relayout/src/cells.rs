//! The units and the elements of both sides of a copy.

use crate::side::Side;

/// The units and the elements of both sides, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) src_unit: usize,
    pub(crate) dst_unit: usize,
    pub(crate) src_bits: usize,
    pub(crate) dst_bits: usize,
}

impl Cells {
    pub(crate) const fn of(src: &Side, dst: &Side) -> Self {
        Self {
            src_unit: src.unit_bits(),
            dst_unit: dst.unit_bits(),
            src_bits: src.bits,
            dst_bits: dst.bits,
        }
    }

    /// The bytes of an element, where it has as many whole ones on both sides.
    pub(crate) const fn whole(&self) -> Option<usize> {
        if self.src_bits == self.dst_bits && self.src_bits.is_multiple_of(8) {
            Some(self.src_bits / 8)
        } else {
            None
        }
    }
}
