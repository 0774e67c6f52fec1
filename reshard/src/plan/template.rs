//! What tensors with the same pieces and the same entry of the specification share: their parts, what is read for each,
//! and how each is written.

use xlayout::interop::NumpyOrder;
use xlayout::sharding::Sharding;
use xlayout::{ArrayLayout, DynLayout, PrimitiveType};

use super::place;
use crate::array::{self, Array, Part};
use crate::copy::{Job, Means};
use crate::formats::{npy as npy_file, safetensors};
use crate::numbers;
use crate::pieces::{self, Runs};
use crate::source::{Piece, Source};
use crate::spec::Entry;

/// What tensors with the same pieces and the same entry share.
#[derive(Debug)]
pub(super) struct Template {
    /// Of the pieces that are used: the place among all of the tensor, the layout, where it begins.
    pub(super) pieces: Vec<(usize, u32, Vec<usize>, Option<usize>)>,
    pub(super) parts: Vec<TemplatePart>,
    pub(super) bytes: u64,
}

#[derive(Debug)]
pub(super) struct TemplatePart {
    pub(super) device: u64,
    pub(super) layout: String,
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
    (npy, memory): (bool, u64),
) -> Result<Template, String> {
    let layouts: Vec<&DynLayout> = (pieces.iter())
        .map(|piece| &source.layouts[piece.layout as usize])
        .collect();
    let origins: Vec<_> = pieces.iter().map(|piece| piece.origin.clone()).collect();
    let from = entry.and_then(|entry| entry.from.as_ref());
    let (placed, whole) = place::pieces(&layouts, &origins, from)?;
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
            ..Array::new(layouts[*k].clone(), 0)
        })
        .collect();
    let replicated = Sharding::replicated();
    let sharding = entry.map_or(&replicated, |entry| &entry.sharding);
    let mut parts = Vec::new();
    for (device, area) in place::parts(sharding, element_type, &whole)? {
        let sizes: Vec<usize> = area.iter().map(ExactSizeIterator::len).collect();
        let (layout, width) = layout_of(layouts[0], element_type, &sizes, (entry, npy))?;
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
        let memory = memory.min(2 * part.layout.bytes() as u64);
        let means = Means {
            threads: 1,
            memory: usize::try_from(memory).unwrap_or(usize::MAX),
        };
        parts.push(TemplatePart {
            device,
            layout: array::text(&part.layout),
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
        });
    }
    let piece = |(k, origin): (usize, Vec<usize>)| (k, pieces[k].layout, origin, pieces[k].swap);
    Ok(Template {
        bytes: arrays.iter().map(|array| array.layout.bytes() as u64).sum(),
        pieces: placed.into_iter().map(piece).collect(),
        parts,
    })
}

/// The layout of a part as it is written, and the bytes of an element as its file names it.
fn layout_of(
    like: &DynLayout,
    element_type: PrimitiveType,
    sizes: &[usize],
    (entry, npy): (Option<&Entry>, bool),
) -> Result<(DynLayout, usize), String> {
    let wanted = entry
        .and_then(|entry| entry.layout(element_type, sizes))
        .transpose()?;
    let like = || {
        crate::blocks::smaller(like, sizes)
            .and_then(|like| numbers::with_type(&like, element_type))
            .ok_or("the tensor is too large".to_owned())
    };
    let layout = match wanted {
        Some(layout) => layout,
        None => like()?,
    };
    array::addressable(&layout)?;
    let said = entry
        .and_then(|entry| entry.layout(element_type, sizes))
        .is_some();
    if npy {
        let layout = match (npy_file::order(&layout), said) {
            (Some(_), _) => layout,
            (None, false) => {
                array::in_order(&layout, NumpyOrder::C).ok_or("the tensor is too large")?
            }
            (None, true) => {
                return Err(format!(
                    "a `.npy` file cannot say that its array is `{}`; it has two orders, C and F",
                    array::text(&layout)
                ));
            }
        };
        if npy_file::header(&layout).is_none() {
            return Err(format!(
                "NumPy has no type like {element_type}; write safetensors"
            ));
        }
        return Ok((layout, 1));
    }
    let plain = safetensors::plain(&layout);
    match plain {
        Some((_, plain)) if !said || array::same_memory(&plain, &layout) => {
            let width = plain.element_bits() / 8;
            Ok((plain, width.max(1)))
        }
        // A type without a name stays as it is.
        None if !said => Ok((layout, 1)),
        _ if entry.is_some_and(|entry| entry.opaque) => Ok((layout, 1)),
        _ => Err(format!(
            "a safetensors file cannot say that it is `{}`; its tensors are row-major; `opaque = true` stores \
             it as bytes, with its shape in the metadata for `xlayout` to read",
            array::text(&layout)
        )),
    }
}
