//! Whether two memory maps are equal: `xlayout-algebra` decides it.
//!
//! ```text
//! map(layout) = its linear index by the row-major index, as a sum of digits; a transpose permutes the dimensions of the index
//! equal       = the maps have no first difference
//! ```
//!
//! `xlayout_algebra::Map::first_difference` has the proof. It may need more steps than it has, or more room; then the maps count as different.

use xlayout_algebra::{Budget, Map, MapError};

use super::NotBitcast;
use crate::modes::MemoryMap;

/// How many digits there is room for. A layout without merged coordinates has at most 63 modes of two values or more, because the
/// product of their sizes is at most the number of places; at most 31 of its dimensions end inside of a tile, and each of these takes one digit more.
const DIGITS: usize = 96;

/// How many digits of the two maps may be computed: a constant of the compiler may take two million steps, and a digit takes
/// up to 40 of them.
const WORK: usize = 1 << 15;

/// The linear index of a layout, by the row-major index of its dimensions in this sequence; an empty one is the sequence that they have.
#[inline]
pub(super) const fn by_index(map: &MemoryMap<'_>, order: &[i64]) -> Result<Map<DIGITS>, MapError> {
    Map::of_index(map.table.sizes, order, map.table.modes, map.table.terms)
}

/// What keeps a layout with permuted dimensions from having the memory map of another one, by the row-major index of that one.
#[inline]
pub(super) const fn memory_map_obstacle(
    input: &MemoryMap<'_>,
    permutation: &[i64],
    output: &MemoryMap<'_>,
) -> Option<NotBitcast> {
    if let (Ok(a), Ok(b)) = (by_index(input, permutation), by_index(output, &[])) {
        let digits = a.term_count() + b.term_count() + 1;
        if let Ok(None) = a.first_difference(&b, Budget((WORK / digits) as u32)) {
            return None;
        }
    }
    Some(NotBitcast::MemoryMap)
}

/// Where the second index of a dimension lies, all others being 0; `None` if there is one index only.
#[inline]
pub(super) const fn second_index(map: &Map<DIGITS>, sizes: &[usize], dim: usize) -> Option<i64> {
    if sizes[dim] < 2 {
        return None;
    }
    let (mut place, mut later) = (1, dim + 1);
    while later < sizes.len() {
        place *= sizes[later] as u64;
        later += 1;
    }
    map.at_index(place)
}

#[inline]
pub(super) const fn same_place(a: Option<i64>, b: Option<i64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b,
        (None, None) => true,
        _ => false,
    }
}
