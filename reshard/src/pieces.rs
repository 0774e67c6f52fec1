//! A part of a tensor and the pieces that have it, and which of their bytes a box of it is in.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xlayout::{ArrayLayout, DynLayout};

use crate::array::{self, Array, area, as_text};
use crate::blocks::{self, PackedView};
use crate::words;

/// A part of a tensor, from the files that have pieces of it to the one that gets the part.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The name of the tensor, if it has one.
    pub tensor: Option<String>,
    /// Of the part alone, as it is written.
    #[serde(with = "as_text")]
    pub layout: Arc<DynLayout>,
    /// Where it begins in the tensor: an index.
    pub origin: Vec<usize>,
    /// Where it begins in its file, in bytes; in a plan, behind the header.
    #[serde(rename = "at")]
    pub offset: u64,
    /// Of the source; together they have each element of the part once.
    pub pieces: Vec<Array>,
    /// In a plan the bytes that are read: file, first byte, bytes of a run, number of runs, from one run to the next.
    pub(crate) reads: Vec<[u64; 5]>,
}

impl Job {
    /// All of an array, in this layout at this byte of a file.
    #[must_use]
    pub fn new(tensor: Option<String>, array: &Array, layout: DynLayout, offset: u64) -> Self {
        Self {
            tensor,
            layout: Arc::new(layout),
            origin: array.origin.clone(),
            offset,
            pieces: vec![array.clone()],
            reads: Vec::new(),
        }
    }

    /// The name of the tensor, for people.
    pub(crate) fn name(&self) -> String {
        words::short(self.tensor.as_deref().unwrap_or_default())
    }
}

/// A box of a piece.
pub(crate) struct Source {
    pub(crate) view: PackedView,
    /// Where it begins in the piece.
    pub(crate) begin: Vec<usize>,
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
    job: &Job,
    (k, granules): (usize, &Option<Vec<usize>>),
    wanted: &[Range<usize>],
    around: bool,
) -> Option<Source> {
    let piece = &job.pieces[k];
    let dims = piece.layout.dims();
    let both = wanted.iter().zip(&piece.origin);
    let both = both.map(|(range, origin)| (range.start - origin, range.end - origin));
    let (mut begin, mut end): (Vec<usize>, Vec<usize>) = both.unzip();
    let granules = (granules.as_ref()).filter(|_| piece.encoded.is_none());
    let whole = begin.iter().all(|begin| *begin == 0) && end == dims;
    // The part is cut as the piece is: both layouts have agreed on the blocks.
    let agreed = piece.encoded.is_none() && job.pieces.len() == 1 && dims == job.layout.dims();
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
    Some(Source { view, begin })
}

/// The runs of bytes that are read when a part is one block: the number of the file, where the first run begins, its
/// bytes, how many there are, and how far each begins behind the one before it. `None` where a piece has no such box.
pub(crate) fn reads(job: &Job) -> Option<Vec<[u64; 5]>> {
    let wanted = area(&job.origin, job.layout.dims());
    let mut all: Vec<[u64; 5]> = Vec::new();
    for (k, piece) in job.pieces.iter().enumerate() {
        let Some(found) = array::common(&piece.area(), &wanted) else {
            continue;
        };
        let file = piece.file as u64;
        if let Some((stored, _)) = &piece.encoded {
            if *stored > 0 {
                all.push([file, piece.offset, *stored, 1, 0]);
            }
            continue;
        }
        let source = box_of(job, (k, &granules(piece)), &found, true)?;
        let first = all.len();
        for (run, at) in source.view.runs(&piece.layout) {
            let (at, bytes) = (piece.offset + at as u64, run.len() as u64);
            if let Some([_, begin, length, count, stride]) = all[first..].last_mut()
                && *length == bytes
            {
                let step = at - *begin - *stride * (*count - 1);
                if *count == 1 || step == *stride {
                    (*stride, *count) = (step, *count + 1);
                    continue;
                }
            }
            all.push([file, at, bytes, 1, 0]);
        }
    }
    Some(all)
}
