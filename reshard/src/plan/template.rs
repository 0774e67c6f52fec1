//! What tensors with the same pieces and the same entry of the specification share: their parts, what is read for each,
//! and how each is written.

use xlayout::sharding::Sharding;
use xlayout::{ArrayLayout, DynLayout, PrimitiveType};

use super::{PlanOptions, place};
use crate::array::{self, Array, Part};
use crate::checkpoint::{Kind, Piece, Source, Stored};
use crate::copy::{Job, Means};
use crate::formats::{npy, safetensors, zarr};
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
    pub(super) origin: Vec<usize>,
    pub(super) stored: Stored,
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
    let stored: Vec<&Stored> = pieces.iter().map(|piece| &piece.stored).collect();
    let layout = |stored: &&Stored| &source.layouts[stored.layout as usize];
    let layouts: Vec<&DynLayout> = stored.iter().map(layout).collect();
    let origins: Vec<_> = stored.iter().map(|stored| stored.origin.clone()).collect();
    let from = entry.and_then(|entry| entry.from.as_ref());
    let says = stored[0].whole.as_ref();
    let (placed, whole) = place::pieces(&layouts, (&origins, says), from)?;
    let found = layouts[0].element_type();
    let element_type = (entry.and_then(|entry| entry.element_type)).unwrap_or(found);
    if !numbers::converts(found, element_type) {
        return Err(format!(
            "its elements are {found}, and the entry says {element_type}: only bf16, f16, f32 and f64 become each other"
        ));
    }
    let array = |(k, origin): &(usize, Vec<usize>)| Array {
        origin: origin.clone(),
        encoded: stored[*k].encoded.clone(),
        ..Array::new(layouts[*k].clone(), 0)
    };
    let arrays: Vec<Array> = placed.iter().map(array).collect();
    let replicated = Sharding::replicated();
    let sharding = entry.map_or(&replicated, |entry| &entry.sharding);
    let layout_of = |sizes: &[usize]| layout_of(layouts[0], element_type, sizes, entry);
    let mut parts = Vec::new();
    let mut areas = place::parts(sharding, element_type, &whole)?;
    let chunk = match kind {
        Kind::Zarr => zarr::cut(&mut areas, &layout_of(&whole)?.0, options.object_bytes)?,
        Kind::Safetensors | Kind::Npy => Vec::new(),
    };
    for (device, area) in areas {
        let sizes = array::sizes(&area);
        let layout = match kind {
            Kind::Zarr => zarr::in_chunk(layout_of(&chunk)?, &chunk, &sizes)?,
            Kind::Npy => npy::written(layout_of(&sizes)?)?,
            Kind::Safetensors => {
                let opaque = entry.is_some_and(|entry| entry.opaque);
                safetensors::written(layout_of(&sizes)?, opaque)?
            }
        };
        let bytes = layout.bytes() as u64;
        let part = Part {
            origin: area.iter().map(|range| range.start).collect(),
            layout,
            offset: 0,
        };
        let used = (0..arrays.len()).filter(|k| pieces::common(&arrays[*k], &area).is_some());
        let used: Vec<usize> = used.collect();
        let own: Vec<Array> = used.iter().map(|k| arrays[*k].clone()).collect();
        let reads =
            pieces::reads(&own, &part).ok_or("its layout cannot be cut into these parts")?;
        let memory = usize::try_from(options.memory.min(2 * bytes)).unwrap_or(usize::MAX);
        let job = Job {
            tensor: None,
            pieces: own,
            part,
        };
        let read = |(_, [_, bytes, count, _]): &(usize, Runs)| bytes * count;
        parts.push(TemplatePart {
            device,
            bytes,
            width: safetensors::width(&job.part.layout),
            read: reads.iter().map(read).sum(),
            reads: reads.into_iter().map(|(k, runs)| (used[k], runs)).collect(),
            memory: job.memory(Means { threads: 1, memory }),
            pieces: used,
            origin: job.part.origin,
            layout: job.part.layout,
        });
    }
    let piece = |(place, origin): (usize, Vec<usize>)| TemplatePiece {
        place,
        origin,
        stored: stored[place].clone(),
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
    let wanted = entry.and_then(|entry| entry.layout(element_type, sizes));
    let said = wanted.is_some();
    let layout = wanted.unwrap_or_else(|| {
        crate::blocks::smaller(like, sizes)
            .and_then(|like| numbers::with_type(&like, element_type))
            .ok_or("the tensor is too large".to_owned())
    })?;
    array::addressable(&layout)?;
    Ok((layout, said))
}
