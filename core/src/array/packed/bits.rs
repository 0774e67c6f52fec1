//! Where the bits of a packed element lie, and the number that they mean.

use crate::array::storage::Inside;
use crate::array_layout::ArrayLayout;

/// The bits of an element as a number: with a sign if the element type has one.
#[inline(always)]
pub(super) fn number_of(layout: &impl ArrayLayout, bits: u8) -> i8 {
    match layout.element_type().kind() {
        Some(xlayout_shape::element_type::Kind::Signed) => {
            let unused = 8 - layout.element_bits() as u32;
            ((bits << unused) as i8) >> unused
        }
        // At most four bits.
        _ => bits as i8,
    }
}

/// How many numbers an iterator unpacks at a time: those of 32, 16 or 8 bytes.
pub(super) const ROOM: usize = 64;

/// The fewest for which that takes less time than to read them one by one.
pub(super) const FEWEST: usize = 16;

/// Unpacks the numbers of at most 32, 16 or 8 bytes. It is not inlined, so that it is compiled
/// once.
#[inline(never)]
pub(super) fn unpacked(bytes: &[u8], bits: usize, is_signed: bool) -> [i8; ROOM] {
    #[inline(always)]
    fn of_bits<const BITS: usize>(bytes: [u8; ROOM / 2], is_signed: bool) -> [i8; ROOM] {
        let sign = if is_signed { 1 << (BITS - 1) } else { 0 };
        let mut all = [0; ROOM];
        for (byte, numbers) in bytes.iter().zip(all.chunks_exact_mut(8 / BITS)) {
            for (at, number) in numbers.iter_mut().enumerate() {
                let bits = byte >> (at * BITS) & ((1 << BITS) - 1);
                *number = (bits ^ sign).wrapping_sub(sign) as i8;
            }
        }
        all
    }
    let mut room = [0; ROOM / 2];
    match bytes.first_chunk() {
        Some(all) => room = *all,
        None => room[..bytes.len()].copy_from_slice(bytes),
    }
    match bits {
        1 => of_bits::<1>(room, is_signed),
        2 => of_bits::<2>(room, is_signed),
        _ => of_bits::<4>(room, is_signed),
    }
}

/// Where a packed element lies.
pub(super) struct BitPosition {
    pub(super) item: Inside,
    shift: u32,
    mask: u8,
}

impl BitPosition {
    /// Elements of 1, 2 or 4 bits never cross a byte. The byte is in bounds when the element is.
    #[inline(always)]
    pub(super) fn of(at: Inside, element_bits: usize) -> Self {
        let linear = at.get();
        // 1, 2 or 4 bits: multiplications and divisions by them are shifts.
        let bits = element_bits.trailing_zeros();
        let in_byte = 3 - bits;
        let within = linear & ((1 << in_byte) - 1);
        Self {
            item: Inside::of(linear >> in_byte),
            shift: (within << bits) as u32,
            mask: (1 << element_bits) - 1,
        }
    }

    /// The bits of the element in its byte.
    #[inline(always)]
    pub(super) const fn bits(&self, byte: u8) -> u8 {
        byte >> self.shift & self.mask
    }

    /// The byte with other bits for the element.
    #[inline(always)]
    pub(super) const fn with_bits(&self, byte: u8, bits: u8) -> u8 {
        byte & !(self.mask << self.shift) | (bits & self.mask) << self.shift
    }
}
