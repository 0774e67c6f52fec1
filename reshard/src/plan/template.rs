//! What tensors with the same pieces and the same entry of the specification share: their parts, what is read for each,
//! and how each is written.

use xlayout::sharding::Sharding;
use xlayout::{ArrayLayout, DynLayout, PrimitiveType};

use super::{PlanOptions, place};
use crate::array::{self, Array, Encoding, Part};
use crate::checkpoint::Kind;
use crate::checkpoint::{Piece, Source};
use crate::copy::{Job, Means};
use crate::formats::{npy as npy_file, safetensors, zarr};
use crate::numbers;
use crate::pieces::{self, Runs};
use crate::spec::Entry;

/// What tensors with the same pieces and the same entry share.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) pieces: Vec<TemplatePiece>,
    pub(super) parts: Vec<TemplatePart>,
    pub(super) bytes: u64,
    /// The sizes of the tensor.
    pub(super) whole: Vec<usize>,
    /// Those of a chunk, if it is written in chunks.
    pub(super) chunk: Vec<usize>,
    /// Of what is written.
    pub(super) element_type: PrimitiveType,
}

/// A piece that is used.
#[derive(Debug)]
pub(super) struct TemplatePiece {
    /// Its place among all pieces of the tensor.
    pub(super) place: usize,
    pub(super) layout: u32,
    pub(super) origin: Vec<usize>,
    pub(super) swap: Option<usize>,
    pub(super) encoded: Option<(u64, Vec<Encoding>)>,
}

#[derive(Debug)]
pub(super) struct TemplatePart {
    pub(super) device: u64,
    pub(super) layout: DynLayout,
    pub(super) origin: Vec<usize>,
    pub(super) bytes: u64,
    /// Of an element as the file names it.
    pub(super) width: usize,
    /// The pieces of the template that have some of it, and what is read of each.
    pub(super) pieces: Vec<usize>,
    pub(super) reads: Vec<(usize, Runs)>,
    pub(super) read: u64,
    pub(super) memory: u64,
}

/// # Errors
/// When the pieces do not make a tensor, or the entry does not fit it.
pub(super) fn make(
    source: &Source,
    pieces: &[Piece],
    entry: Option<&Entry>,
    (kind, options): (Kind, PlanOptions),
) -> Result<Template, String> {
    let layouts: Vec<&DynLayout> = (pieces.iter())
        .map(|piece| &source.layouts[piece.layout as usize])
        .collect();
    let origins: Vec<_> = pieces.iter().map(|piece| piece.origin.clone()).collect();
    let from = entry.and_then(|entry| entry.from.as_ref());
    let says = pieces[0].whole.as_ref();
    let (placed, whole) = place::pieces(&layouts, (&origins, says), from)?;
    let found = layouts[0].element_type();
    let element_type = (entry.and_then(|entry| entry.element_type)).unwrap_or(found);
    if !numbers::converts(found, element_type) {
        return Err(format!(
            "its elements are {found}, and the entry says {element_type}: only bf16, f16, f32 and f64 become each other"
        ));
    }
    let arrays: Vec<Array> = (placed.iter())
        .map(|(k, origin)| Array {
            origin: origin.clone(),
            encoded: pieces[*k].encoded.clone(),
            ..Array::new(layouts[*k].clone(), 0)
        })
        .collect();
    let replicated = Sharding::replicated();
    let sharding = entry.map_or(&replicated, |entry| &entry.sharding);
    let mut parts = Vec::new();
    let mut areas = place::parts(sharding, element_type, &whole)?;
    let chunk = match kind {
        Kind::Zarr => {
            let (layout, _) = layout_of(layouts[0], element_type, &whole, entry)?;
            zarr::cut(&mut areas, &layout, options.object_bytes)?
        }
        Kind::Safetensors | Kind::Npy => Vec::new(),
    };
    for (device, area) in areas {
        let sizes: Vec<usize> = area.iter().map(ExactSizeIterator::len).collect();
        let of = |sizes| layout_of(layouts[0], element_type, sizes, entry);
        let (layout, width) = match kind {
            Kind::Zarr => (zarr::in_chunk(of(&chunk)?, &chunk, &sizes)?, 1),
            Kind::Npy => (npy_file::written(of(&sizes)?)?, 1),
            Kind::Safetensors => {
                safetensors::written(of(&sizes)?, entry.is_some_and(|entry| entry.opaque))?
            }
        };
        let part = Part {
            origin: area.iter().map(|range| range.start).collect(),
            layout,
            offset: 0,
        };
        let used: Vec<usize> = (0..arrays.len())
            .filter(|k| pieces::common(&arrays[*k], &area).is_some())
            .collect();
        let own: Vec<Array> = used.iter().map(|k| arrays[*k].clone()).collect();
        let job = Job {
            pieces: &own,
            part: &part,
        };
        let reads =
            pieces::reads(&own, &part).ok_or("its layout cannot be cut into these parts")?;
        let memory = (options.memory).min(2 * part.layout.bytes() as u64);
        let means = Means {
            threads: 1,
            memory: usize::try_from(memory).unwrap_or(usize::MAX),
        };
        parts.push(TemplatePart {
            device,
            bytes: part.layout.bytes() as u64,
            width,
            read: reads
                .iter()
                .map(|(_, [_, bytes, count, _])| bytes * count)
                .sum(),
            reads: reads.into_iter().map(|(k, runs)| (used[k], runs)).collect(),
            memory: job.memory(means),
            pieces: used,
            origin: part.origin,
            layout: part.layout,
        });
    }
    let piece = |(place, origin): (usize, Vec<usize>)| {
        let piece = &pieces[place];
        TemplatePiece {
            place,
            layout: piece.layout,
            origin,
            swap: piece.swap,
            encoded: piece.encoded.clone(),
        }
    };
    Ok(Template {
        bytes: arrays.iter().map(Array::stored_bytes).sum(),
        pieces: placed.into_iter().map(piece).collect(),
        parts,
        whole,
        chunk,
        element_type,
    })
}

/// The layout that an array of these sizes gets, and whether the entry says it.
fn layout_of(
    like: &DynLayout,
    element_type: PrimitiveType,
    sizes: &[usize],
    entry: Option<&Entry>,
) -> Result<(DynLayout, bool), String> {
    let wanted = entry
        .and_then(|entry| entry.layout(element_type, sizes))
        .transpose()?;
    let said = wanted.is_some();
    let like = || {
        crate::blocks::smaller(like, sizes)
            .and_then(|like| numbers::with_type(&like, element_type))
            .ok_or("the tensor is too large".to_owned())
    };
    let layout = wanted.map_or_else(like, Ok)?;
    array::addressable(&layout)?;
    Ok((layout, said))
}
