//! Whether two memory maps are equal: `xlayout-algebra` decides it.
//!
//! ```text
//! map(layout) = its linear index by the row-major index, as a sum of digits; a transpose permutes
//!     the dimensions of the index
//! equal       = the sizes and the modes are the same, or the maps have no first difference
//! ```
//!
//! `xlayout_algebra::Map::first_difference` has the proof. It may need more steps than it has, or
//! more room; then the maps count as different. It counts below 2^62.

use xlayout_algebra::{Budget, Map, MapError};

use super::NotBitcast;
use crate::modes::{MemoryMap, Resolved};

/// How many digits there is room for. A layout without merged coordinates has at most 63 modes of
/// two values or more, because the product of their sizes is at most the number of places; at most
/// 31 of its dimensions end inside of a tile, and each of these takes one digit more.
const DIGITS: usize = 96;

/// How many digits of the two maps may be computed: a constant of the compiler may take two million
/// steps, and a digit takes up to 40 of them.
const WORK: usize = 1 << 15;

/// The linear index of a layout, by the row-major index of its dimensions in this sequence; an
/// empty one is the sequence that they have.
#[inline]
pub(super) const fn by_index(map: &MemoryMap<'_>, order: &[i64]) -> Result<Map<DIGITS>, MapError> {
    Map::of_index(map.table.sizes, order, map.table.modes, map.table.terms)
}

/// Why `input`, permuted, has not the memory map of `output`, by the row-major index of the latter.
#[inline]
pub(super) const fn memory_map_obstacle(
    input: &MemoryMap<'_>,
    permutation: &[i64],
    output: &MemoryMap<'_>,
) -> Option<NotBitcast> {
    if permutation.is_empty() && same_modes(&input.table, &output.table) {
        return None;
    }
    if let (Ok(a), Ok(b)) = (by_index(input, permutation), by_index(output, &[])) {
        let digits = a.term_count() + b.term_count() + 1;
        if let Ok(None) = a.first_difference(&b, Budget((WORK / digits) as u32)) {
            return None;
        }
    }
    Some(NotBitcast::MemoryMap)
}

/// Whether two layouts have the same sizes and modes, none of them of merged coordinates.
#[inline]
const fn same_modes(a: &Resolved<'_>, b: &Resolved<'_>) -> bool {
    let mut same = a.sizes.len() == b.sizes.len()
        && a.modes.len() == b.modes.len()
        && a.terms.is_empty()
        && b.terms.is_empty();
    each!(d, 0..a.sizes.len(), {
        same = same && a.sizes[d] == b.sizes[d];
    });
    each!(m, 0..a.modes.len(), {
        if !same {
            return false;
        }
        let x = &a.modes[m];
        let y = &b.modes[m];
        same = x.dim == y.dim && x.divisor == y.divisor && x.size == y.size && x.stride == y.stride;
    });
    same
}

/// Where the second index of a dimension lies, all others being 0; `None` if there is one index
/// only.
#[inline]
pub(super) const fn second_index(map: &Map<DIGITS>, sizes: &[usize], dim: usize) -> Option<i64> {
    if sizes[dim] < 2 {
        return None;
    }
    let mut place = 1;
    each!(size, sizes.split_at(dim + 1).1, {
        place *= *size as u64;
    });
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
