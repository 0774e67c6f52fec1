//! Packed elements as items, which parts of packed arrays share no byte, and the byte that a part
//! begins with.

use core::ops::Range;

use super::Packed;
use super::packed::{BitPosition, bits_of, number_of};
use super::part_items::{PartItems, PartItemsMut};
use super::stored::Stored;
use super::unchecked::Inside;
use crate::array_layout::{ArrayLayout, sealed::Token};
use crate::layout_error::LayoutError;
use crate::region::place;
use crate::{Coordinates, ElementType};

/// The elements of a dimension that share a byte, as [`place::elements_of_byte`] counts them.
fn elements_of_byte<L: ArrayLayout>(layout: &L, dimension: usize) -> Option<usize> {
    layout.with_resolved(Token, |whole| place::elements_of_byte(&whole, dimension))
}

/// A part of dimension `dimension` that begins or ends at `at` shares a byte.
fn shared<L: ArrayLayout>(layout: &L, dimension: usize, at: usize) -> LayoutError {
    let multiple = elements_of_byte(layout, dimension);
    let beyond = match multiple {
        // The bytes of a reversed dimension begin at its end.
        Some(multiple) if layout.is_reversed(dimension) => {
            layout.shape().coordinate(dimension) % multiple
        }
        _ => 0,
    };
    LayoutError::SharedByte {
        dimension,
        at,
        multiple,
        beyond,
    }
}

impl Stored for Packed {
    type Number = i8;
    type Ref<'a> = i8;
    const ELEMENT: Option<ElementType> = None;
    const ZEROS: Self = Self::of(0);
    const ANY_BITS: bool = true;

    #[inline(always)]
    fn number(read: i8) -> i8 {
        read
    }

    #[inline(always)]
    fn read<L: ArrayLayout>(items: PartItems<'_, Self>, layout: &L, at: Inside) -> i8 {
        number_of(layout, bits_of(items, layout, at))
    }

    #[inline(always)]
    fn change<L: ArrayLayout>(
        items: &mut PartItemsMut<'_, Self>,
        layout: &L,
        at: Inside,
        change: impl FnOnce(&mut i8),
    ) {
        let place = BitPosition::of(at, layout.element_bits());
        let item = items.item_mut(place.item);
        let mut number = number_of(layout, place.bits(*item));
        change(&mut number);
        *item = place.with_bits(*item, number as u8);
    }

    #[cfg(feature = "alloc")]
    fn fill_padding<L: ArrayLayout>(_: &mut super::Array<Self, L>) {}

    #[cfg(feature = "serde")]
    fn beyond(layout: &impl ArrayLayout, number: i8) -> Option<i8> {
        let bits = number as u8 & ((1 << layout.element_bits()) - 1);
        (number_of(layout, bits) != number).then_some(number)
    }

    #[inline(always)]
    fn items<L: ArrayLayout>(layout: &L) -> usize {
        layout.bytes()
    }

    /// Checks that a range of a dimension shares no byte with the rest of the array.
    fn check_range<L: ArrayLayout>(
        layout: &L,
        dimension: usize,
        range: Range<usize>,
    ) -> Result<(), LayoutError> {
        let size = layout.shape().coordinate(dimension);
        let multiple = elements_of_byte(layout, dimension);
        let reversed = layout.is_reversed(dimension);
        let refused = |at: usize| match multiple {
            // The ends of the dimension divide nothing.
            _ if at == 0 || at == size => false,
            Some(multiple) if reversed => !(size - at).is_multiple_of(multiple),
            Some(multiple) => !at.is_multiple_of(multiple),
            None => true,
        };
        match [range.start, range.end].into_iter().find(|&at| refused(at)) {
            Some(at) => Err(shared(layout, dimension, at)),
            None => Ok(()),
        }
    }

    /// The byte that a part begins with. The part shares no byte, as the functions above check, or
    /// it has no elements, and then no first byte.
    fn place<L: ArrayLayout, M: ArrayLayout>(layout: &L, (first, part): (usize, M)) -> (usize, M) {
        if part.buffer_len() == 0 {
            return (0, part);
        }
        match layout.bit_offset(first) {
            (byte, 0) => (byte, part),
            _ => unreachable!("a part that shares no byte begins with one"),
        }
    }

    /// The byte that a range of a dimension with steps begins with.
    ///
    /// # Errors
    /// When its lowest element in memory is inside a byte.
    fn place_of_step<L: ArrayLayout, M: ArrayLayout>(
        layout: &L,
        dimension: usize,
        (first, part): (usize, M),
    ) -> Result<(usize, M), LayoutError> {
        match layout.bit_offset(first) {
            (byte, 0) => Ok((byte, part)),
            _ => {
                let Some(at) = layout.multi_index(first) else {
                    unreachable!("a part with elements begins with one, and one without at 0");
                };
                let mut at = at.coordinate(dimension);
                if layout.is_reversed(dimension) {
                    // The lowest element is the last one, and the part ends behind it.
                    at += 1;
                }
                Err(shared(layout, dimension, at))
            }
        }
    }
}
