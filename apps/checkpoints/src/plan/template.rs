//! The data that tensors with the same pieces and the same entry of the specification share: their
//! parts, and how each is read and written.

use std::sync::Arc;

use xlayout::sharding::Sharding;
use xlayout::{ArrayLayout, DynLayout};

use super::options::PlanOptions;
use super::place;
use crate::array::{self, Array};
use crate::blocks;
use crate::checkpoint::Kind;
use crate::formats::{npy, safetensors, zarr};
use crate::numbers;
use crate::pieces::{self, Job};
use crate::spec::Entry;

/// The data that tensors with the same pieces and the same entry share.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) parts: Vec<Part>,
    /// The bytes of the tensor in all files.
    pub(super) bytes: u64,
    /// The zarr metadata of the array.
    pub(super) text: String,
}

/// A part that a device holds.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) device: u64,
    /// The job without a tensor: in place of its file, a piece has its number among the pieces of
    /// the tensor, and it begins at byte 0.
    pub(super) job: Job,
    /// The key of a zarr chunk.
    pub(super) key: String,
    pub(super) bytes: u64,
    pub(super) read: u64,
    /// The bytes of an element of the type in the file.
    pub(super) width: usize,
    /// The bytes of the buffers.
    pub(super) memory: u64,
}

/// # Errors
/// When the pieces do not make a tensor, or the entry does not fit it.
pub(super) fn make(
    all: &[Array],
    entry: Option<&Entry>,
    source_kind: Kind,
    kind: Kind,
    options: PlanOptions,
) -> Result<Template, String> {
    let (pieces, whole) = place::pieces(all, entry.and_then(|entry| entry.from.as_ref()))?;
    let like = &all[0].layout;
    let found = like.element_type();
    let element_type = (entry.and_then(|entry| entry.element_type)).unwrap_or(found);
    if !numbers::converts(found, element_type) {
        return Err(format!(
            "its elements are {found}, and the entry says {element_type}: only bf16, f16, f32 and \
             f64 become each other"
        ));
    }
    let replicated = Sharding::replicated();
    let sharding = entry.map_or(&replicated, |entry| &entry.sharding);
    // The layout of an array of these sizes, and whether the entry states it.
    let layout_of = |sizes: &[usize]| -> Result<(DynLayout, bool), String> {
        let wanted = entry.and_then(|entry| entry.layout(element_type, sizes));
        let said = wanted.is_some();
        let like = || numbers::with_type(&blocks::smaller(like, sizes)?, element_type);
        let layout =
            wanted.unwrap_or_else(|| like().ok_or("the tensor is too large".to_owned()))?;
        array::addressable(&layout)?;
        Ok((layout, said))
    };
    let mut areas = place::parts(sharding, element_type, &whole)?;
    let chunk = match kind {
        Kind::Zarr => zarr::cut(&mut areas, &layout_of(&whole)?.0, options.object_bytes)?,
        Kind::Safetensors | Kind::Npy => Vec::new(),
    };
    let mut parts = Vec::new();
    for (device, area) in areas {
        let sizes = array::sizes(&area);
        let layout = match kind {
            Kind::Zarr => zarr::in_chunk(layout_of(&chunk)?, &chunk, &sizes)?,
            Kind::Npy => npy::written(layout_of(&sizes)?)?,
            Kind::Safetensors => {
                // What safetensors has as bytes stays so.
                let is_bytes = source_kind == Kind::Safetensors;
                let opaque = entry.and_then(|entry| entry.opaque);
                safetensors::written(layout_of(&sizes)?, opaque, is_bytes)?
            }
        };
        let bytes = layout.bytes() as u64;
        let has_some = |piece: &&Array| array::common(&piece.area(), &area).is_some();
        let mut job = Job {
            tensor: None,
            layout: Arc::new(layout),
            origin: array::origin(&area),
            offset: 0,
            pieces: pieces.iter().filter(has_some).cloned().collect(),
            reads: Vec::new(),
            stated: None,
        };
        job.reads = pieces::reads(&job).ok_or("its layout cannot be cut into these parts")?;
        let runs = job.reads.iter();
        let memory = usize::try_from(options.memory.min(2 * bytes)).unwrap_or(usize::MAX);
        parts.push(Part {
            device,
            bytes,
            read: runs.map(|[_, _, bytes, count, _]| bytes * count).sum(),
            key: zarr::key(&job.origin, &chunk),
            width: safetensors::width(&job.layout),
            memory: job.memory(memory),
            job,
        });
    }
    let mut text = String::new();
    if kind == Kind::Zarr {
        let first = parts.first().map(|part| &*part.job.layout);
        text = zarr::text(&whole, element_type, &chunk, first)?;
    }
    Ok(Template {
        bytes: pieces.iter().map(Array::stored_bytes).sum(),
        text,
        parts,
    })
}
