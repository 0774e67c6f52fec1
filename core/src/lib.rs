//! Layouts as types and as values, typed indices and views.
//!
//! Programs use the facade `xlayout`, which exports the items of this crate and of `xlayout-shape`
//! that its features select.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod array_layout;
pub mod bitcast;
mod coordinates;
mod dynamic;
mod element;
mod layout_error;
#[cfg(all(feature = "kernel", feature = "std"))]
pub mod math;
mod modes;
mod part;
#[cfg(feature = "kernel")]
pub mod reduce;
mod region;
#[cfg(feature = "serde")]
mod serde;
mod specialize;
pub mod types;
mod view;

pub use array_layout::{
    ArrayLayout, Axis, AxisBlock, AxisBlocks, ConstLayout, Coordinate, FixedSizes, Index, Indices,
    IndicesInMemory, IntoCoordinates, LinearIndex, PaddingRanges,
};
pub use bitcast::{Bitcast, ElementTypes, NotBitcast};
pub use coordinates::{Coordinates, DynCoordinates, HasDimension};
pub use dynamic::{BrandedLayout, DynLayout, StridedLayout, StridedLayout32, branded};
pub use element::{AnyType, DType, Element, Raw, RawBits, StoredAs, dtype};
pub use layout_error::LayoutError;
pub use part::{BlockLayout, BroadcastLayout, ConstTiles, Rank, RankedLayout, TileBy};
pub use region::{GappedLayout, RegionLayout, SignedLayout};
pub use specialize::Specialize;
/// The crate of type-level numbers in whose terms [`TypeNumbers`] speaks.
#[cfg(feature = "typenum")]
pub use typenum;
#[cfg(feature = "typenum")]
pub use types::{TypeNumbers, TypeStrides};
#[cfg(feature = "alloc")]
pub use view::{Array, ArrayOf, PackedArray};
pub use view::{
    ArrayBase, AsView, Borrowed, Chunks, ChunksMut, Elements, ElementsMut, NestedArray, PackedBase,
    PackedChunks, PackedChunksMut, PackedPart, PackedPartMut, PackedTileOf, PackedTileView,
    PackedTileViewMut, PackedTileViews, PackedTileViewsMut, PackedView, PackedViewMut, Part,
    PartItems, PartItemsMut, PartMut, SliceStorage, SliceStorageMut, Storage, StorageMut, TileOf,
    TileView, TileViewMut, TileViews, TileViewsMut, View, ViewIndex, ViewMut, ViewMutOf, ViewOf,
};
#[cfg(feature = "serde")]
pub use xlayout_shape::serialized;
pub use xlayout_shape::{
    ArrayShape, CapacityError, Dim, Dims, ErrorKind, INLINE_RANK, Layout, List, LowerError,
    MajorToMinor, MinorToMajor, Mode, PaddingValue, ParseError, PrimitiveType, SplitConfig,
    SplitConfigs, Term, TileDim, Tiles, dimension_letter, dimension_number, error, text,
};
#[cfg(feature = "alloc")]
pub use xlayout_shape::{Shape, ShapeIndex};
// What the modules here name of that crate.
pub(crate) use xlayout_shape::{const_text, dims, layout, list, order, shape, tile};

/// What the macros of the facade write. Not for use: it may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::const_text::stop;
    pub use crate::specialize::SpecializeInto;
    pub use crate::types::short_names;
    pub use crate::{dtype, types};
    #[cfg(feature = "typenum")]
    pub use typenum;
}
