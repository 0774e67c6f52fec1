//! XLA's utilities for shapes and layouts: functions of `ShapeUtil`, `LayoutUtil` and `IndexUtil`.
//!
//! Use it if you know the C++ function that you need. A class of XLA is a module, and a function
//! has its C++ name in snake case, except those that the README lists. The search of this
//! documentation finds the C++ names, and [`xla_functions`] lists all of them. To compute where an
//! element is, you do not need this crate: the layouts of [`xlayout`](https://docs.rs/xlayout) do
//! that.
//!
//! ```
//! use xlayout_shape::ArrayShape;
//! use xlayout_xla::shape_util;
//!
//! // ShapeUtil::PermuteDimensions({1, 0}, shape)
//! let shape: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
//! let permuted = shape_util::permute_dimensions(&shape, &[1, 0]).unwrap();
//! assert_eq!(permuted.to_string(), "f32[3,2]{0,1}");
//! ```
//!
//! | XLA | here |
//! |---|---|
//! | `ShapeUtil` | [`shape_util`] |
//! | `LayoutUtil` | [`layout_util`] |
//! | `IndexUtil` | [`index_util`] |
//! | `primitive_util` | [`primitive_util`] |
//! | `Shape::Equal`, `Layout::Equal`, `ShapeUtil::Compatible` | [`Compare`], [`Difference`] |
//!
//! Programs use it as `xlayout::xla`, with the feature `xla` of the facade.
//!
//! # Errors
//! Where XLA stops the process with a failed check, a function here returns a [`ShapeError`].
//!
//! # Differences
//! Some of XLA's functions know only the first level of tiles, and only sizes and minor_to_major in
//! a bitcast. The functions here use all tile levels and the padding. XLA's functions that call a
//! visitor are iterators here. A number that wraps in XLA is `None`.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod any_shape;
mod compare;
mod difference;
mod error;
pub mod index_util;
pub mod layout_util;
pub mod primitive_util;
pub mod shape_util;
#[cfg(feature = "alloc")]
mod walk;

pub use any_shape::AnyShape;
pub use compare::{Comparable, Compare};
pub use difference::{Difference, Different};
pub use error::ShapeError;

pub mod xla_functions {
    //! XLA's functions by their C++ names, and the items here that correspond to them. The search
    //! of this documentation finds these names, too.
    #![doc(alias("IndexUtil", "CompareIndices", "GetSplitConfig", "LayoutUtil"))]
    #![doc(alias("physical_shape", "ArrayDataSize", "IsDenseArray", "IsDense"))]
    #![doc(alias("IsSparse", "IsSparseArray", "IsCOO", "IsCSR", "IsCSC"))]
    #![doc(alias("GetDimLevelType", "DimUnique", "DimOrdered"))]
    #![doc(alias("ValidateDimLevel", "IgnorePhysicalShape"))]
    #![doc(alias("ByteSizeOfElementsRecursive", "SerializedSize"))]
    #![doc(alias("SerializedSizeWithProto", "MakeValidatedShapeWithSparseLayout"))]
    #![doc(alias("MakeValidatedTupleShapeWithPtrs", "PopulateShape"))]
    #![doc(alias("IsInitialized", "HigherPrecisionElementType"))]
    #![doc(alias("ElementCanUpcast", "ComplexComponentShape", "ToNamedSharding"))]
    #![doc(alias("ShapeLayout", "AssignLayoutToShape", "CopyLayoutFromShape"))]
    #![doc(alias("MatchesLayoutInShape", "ClearDynamicShape", "LayoutIsSet"))]
    #![doc(alias("AnyLayoutIsSet", "ResetLayout", "ElementIsIntegral"))]
    #![doc(alias("ElementIsFloating", "ElementIsComplex", "ElementHasBitWidth"))]
    #![doc(alias = "ElementIsIntegralWithBits")]
    #![doc = include_str!("xla_functions/layouts.md")]
    #![doc = include_str!("xla_functions/shapes.md")]
    #![doc = include_str!("xla_functions/shardings.md")]

    // What the tables name.
    #[cfg(doc)]
    use crate::*;
    #[cfg(doc)]
    use xlayout_core::*;
}
