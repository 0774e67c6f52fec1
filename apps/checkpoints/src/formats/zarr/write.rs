//! Writes an array: version 3, in chunks that are not compressed, each in a file.

use std::collections::BTreeMap;

use serde_json::json;
use xlayout::interop::numpy_name;
use xlayout::shape::{TileDim, Tiles};
use xlayout::xla::primitive_util::{is_complex_type, is_floating_point_type};
use xlayout::{ArrayLayout, DynLayout, ElementType};

use super::inside;
use super::parts::{TEXT_3, in_order, indices};
use crate::array::{self, Area};

/// Cuts the parts of an array into chunks of about `chunk_bytes` bytes, along the most major
/// dimensions of the layout first. Returns the sizes of a whole chunk; those at the end of the
/// array are smaller.
///
/// # Errors
/// When there are too many.
pub(crate) fn cut(
    parts: &mut Vec<(u64, Area)>,
    layout: &DynLayout,
    chunk_bytes: u64,
) -> Result<Vec<usize>, String> {
    // A part without elements has no chunks.
    parts.retain(|(_, area)| area.iter().all(|range| !range.is_empty()));
    let whole = layout.dims();
    // The first device may hold a part at the end.
    let sizes = parts.iter().map(|(_, area)| array::sizes(area));
    let largest = sizes.reduce(|a, b| array::each(&a, &b, usize::max));
    let none = || whole.iter().map(|size| (*size).max(1)).collect();
    let mut chunk: Vec<usize> = largest.unwrap_or_else(none);
    let width = layout.element_bits().div_ceil(8) as u64;
    let sizes = chunk.iter().map(|size| *size as u64);
    let mut bytes = sizes.fold(width, u64::saturating_mul);
    for dim in major_to_minor(layout) {
        let pieces = bytes
            .div_ceil(chunk_bytes.max(1))
            .min(chunk[dim] as u64)
            .max(1) as usize;
        let about = chunk[dim].div_ceil(pieces);
        // Each part begins at the beginning of a chunk.
        let alone = chunk[dim] == whole[dim];
        let fits = |size: &usize| alone || chunk[dim].is_multiple_of(*size);
        let size = (1..=about).rev().find(fits).unwrap_or(1);
        bytes = bytes.div_ceil(chunk[dim].div_ceil(size) as u64);
        chunk[dim] = size;
    }
    let mut all = Vec::new();
    for (device, area) in parts.drain(..) {
        let counts = array::each(&array::sizes(&area), &chunk, usize::div_ceil);
        let indices = indices(&counts);
        let wrong = "it would have more than 10,000,000 chunks; give it larger ones";
        for index in indices.ok_or(wrong)? {
            let range = |dim: usize| {
                let begin = area[dim].start + index[dim] * chunk[dim];
                begin..(begin + chunk[dim]).min(area[dim].end)
            };
            all.push((device, (0..area.len()).map(range).collect()));
        }
    }
    *parts = all;
    Ok(chunk)
}

/// The dimensions, the most major one first.
fn major_to_minor(layout: &DynLayout) -> Vec<usize> {
    let notation = layout.array_shape().layout.clone().unwrap_or_default();
    let order = notation.minor_to_major.iter().rev();
    order.map(|dim| *dim as usize).collect()
}

/// The layout of a part in a chunk of these sizes; like `wanted`, which is for the chunk, it has
/// one order of its dimensions. A chunk at the end has padding after its rows and at its end.
///
/// # Errors
/// When it has another layout.
pub(crate) fn in_chunk(
    (wanted, said): (DynLayout, bool),
    chunk: &[usize],
    sizes: &[usize],
) -> Result<DynLayout, String> {
    let too_large = "the tensor is too large";
    let element_type = wanted.element_type();
    let mut major = major_to_minor(&wanted);
    let mut dense = in_order(element_type, chunk, &major).ok_or(too_large)?;
    if !array::same_memory(&dense, &wanted) {
        if said {
            let shape = array::text(&wanted);
            return Err(format!(
                "a zarr array cannot say that its chunks are `{shape}`; they are dense, in any \
                 order of the dimensions"
            ));
        }
        major = (0..chunk.len()).collect();
        dense = in_order(element_type, chunk, &major).ok_or(too_large)?;
    }
    let mut layout = dense.array_shape().layout.clone().unwrap_or_default();
    // Rows keep their positions if all dimensions except the most major one have the sizes of the
    // chunk.
    let ragged = (1..major.len()).find(|k| sizes[major[*k]] != chunk[major[*k]]);
    if let Some(first) = ragged {
        let tile = (major[first..].iter()).map(|dim| TileDim::Size(chunk[*dim] as i64));
        let tiles = Tiles::from_tiles(&[&tile.collect::<Vec<_>>()]);
        layout = layout.with_tiles(tiles.map_err(|error| error.to_string())?);
    }
    if sizes != chunk {
        let end = dense.buffer_len() as i64;
        let padded = layout.with_tail_padding_alignment_in_elements(end);
        layout = padded.map_err(|error| error.to_string())?;
    }
    array::with_layout(element_type, sizes, layout).ok_or_else(|| too_large.to_owned())
}

/// The key of a chunk: the name of its file in the folder of the array.
pub(crate) fn key(origin: &[usize], chunk: &[usize]) -> String {
    let index = array::each(origin, chunk, |at, size| format!("/{}", at / size));
    format!("c{}", index.concat())
}

/// The text of an array with these sizes and these chunks; `layout` is that of the first one, if
/// there is one.
///
/// # Errors
/// When zarr has no such type.
pub(crate) fn text(
    shape: &[usize],
    element_type: ElementType,
    chunk: &[usize],
    layout: Option<&DynLayout>,
) -> Result<String, String> {
    let none = || format!("zarr has no type like {element_type}; write safetensors");
    let data_type = numpy_name(element_type).ok_or_else(none)?;
    let mut codecs = Vec::new();
    let order = layout.map_or(Vec::new(), major_to_minor);
    if !order.is_sorted() {
        codecs.push(json!({"name": "transpose", "configuration": {"order": order}}));
    }
    codecs.push(json!({"name": "bytes", "configuration": {"endian": "little"}}));
    let fill = match element_type {
        ElementType::Pred => json!(false),
        ty if is_complex_type(ty) => json!([0.0, 0.0]),
        ty if is_floating_point_type(ty) => json!(0.0),
        _ => json!(0),
    };
    let text = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill,
        "codecs": codecs,
        "attributes": {},
    });
    Ok(format!("{text:#}\n"))
}

/// The names of the metadata files of arrays and of the groups that contain them.
///
/// # Errors
/// When an array is inside another one.
pub(crate) fn texts(mut arrays: BTreeMap<String, String>) -> Result<Vec<(String, String)>, String> {
    let group = json!({"zarr_format": 3, "node_type": "group", "attributes": {}});
    let group = format!("{group:#}\n");
    let mut groups = BTreeMap::from([(String::new(), group.clone())]);
    for tensor in arrays.keys() {
        let ends = tensor.match_indices('/').map(|(at, _)| &tensor[..at]);
        groups.extend(ends.map(|folder| (folder.to_owned(), group.clone())));
    }
    if let Some(tensor) = groups.keys().find(|group| arrays.contains_key(*group)) {
        let tensor = xlayout_words::short(tensor);
        return Err(format!(
            "tensor `{tensor}`: another tensor would lie in its folder"
        ));
    }
    arrays.append(&mut groups);
    let name = |(folder, text): (String, String)| (inside(&folder, TEXT_3), text);
    Ok(arrays.into_iter().map(name).collect())
}
