//! What the type of a layout says, as constants.

use core::marker::PhantomData;

use super::parts::{AttributeValue, Attributes, Dimensions, Numbers};
use crate::PrimitiveType;
use crate::bitcast::MemoryMap;
use crate::const_text::{ConstText, stop};
use crate::dims::Dim;
use crate::element::DType;
use crate::layout::{Layout, PaddingValue};
use crate::list::List;
use crate::modes::{LowerError, Resolved, Source, Table, type_bits};
use crate::shape::ArrayShape;
use crate::tile::{TileDim, TilesRef};

/// The four parameters of a layout's type, read once into constants.
pub(crate) struct Spec<E, D, O, A>(PhantomData<(E, D, O, A)>);

/// The dimension numbers of a layout's type.
pub trait OrderOf {
    /// Most minor first.
    const MINOR_TO_MAJOR: &'static [i64];
    /// The same as sizes.
    const SIZES: &'static [usize];
}

impl<List: Numbers> OrderOf for crate::MinorToMajor<List> {
    const MINOR_TO_MAJOR: &'static [i64] = List::LIST;
    const SIZES: &'static [usize] = List::SIZES;
}

/// The attributes, each in its place.
pub(crate) struct Gathered {
    tile_entries: [TileDim; 32],
    tile_entries_len: usize,
    tile_ends: [usize; 16],
    tiles: usize,
    split_indices: [i64; 32],
    split_indices_len: usize,
    splits: [(i64, usize); 16],
    splits_len: usize,
    pub(crate) tail_alignment: i64,
    pub(crate) element_bits: i64,
    pub(crate) memory_space: i8,
    pub(crate) metadata_prefix: i64,
    padded: &'static [i64],
    pub(crate) padding_value: Option<PaddingValue>,
}

const fn gather(attributes: &[AttributeValue]) -> Gathered {
    let mut all = Gathered {
        tile_entries: [TileDim::Combine; 32],
        tile_entries_len: 0,
        tile_ends: [0; 16],
        tiles: 0,
        split_indices: [0; 32],
        split_indices_len: 0,
        splits: [(0, 0); 16],
        splits_len: 0,
        tail_alignment: 1,
        element_bits: 0,
        memory_space: 0,
        metadata_prefix: 0,
        padded: &[],
        padding_value: None,
    };
    let mut k = 0;
    while k < attributes.len() {
        match attributes[k] {
            AttributeValue::Tile(entries) => {
                let mut e = 0;
                while e < entries.len() {
                    all.tile_entries[all.tile_entries_len] = entries[e];
                    all.tile_entries_len += 1;
                    e += 1;
                }
                all.tile_ends[all.tiles] = all.tile_entries_len;
                all.tiles += 1;
            }
            AttributeValue::TailAlignment(n) => all.tail_alignment = n,
            AttributeValue::ElementBits(n) => all.element_bits = n,
            AttributeValue::MemorySpace(n) => all.memory_space = n,
            AttributeValue::Split(dimension, indices) => {
                let mut i = 0;
                while i < indices.len() {
                    all.split_indices[all.split_indices_len] = indices[i];
                    all.split_indices_len += 1;
                    i += 1;
                }
                all.splits[all.splits_len] = (dimension, all.split_indices_len);
                all.splits_len += 1;
            }
            AttributeValue::MetadataPrefix(n) => all.metadata_prefix = n,
            AttributeValue::Padded(widths) => all.padded = widths,
            AttributeValue::Fill(value) => all.padding_value = Some(value),
        }
        k += 1;
    }
    // Without a heap the nouns that describe a layout hold so many.
    let fits = all.tiles <= 4
        && all.tile_entries_len <= 12
        && all.splits_len <= 2
        && all.split_indices_len <= 8;
    if !cfg!(feature = "alloc") && !fits {
        stop("more than 4 tiles or 2 splits need the feature `alloc` of xlayout");
    }
    all
}

/// Stops the compiler because a layout cannot be lowered.
#[track_caller]
const fn refuse(element_type: PrimitiveType, sizes: &[usize], error: LowerError) -> ! {
    let message = ConstText::new()
        .text(element_type.name())
        .list(sizes)
        .text(": ")
        .text(error.message())
        .text("; ")
        .text(error.help());
    stop(message.as_str())
}

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> Spec<E, D, O, A> {
    pub(crate) const GATHERED: &'static Gathered = &gather(A::LIST);

    const TILES: TilesRef<'static> = TilesRef {
        entries: Self::GATHERED
            .tile_entries
            .split_at(Self::GATHERED.tile_entries_len)
            .0,
        ends: Self::GATHERED.tile_ends.split_at(Self::GATHERED.tiles).0,
    };

    pub(crate) const ELEMENT_BITS: i64 = if Self::GATHERED.element_bits != 0 {
        Self::GATHERED.element_bits
    } else {
        type_bits(E::TYPE)
    };

    pub(crate) const SOURCE: Source<'static> = Source {
        dims: D::DIMS,
        minor_to_major: O::MINOR_TO_MAJOR,
        tiles: Self::TILES,
        padded_dimensions: Self::GATHERED.padded,
        tail_alignment: Self::GATHERED.tail_alignment,
        element_bits: Self::ELEMENT_BITS,
        type_bits: type_bits(E::TYPE),
    };

    /// The const stride table.
    pub(crate) const TABLE: &'static Table = &match Table::new(&Self::SOURCE) {
        Ok(table) => table,
        Err(error) => refuse(E::TYPE, D::SIZES, error),
    };

    /// What decides about bitcasts.
    pub(crate) const fn memory_map(table: Resolved<'static>) -> MemoryMap<'static> {
        let g = Self::GATHERED;
        MemoryMap {
            element_type: E::TYPE,
            dims: D::DIMS,
            minor_to_major: O::MINOR_TO_MAJOR,
            table,
            memory_space: g.memory_space,
            metadata_prefix: g.metadata_prefix,
            splits: g.splits.split_at(g.splits_len).0,
            split_indices: g.split_indices.split_at(g.split_indices_len).0,
        }
    }

    /// The shape and layout as nouns. `sizes` stand in for the dimensions that only the run time
    /// knows.
    pub(crate) fn shape(sizes: &[usize]) -> ArrayShape {
        let g = Self::GATHERED;
        let mut dims = List::from_slice(D::DIMS, Dim::Unbounded);
        for (dim, &size) in dims.as_mut_slice().iter_mut().zip(sizes) {
            if *dim == Dim::Unbounded {
                *dim = Dim::Static(size as i64);
            }
        }
        let mut layout = Layout::new(crate::MinorToMajor::from_list(List::from_slice(
            O::MINOR_TO_MAJOR,
            0,
        )));
        // Nothing is lost: `gather` has checked that all fit where there is no heap.
        for k in 0.. {
            let Some(tile) = Self::TILES.get(k) else {
                break;
            };
            let _ = layout.tiles.push(tile);
        }
        let mut start = 0;
        for &(dimension, end) in &g.splits[..g.splits_len] {
            let _ = layout
                .split_configs
                .push(dimension, &g.split_indices[start..end]);
            start = end;
        }
        layout.tail_padding_alignment_in_elements = g.tail_alignment;
        layout.element_size_in_bits = g.element_bits;
        layout.memory_space = g.memory_space;
        layout.dynamic_shape_metadata_prefix_bytes = g.metadata_prefix;
        layout.padded_dimensions = List::from_slice(g.padded, 0);
        layout.padding_value = g.padding_value;
        ArrayShape {
            element_type: E::TYPE,
            dims,
            layout: Some(layout),
        }
    }
}
