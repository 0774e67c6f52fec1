//! The run-time half of xlayout: XLA's shapes and layouts, their text, and index arithmetic.
//!
//! Programs use the facade `xlayout`; this crate holds everything that it does at run time.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod axis;
pub mod bitcast;
pub mod boundary;
mod compare;
mod const_text;
mod coordinates;
mod dims;
mod dynamic;
mod element;
pub mod error;
pub mod fixed;
mod index;
mod iter;
mod laid_out;
mod layout;
mod list;
mod misfit;
mod modes;
mod order;
mod primitive;
mod raw;
#[cfg(feature = "serde")]
pub mod serialized;
mod shape;
#[cfg(feature = "alloc")]
mod shape_layout;
#[cfg(feature = "alloc")]
pub mod sharding;
mod split;
pub mod text;
mod tile;
mod validate;
mod view;
mod xla;

pub use axis::{Axis, Coordinate};
pub use bitcast::{
    Bitcast, BitcastDecomposition, BitcastDecompositionTrt, ElementTypes,
    InsertedOrDeleted1SizedDimensions, NormalizedTranspose, NotBitcast,
};
pub use compare::{Comparable, Compare, Difference, Different};
pub use coordinates::{Coordinates, DynCoordinates, HasDimension};
pub use dims::{Dim, Dims, INLINE_RANK, MAX_SIZE, dimension_letter, dimension_number};
pub use dynamic::{Branded, Dyn, Specialize, Strided, Strided32, branded};
pub use element::{DType, Element, dtype};
pub use error::{Error, ErrorKind};
pub use fixed::{TypeNumbers, TypeStrides};
pub use index::{Index, Linear};
pub use iter::{Indices, IndicesInMemory};
pub use laid_out::{AnyType, CarriedBy, FixedLayout, LaidOut, Proven};
pub use layout::{Layout, PaddingValue};
pub use list::{Full, List};
pub use misfit::Misfit;
pub use modes::{LowerError, Mode, Term};
pub use order::{MajorToMinor, MinorToMajor};
pub use primitive::PrimitiveType;
pub use raw::{Raw, RawBits};
pub use shape::{ArrayShape, IterationSpace, ShapeError};
#[cfg(feature = "alloc")]
pub use shape::{Shape, ShapeIndex};
#[cfg(feature = "alloc")]
pub use shape_layout::ShapeLayout;
pub use split::{SplitConfig, SplitConfigs};
pub use tile::{TileDim, Tiles};
/// The crate of type-level numbers in whose terms [`TypeNumbers`] speaks.
pub use typenum;
#[cfg(feature = "alloc")]
pub use view::Array;
pub use view::{
    Borrowed, IntoCoordinates, Packed, PackedMut, PackedOf, Storage, StorageMut, View, ViewIndex,
    ViewMut, ViewOf,
};
pub use xla::compare_indices;

/// Where to find what XLA's functions do. The search of this documentation finds them by their
/// C++ names, too.
#[doc(alias = "IndexUtil")]
#[doc(alias = "LayoutUtil")]
#[doc(alias = "IsDenseArray")]
#[doc(alias = "IsDense")]
#[doc(alias = "IsSparse")]
#[doc(alias = "IsSparseArray")]
#[doc(alias = "IsCOO")]
#[doc(alias = "IsCSR")]
#[doc(alias = "IsCSC")]
#[doc(alias = "GetDimLevelType")]
#[doc(alias = "DimUnique")]
#[doc(alias = "DimOrdered")]
#[doc(alias = "ValidateDimLevel")]
#[doc(alias = "IgnorePhysicalShape")]
#[doc(alias = "ByteSizeOfElementsRecursive")]
#[doc(alias = "SerializedSize")]
#[doc(alias = "SerializedSizeWithProto")]
#[doc(alias = "MakeValidatedShapeWithSparseLayout")]
#[doc(alias = "MakeValidatedTupleShapeWithPtrs")]
#[doc(alias = "PopulateShape")]
#[doc(alias = "IsInitialized")]
#[doc(alias = "HigherPrecisionElementType")]
#[doc(alias = "ElementCanUpcast")]
#[doc(alias = "ComplexComponentShape")]
#[doc(alias = "ToNamedSharding")]
#[doc = include_str!("xla_functions/layouts.md")]
#[doc = include_str!("xla_functions/shapes.md")]
#[cfg_attr(feature = "alloc", doc = include_str!("xla_functions/shardings.md"))]
pub mod xla_functions {}

/// What the macros of the facade write. Not for use: it may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::dynamic::SpecializeInto;
    pub use crate::error::suggest::nearest;
    pub use crate::fixed::numbers_of_dimensions as numbers;
    pub use crate::{dtype, fixed};
    pub use typenum;
}
