//! Array layouts as types and as values, typed indices, and views of memory.
//!
//! Most programs use the facade [`xlayout`](https://docs.rs/xlayout). It exports the items of this
//! crate and of `xlayout-shape` that its features select, and it has the macro `layout!`. A library
//! that works with any layout, and writes none itself, can use this crate alone and compile no
//! macro.
//!
//! ```
//! use xlayout_core::{Array, ArrayLayout, DynLayout};
//!
//! let layout: DynLayout = "f32[2,3]{1,0:T(2,2)}".parse()?;
//! assert_eq!((layout.elements(), layout.buffer_len()), (6, 8)); // 2 elements of padding
//! assert_eq!(layout.linear_index(&[1, 2].into()), 6);
//!
//! let array = Array::from_fn(layout, |index| (10 * index[0] + index[1]) as f32)?;
//! assert_eq!(array[[1, 2]], 12.0);
//! # Ok::<(), xlayout_core::LayoutError>(())
//! ```
//!
//! | task | items |
//! |---|---|
//! | ask a layout for sizes, strides and linear indices | the trait [`ArrayLayout`] |
//! | layouts known at compile time | [`types`], [`ConstLayout`] |
//! | layouts known at run time | [`DynLayout`], [`StridedLayout`], [`branded`] |
//! | elements in memory | `Array`; borrowed: [`View`], [`ViewMut`]; as a slice: [`SliceView`], [`SliceViewMut`]; packed elements: [`Packed`] |
//! | indices that are proven to be in bounds | [`Index`], [`LinearIndex`], [`Axis`] |
//! | parts of arrays | the methods of [`ArrayRef`], [`Tile`] |
//! | reshapes and transposes that move no data | [`bitcast`] |
//! | functions for all arrays of a rank | [`ArrayRef`], [`Rank`] |
//!
//! # Errors
//! Functions return a [`LayoutError`]. It says what was found, what fits, and what to do.
//!
//! # Units
//! Lengths and linear indices are numbers of elements, except where a name says bytes or bits.
//! Padding counts as elements of the buffer ([`ArrayLayout::buffer_len`]), not as elements of the
//! array ([`ArrayLayout::elements`]).
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;
#[macro_use(each)]
extern crate xlayout_shape;

mod array;
mod array_layout;
pub mod bitcast;
mod by_value;
mod coordinates;
mod dispatch;
mod element;
mod layout_error;
mod layouts;
mod modes;
#[cfg(feature = "serde")]
mod serde;
mod specialize;

#[cfg(feature = "alloc")]
pub use array::{Array, Owned};
pub use array::{
    ArrayBase, ArrayRef, Borrowed, Chunks, ChunksMut, Elements, ElementsMut, Lines, LinesMut,
    NestedArray, Packed, PartItems, PartItemsMut, SliceStorage, SliceStorageMut, SliceView,
    SliceViewMut, Storage, StorageMut, Tile, TileView, TileViewMut, TileViews, TileViewsMut, View,
    ViewIndex, ViewMut,
};
pub use array_layout::{
    ArrayLayout, Axis, ConstLayout, Coordinate, FixedSizes, Index, Indices, IndicesInMemory,
    IntoCoordinates, LinearIndex, PaddingRanges, Rank,
};
pub use bitcast::{Bitcast, ElementTypes, NotBitcast};
pub use coordinates::{Coordinates, DynCoordinates, HasDimension};
pub use element::{Element, Raw, RawBits, dtype};
pub use layout_error::LayoutError;
pub use layouts::{
    BlockLayout, BrandedLayout, BroadcastLayout, ConstTiles, DynLayout, RegionLayout, Stride,
    StridedLayout, TileBy, branded, strided_reach, types,
};
pub use specialize::Specialize;
#[cfg(feature = "serde")]
pub use xlayout_shape::serialized;
pub use xlayout_shape::{
    ArrayShape, Dim, Dims, ElementType, ErrorKind, INLINE_RANK, Layout, List, MajorToMinor,
    MinorToMajor, Mode, NotLowered, PaddingValue, ParseError, SplitConfig, SplitConfigs, Term,
    TileDim, Tiles, dimension_letter, dimension_number, error, for_each_element_type, text,
};
#[cfg(feature = "alloc")]
pub use xlayout_shape::{Shape, ShapeIndex};
// What the modules here name of that crate.
pub(crate) use xlayout_shape::{const_text, dims, layout, list, order, shape, tile};
/// What the errors of the other crates are made with, and the table of attributes.
#[doc(hidden)]
pub use xlayout_shape::{
    debug_as_display, each, error_from, error_row, error_table, explained, words,
};

/// What the macros of the facade write. Not for use: it may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::const_text::stop;
    pub use crate::layouts::types::short_names;
    pub use crate::specialize::SpecializeInto;
    pub use crate::{dtype, types};

    /// What `layout!` declares for a layout with a `?`, under the name of its type: it takes the
    /// sizes.
    pub type WithSizes<L> =
        fn(<L as crate::ArrayLayout>::Coordinates) -> Result<L, crate::LayoutError>;
}
