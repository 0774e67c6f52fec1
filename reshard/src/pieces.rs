//! Which bytes of its pieces a box of a tensor is in.

use std::ops::Range;

use xlayout::{ArrayLayout, DynLayout};

use crate::array::{self, Area, Array, Part, area};
use crate::blocks::{self, PackedView};

/// A box of a piece.
pub(crate) struct Source {
    pub(crate) view: PackedView,
    pub(crate) layout: DynLayout,
    /// Where it begins in the piece.
    pub(crate) begin: Vec<usize>,
}

/// The elements that a piece has of a box of its tensor; `None` if it has none.
pub(crate) fn common(piece: &Array, wanted: &[Range<usize>]) -> Option<Area> {
    let dims = piece.origin.iter().zip(piece.layout.dims());
    array::common(dims.map(|(origin, size)| *origin..origin + size), wanted)
}

/// The numbers of which the cuts of a piece must be multiples; `None` where it cannot be cut.
pub(crate) fn granules(piece: &Array) -> Option<Vec<usize>> {
    let layout = &piece.layout;
    if !layout.terms().is_empty() || !layout.element_bits().is_multiple_of(8) {
        return None;
    }
    let notation = layout.array_shape().layout.as_ref();
    if notation.is_none_or(|notation| notation.tiles.is_empty()) {
        return Some(vec![1; layout.rank()]);
    }
    let granule = |dim| blocks::granule(layout, dim);
    (0..layout.rank()).map(granule).collect()
}

/// The box of the `k`-th piece that has these elements of the tensor: them alone if it can be cut there. With
/// `around` also a larger one, or all of the piece.
pub(crate) fn box_of(
    pieces: &[Array],
    part: &Part,
    (k, granules): (usize, &Option<Vec<usize>>),
    wanted: &[Range<usize>],
    around: bool,
) -> Option<Source> {
    let piece = &pieces[k];
    let dims = piece.layout.dims();
    let both = wanted.iter().zip(&piece.origin);
    let both = both.map(|(range, origin)| (range.start - origin, range.end - origin));
    let (mut begin, mut end): (Vec<usize>, Vec<usize>) = both.unzip();
    let granules = (granules.as_ref()).filter(|_| piece.encoded.is_none());
    let whole = begin.iter().all(|begin| *begin == 0) && end == dims;
    // The part is cut as the piece is: both layouts have agreed on the blocks.
    let agreed = piece.encoded.is_none() && matches!(pieces, [_]) && dims == part.layout.dims();
    let fits = granules.is_some_and(|granules| {
        granules.iter().enumerate().all(|(dim, granule)| {
            let ends = end[dim].is_multiple_of(*granule) || end[dim] == dims[dim];
            ends && begin[dim].is_multiple_of(*granule)
        })
    });
    if !(whole || agreed || fits) {
        if !around {
            return None;
        }
        // What cannot be cut is one granule.
        for (dim, granule) in granules.map_or(dims, |all| all).iter().enumerate() {
            begin[dim] -= begin[dim] % granule;
            end[dim] = end[dim].next_multiple_of(*granule).min(dims[dim]);
        }
    }
    let sizes = array::each(&end, &begin, |end, begin| end - begin);
    let view = PackedView::new(&piece.layout, &sizes, &begin)?;
    let layout = view.layout.clone();
    Some(Source {
        view,
        layout,
        begin,
    })
}

/// Runs of bytes of one length: where the first one begins, their bytes, how many there are, and how far
/// each begins behind the one before it.
pub(crate) type Runs = [u64; 4];

/// The bytes of each piece that are read when a part is one block; `None` where a piece has no such box.
pub(crate) fn reads(pieces: &[Array], part: &Part) -> Option<Vec<(usize, Runs)>> {
    let wanted = area(&part.origin, part.layout.dims());
    let mut all: Vec<(usize, Runs)> = Vec::new();
    for (k, piece) in pieces.iter().enumerate() {
        let Some(found) = common(piece, &wanted) else {
            continue;
        };
        if let Some((stored, _)) = &piece.encoded {
            if *stored > 0 {
                all.push((k, [0, *stored, 1, 0]));
            }
            continue;
        }
        let source = box_of(pieces, part, (k, &granules(piece)), &found, true)?;
        let first = all.len();
        for (run, at) in source.view.runs(&piece.layout) {
            let (at, bytes) = (at as u64, run.len() as u64);
            match all[first..].last_mut() {
                Some((_, [begin, length, count, stride])) if *length == bytes => {
                    let step = at - *begin - *stride * (*count - 1);
                    if *count == 1 || step == *stride {
                        (*stride, *count) = (step, *count + 1);
                        continue;
                    }
                }
                _ => {}
            }
            all.push((k, [at, bytes, 1, 0]));
        }
    }
    Some(all)
}
