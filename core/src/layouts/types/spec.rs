//! What the type of a layout says, as constants.
//!
//! ```text
//! GATHERED  = the attributes of the type, each in its field
//! SOURCE    = sizes, minor_to_major and attributes, borrowed
//! SHORT     = the table of a dense or a tiled layout, in few steps, or "not taken" (dense.rs)
//! TABLE     = the table of any layout, by the general path; an error if it cannot be lowered
//! STRIDES   = from SHORT if it is taken, else from TABLE (dense.rs)
//! ```
//!
//! The compiler evaluates a constant that is used, and those that it names. So each constant names
//! few others.

use core::marker::PhantomData;

use super::gather::{Gathered, gather};
use super::parts::{Attributes, Dimensions, NumberList};
use crate::ElementType;
use crate::const_text::{ConstText, stop};
use crate::dims::Dim;
use crate::element::DType;
use crate::error::ParseError;
use crate::layout::Layout;
use crate::list::List;
use crate::modes::{MemoryMap, NotLowered, Resolved, Source, Table, type_bits, typed};
use crate::shape::ArrayShape;
use crate::tile::TilesRef;

/// The four parameters of a layout's type, read once into constants.
pub(crate) struct Spec<E, D, O, A>(PhantomData<(E, D, O, A)>);

/// The dimension numbers of a layout's type. Sealed, because unchecked access relies on it (the
/// invariant `INSIDE` of `modes/inside.rs`).
pub trait OrderOf: super::sealed::Sealed {
    /// Most minor first.
    const MINOR_TO_MAJOR: &'static [i64];
    /// The same as sizes.
    const SIZES: &'static [usize];
}

impl<List> super::sealed::Sealed for crate::MinorToMajor<List> {}
impl<List: NumberList> OrderOf for crate::MinorToMajor<List> {
    const MINOR_TO_MAJOR: &'static [i64] = List::LIST;
    const SIZES: &'static [usize] = List::SIZES;
}

/// `gather` has checked that tiles and splits fit where there is no heap.
#[inline]
fn fits(pushed: Result<(), ParseError>) {
    if let Err(full) = pushed {
        unreachable!("tiles and splits fit into a layout: {full}");
    }
}

/// Stops the compiler because a layout cannot be lowered.
#[track_caller]
#[inline]
const fn refuse(element_type: ElementType, sizes: &[usize], error: NotLowered) -> ! {
    let message = ConstText::new(element_type.name(), &[])
        .list(sizes)
        .text(": ")
        .text(error.text().as_str());
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
        metadata_prefix: Self::GATHERED.metadata_prefix,
        splits: Self::GATHERED.splits.split_at(Self::GATHERED.splits_len).0,
        split_indices: Self::GATHERED
            .split_indices
            .split_at(Self::GATHERED.split_indices_len)
            .0,
    };

    /// The const stride table by the general way.
    pub(crate) const TABLE: &'static Table =
        &match typed(E::TYPE, &Self::SOURCE, Self::GATHERED.element_bits) {
            Ok(table) => table,
            Err(error) => refuse(E::TYPE, D::SIZES, error),
        };

    /// The table by the general way. It is a function, because the compiler evaluates every
    /// constant that another constant names, in dead branches, too.
    pub(super) const fn general() -> &'static Table {
        Self::TABLE
    }

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

    /// The shape and layout as nouns. `sizes` take the place of the dimensions that only the run
    /// time knows.
    pub(crate) fn shape(sizes: &[usize]) -> ArrayShape {
        let g = Self::GATHERED;
        let mut dims = List::from_slice(D::DIMS, Dim::Unbounded);
        for (dim, &size) in dims.iter_mut().zip(sizes) {
            if *dim == Dim::Unbounded {
                *dim = Dim::Static(size as i64);
            }
        }
        let mut layout = Layout::new(crate::MinorToMajor::from_list(List::from_slice(
            O::MINOR_TO_MAJOR,
            0,
        )));
        for k in 0.. {
            let Some(tile) = Self::TILES.get(k) else {
                break;
            };
            fits(layout.tiles.push(tile));
        }
        let mut start = 0;
        for &(dimension, end) in &g.splits[..g.splits_len] {
            let indices = &g.split_indices[start..end];
            fits(layout.split_configs.push(dimension, indices));
            start = end;
        }
        g.write_numbers(&mut layout);
        layout.padded_dimensions = List::from_slice(g.padded, 0);
        layout.padding_value = g.padding_value;
        ArrayShape::from_parts(E::TYPE, dims, Some(layout))
    }
}
