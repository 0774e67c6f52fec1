//! The attributes of a layout's type, each in its place.

use xlayout_shape::error::Attribute as Known;

use super::parts::AttributeValue;
use crate::const_text::{ConstText, stop};
use crate::dims::{INLINE_RANK, MAX_TYPE_ENTRIES};
use crate::layout::{Layout, PaddingValue};
use crate::tile::TileDim;

/// The attributes, each in its place.
pub(crate) struct Gathered {
    pub(super) tile_entries: [TileDim; MAX_TYPE_ENTRIES],
    pub(super) tile_entries_len: usize,
    pub(super) tile_ends: [usize; INLINE_RANK],
    pub(super) tiles: usize,
    pub(super) split_indices: [i64; MAX_TYPE_ENTRIES],
    pub(super) split_indices_len: usize,
    pub(super) splits: [(i64, usize); INLINE_RANK],
    pub(super) splits_len: usize,
    pub(super) padded: &'static [i64],
    pub(crate) padding_value: Option<PaddingValue>,
    pub(crate) tail_alignment: i64,
    pub(crate) element_bits: i64,
    pub(crate) memory_space: i8,
    pub(crate) metadata_prefix: i64,
}

#[inline]
pub(super) const fn gather(attributes: &[AttributeValue]) -> Gathered {
    let mut all = Gathered {
        tile_entries: [TileDim::Combine; MAX_TYPE_ENTRIES],
        tile_entries_len: 0,
        tile_ends: [0; INLINE_RANK],
        tiles: 0,
        split_indices: [0; MAX_TYPE_ENTRIES],
        split_indices_len: 0,
        splits: [(0, 0); INLINE_RANK],
        splits_len: 0,
        padded: &[],
        padding_value: None,
        tail_alignment: 1,
        element_bits: 0,
        memory_space: 0,
        metadata_prefix: 0,
    };
    let mut before = 0;
    each!(attribute, attributes, {
        before = assert_sequence(before, attribute);
        match *attribute {
            AttributeValue::TileSizes(entries) => {
                assert_room(all.tile_entries_len + entries.len());
                each!(entry, entries, {
                    all.tile_entries[all.tile_entries_len] = *entry;
                    all.tile_entries_len += 1;
                });
                all.tile_ends[all.tiles] = all.tile_entries_len;
                all.tiles += 1;
            }
            AttributeValue::Split(dimension, indices) => {
                assert_room(all.split_indices_len + indices.len());
                each!(index, indices, {
                    all.split_indices[all.split_indices_len] = *index;
                    all.split_indices_len += 1;
                });
                all.splits[all.splits_len] = (dimension, all.split_indices_len);
                all.splits_len += 1;
            }
            // The parameter of the type has the type of the field.
            AttributeValue::Number(attribute, n) => match attribute {
                Known::TailAlignment => all.tail_alignment = n,
                Known::ElementSize => all.element_bits = n,
                Known::MemorySpace => all.memory_space = n as i8,
                Known::Metadata => all.metadata_prefix = n,
                _ => unreachable!(),
            },
            AttributeValue::Padded(widths) => all.padded = widths,
            AttributeValue::Fill(value) => all.padding_value = Some(value),
        }
    });
    if !cfg!(feature = "alloc") && !fits_without_a_heap(&all) {
        stop("more than 4 tiles or 2 splits need the feature `alloc` of xlayout");
    }
    all
}

/// The place of an attribute in the sequence of XLA's text, and its type.
#[inline]
const fn place(attribute: &AttributeValue) -> (usize, &'static str) {
    const OWN: usize = Known::ALL.len();
    match attribute {
        AttributeValue::TileSizes(_) => (Known::Tiles as usize, "Tile"),
        AttributeValue::Number(attribute, _) => {
            let name = match attribute {
                Known::TailAlignment => "TailAlign",
                Known::ElementSize => "ElementWidth",
                Known::MemorySpace => "MemSpace",
                Known::Metadata => "MetadataBytes",
                _ => unreachable!(),
            };
            (*attribute as usize, name)
        }
        AttributeValue::Split(..) => (Known::Splits as usize, "SplitDim"),
        AttributeValue::Padded(_) => (OWN, "Padded"),
        AttributeValue::Fill(_) => (OWN + 1, "Fill"),
    }
}

impl Gathered {
    /// Writes the numbers into a layout.
    pub(super) fn write_numbers(&self, layout: &mut Layout) {
        layout.tail_padding_alignment_in_elements = self.tail_alignment;
        layout.element_size_in_bits = self.element_bits;
        layout.memory_space = self.memory_space;
        layout.dynamic_shape_metadata_prefix_bytes = self.metadata_prefix;
    }
}

/// Whether the attributes fit into the lists of a [`Layout`](crate::Layout) without a heap.
#[inline]
const fn fits_without_a_heap(all: &Gathered) -> bool {
    all.tiles <= 4
        && all.tile_entries_len <= 12
        && all.splits_len <= 2
        && all.split_indices_len <= 8
}

/// Stops the compiler where an attribute is given twice or out of sequence, as reading a text does:
/// equal layouts are one type. Answers the place of the attribute.
#[track_caller]
#[inline]
const fn assert_sequence(before: usize, attribute: &AttributeValue) -> usize {
    let (at, name) = place(attribute);
    let repeats = matches!(
        attribute,
        AttributeValue::TileSizes(_) | AttributeValue::Split(..)
    );
    if at < before || at == before && !repeats {
        let why = if at == before {
            "` is given twice"
        } else {
            "` is out of sequence"
        };
        let text = ConstText::new("the attribute `", &[]).text(name).text(why);
        let help = "; write each of `Tile`, `TailAlign`, `ElementWidth`, `MemSpace`, `SplitDim`, \
                    `MetadataBytes`, `Padded`, `Fill` in this sequence, and only `Tile` and \
                    `SplitDim` more than once";
        stop(text.text(help).as_str());
    }
    at
}

#[track_caller]
#[inline]
const fn assert_room(entries: usize) {
    if entries > MAX_TYPE_ENTRIES {
        stop(
            "a layout's type has room for 32 entries of tiles and 32 indices of splits; \
             use a `DynLayout`",
        );
    }
}

#[cfg(test)]
mod tests;
