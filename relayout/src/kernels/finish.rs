//! Panels whose columns begin anywhere in a cache line.
//!
//! ```text
//! each column of a tile has a slot: the line that the tile above left over, and the lines of this
//!     tile
//! for each band of at most BAND columns, for each tile of the band:
//!     copy the lines that the tile above left over to the front of the slots
//!     transpose the blocks of the tile as `lines` does, and store each of their columns in the
//!     slot of the column
//!     for each slot:
//!         write its complete cache lines to the destination, past the cache
//!         its last line waits for the tile below; behind the last tile, write the rest
//! ```
//!
//! So each line of the destination is written once, though no column begins at a line. Tiles follow
//! each other along the rows, so that the source is read in long runs: on a Xeon f32[999,3999]
//! transposed took .9 of the time of tiles from the top down, where no band is needed.

use super::lanes::Lanes;
use super::write::{Scratch, copy, multiples, stream, stream_line};
use crate::kernels::cost::MOST_COLUMNS;
use crate::machine::LINE;

/// The most lines of a column that are put together at once.
pub(super) const MOST_DOWN: usize = 4;

/// The bytes of a slot: the last line of the tile above, and the lines of this tile.
pub(super) const SLOT: usize = (1 + MOST_DOWN) * LINE;

/// The offsets of the slots of a block.
pub(super) const SLOTS: [isize; LINE] = multiples(SLOT);

/// The slots of a tile.
pub(super) type Slots = Scratch<{ MOST_COLUMNS * SLOT }>;

/// The most columns of a band. Their lines that wait fit into the second cache, and so do the
/// entries of their pages in a processor's table of 1,536 and more.
pub(super) const BAND: usize = 1024;

/// The lines that the tiles above left over, one for each column of a band.
pub(super) type Waiting = Scratch<{ BAND * LINE }>;

/// Copies the lines that wait for a tile of `wide` columns to the front of its slots. It does so
/// before the tile is transposed: a load that spans two stores which are not yet in the cache would
/// wait for both.
///
/// # Safety
/// There are as many slots, and at `waiting` the lines that as many columns left over. The processor
/// has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn resume<L: Lanes>(slots: *mut u8, waiting: *const u8, wide: usize) {
    for k in 0..wide {
        // SAFETY: the caller's promise.
        unsafe { copy::<L>(waiting.add(k * LINE), slots.add(k * SLOT), LINE) };
    }
}

/// Writes the complete lines of a tile. Its last line then waits, or is written behind the last
/// tile. It does not write block by block, for the reason at [`resume`].
///
/// # Safety
/// The columns have `all` bytes and begin at the offsets `to` from `dst`. The slots hold the
/// columns of a tile of `high` bytes, or fewer at the end, from byte `begin` on, and the line above
/// the tile if there is one. There is a line for each column at `waiting`.
#[inline(always)]
pub(super) unsafe fn write<L: Lanes>(
    (slots, waiting): (*mut u8, *mut u8),
    dst: *mut u8,
    (begin, high, all): (usize, usize, usize),
    to: &[isize],
) {
    let end = begin + high;
    // SAFETY: the caller's promise. What is written is a part of the column; the line above
    // the tile is in front of it, in the slot and in the column.
    unsafe {
        for (k, to) in to.iter().enumerate() {
            let slot = slots.add(k * SLOT);
            let to = dst.offset(*to);
            // The bytes before the first line of the column.
            let head = (to as usize).wrapping_neg() % LINE;
            if begin > 0 && end < all {
                let mut line = slot.add(head);
                let mut to = to.add(begin - LINE + head);
                for _ in 0..high / LINE {
                    stream_line::<L>(line, to);
                    (line, to) = (line.add(LINE), to.add(LINE));
                }
            } else {
                let first = if begin == 0 { 0 } else { begin - LINE + head };
                let last = if end < all { end - LINE + head } else { all };
                let from = slot.add(LINE + first - begin);
                stream::<L>(from, to.add(first), last - first);
            }
            if end < all {
                copy::<L>(slot.add(high), waiting.add(k * LINE), LINE);
            }
        }
    }
}
