//! Parts of tensors, the pieces that contain them, and the bytes of a box of a piece.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xlayout::{ArrayLayout, DynLayout};

use crate::array::{self, Area, Array};
use crate::blocks::{self, PackedView};

/// The copy of a part of a tensor: from the files with its pieces to the file of the part.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The name of the tensor, if it has one.
    pub tensor: Option<String>,
    /// The layout of the part in its file.
    pub layout: Arc<DynLayout>,
    /// The index of its first element in the tensor.
    pub origin: Vec<usize>,
    /// Its byte offset in its file; in a plan, the offset after the header.
    #[serde(rename = "at")]
    pub offset: u64,
    /// The pieces of the source. Together they have each element of the part once.
    pub pieces: Vec<Array>,
    /// In a plan, the bytes that are read: file, first byte, bytes of a run, number of runs,
    /// distance between runs.
    pub(crate) reads: Vec<[u64; 5]>,
    /// In a plan, the number of what the specification states about the pieces, if their files do
    /// not say where they begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stated: Option<usize>,
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
            stated: None,
        }
    }

    /// The box of its tensor that it contains.
    pub(crate) fn area(&self) -> Area {
        array::area(&self.origin, self.layout.dims())
    }

    /// The name of the tensor, for people.
    pub(crate) fn name(&self) -> String {
        xlayout_words::short(self.tensor.as_deref().unwrap_or_default())
    }
}

/// The numbers of which the cuts of a piece must be multiples; `None` if it cannot be cut.
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

/// The box of piece `k` with these elements of the tensor: exactly these if the piece can be cut
/// there. With `around` also a larger box, or the whole piece.
pub(crate) fn box_of(
    job: &Job,
    (k, granules): (usize, &Option<Vec<usize>>),
    wanted: &[Range<usize>],
    around: bool,
) -> Option<PackedView> {
    let piece = &job.pieces[k];
    let dims = piece.layout.dims();
    let mut area = array::inside(wanted, &piece.origin);
    let granules = (granules.as_ref()).filter(|_| piece.encoded.is_none());
    let whole = array::sizes(&area) == dims;
    // The part and the piece are cut alike: the blocks fit both layouts.
    let agreed = piece.encoded.is_none() && job.pieces.len() == 1 && dims == job.layout.dims();
    let fits = granules.is_some_and(|granules| {
        granules.iter().enumerate().all(|(dim, granule)| {
            let Range { start, end } = area[dim];
            let ends = end.is_multiple_of(*granule) || end == dims[dim];
            ends && start.is_multiple_of(*granule)
        })
    });
    if !(whole || agreed || fits) {
        if !around {
            return None;
        }
        // A piece that cannot be cut is one granule.
        for (dim, granule) in granules.map_or(dims, |all| all).iter().enumerate() {
            let Range { start, end } = area[dim];
            area[dim] = start - start % granule..end.next_multiple_of(*granule).min(dims[dim]);
        }
    }
    PackedView::new(&piece.layout, &area)
}

/// The runs of bytes that are read when a part is one block: the number of the file, where the
/// first run begins, its bytes, how many there are, and how far each begins behind the one before
/// it. `None` if a piece has no such box.
pub(crate) fn reads(job: &Job) -> Option<Vec<[u64; 5]>> {
    let wanted = job.area();
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
        for (run, at) in source.runs(&piece.layout) {
            let at = piece.offset + at as u64;
            let bytes = run.len() as u64;
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
