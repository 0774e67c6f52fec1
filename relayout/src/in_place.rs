//! A copy of an array to its own memory, in another layout.
//!
//! ```text
//! memory is divided into cells: blocks that are contiguous on both sides, or elements
//! source(place) is the cell that is copied to a place, or nothing for padding
//! for each place that is written and never read:            an open chain
//!     while source(place) exists: copy source(place) to place; place = source(place)
//! for each place that is not done:                          a cycle
//!     hold the cell at the place
//!     copy source(place) to place, and go on at source(place), until the cycle is back
//!     write the held cell to the last place
//! ```
//!
//! A bit for each place records whether it is done. Square transposes swap elements and need no
//! bits.

mod swap;

use alloc::vec::Vec;

use xlayout_core::{ArrayLayout, Element};

use crate::bits;
use crate::bytes;
use crate::error::{End, RelayoutError};
use crate::nest::Nest;
use crate::side::{Identity, Side, same_length, same_width};
use crate::way::Way;
use swap::swap;

/// Brings an array into another layout within its own memory.
///
/// Both layouts must allocate the same number of bytes. If they place the elements alike, nothing
/// moves. Square transposes swap elements. Otherwise each element, or run of elements, moves once,
/// and the call keeps a bit for each. A copy to other memory is faster. Padding holds old values
/// afterwards; [`ArrayBase::fill_padding`](xlayout_core::ArrayBase::fill_padding) fills it. In a
/// slice only the places of its elements are written: the memory between them belongs to another
/// array.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
/// use xlayout_relayout::relayout_in_place;
///
/// let rows: DynLayout = "s32[2,3]{1,0}".parse().unwrap();
/// let columns: DynLayout = "s32[2,3]{0,1}".parse().unwrap();
/// let array = Array::new(rows.clone(), vec![1, 2, 3, 4, 5, 6]).unwrap();
///
/// let mut memory = array.into_vec();
/// relayout_in_place(&mut memory, &rows, &columns).unwrap();
/// let array = Array::new(columns, memory).unwrap();
/// assert_eq!(array.memory(), [1, 4, 2, 5, 3, 6]);
/// assert_eq!(array[[1, 2]], 6);
/// ```
///
/// # Errors
/// If
/// - the layouts are not two layouts of one array, with the same number of bytes;
/// - the memory has another length, or elements of another width;
/// - an element of a slice would get a place outside of the slice;
/// - the heap has no room for one bit for each element.
pub fn relayout_in_place<T: Element>(
    memory: &mut [T],
    from: &impl ArrayLayout,
    to: &impl ArrayLayout,
) -> Result<(), RelayoutError> {
    let found = 8 * size_of::<T>();
    same_width(End::Destination, to.element_bits(), found)?;
    if !T::ANY_BITS {
        // Whole elements move below, and stay values.
        same_width(End::Source, from.element_bits(), found)?;
    }
    #[expect(unsafe_code, reason = "whole elements move")]
    // SAFETY: where not every bit pattern is a value, elements have the width of `T` on both sides,
    // and whole ones move.
    let bytes = unsafe { bytes::of_mut(memory) };
    relayout_bytes_in_place(bytes, from, to)
}

/// As [`relayout_in_place`], for the bytes of an array, packed ones too.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::relayout_bytes_in_place;
///
/// let rows: DynLayout = "u4[2,2]{1,0:E(4)}".parse().unwrap();
/// let columns: DynLayout = "u4[2,2]{0,1:E(4)}".parse().unwrap();
/// let mut bytes = [0x21, 0x43];
/// relayout_bytes_in_place(&mut bytes, &rows, &columns).unwrap();
/// assert_eq!(bytes, [0x31, 0x42]);
/// ```
///
/// # Errors
/// As [`relayout_in_place`].
pub fn relayout_bytes_in_place(
    memory: &mut [u8],
    from: &impl ArrayLayout,
    to: &impl ArrayLayout,
) -> Result<(), RelayoutError> {
    let (sizes, src, dst) = Identity::sides(from, to)?;
    let sizes = sizes.as_slice();
    if src.bytes != dst.bytes || src.bits != dst.bits {
        return Err(RelayoutError::InPlace {
            source: src.bytes,
            destination: dst.bytes,
        });
    }
    same_length(End::Destination, dst.bytes, memory.len())?;
    if src.is_of(to) {
        return Ok(());
    }
    if (0..sizes.len()).any(|dim| from.is_reversed(dim) || to.is_reversed(dim)) {
        return elements(memory, &src, from, to);
    }
    match Way::new(sizes, &src, &dst)? {
        Way::Nothing => Ok(()),
        Way::Task(_, nest) => {
            if nest.loops.len() == 0 && nest.src == nest.dst || swap(memory, &nest) {
                return Ok(());
            }
            // Runs of bytes that begin at multiples of their width on both sides.
            match nest.divided(nest.width, nest.width, nest.width) {
                Some(blocks) => {
                    let places = memory.len() / nest.width;
                    let source = |place| source(&blocks, place);
                    follow(memory, 8 * nest.width, places, src.owns_padding, source)
                }
                None => elements(memory, &src, from, to),
            }
        }
        Way::Boxes(_) | Way::Bits(_) | Way::General(_) => elements(memory, &src, from, to),
    }
}

/// Element by element, by the layouts' own arithmetic.
fn elements(
    memory: &mut [u8],
    src: &Side,
    from: &impl ArrayLayout,
    to: &impl ArrayLayout,
) -> Result<(), RelayoutError> {
    let places = src.places.max(to.buffer_len());
    follow(memory, src.bits, places, src.owns_padding, |place| {
        let index = to.multi_index(place)?;
        from.linear_index_in_bounds(index.as_ref())
    })
}

/// Returns the block of the source that is copied to `place`, or `None` if `place` is padding.
/// Steps count blocks.
fn source(blocks: &Nest, place: usize) -> Option<usize> {
    let mut rest = place.checked_sub(blocks.dst as usize)?;
    let mut from = blocks.src;
    // The longest steps in the destination first.
    for level in blocks.loops.as_slice().iter().rev() {
        let digit = rest / level.dst as usize;
        rest %= level.dst as usize;
        if digit >= level.size {
            return None;
        }
        from += digit as isize * level.src;
    }
    (rest == 0).then_some(from as usize)
}

/// Permutes the cells of `bits` bits in the `places` places of the memory. `source(place)` is the
/// cell that is copied to `place`, or `None` for padding. Padding is written only if the array
/// `owns_padding`.
fn follow(
    memory: &mut [u8],
    bits: usize,
    places: usize,
    owns_padding: bool,
    mut source: impl FnMut(usize) -> Option<usize>,
) -> Result<(), RelayoutError> {
    // The places that are done, and the places that are read.
    let mut done = Marks::new(places)?;
    let mut taken = Marks::new(places)?;
    for place in 0..places {
        if let Some(from) = source(place) {
            taken.set(from);
        }
    }
    // Checked before anything moves: the elements of a slice must stay at the places of the slice.
    let mut outside = |place| !taken.get(place) && source(place).is_some();
    if !owns_padding && (0..places).any(&mut outside) {
        return Err(RelayoutError::OutsideSlice);
    }
    let mut held = alloc::vec![0; bits.div_ceil(8)];
    let mut moved = held.clone();
    // First the open chains: each begins at a place that is written and never read.
    for first in 0..places {
        if taken.get(first) {
            continue;
        }
        let mut place = first;
        while let Some(from) = source(place) {
            done.set(place);
            copy(memory, bits, from, place, &mut moved);
            place = from;
        }
        done.set(first);
    }
    for first in 0..places {
        if done.get(first) {
            continue;
        }
        let Some(mut from) = source(first) else {
            continue;
        };
        if from == first {
            continue;
        }
        cell(memory, first, &mut held, 0, bits);
        let mut place = first;
        while from != first {
            copy(memory, bits, from, place, &mut moved);
            done.set(place);
            place = from;
            match source(place) {
                Some(next) => from = next,
                None => unreachable!("distinct places have distinct sources: what ends is a chain"),
            }
        }
        done.set(place);
        cell(&held, 0, memory, place, bits);
    }
    Ok(())
}

/// Copies a cell to another place. `held` is a buffer for a cell that is not whole bytes.
fn copy(memory: &mut [u8], bits: usize, from: usize, to: usize, held: &mut [u8]) {
    if bits.is_multiple_of(8) {
        let width = bits / 8;
        memory.copy_within(from * width..(from + 1) * width, to * width);
    } else {
        cell(memory, from, held, 0, bits);
        cell(held, 0, memory, to, bits);
    }
}

/// Copies cell `from` of one memory to cell `to` of another one.
fn cell(src: &[u8], from: usize, dst: &mut [u8], to: usize, bits: usize) {
    let from = from * bits;
    let to = to * bits;
    if bits.is_multiple_of(8) {
        dst[to / 8..][..bits / 8].copy_from_slice(&src[from / 8..][..bits / 8]);
    } else {
        bits::copy_cell(src, from, dst, to, bits);
    }
}

/// A bit for each place.
struct Marks(Vec<u64>);

impl Marks {
    fn new(places: usize) -> Result<Self, RelayoutError> {
        let words = places.div_ceil(64);
        let mut marks = Vec::new();
        marks
            .try_reserve_exact(words)
            .map_err(|_| RelayoutError::NoMemory {
                bytes: 8 * words,
                of: "marks, a bit for each element",
                instead: "copy to another buffer by parts",
            })?;
        marks.resize(words, 0);
        Ok(Self(marks))
    }

    fn get(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    fn set(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }
}
